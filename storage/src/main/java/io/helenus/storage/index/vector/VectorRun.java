package io.helenus.storage.index.vector;

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
 * if vectors have codes: scale, squared length, rest (floats), digits (bytes)
 * key
 * </pre>
 *
 * The arrays may grow beyond {@code size}; the entries up to it do not change.
 *
 * @param segments the memory of each entry, which belongs to the memtable
 * @param offsets where each entry starts
 */
public record VectorRun(int dimension, MemorySegment[] segments, long[] offsets, int size)
    implements VectorSource {
  static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final int VECTOR = 12;
  private static final int DIGITS = 12;

  /** The memory that an entry takes. */
  public static long entryBytes(int dimension, int keyLength) {
    return keyAt(dimension) + keyLength;
  }

  private static long codeAt(int dimension) {
    return VECTOR + (long) Float.BYTES * dimension;
  }

  private static long keyAt(int dimension) {
    return codeAt(dimension) + (VectorLayout.hasCodes(dimension) ? DIGITS + dimension : 0);
  }

  /** Writes an entry, with a code if vectors have one, which is relative to a mean of 0. */
  static void write(
      MemorySegment target,
      long at,
      MemorySegment key,
      long keyOffset,
      int keyLength,
      int prefixLength,
      float[] vector,
      float squaredLength,
      @Nullable VectorCode code) {
    Bytes.setInt(target, at, keyLength);
    Bytes.setInt(target, at + 4, prefixLength);
    target.set(FLOAT, at + 8, squaredLength);
    MemorySegment.copy(vector, 0, target, FLOAT, at + VECTOR, vector.length);
    if (code != null) {
      long codeAt = at + codeAt(vector.length);
      target.set(FLOAT, codeAt, code.scale);
      target.set(FLOAT, codeAt + 4, code.squaredLength);
      target.set(FLOAT, codeAt + 8, code.rest);
      MemorySegment.copy(
          code.digits, 0, target, ValueLayout.JAVA_BYTE, codeAt + DIGITS, vector.length);
    }
    MemorySegment.copy(key, keyOffset, target, at + keyAt(vector.length), keyLength);
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
      MemorySegment segment = segments[ordinal];
      long at = offsets[ordinal] + codeAt(dimension);
      into.scale = segment.get(FLOAT, at);
      into.squaredLength = segment.get(FLOAT, at + 4);
      into.rest = segment.get(FLOAT, at + 8);
      MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at + DIGITS, into.digits, 0, dimension);
    }

    @Override
    public void readAhead(int ordinal) {
      long at = offsets[ordinal] + codeAt(dimension);
      readAhead += VectorLayout.touch(segments[ordinal], at, DIGITS + dimension);
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
