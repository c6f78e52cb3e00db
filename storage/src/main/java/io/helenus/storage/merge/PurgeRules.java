package io.helenus.storage.merge;

import java.lang.foreign.MemorySegment;

/**
 * Which deletions a merge may purge. Used on the merging thread.
 *
 * @param gcBeforeSeconds a deletion must have been made before this second: now minus the grace
 *     period
 * @param nowSeconds cells that have expired by this second may be purged like tombstones, and later
 *     lose their values
 * @param purgeable limits the deletions by partition
 */
public record PurgeRules(long gcBeforeSeconds, long nowSeconds, Purgeable purgeable) {
  /** Keeps every deletion and expires nothing: for flushes. */
  public static final PurgeRules KEEP_ALL =
      new PurgeRules(0, 0, (prefix, offset, length) -> Long.MIN_VALUE);

  /** Decides which deletions of a partition cover nothing outside the merge. */
  @FunctionalInterface
  public interface Purgeable {
    /**
     * The timestamp below which deletions of a partition may be purged: the smallest timestamp in
     * any memtable or file outside the merge that may hold the partition; Long.MAX_VALUE if there
     * is none.
     */
    long purgeableBefore(MemorySegment prefix, long offset, int length);
  }
}
