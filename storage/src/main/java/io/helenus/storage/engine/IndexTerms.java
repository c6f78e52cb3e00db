package io.helenus.storage.engine;

import java.lang.foreign.MemorySegment;

/**
 * Computes the terms under which an index finds a row. A pure function of the bytes that it is
 * given; called by shards and background threads at the same time.
 */
public interface IndexTerms {
  /**
   * Passes on the terms of a live cell of the indexed column.
   *
   * @param pathLength the length of its path; negative for a column with a single cell
   */
  default void ofCell(
      MemorySegment path,
      long pathOffset,
      int pathLength,
      MemorySegment value,
      long valueOffset,
      int valueLength,
      TermSink sink) {
    throw new IllegalStateException("the index is not on cells");
  }

  /**
   * Passes on the terms of a key: for an index on the partition key of its prefix, for one on a
   * clustering column of the key of a row.
   *
   * @param prefixLength how much of the key identifies the partition
   */
  default void ofKey(
      MemorySegment key, long keyOffset, int keyLength, int prefixLength, TermSink sink) {
    throw new IllegalStateException("the index is not on keys");
  }
}
