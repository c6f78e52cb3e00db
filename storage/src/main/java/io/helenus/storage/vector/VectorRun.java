package io.helenus.storage.vector;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The vectors of a memtable in the order in which they were written; a row may have several. An
 * entry:
 *
 * <pre>
 * length of the key, length of its prefix (4 bytes each)
 * square of the vector's length, the vector (floats)
 * key
 * </pre>
 *
 * Their codes, if vectors have any, are relative to a mean of 0. They lie together, as many as
 * {@link #CODES}, so that the processor loads one while it compares the one before:
 *
 * <pre>
 * scale, squared length, rest (floats), digits (bytes)
 * </pre>
 *
 * The arrays may grow beyond {@code size}; the entries up to it do not change.
 *
 * @param segments the memory of each entry, which belongs to the memtable
 * @param offsets where each entry starts
 * @param codeSegments the memory of each {@link #CODES} codes, if there are codes
 * @param codeOffsets where the first of them starts
 */
public record VectorRun(
    int dimension,
    MemorySegment[] segments,
    long[] offsets,
    MemorySegment[] codeSegments,
    long[] codeOffsets,
    int size)
    implements VectorSource {
  /** How many codes lie together. */
  public static final int CODES = 16;

  static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final int VECTOR = 12;
  private static final int DIGITS = 12;

  /** The memory that an entry takes. */
  public static long entryBytes(int dimension, int keyLength) {
    return keyAt(dimension) + keyLength;
  }

  private static long keyAt(int dimension) {
    return VECTOR + (long) Float.BYTES * dimension;
  }

  /** The memory that {@link #CODES} codes take; 0 if there are none. */
  public static long codesBytes(int dimension) {
    return VectorLayout.hasCodes(dimension) ? CODES * codeBytes(dimension) : 0;
  }

  private static long codeBytes(int dimension) {
    return (long) DIGITS + dimension;
  }

  /** Writes an entry. */
  public static void write(
      MemorySegment target,
      long at,
      MemorySegment key,
      long keyOffset,
      int keyLength,
      int prefixLength,
      float[] vector,
      float squaredLength) {
    Bytes.setInt(target, at, keyLength);
    Bytes.setInt(target, at + 4, prefixLength);
    target.set(FLOAT, at + 8, squaredLength);
    MemorySegment.copy(vector, 0, target, FLOAT, at + VECTOR, vector.length);
    MemorySegment.copy(key, keyOffset, target, at + keyAt(vector.length), keyLength);
  }

  /** Writes one of the codes that lie together. */
  static void write(MemorySegment target, long offset, int number, VectorCode code) {
    long at = offset + number * codeBytes(code.digits.length);
    target.set(FLOAT, at, code.scale);
    target.set(FLOAT, at + 4, code.squaredLength);
    target.set(FLOAT, at + 8, code.rest);
    MemorySegment.copy(
        code.digits, 0, target, ValueLayout.JAVA_BYTE, at + DIGITS, code.digits.length);
  }

  @Override
  public float read(int ordinal, float[] into) {
    MemorySegment segment = segments[ordinal];
    long at = offsets[ordinal];
    MemorySegment.copy(segment, FLOAT, at + VECTOR, into, 0, dimension);
    return segment.get(FLOAT, at + 8);
  }

  @Override
  public @Nullable VectorCodes codes() {
    return VectorLayout.hasCodes(dimension) ? new RunCodes() : null;
  }

  private final class RunCodes implements VectorCodes {
    /** So that the JIT compiler does not leave out what is only read ahead. */
    @SuppressWarnings("UnusedVariable")
    private int readAhead;

    @Override
    public float[] mean() {
      return new float[dimension];
    }

    @Override
    public void read(int ordinal, VectorCode into) {
      MemorySegment segment = codeSegments[ordinal / CODES];
      long at = codeAt(ordinal);
      into.scale = segment.get(FLOAT, at);
      into.squaredLength = segment.get(FLOAT, at + 4);
      into.rest = segment.get(FLOAT, at + 8);
      MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at + DIGITS, into.digits, 0, dimension);
    }

    @Override
    public void readAhead(int ordinal) {
      MemorySegment segment = codeSegments[ordinal / CODES];
      readAhead += VectorLayout.touch(segment, codeAt(ordinal), DIGITS + dimension);
    }

    private long codeAt(int ordinal) {
      return codeOffsets[ordinal / CODES] + ordinal % CODES * codeBytes(dimension);
    }
  }

  private long keyOffset(int ordinal) {
    return offsets[ordinal] + keyAt(dimension);
  }

  private int keyLength(int ordinal) {
    return Bytes.getInt(segments[ordinal], offsets[ordinal]);
  }

  private int prefixLength(int ordinal) {
    return Bytes.getInt(segments[ordinal], offsets[ordinal] + 4);
  }

  @Override
  public int appendKey(int ordinal, ByteWriter out) {
    out.putBytes(segments[ordinal], keyOffset(ordinal), keyLength(ordinal));
    return prefixLength(ordinal);
  }

  @Override
  public Ordinals within(KeyRestriction restriction) {
    if (restriction.isNone()) {
      return Ordinals.range(0, size);
    }
    Ordinals some = Ordinals.none();
    for (int i = 0; i < size; i++) {
      if (restriction.admits(segments[i], keyOffset(i), keyLength(i), prefixLength(i))) {
        some.add(i);
      }
    }
    return some;
  }
}
