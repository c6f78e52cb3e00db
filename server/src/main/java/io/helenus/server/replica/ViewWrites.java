package io.helenus.server.replica;

import io.helenus.server.coordinator.BatchEntry;
import io.helenus.server.coordinator.BatchId;
import io.helenus.server.coordinator.BatchLogKeeper;
import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.view.ViewChanges;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.WriteRefusedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a mutation of a base table together with what it changes in views, so that both or neither
 * are there after a crash (docs/views.md):
 *
 * <ol>
 *   <li>an entry with all parts is stored in the batch log;
 *   <li>the mutation is applied; if it is refused, the entry is removed;
 *   <li>the changes of the views are written. If one fails, the entry is kept, and the replay of
 *       the batch log completes it;
 *   <li>the entry is removed, and the outcome is reported at the same time.
 * </ol>
 *
 * Shard thread only.
 */
final class ViewWrites implements StorageEngine.WriteListener {
  private static final Logger LOG = LoggerFactory.getLogger(ViewWrites.class);

  private final PartitionQueues queues;
  private final ByteWriter base;
  private final BatchLogKeeper log;
  private final BatchId id;
  private final long epoch;
  private final StorageEngine.WriteListener outcome;
  private final List<ByteWriter> mutations = new ArrayList<>();
  private final List<ViewChanges.Partition> partitions;
  private final ByteWriter entry = new ByteWriter(1024);
  private int left;
  private long beganNanos;
  private @Nullable Exception failure;

  /**
   * Prepares the writes.
   *
   * @param base the mutation of the base table's partition, complete
   * @param outcome refused only if nothing will be visible, except after a failure at step 3
   */
  ViewWrites(
      PartitionQueues queues,
      long token,
      ByteWriter base,
      List<ViewChanges.Partition> partitions,
      long epoch,
      StorageEngine.WriteListener outcome) {
    this.queues = queues;
    this.base = base;
    this.partitions = partitions;
    this.epoch = epoch;
    this.outcome = outcome;
    log = queues.batchLog();
    id = log.newId(token);
    mutations.add(base);
    for (ViewChanges.Partition partition : partitions) {
      ByteWriter mutation = new ByteWriter(1024);
      partition.write(epoch, mutation);
      mutations.add(mutation);
    }
  }

  void start() {
    BatchEntry.encode(queues.clock().wallMicros(), mutations, entry);
    log.store(id, entry.segment(), entry.size(), new EntryStored());
  }

  private final class EntryStored implements ReplicaAccess.WriteReply {
    @Override
    public void written(long nanos) {
      try {
        queues.engine().apply(base.segment(), 0, base.size(), ViewWrites.this);
      } catch (Throwable e) {
        onRefused(queues.shard().fatal().contain(e));
      }
      queues.shard().tick();
    }

    @Override
    public void notWritten(Exception cause) {
      outcome.onRefused(cause);
    }
  }

  /** The base table's part is visible. */
  @Override
  public void onDurable() {
    left = partitions.size();
    queues.metrics().viewWritesBegun(left);
    beganNanos = queues.shard().nanos();
    for (int i = 0; i < partitions.size(); i++) {
      write(partitions.get(i), mutations.get(i + 1));
    }
  }

  private void write(ViewChanges.Partition part, ByteWriter mutation) {
    queues
        .replica()
        .write(
            queues.shard(),
            part.token(),
            mutation.segment(),
            mutation.size(),
            new PartWritten(part));
  }

  @Override
  public void onRefused(Exception cause) {
    removeEntry();
    outcome.onRefused(cause);
  }

  private final class PartWritten implements ReplicaAccess.WriteReply {
    private final ViewChanges.Partition part;

    PartWritten(ViewChanges.Partition part) {
      this.part = part;
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
      if (dropped && !part.isOfOneView()) {
        writeEach();
        return;
      }
      // a view that has been dropped needs no change
      failure = dropped ? failure : cause;
      ended();
    }

    /** One of several views with the same partition has been dropped. */
    private void writeEach() {
      List<ViewChanges.Partition> parts = part.split();
      left += parts.size() - 1;
      for (ViewChanges.Partition each : parts) {
        ByteWriter mutation = new ByteWriter(1024);
        each.write(epoch, mutation);
        write(each, mutation);
      }
    }

    private void ended() {
      if (--left > 0) {
        return;
      }
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
  }

  private void removeEntry() {
    log.remove(
        id,
        new ReplicaAccess.WriteReply() {
          @Override
          public void written(long nanos) {}

          @Override
          public void notWritten(Exception cause) {
            LOG.warn(
                "Could not remove entry {} of changed views from the batch log; its replay will:"
                    + " {}",
                id,
                cause.getMessage());
          }
        });
  }
}
