package io.helenus.server.replica;

import io.helenus.server.replica.PartitionQueues.Partition;
import io.helenus.storage.engine.CacheStatistics;
import io.helenus.storage.engine.CommitLogStatistics;
import io.helenus.storage.engine.Draft;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.ShareId;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the place of a shard's engine while its requests are sampled, so that sampling costs
 * nothing when it is off. Shard thread only.
 */
final class SampledEngine implements StorageEngine {
  private final StorageEngine engine;
  private final PartitionSampler sampler;
  private final MutationView view = new MutationView();

  SampledEngine(StorageEngine engine, PartitionSampler sampler) {
    this.engine = engine;
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
    engine.apply(mutation, offset, length, listener);
  }

  @Override
  public ReadCursor read(ReadRequest request) {
    ReadCursor cursor = engine.read(request);
    return request.isPartition() ? new SampledCursor(cursor, Partition.of(request)) : cursor;
  }

  private final class SampledCursor implements ReadCursor {
    private final ReadCursor cursor;
    private @Nullable Partition partition;

    SampledCursor(ReadCursor cursor, Partition partition) {
      this.cursor = cursor;
      this.partition = partition;
    }

    @Override
    public Status advance(RowSink sink) {
      return cursor.advance(sink);
    }

    @Override
    public void whenReady(Runnable continuation) {
      cursor.whenReady(continuation);
    }

    @Override
    public int rowsRead() {
      return cursor.rowsRead();
    }

    @Override
    public int tombstonesRead() {
      return cursor.tombstonesRead();
    }

    @Override
    public void close() {
      Partition read = partition;
      partition = null;
      if (read != null) {
        sampler.read(read, cursor.rowsRead(), cursor.tombstonesRead());
      }
      cursor.close();
    }
  }

  @Override
  public Draft draft(int tableId) {
    return engine.draft(tableId);
  }

  @Override
  public @Nullable ShareId counterShare() {
    return engine.counterShare();
  }

  @Override
  public void claimCounterShare(Consumer<? super Exception> whenDone) {
    engine.claimCounterShare(whenDone);
  }

  @Override
  public void endTick() {
    engine.endTick();
  }

  @Override
  public CacheStatistics cacheStatistics() {
    return engine.cacheStatistics();
  }

  @Override
  public CommitLogStatistics commitLogStatistics() {
    return engine.commitLogStatistics();
  }

  @Override
  public boolean tickPending() {
    return engine.tickPending();
  }
}
