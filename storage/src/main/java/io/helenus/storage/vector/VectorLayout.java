package io.helenus.storage.vector;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import java.lang.foreign.MemorySegment;

/** The layout of the files of vectors (storage/docs/index.md). */
final class VectorLayout {
  static final int MAGIC = 0x48564543; // HVEC
  static final int VERSION = 4;

  /**
   * The footer: magic, version, table, index, dimension, similarity, counts, positions, graphs,
   * width, sum.
   */
  static final int FOOTER_BYTES = 68;

  /** The starts of so many keys have a sum together. */
  static final int STARTS = 64;

  /** The start of a key, and where the key is. */
  static final int START_BYTES = 16;

  /** The length of a key and that of its prefix, before the key. */
  static final int KEY_HEADER_BYTES = 8;

  static final int SUM_BYTES = 4;

  /** Vectors with fewer numbers have no codes: these would not be much shorter. */
  private static final int FEWEST_CODED = 64;

  private static final int CACHE_LINE = 64;

  private VectorLayout() {}

  /** The size of the entry of a vector. */
  static int entryBytes(int dimension) {
    return Float.BYTES * dimension + 8;
  }

  /** The square of the vector's length, after the vector. */
  static int squaredLengthAt(int dimension) {
    return Float.BYTES * dimension;
  }

  /** The sum of the vector and the square of its length. */
  static int vectorSumAt(int dimension) {
    return Float.BYTES * dimension + 4;
  }

  /** Whether a file with graphs, or a memtable, has codes of its vectors. */
  static boolean hasCodes(int dimension) {
    return dimension >= FEWEST_CODED;
  }

  /** The size of the mean of the vectors, before the codes. */
  static int meanBytes(int dimension) {
    return Float.BYTES * dimension + SUM_BYTES;
  }

  /** The size of a code: digits, scale, squared length, rest, sum. */
  static int codeBytes(int dimension) {
    return dimension + 16;
  }

  /** The size of the mean and of the codes of a file with graphs. */
  static long codesBytes(int dimension, int count) {
    return hasCodes(dimension) ? meanBytes(dimension) + (long) codeBytes(dimension) * count : 0;
  }

  /** The size of what a graph has of a vector: the number of neighbours, these, and a sum. */
  static int nodeBytes(int degree) {
    return Integer.BYTES * degree + 8;
  }

  /**
   * The first 8 bytes of a key, which are followed by zeros if it is shorter: a big-endian number.
   */
  static long start(MemorySegment key, long offset, int length) {
    if (length >= Long.BYTES) {
      return Bytes.getLong(key, offset);
    }
    long start = 0;
    for (int i = 0; i < length; i++) {
      start |= (Bytes.getByte(key, offset + i) & 0xffL) << (Long.SIZE - Byte.SIZE * (i + 1));
    }
    return start;
  }

  /** Where the start of a key is, after that of the first one. */
  static long startAt(int ordinal) {
    return (long) START_BYTES * ordinal + (long) SUM_BYTES * (ordinal / STARTS);
  }

  /**
   * Makes the processor load some bytes, without waiting for one part before it asks for the next.
   *
   * @return what has to be used for something
   */
  static int touch(MemorySegment segment, long offset, int length) {
    int sum = Bytes.getByte(segment, offset + length - 1);
    for (int i = 0; i < length; i += CACHE_LINE) {
      sum += Bytes.getByte(segment, offset + i);
    }
    return sum;
  }

  /** The sum of a piece of a file, which is only right at its place. */
  static int sum(Crc32c crc, long place, MemorySegment segment, long offset, int length) {
    return crc.reset().update(place).update(segment, offset, length).value();
  }
}
