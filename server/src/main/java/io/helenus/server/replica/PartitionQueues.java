package io.helenus.server.replica;

import io.helenus.server.coordinator.BatchLogEntries;
import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.error.CqlError;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.schema.Schema;
import io.helenus.server.shard.Shard;
import io.helenus.server.view.ViewedTables;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.env.Clock;
import io.helenus.storage.row.MutationView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The computed writes of a shard and those to tables with views: a queue for each partition that
 * has any, whatever their tables. Bounded: beyond the limit writes are refused with OVERLOADED.
 * Shard thread only.
 */
final class PartitionQueues {
  /** The limit of writes that wait on a shard. */
  static final int WAITING_LIMIT = 8_192;

  /** How many idle queues are kept, with their buffers. */
  private static final int FREE_LIMIT = 256;

  private final Shard shard;
  private final ReplicaAccess replica;
  private StorageEngine engine;
  private final Environment environment;
  private final MutationView view = new MutationView();
  private final Map<Partition, PartitionQueue> queues = new HashMap<>();
  private final ArrayDeque<PartitionQueue> free = new ArrayDeque<>();
  private final List<PartitionQueue> held = new ArrayList<>();
  private final PlainWriteBarrier barrier = new PlainWriteBarrier();
  private ViewedTables viewed;
  private int waiting;
  private int turns;
  private int pauses;
  private @Nullable Runnable whenPaused;

  /**
   * What the queues of all shards share.
   *
   * @param timestamps strictly increasing; any thread
   * @param schema the present schema; any thread
   * @param batchLogs the entries in the batch log of each shard
   * @param metrics the metrics of each shard
   */
  record Environment(
      Clock clock,
      LongSupplier timestamps,
      Supplier<Schema> schema,
      List<BatchLogEntries> batchLogs,
      List<ShardMetrics> metrics) {}

  /** Creates the queues of a shard, all empty. */
  PartitionQueues(
      Shard shard, ReplicaAccess replica, StorageEngine engine, Environment environment) {
    this.shard = shard;
    this.replica = replica;
    this.engine = engine;
    this.environment = environment;
    viewed = new ViewedTables(environment.schema.get());
  }

  /** A partition; of all tables if the id is 0, as in the key of a queue. */
  record Partition(int tableId, byte[] prefix) {
    static Partition of(ReadRequest request) {
      return new Partition(
          request.tableId(), Bytes.toArray(request.segment(), 0, request.keys().lowerLength()));
    }

    static Partition ofAllTables(ReadRequest request) {
      return new Partition(0, Bytes.toArray(request.segment(), 0, request.keys().lowerLength()));
    }

    static Partition ofAllTables(ByteWriter prefix) {
      return new Partition(0, prefix.toArray());
    }

    static Partition ofAllTables(MutationView mutation) {
      return new Partition(
          0, Bytes.toArray(mutation.segment(), mutation.prefixOffset(), mutation.prefixLength()));
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
    return environment.timestamps.getAsLong();
  }

  Clock clock() {
    return environment.clock;
  }

  ReplicaAccess replica() {
    return replica;
  }

  BatchLogEntries batchLog() {
    return environment.batchLogs.get(shard.index());
  }

  ShardMetrics metrics() {
    return environment.metrics.get(shard.index());
  }

  /** The tables that have views now. */
  ViewedTables viewed() {
    refreshViewed();
    return viewed;
  }

  private void refreshViewed() {
    Schema schema = environment.schema.get();
    if (!viewed.isOf(schema)) {
      ViewedTables before = viewed;
      viewed = new ViewedTables(schema);
      if (viewed.hasMoreTablesThan(before)) {
        // no further turn begins until they have ended
        barrier.raise();
      }
    }
  }

  /**
   * Whether a turn that has begun with these tables has to be repeated, because there are other
   * views now or because it has to wait for writes outside the queues.
   */
  boolean haveViewsChanged(ViewedTables begun) {
    ViewedTables now = viewed();
    return barrier.isUp() || now != begun && !(now.isEmpty() && begun.isEmpty());
  }

  /** A write outside the queues begins; the result is for {@link #endPlain}. */
  int beginPlain() {
    return barrier.begin();
  }

  /** A write outside the queues has ended: it is visible, or refused. */
  void endPlain(int of) {
    if (barrier.end(of)) {
      release();
    }
  }

  /** Whether a table of a mutation has views, so that the write has to be queued. */
  boolean takes(MemorySegment mutation, int length) {
    ViewedTables tables = viewed();
    if (tables.isEmpty()) {
      return false;
    }
    view.wrap(mutation, 0, length);
    while (view.nextTable()) {
      if (tables.of(view.tableId()) != null) {
        return true;
      }
    }
    return false;
  }

  /** Queues a write; it begins at once if no other write of its partition is in progress. */
  void add(QueuedWrite write) {
    add(Partition.ofAllTables(write.write().request()), write);
  }

  /** Queues a plain write. */
  void add(LocalWrite write) {
    view.wrap(write.mutation(), 0, write.length());
    add(Partition.ofAllTables(view), write);
  }

  /** Queues a step with a turn of its own. */
  void add(PartitionStep step, ByteWriter prefix) {
    add(Partition.ofAllTables(prefix), new QueuedStep(step));
  }

  private void add(Partition partition, QueueEntry write) {
    if (waiting >= WAITING_LIMIT) {
      write.refused(
          new CqlError.Overloaded(
              "Too many writes that read first are waiting for their partitions; try again later"));
      return;
    }
    waiting++;
    PartitionQueue queue = queues.get(partition);
    if (queue == null) {
      queue = free.isEmpty() ? new PartitionQueue(this) : free.removeLast();
      queues.put(partition, queue);
    }
    queue.add(partition, write);
  }

  /** Begun writes are waiting again. */
  void returned(int writes) {
    waiting += writes;
  }

  /** Whether a queue may begin a turn; if not, it is run again later. */
  boolean beginTurn(PartitionQueue queue) {
    refreshViewed();
    if (isHeld()) {
      held.add(queue);
      return false;
    }
    turns++;
    return true;
  }

  /** A turn has ended. */
  void endTurn() {
    turns--;
    if (turns == 0 && whenPaused != null) {
      Runnable paused = whenPaused;
      whenPaused = null;
      paused.run();
    }
  }

  /** Lets no further turn begin until {@link #resume}, and reports when none is in progress. */
  void pause(Runnable whenNone) {
    pauses++;
    if (turns == 0) {
      whenNone.run();
    } else {
      Runnable earlier = whenPaused;
      whenPaused =
          earlier == null
              ? whenNone
              : () -> {
                earlier.run();
                whenNone.run();
              };
    }
  }

  /** Ends a pause. */
  void resume() {
    pauses--;
    release();
  }

  private boolean isHeld() {
    return pauses > 0 || barrier.isUp();
  }

  private void release() {
    if (!isHeld()) {
      List<PartitionQueue> released = List.copyOf(held);
      held.clear();
      released.forEach(shard::executeLast);
    }
  }

  /** A write has left the queue. */
  void begun() {
    waiting--;
  }

  /** The queue of a partition is empty and idle: it may serve another one. */
  void idle(Partition partition, PartitionQueue queue) {
    queues.remove(partition);
    if (free.size() < FREE_LIMIT) {
      free.addLast(queue);
    }
  }
}
