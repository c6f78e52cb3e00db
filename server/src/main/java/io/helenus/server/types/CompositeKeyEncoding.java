package io.helenus.server.types;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of frozen collections, tuples, user types and vectors (storage/docs/keys.md): the
 * components of the parts in ascending order, closed by {@link #END} unless their number is fixed.
 * At the top level of a key these bytes are escaped, so that they can be skipped and inverted as a
 * whole. Allocates.
 *
 * @param shape how many parts a value has
 * @param parts the encodings of the parts; one for lists and sets, two for maps
 * @param dimension the number of elements of a vector
 * @param elementBytes the length of a vector's elements in bytes; -1 if they have their own
 */
record CompositeKeyEncoding(Shape shape, List<KeyEncoding> parts, int dimension, int elementBytes)
    implements KeyEncoding {
  /** Sorts before the tag of every component, so that a value precedes its extensions. */
  private static final int END = 0x01;

  /** The structure of a value. */
  enum Shape {
    /** A counted sequence of elements, or of keys and values. */
    COLLECTION,
    /** At most one component for each part; missing ones are null, and are part of the value. */
    TUPLE,
    /**
     * As TUPLE, but the missing ones are not part of the value: the type may have had fewer fields
     * when it was written.
     */
    USER_TYPE,
    /** A fixed number of elements. */
    VECTOR
  }

  /** Returns the encoding; null if a part has none. */
  static @Nullable KeyEncoding of(Shape shape, List<CqlType> types, int dimension) {
    List<KeyEncoding> parts = new ArrayList<>(types.size());
    for (CqlType type : types) {
      // like Cassandra, which compares the bytes of durations where it cannot refuse them
      KeyEncoding part =
          type == ScalarType.DURATION ? ScalarKeyEncoding.BYTES : type.freeze().keyEncoding();
      if (part == null) {
        return null;
      }
      parts.add(part);
    }
    int elementBytes = shape == Shape.VECTOR ? types.getFirst().fixedBytes() : -1;
    return new CompositeKeyEncoding(shape, List.copyOf(parts), dimension, elementBytes);
  }

  @Override
  public boolean keepsWireValue() {
    return shape == Shape.TUPLE
        || shape == Shape.USER_TYPE
        || parts.stream().anyMatch(KeyEncoding::keepsWireValue);
  }

  @Override
  public boolean isCanonical(MemorySegment value, long offset, int length) {
    if (length <= 0 || !keepsWireValue()) {
      return true;
    }
    ByteWriter key = new ByteWriter(64 + length);
    write(value, offset, length, false, key);
    ByteWriter back = new ByteWriter(length);
    long ignored = read(key.segment(), 0, false, back);
    return back.size() == length
        && Bytes.compare(back.segment(), 0, length, value, offset, length) == 0;
  }

  @Override
  public void write(
      MemorySegment value, long offset, int length, boolean descending, ByteWriter out) {
    if (length <= 0) {
      putAbsent(length, descending, out);
      return;
    }
    out.putByte(KeyFormat.TAG_VALUE);
    ByteWriter plain = new ByteWriter(64 + length);
    writeParts(value, offset, length, plain);
    KeyFormat.putEscaped(plain.segment(), 0, plain.size(), descending, out);
  }

  private static void putAbsent(int length, boolean descending, ByteWriter out) {
    if (length < 0) {
      out.putByte(KeyFormat.TAG_NULL);
    } else {
      out.putByte(descending ? KeyFormat.TAG_EMPTY_DESCENDING : KeyFormat.TAG_EMPTY);
    }
  }

  /** Writes a part, which is not escaped even if it is composite itself. */
  private static void writePart(
      KeyEncoding part, MemorySegment value, long offset, int length, ByteWriter out) {
    if (part instanceof CompositeKeyEncoding composite && length > 0) {
      out.putByte(KeyFormat.TAG_VALUE);
      composite.writeParts(value, offset, length, out);
    } else {
      part.write(value, offset, length, false, out);
    }
  }

  private void writeParts(MemorySegment value, long offset, int length, ByteWriter out) {
    switch (shape) {
      case COLLECTION -> writeCollection(value, offset, out);
      case TUPLE, USER_TYPE -> writeTuple(value, offset, length, out);
      case VECTOR -> writeVector(value, offset, out);
    }
  }

  private void writeCollection(MemorySegment value, long offset, ByteWriter out) {
    int count = Bytes.getInt(value, offset) * parts.size();
    long at = offset + 4;
    for (int i = 0; i < count; i++) {
      int length = Bytes.getInt(value, at);
      writePart(parts.get(i % parts.size()), value, at + 4, length, out);
      at += 4 + Math.max(length, 0);
    }
    out.putByte(END);
  }

  private void writeTuple(MemorySegment value, long offset, int length, ByteWriter out) {
    long end = offset + length;
    long at = offset;
    int nulls = 0;
    for (int i = 0; i < parts.size() && at < end; i++) {
      int bytes = Bytes.getInt(value, at);
      at += 4;
      if (bytes < 0) {
        nulls++;
        continue;
      }
      for (; nulls > 0; nulls--) {
        out.putByte(KeyFormat.TAG_NULL);
      }
      writePart(parts.get(i), value, at, bytes, out);
      at += bytes;
    }
    out.putByte(END);
  }

  private void writeVector(MemorySegment value, long offset, ByteWriter out) {
    long at = offset;
    for (int i = 0; i < dimension; i++) {
      int length = elementBytes;
      if (length < 0) {
        length = (int) Vints.get(value, at);
        at = Vints.end(value, at, Long.MAX_VALUE - 16);
      }
      writePart(parts.getFirst(), value, at, length, out);
      at += length;
    }
  }

  @Override
  public long read(MemorySegment key, long offset, boolean descending, ByteWriter out) {
    if (Bytes.getByte(key, offset) != KeyFormat.TAG_VALUE) {
      return offset + 1;
    }
    ByteWriter plain = new ByteWriter(64);
    long end = KeyFormat.readEscaped(key, offset + 1, descending, plain);
    long ignored = readParts(plain.segment(), 0, out);
    return end;
  }

  /** Appends the wire bytes of the parts at an offset, as a [bytes] each. */
  private long readParts(MemorySegment plain, long offset, ByteWriter out) {
    long at = offset;
    switch (shape) {
      case COLLECTION -> {
        int countAt = out.reserve(4);
        int count = 0;
        for (; Bytes.getByte(plain, at) != END; count++) {
          at = readPart(parts.get(count % parts.size()), plain, at, out);
        }
        out.setInt(countAt, count / parts.size());
        return at + 1;
      }
      case TUPLE -> {
        for (KeyEncoding part : parts) {
          if (Bytes.getByte(plain, at) == END) {
            out.putInt(-1);
          } else {
            at = readPart(part, plain, at, out);
          }
        }
        return at + 1;
      }
      case USER_TYPE -> {
        if (Bytes.getByte(plain, at) == END) {
          out.putInt(-1); // no bytes at all would be the empty value
        }
        for (int i = 0; Bytes.getByte(plain, at) != END; i++) {
          at = readPart(parts.get(i), plain, at, out);
        }
        return at + 1;
      }
      case VECTOR -> {
        ByteWriter element = new ByteWriter(64);
        for (int i = 0; i < dimension; i++) {
          element.clear();
          at = readPart(parts.getFirst(), plain, at, element);
          int length = element.size() - 4;
          if (elementBytes < 0) {
            Vints.put(length, out);
          }
          out.putBytes(element.segment(), 4, length);
        }
        return at;
      }
    }
    throw new IllegalStateException("no such shape: " + shape);
  }

  private static long readPart(KeyEncoding part, MemorySegment plain, long at, ByteWriter out) {
    boolean isValue = Bytes.getByte(plain, at) == KeyFormat.TAG_VALUE;
    if (!isValue || !(part instanceof CompositeKeyEncoding composite)) {
      return part.readWithLength(plain, at, false, out);
    }
    int lengthAt = out.reserve(4);
    long end = composite.readParts(plain, at + 1, out);
    out.setInt(lengthAt, out.size() - lengthAt - 4);
    return end;
  }

  @Override
  public long skip(MemorySegment key, long offset, boolean descending) {
    return Bytes.getByte(key, offset) == KeyFormat.TAG_VALUE
        ? KeyFormat.skipEscaped(key, offset + 1, descending)
        : offset + 1;
  }
}
