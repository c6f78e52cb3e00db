package io.helenus.server.replica;

import io.helenus.server.coordinator.BatchEntry;
import io.helenus.server.coordinator.BatchId;
import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.shard.TokenSlices;
import io.helenus.server.view.ViewChanges;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.WriteRefusedException;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the mutation of a turn together with what it changes in partitions of views, so that both
 * or neither are there after a crash (docs/views.md):
 *
 * <ol>
 *   <li>the mutation, the changes of partitions of this shard and an entry of the batch log with
 *       those of other shards are applied as one write. If it is refused, nothing has happened;
 *   <li>the changes of other shards' partitions are written. If one fails, the entry is kept, and
 *       the replay of the batch log completes it;
 *   <li>the entry is removed, and the outcome is reported at the same time.
 * </ol>
 *
 * Without changes in other shards there is no entry, and the write is all. One at a time; reusable.
 * Shard thread only.
 */
final class ViewWrites implements StorageEngine.WriteListener {
  private static final Logger LOG = LoggerFactory.getLogger(ViewWrites.class);
  private static final int KEPT_BYTES = 8 << 10;

  private final PartitionQueues queues;
  private final ByteWriter write;
  private final MutationWriter writer;
  private final StorageEngine.WriteListener outcome;
  private final ByteWriter entry = new ByteWriter(1024);
  private final MutationWriter entryWriter = new MutationWriter(entry);
  private final List<Part> elsewhere = new ArrayList<>();
  private @Nullable BatchId id;
  private long epoch;
  private int here;
  private int left;
  private long beganNanos;
  private @Nullable Exception failure;

  /**
   * Creates it for a queue.
   *
   * @param write has the complete mutation of the turn when a write starts
   * @param writer appends to it
   * @param outcome of each write; refused only if nothing will be visible, except after a failure
   *     at step 2
   */
  ViewWrites(
      PartitionQueues queues,
      ByteWriter write,
      MutationWriter writer,
      StorageEngine.WriteListener outcome) {
    this.queues = queues;
    this.write = write;
    this.writer = writer;
    this.outcome = outcome;
  }

  /** Starts a write of a turn whose mutation has this token. */
  void start(long token, long planned, List<ViewChanges.Partition> partitions) {
    epoch = planned;
    here = 0;
    id = null;
    failure = null;
    try {
      prepare(token, partitions);
      queues.engine().apply(write.segment(), 0, write.size(), this);
    } catch (Throwable e) {
      onRefused(queues.shard().fatal().contain(e));
    }
    queues.shard().tick();
  }

  private void prepare(long token, List<ViewChanges.Partition> partitions) {
    TokenSlices.Slice own = queues.replica().slices().of(queues.shard());
    BatchEntry.begin(queues.clock().wallMicros(), entry);
    for (ViewChanges.Partition partition : partitions) {
      if (own.contains(partition.token())) {
        partition.write(epoch, writer);
        here++;
      } else {
        int offset = BatchEntry.beginMutation(entry);
        partition.write(epoch, entryWriter);
        BatchEntry.endMutation(offset, entry);
        elsewhere.add(new Part(partition, offset, entry.size() - offset));
      }
    }
    if (!elsewhere.isEmpty()) {
      BatchId stored = queues.batchLog().newId(token);
      id = stored;
      queues.batchLog().storeWith(stored, entry.segment(), entry.size(), writer);
    }
  }

  /** All but the changes of other shards' partitions is visible. */
  @Override
  public void onDurable() {
    queues.metrics().viewWritesBegun(here + elsewhere.size());
    for (int i = 0; i < here; i++) {
      queues.metrics().viewWritten(0);
    }
    BatchId stored = id;
    if (stored == null) {
      clear();
      outcome.onDurable();
      return;
    }
    queues.batchLog().stored(stored);
    left = elsewhere.size();
    beganNanos = queues.shard().nanos();
    for (Part part : List.copyOf(elsewhere)) {
      write(part, entry.segment().asSlice(part.offset, part.length));
    }
  }

  private void write(Part part, MemorySegment mutation) {
    queues
        .replica()
        .write(queues.shard(), part.partition.token(), mutation, (int) mutation.byteSize(), part);
  }

  @Override
  public void onRefused(Exception cause) {
    BatchId refused = id;
    if (refused != null) {
      queues.batchLog().notStored(refused);
    }
    clear();
    outcome.onRefused(cause);
  }

  private void clear() {
    elsewhere.clear();
    entry.clear(KEPT_BYTES);
  }

  /** The changes of a partition of another shard: a slice of the entry. */
  private final class Part implements ReplicaAccess.WriteReply {
    private final ViewChanges.Partition partition;
    private final int offset;
    private final int length;

    Part(ViewChanges.Partition partition, int offset, int length) {
      this.partition = partition;
      this.offset = offset;
      this.length = length;
    }

    @Override
    public void written(long nanos) {
      queues.metrics().viewWritten(queues.shard().nanos() - beganNanos);
      ended();
    }

    @Override
    public void notWritten(Exception cause) {
      boolean dropped =
          cause instanceof WriteRefusedException refused
              && refused.reason() == WriteRefusedException.Reason.UNKNOWN_TABLE;
      if (dropped && !partition.isOfOneView()) {
        writeEach();
        return;
      }
      // a view that has been dropped needs no change
      failure = dropped ? failure : cause;
      ended();
    }

    /** One of several views with the same partition has been dropped. */
    private void writeEach() {
      List<ViewChanges.Partition> parts = partition.split();
      left += parts.size() - 1;
      for (ViewChanges.Partition each : parts) {
        ByteWriter mutation = new ByteWriter(512);
        each.write(epoch, new MutationWriter(mutation));
        write(new Part(each, 0, mutation.size()), mutation.segment().asSlice(0, mutation.size()));
      }
    }
  }

  private void ended() {
    if (--left > 0) {
      return;
    }
    clear();
    Exception failed = failure;
    if (failed == null) {
      removeEntry();
      outcome.onDurable();
    } else {
      LOG.warn(
          "Could not write all changes of materialized views; the replay of the batch log will"
              + " complete them: {}",
          failed.getMessage());
      // not a refusal: the base table's part is visible
      outcome.onRefused(
          new StorageException(
              "the write is done, but not yet in all materialized views: " + failed.getMessage(),
              failed));
    }
  }

  private void removeEntry() {
    BatchId done = id;
    if (done == null) {
      return;
    }
    queues
        .batchLog()
        .remove(
            done,
            queues.replica(),
            new ReplicaAccess.WriteReply() {
              @Override
              public void written(long nanos) {}

              @Override
              public void notWritten(Exception cause) {
                LOG.warn(
                    "Could not remove entry {} of changed views from the batch log; its replay"
                        + " will: {}",
                    done,
                    cause.getMessage());
              }
            });
  }
}
