package io.helenus.storage.index.vector;

import io.helenus.storage.bytes.Crc32c;
import java.lang.foreign.MemorySegment;

/** The layout of the files of vectors (storage/docs/index.md). */
final class VectorLayout {
  static final int MAGIC = 0x48564543; // HVEC
  static final int VERSION = 1;

  /**
   * The footer: magic, version, table, index, dimension, similarity, counts, positions, graphs,
   * sum.
   */
  static final int FOOTER_BYTES = 56;

  static final int SUM_BYTES = 4;

  private VectorLayout() {}

  /** The size of the entry of a vector. */
  static int entryBytes(int dimension) {
    return Float.BYTES * dimension + 28;
  }

  /** The square of the vector's length, after the vector. */
  static int squaredLengthAt(int dimension) {
    return Float.BYTES * dimension;
  }

  /** The sum of the vector and the square of its length. */
  static int vectorSumAt(int dimension) {
    return Float.BYTES * dimension + 4;
  }

  /** Where the key is: its position, its length, the length of its prefix, and their sum. */
  static int keyAt(int dimension) {
    return Float.BYTES * dimension + 8;
  }

  static final int KEY_BYTES = 16;

  /** The size of what a graph has of a vector: the number of neighbours, these, and a sum. */
  static int nodeBytes(int degree) {
    return Integer.BYTES * degree + 8;
  }

  /** The sum of a piece of a file, which is only right at its place. */
  static int sum(Crc32c crc, long place, MemorySegment segment, long offset, int length) {
    return crc.reset().update(place).update(segment, offset, length).value();
  }
}
