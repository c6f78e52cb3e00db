package io.helenus.storage.run;

import io.helenus.storage.row.RowFormat;
import java.lang.foreign.MemorySegment;

/**
 * Walks a sorted run of entries in either direction. Where a block is not in memory a step says
 * WAITING and is to be taken again, with the same arguments, once the block is there; cursors over
 * blocking sources never say so. After a seek the cursor knows the deletions that are in force just
 * before the entry found. One thread at a time.
 */
public abstract class EntryCursor extends Entry implements AutoCloseable {
  /** How a step ended. */
  public enum Step {
    /** The cursor stands on an entry. */
    READY,
    /** There is no such entry. */
    END,
    /** A block is being loaded: take the same step again later. */
    WAITING
  }

  protected long openTimestamp = RowFormat.NO_TIMESTAMP;
  protected long openSeconds;
  protected long partitionTimestamp = RowFormat.NO_TIMESTAMP;
  protected long partitionSeconds;

  /**
   * Goes to the first entry whose key is at or after the slice.
   *
   * @param prefix how many leading bytes of the slice name a partition, where the deletions in
   *     force there are to be known and the slice lies in section 1 or 2; else 0
   */
  public abstract Step seek(MemorySegment key, long offset, int length, int prefix);

  /**
   * Goes to the entry whose key is the slice; END where there is none. Afterwards the cursor knows
   * the deletions as after {@link #seek}, but must not be moved on from here.
   */
  public abstract Step find(MemorySegment key, long offset, int length, int prefix);

  /** Goes to the last entry whose key is before the slice; {@code prefix} as in {@link #seek}. */
  public abstract Step seekBefore(MemorySegment key, long offset, int length, int prefix);

  /** Goes to the next entry; after a successful step only. */
  public abstract Step next();

  /** Goes to the entry before; after a successful step only. */
  public abstract Step previous();

  /** Goes to the first entry of the run. */
  public final Step first() {
    return seek(MemorySegment.NULL, 0, 0, 0);
  }

  /**
   * After {@link #seek}: the timestamp of the range deletion of this run that is in force at the
   * slice sought, in the partition that the slice names, or {@link RowFormat#NO_TIMESTAMP}.
   */
  public final long openTimestamp() {
    return openTimestamp;
  }

  /** When that range deletion was written, in seconds since 1970. */
  public final long openSeconds() {
    return openSeconds;
  }

  /**
   * After {@link #seek} with a prefix: the timestamp of this run's deletion of that partition, or
   * {@link RowFormat#NO_TIMESTAMP}.
   */
  public final long partitionTimestamp() {
    return partitionTimestamp;
  }

  /** When the partition was deleted, in seconds since 1970. */
  public final long partitionSeconds() {
    return partitionSeconds;
  }

  /** Frees what the cursor holds; it can be used again after a seek. */
  @Override
  public abstract void close();
}
