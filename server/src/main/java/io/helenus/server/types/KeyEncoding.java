package io.helenus.server.types;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;

/**
 * The encoding of values in the clustering part of a key: a tag ({@link KeyFormat}) and bytes whose
 * unsigned order is the CQL order, inverted for DESC columns. Types with equal layouts share an
 * encoding.
 *
 * <p>Values are encoded from and decoded to wire bytes. If values with different bytes can compare
 * equal ({@link #keepsWireValue}), a key decodes to one canonical representation, and the row must
 * also store the wire bytes of any other ({@link #isCanonical} is false).
 *
 * <p>Immutable; any thread.
 */
public sealed interface KeyEncoding permits ScalarKeyEncoding, CompositeKeyEncoding {
  /** Whether values with different bytes can compare equal. */
  boolean keepsWireValue();

  /** Whether encoding and decoding this value yields the same bytes. */
  boolean isCanonical(MemorySegment value, long offset, int length);

  /**
   * Appends the component of one value: tag and bytes. The value must have been validated.
   *
   * @param length bytes of the value; negative for null
   */
  void write(MemorySegment value, long offset, int length, boolean descending, ByteWriter out);

  /**
   * Appends the wire bytes of the component at an offset and returns the offset after it. A null
   * and an empty component append nothing: {@link #isNull} tells them apart.
   */
  long read(MemorySegment key, long offset, boolean descending, ByteWriter out);

  /** The offset after the component at an offset. */
  long skip(MemorySegment key, long offset, boolean descending);

  /**
   * Appends the component at an offset as a [bytes] of the protocol: a four-byte length, -1 for
   * null, and the wire bytes. Returns the offset after the component.
   */
  default long readWithLength(MemorySegment key, long offset, boolean descending, ByteWriter out) {
    if (isNull(key, offset)) {
      out.putInt(-1);
      return offset + 1;
    }
    int lengthAt = out.reserve(4);
    long end = read(key, offset, descending, out);
    out.setInt(lengthAt, out.size() - lengthAt - 4);
    return end;
  }

  /** Whether the component at an offset is the empty value, rather than null or another value. */
  default boolean isEmpty(MemorySegment key, long offset, boolean descending) {
    int tag = Bytes.getByte(key, offset);
    return tag == KeyFormat.TAG_EMPTY || tag == KeyFormat.TAG_EMPTY_DESCENDING;
  }

  /** Whether the component at an offset is null. */
  static boolean isNull(MemorySegment key, long offset) {
    return Bytes.getByte(key, offset) == KeyFormat.TAG_NULL;
  }

  /** Whether a component, rather than the closing tag of the key, starts at the offset. */
  static boolean isComponent(MemorySegment key, long offset) {
    int tag = Bytes.getByte(key, offset);
    return tag >= KeyFormat.TAG_NULL && tag <= KeyFormat.TAG_EMPTY_DESCENDING;
  }
}
