package io.helenus.server.functions;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of a call as slices of wire bytes; reused for each row. A length of -1 is null. One
 * thread at a time.
 */
public final class FunctionArguments {
  private static final int KEPT_BYTES = 64 << 10;
  private static final MemorySegment NOTHING = new ByteWriter(16).segment();

  private final MemorySegment[] segments;
  private final long[] offsets;
  private final int[] lengths;

  /** Creates the given number of arguments, all null. */
  public FunctionArguments(int count) {
    segments = new MemorySegment[count];
    offsets = new long[count];
    lengths = new int[count];
    Arrays.fill(segments, NOTHING);
    Arrays.fill(lengths, -1);
  }

  /** Creates arguments from arrays; for cold paths, because it allocates native memory. */
  public static FunctionArguments of(List<byte @Nullable []> values) {
    return of(values, new ByteWriter(64));
  }

  /** Creates arguments from arrays that are copied to a buffer, whose contents are replaced. */
  public static FunctionArguments of(List<byte @Nullable []> values, ByteWriter buffer) {
    buffer.clear(KEPT_BYTES);
    for (byte[] value : values) {
      if (value == null) {
        buffer.putInt(-1);
      } else {
        buffer.putInt(value.length).putBytes(value);
      }
    }
    FunctionArguments arguments = new FunctionArguments(values.size());
    arguments.set(buffer);
    return arguments;
  }

  /** Sets all arguments: each is a [bytes] of the protocol, one after the other. */
  public void set(ByteWriter values) {
    MemorySegment segment = values.segment();
    long at = 0;
    for (int i = 0; i < lengths.length; i++) {
      int length = Bytes.getInt(segment, at);
      set(i, segment, at + Integer.BYTES, length);
      at += Integer.BYTES + Math.max(length, 0);
    }
  }

  /** Sets an argument to a slice; a length of -1 is null. */
  public void set(int index, MemorySegment segment, long offset, int length) {
    segments[index] = segment;
    offsets[index] = offset;
    lengths[index] = length;
  }

  /** Sets an argument to null. */
  public void setNull(int index) {
    lengths[index] = -1;
  }

  /** The number of arguments. */
  public int count() {
    return lengths.length;
  }

  /** Whether an argument is null. */
  public boolean isNull(int index) {
    return lengths[index] < 0;
  }

  /** Whether any argument is null. */
  public boolean anyNull() {
    for (int length : lengths) {
      if (length < 0) {
        return true;
      }
    }
    return false;
  }

  /** The segment that contains the bytes of an argument. */
  public MemorySegment segment(int index) {
    return segments[index];
  }

  /** The offset of the bytes of an argument. */
  public long offset(int index) {
    return offsets[index];
  }

  /** The length of an argument in bytes; -1 for null. */
  public int length(int index) {
    return lengths[index];
  }

  /** Reads a four-byte argument. */
  public int getInt(int index) {
    return Bytes.getInt(segments[index], offsets[index]);
  }

  /** Reads an eight-byte argument. */
  public long getLong(int index) {
    return Bytes.getLong(segments[index], offsets[index]);
  }

  /** Reads an integer of one, two, four or eight bytes. */
  long getInteger(int index) {
    return switch (lengths[index]) {
      case Byte.BYTES -> Bytes.getByte(segments[index], offsets[index]);
      case Short.BYTES -> Bytes.getShort(segments[index], offsets[index]);
      case Integer.BYTES -> getInt(index);
      default -> getLong(index);
    };
  }

  /** A copy of the bytes of an argument that is not null. */
  public byte[] getBytes(int index) {
    return Bytes.toArray(segments[index], offsets[index], lengths[index]);
  }
}
