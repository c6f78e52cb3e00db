package io.helenus.storage.memtable;

import io.helenus.storage.row.MutationView;
import io.helenus.storage.run.EntryCursor;
import java.util.List;

/** Skeleton. */
public final class Memtable {
  private final int tableId;
  private final SlabPool pool;
  private final Snapshots snapshots;

  /** Skeleton. */
  public Memtable(int tableId, SlabPool pool, Snapshots snapshots) {
    this.tableId = tableId;
    this.pool = pool;
    this.snapshots = snapshots;
  }

  /** Skeleton. */
  public int tableId() {
    return tableId;
  }

  /** Skeleton. */
  public void apply(MutationView mutation, long sequence) {
    throw new IllegalStateException(pool + " " + snapshots);
  }

  /** Skeleton. */
  public long memoryBytes() {
    return 0;
  }

  /** Skeleton. */
  public boolean isEmpty() {
    return true;
  }

  /** Skeleton. */
  public long entryCount() {
    return 0;
  }

  /** Skeleton. */
  public void freeze() {}

  /** Skeleton. */
  public void retain() {}

  /** Skeleton. */
  public void release() {}

  /** Skeleton. */
  public List<EntryCursor> cursors() {
    return List.of();
  }
}
