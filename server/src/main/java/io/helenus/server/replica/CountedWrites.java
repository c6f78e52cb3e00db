package io.helenus.server.replica;

import io.helenus.server.coordinator.BatchLog;
import io.helenus.server.metrics.HotPartitions;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.ForwardingEngine;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.row.MutationView;
import java.lang.foreign.MemorySegment;

/**
 * Takes the place of a shard's engine for writes, and counts them by partition, those to views too,
 * but not those to the batch log. Shard thread only.
 */
final class CountedWrites extends ForwardingEngine {
  private final Shard shard;
  private final HotPartitions hot;
  private final MutationView view = new MutationView();

  CountedWrites(StorageEngine engine, Shard shard, HotPartitions hot) {
    super(engine);
    this.shard = shard;
    this.hot = hot;
  }

  @Override
  public void apply(MemorySegment mutation, long offset, int length, WriteListener listener) {
    if (hot.samplesWrite()) {
      record(mutation, offset, length);
    }
    super.apply(mutation, offset, length, listener);
  }

  /** All partitions of a selected write: they are as likely as those of any other. */
  private void record(MemorySegment mutation, long offset, int length) {
    view.wrap(mutation, offset, length);
    while (view.nextTable()) {
      if (view.tableId() != BatchLog.TABLE_ID) {
        hot.record(
            view.tableId(),
            mutation,
            view.prefixOffset(),
            view.prefixLength(),
            true,
            shard.nanos());
      }
    }
  }
}
