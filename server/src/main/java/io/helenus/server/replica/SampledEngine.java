package io.helenus.server.replica;

import io.helenus.server.replica.PartitionQueues.Partition;
import io.helenus.storage.engine.ForwardingCursor;
import io.helenus.storage.engine.ForwardingEngine;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.row.MutationView;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Takes the place of a shard's engine while its requests are sampled, so that sampling costs
 * nothing when it is off. Shard thread only.
 */
final class SampledEngine extends ForwardingEngine {
  private final PartitionSampler sampler;
  private final MutationView view = new MutationView();

  SampledEngine(StorageEngine engine, PartitionSampler sampler) {
    super(engine);
    this.sampler = sampler;
  }

  @Override
  public void apply(MemorySegment mutation, long offset, int length, WriteListener listener) {
    view.wrap(mutation, offset, length);
    while (view.nextTable()) {
      sampler.written(
          view.tableId(),
          view.segment(),
          view.prefixOffset(),
          view.prefixLength(),
          view.entriesLength());
    }
    super.apply(mutation, offset, length, listener);
  }

  @Override
  public ReadCursor read(ReadRequest request) {
    ReadCursor cursor = super.read(request);
    return request.keys().isPartition() ? new SampledCursor(cursor, Partition.of(request)) : cursor;
  }

  private final class SampledCursor extends ForwardingCursor {
    private @Nullable Partition partition;

    SampledCursor(ReadCursor cursor, Partition partition) {
      super(cursor);
      this.partition = partition;
    }

    @Override
    public void close() {
      Partition read = partition;
      partition = null;
      if (read != null) {
        sampler.read(read, rowsRead(), tombstonesRead());
      }
      super.close();
    }
  }
}
