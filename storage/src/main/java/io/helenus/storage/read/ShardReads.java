package io.helenus.storage.read;

import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.env.Clock;
import io.helenus.storage.memtable.Snapshots;

/** Skeleton. */
public final class ShardReads {
  private final BlockCache cache;
  private final Snapshots snapshots;
  private final Clock clock;

  /** Skeleton. */
  public ShardReads(BlockCache cache, Snapshots snapshots, Clock clock) {
    this.cache = cache;
    this.snapshots = snapshots;
    this.clock = clock;
  }

  /** Opens a cursor. */
  public ReadCursor open(TableSources sources, ReadRequest request) {
    throw new IllegalStateException("" + cache + snapshots + clock + sources + request);
  }
}
