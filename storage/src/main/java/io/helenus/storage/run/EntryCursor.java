package io.helenus.storage.run;

import io.helenus.storage.row.RowFormat;
import java.lang.foreign.MemorySegment;

/**
 * Iterates over a sorted run of entries in either direction. If a block is not in memory, a step
 * returns WAITING and must be repeated with the same arguments once the block is loaded; cursors
 * over blocking sources never return WAITING. After a seek the deletions in force at the key sought
 * are available. One thread at a time.
 */
public abstract class EntryCursor extends Entry implements AutoCloseable {
  /** The result of a step. */
  public enum Step {
    /** The cursor is at an entry. */
    READY,
    /** There is no such entry. */
    END,
    /** A block is being loaded: repeat the same step later. */
    WAITING
  }

  protected long openTimestamp = RowFormat.NO_TIMESTAMP;
  protected long openSeconds;
  protected long partitionTimestamp = RowFormat.NO_TIMESTAMP;
  protected long partitionSeconds;
  protected int unchanged;

  /**
   * Moves to the first entry whose key is at or after the slice.
   *
   * @param prefix the length of the key prefix of the partition if the deletions in force are
   *     wanted, which requires a slice in section 1 or 2; otherwise 0
   */
  public abstract Step seek(MemorySegment key, long offset, int length, int prefix);

  /**
   * Moves to the entry whose key equals the slice, or returns END. Afterwards the deletions in
   * force are available as after {@link #seek}, but the cursor must not be moved with {@link #next}
   * or {@link #previous}.
   */
  public abstract Step find(MemorySegment key, long offset, int length, int prefix);

  /** Moves to the last entry whose key is before the slice; {@code prefix} as for {@link #seek}. */
  public abstract Step seekBefore(MemorySegment key, long offset, int length, int prefix);

  /** Moves to the next entry. Only after a successful step. */
  public abstract Step next();

  /** Moves to the previous entry. Only after a successful step. */
  public abstract Step previous();

  /**
   * How many bytes at the start of the key are known to be those of the key before the last step.
   */
  public final int unchanged() {
    return unchanged;
  }

  /** Moves to the first entry of the run. */
  public final Step first() {
    return seek(MemorySegment.NULL, 0, 0, 0);
  }

  /**
   * After {@link #seek} with a prefix: the timestamp of this run's range deletion in force at the
   * key sought, or {@link RowFormat#NO_TIMESTAMP}.
   */
  public final long openTimestamp() {
    return openTimestamp;
  }

  /** When that range deletion was made, in seconds since 1970. */
  public final long openSeconds() {
    return openSeconds;
  }

  /**
   * After {@link #seek} with a prefix: the timestamp of this run's deletion of the partition, or
   * {@link RowFormat#NO_TIMESTAMP}.
   */
  public final long partitionTimestamp() {
    return partitionTimestamp;
  }

  /** When the partition was deleted, in seconds since 1970. */
  public final long partitionSeconds() {
    return partitionSeconds;
  }

  /**
   * About which share of the run's entries is before the one that the cursor is at, by the place of
   * its block in the file: from 0 to 1. Only after a step, and 0 for runs in memory, which have no
   * blocks.
   */
  public double shareBefore() {
    return 0;
  }

  /** Releases the cursor's resources; it can be used again after a seek. */
  @Override
  public abstract void close();
}
