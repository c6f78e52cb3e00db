package io.helenus.server.protocol;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Reads the notations of the native protocol (v5, section 3) from the body of a message. Reading
 * beyond the end is a protocol error. Reusable; not thread-safe.
 */
final class BodyCursor {
  private static final int SHOWN_BYTES = 64;

  private MemorySegment segment = MemorySegment.NULL;
  private int position;
  private int end;

  void begin(MemorySegment source, int offset, int length) {
    segment = source;
    position = offset;
    end = offset + length;
  }

  MemorySegment segment() {
    return segment;
  }

  int position() {
    return position;
  }

  int remaining() {
    return end - position;
  }

  int getByte() {
    return Bytes.getUnsignedByte(segment, advance(1));
  }

  int getShort() {
    return Bytes.getUnsignedShort(segment, advance(2));
  }

  int getInt() {
    return Bytes.getInt(segment, advance(4));
  }

  long getLong() {
    return Bytes.getLong(segment, advance(8));
  }

  /** Skips this many bytes and returns the offset of the first one. */
  int advance(int bytes) {
    if (bytes < 0 || bytes > end - position) {
      throw CqlException.protocol(
          "Not enough bytes in the message: "
              + bytes
              + " wanted, only "
              + (end - position)
              + " remaining");
    }
    int at = position;
    position += bytes;
    return at;
  }

  /** [string]. */
  String getString() {
    int length = remaining() < 2 ? -1 : getShort();
    if (length < 0 || length > remaining()) {
      throw notEnough(2);
    }
    return getText(length);
  }

  /** The length in bytes of a [long string], whose {@link #getText} follows. */
  int getLongStringLength() {
    int length = remaining() < 4 ? -1 : getInt();
    if (length < 0 || length > remaining()) {
      throw notEnough(4);
    }
    return length;
  }

  /** The length of a [value], which follows it; null and unset as in {@link BoundValues}. */
  int getValueLength(int version) {
    int length = getInt();
    if (length < 0) {
      if (version < ProtocolVersions.V4 || length == BoundValues.NULL) {
        return BoundValues.NULL;
      }
      if (length == BoundValues.UNSET) {
        return BoundValues.UNSET;
      }
      throw CqlException.protocol("Invalid ByteBuf length " + length);
    }
    if (length > remaining()) {
      throw CqlException.protocol(
          "Cannot read value of length "
              + length
              + ", only "
              + remaining()
              + " bytes remaining in the message");
    }
    return length;
  }

  private static CqlException notEnough(int prefix) {
    return CqlException.protocol(
        "Not enough bytes to read an UTF8 serialized string preceded by its "
            + prefix
            + " bytes length");
  }

  /** A text of this many bytes. */
  String getText(int length) {
    byte[] bytes = Bytes.toArray(segment, advance(length), length);
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.indexOf('\uFFFD') >= 0) {
      requireValid(bytes);
    }
    return text;
  }

  /**
   * Rejects invalid UTF-8. Called when a decoded text contains a replacement character, which the
   * client may also have sent itself.
   */
  private static void requireValid(byte[] bytes) {
    ByteBuffer source = ByteBuffer.wrap(bytes);
    try {
      StandardCharsets.UTF_8.newDecoder().decode(source);
    } catch (CharacterCodingException e) {
      int shown = Math.min(SHOWN_BYTES, source.remaining());
      String hex = HexFormat.of().formatHex(bytes, source.position(), source.position() + shown);
      throw CqlException.protocol("Cannot decode string as UTF8: '" + hex + "'; " + e);
    }
  }
}
