package io.helenus.storage.merge;

import java.lang.foreign.MemorySegment;

/**
 * Which deletions a merge may leave out. Used on the merging thread.
 *
 * @param gcBeforeSeconds only those made before this second (now less the table's grace)
 * @param nowSeconds cells whose time is up at this second lose their values and may go as
 *     tombstones do
 * @param purgeable tells by partition
 */
public record PurgeRules(long gcBeforeSeconds, long nowSeconds, Purgeable purgeable) {
  /** Keeps every deletion and expires nothing: for flushes. */
  public static final PurgeRules KEEP_ALL =
      new PurgeRules(0, 0, (prefix, offset, length) -> Long.MIN_VALUE);

  /** Which deletions of a partition cover nothing outside of the merge. */
  @FunctionalInterface
  public interface Purgeable {
    /**
     * Deletions with a smaller timestamp may go: the smallest timestamp of all that is not in the
     * merge and may hold this partition; Long.MAX_VALUE when there is nothing else.
     */
    long purgeableBefore(MemorySegment prefix, long offset, int length);
  }
}
