package io.helenus.storage.engine;

import io.helenus.storage.row.ShareId;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine that delegates to another one, for subclasses that watch or change some of its calls.
 * Threading as of the other one.
 */
public class ForwardingEngine implements StorageEngine {
  private final StorageEngine engine;

  /** Delegates to this engine. */
  public ForwardingEngine(StorageEngine engine) {
    this.engine = engine;
  }

  @Override
  public void apply(MemorySegment mutation, long offset, int length, WriteListener listener) {
    engine.apply(mutation, offset, length, listener);
  }

  @Override
  public ReadCursor read(ReadRequest request) {
    return engine.read(request);
  }

  @Override
  public ReplicaReads replicaReads() {
    return engine.replicaReads();
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
