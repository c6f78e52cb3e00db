package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/** Checks wire bytes of scalars, with Cassandra's texts. Stateless; allocates on errors only. */
final class ScalarValidation {
  private ScalarValidation() {}

  static void validate(ScalarType type, MemorySegment value, long offset, int length) {
    switch (type) {
      case BLOB, VARINT -> {
        // Any bytes.
      }
      case INT -> expect(length == 4 || length == 0, "Expected 4 or 0 byte int (", length);
      case BIGINT, COUNTER ->
          expect(length == 8 || length == 0, "Expected 8 or 0 byte long (", length);
      case TIMESTAMP ->
          expect(length == 8 || length == 0, "Expected 8 or 0 byte long for date (", length);
      case SMALLINT -> expect(length == 2, "Expected 2 bytes for a smallint (", length);
      case TINYINT -> expect(length == 1, "Expected 1 byte for a tinyint (", length);
      case BOOLEAN -> expect(length <= 1, "Expected 1 or 0 byte value (", length);
      case DATE -> expect(length == 4, "Expected 4 byte long for date (", length);
      case TIME -> expect(length == 8, "Expected 8 byte long for time (", length);
      case FLOAT ->
          expect(length == 4 || length == 0, "Expected 4 or 0 byte value for a float (", length);
      case DOUBLE ->
          expect(length == 8 || length == 0, "Expected 8 or 0 byte value for a double (", length);
      case DECIMAL ->
          expect(length == 0 || length >= 4, "Expected 0 or at least 4 bytes (", length);
      case UUID -> expect(length == 16 || length == 0, "UUID should be 16 or 0 bytes (", length);
      case TIMEUUID -> validateTimeUuid(value, offset, length);
      case INET -> validateInet(value, offset, length);
      case ASCII -> validateAscii(value, offset, length);
      case TEXT -> Utf8.validate(value, offset, length);
      case DURATION -> Durations.validate(value, offset, length);
      case EMPTY -> {
        if (length != 0) {
          throw CqlException.invalid("EmptyType only accept empty values");
        }
      }
    }
  }

  private static void expect(boolean holds, String text, int length) {
    if (!holds) {
      throw CqlException.invalid(text + length + ")");
    }
  }

  private static void validateTimeUuid(MemorySegment value, long offset, int length) {
    expect(length == 16 || length == 0, "UUID should be 16 or 0 bytes (", length);
    if (length == 16 && (Bytes.getByte(value, offset + 6) & 0xF0) != 0x10) {
      // Cassandra reports the nibble of the first byte here.
      int nibble = Bytes.getUnsignedByte(value, offset) >> 4;
      throw CqlException.invalid(
          "Invalid version for TimeUUID type: 0x" + Integer.toHexString(nibble));
    }
  }

  private static void validateInet(MemorySegment value, long offset, int length) {
    if (length != 0 && length != 4 && length != 16) {
      throw CqlException.invalid(
          "Expected 4 or 16 byte inetaddress; got "
              + HexFormat.of().formatHex(Bytes.toArray(value, offset, length)));
    }
  }

  private static void validateAscii(MemorySegment value, long offset, int length) {
    for (long at = offset; at < offset + length; at++) {
      int b = Bytes.getByte(value, at);
      if (b < 0) {
        throw CqlException.invalid("Invalid byte for ascii: " + b);
      }
    }
  }
}
