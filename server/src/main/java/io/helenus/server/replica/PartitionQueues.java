package io.helenus.server.replica;

import io.helenus.server.error.CqlError;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.StorageEngine;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The computed writes of a shard: a queue for each partition that has any. Bounded: beyond the
 * limit writes are refused with OVERLOADED. Shard thread only.
 */
final class PartitionQueues {
  /** The limit of writes that wait on a shard. */
  static final int WAITING_LIMIT = 8_192;

  private final Shard shard;
  private StorageEngine engine;
  private final LongSupplier timestamps;
  private final Map<Partition, PartitionQueue> queues = new HashMap<>();
  private int waiting;

  /**
   * Creates the queues of a shard, all empty.
   *
   * @param timestamps strictly increasing
   */
  PartitionQueues(Shard shard, StorageEngine engine, LongSupplier timestamps) {
    this.shard = shard;
    this.engine = engine;
    this.timestamps = timestamps;
  }

  /** The key of a queue. */
  record Partition(int tableId, byte[] prefix) {
    static Partition of(ReadRequest request) {
      return new Partition(
          request.tableId(), Bytes.toArray(request.segment(), 0, request.lowerLength()));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Partition(int otherTable, byte[] otherPrefix)
          && tableId == otherTable
          && Arrays.equals(prefix, otherPrefix);
    }

    @Override
    public int hashCode() {
      return 31 * tableId + Arrays.hashCode(prefix);
    }
  }

  Shard shard() {
    return shard;
  }

  StorageEngine engine() {
    return engine;
  }

  /** Replaces the engine by one that passes everything on to it, or back. */
  void engine(StorageEngine replacement) {
    engine = replacement;
  }

  long nextTimestamp() {
    return timestamps.getAsLong();
  }

  /** Queues a write; it begins at once if no other write of its partition is in progress. */
  void add(QueuedWrite write) {
    if (waiting >= WAITING_LIMIT) {
      write.refused(
          new CqlError.Overloaded(
              "Too many writes that read first are waiting for their partitions; try again later"));
      return;
    }
    waiting++;
    queues
        .computeIfAbsent(
            Partition.of(write.write().request()), partition -> new PartitionQueue(this, partition))
        .add(write);
  }

  /** A write has left the queue. */
  void begun() {
    waiting--;
  }

  /** The queue of a partition is empty and idle. */
  void idle(Partition partition) {
    queues.remove(partition);
  }
}
