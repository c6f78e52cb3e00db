package io.helenus.storage.vector;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;

/**
 * Keys of rows, and of whole partitions, by numbers from 0. Immutable, as long as nothing is added
 * to the memory in which they are one after the other.
 */
final class RowKeys {
  private final MemorySegment segment;
  private final int[] ends;
  private final int[] prefixes;

  /** Takes the ends of the keys and the lengths of their prefixes, which may have room for more. */
  RowKeys(MemorySegment segment, int[] ends, int[] prefixes) {
    this.segment = segment;
    this.ends = ends;
    this.prefixes = prefixes;
  }

  MemorySegment segment() {
    return segment;
  }

  /** Where a key starts. */
  int start(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  int length(int index) {
    return ends[index] - start(index);
  }

  int prefixLength(int index) {
    return prefixes[index];
  }

  /** Whether a key stands for its whole partition. */
  boolean isPartition(int index) {
    return isPartition(segment, start(index), prefixes[index]);
  }

  /** Whether a key stands for its whole partition: the prefix ‖ section 1. */
  static boolean isPartition(MemorySegment key, long offset, int prefixLength) {
    return Bytes.getByte(key, offset + prefixLength) == KeyFormat.SECTION_STATIC;
  }

  /** The order of two of them. */
  int compare(int one, int other) {
    return compare(one, segment, start(other), length(other));
  }

  /** The order of one of them and another key. */
  int compare(int index, MemorySegment key, long offset, int length) {
    return Bytes.compare(segment, start(index), length(index), key, offset, length);
  }
}
