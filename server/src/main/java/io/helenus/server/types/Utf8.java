package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * Validates UTF-8 as Cassandra does: overlong forms are invalid except C0 80 for U+0000; surrogates
 * and four-byte forms beyond U+10FFFF are valid. Stateless.
 */
final class Utf8 {
  private static final long HIGH_BITS = 0x8080808080808080L;

  private Utf8() {}

  static void validate(MemorySegment value, long offset, int length) {
    if (!isValid(value, offset, length)) {
      throw CqlException.invalid("String didn't validate.");
    }
  }

  static boolean isValid(MemorySegment value, long offset, int length) {
    long end = offset + length;
    long at = offset;
    while (at < end) {
      if (at + 8 <= end && (Bytes.getLong(value, at) & HIGH_BITS) == 0) {
        at += 8;
        continue;
      }
      int first = Bytes.getUnsignedByte(value, at);
      if (first < 0x80) {
        at++;
        continue;
      }
      int bytes = sequenceBytes(first);
      if (bytes == 0 || at + bytes > end || !isTail(value, at, first, bytes)) {
        return false;
      }
      at += bytes;
    }
    return true;
  }

  private static int sequenceBytes(int first) {
    if (first < 0xC0 || first == 0xC1 || first >= 0xF8) {
      return 0;
    }
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  }

  private static boolean isTail(MemorySegment value, long at, int first, int bytes) {
    int second = Bytes.getUnsignedByte(value, at + 1);
    boolean tooLong =
        (first == 0xC0 && second != 0x80)
            || (first == 0xE0 && second < 0xA0)
            || (first == 0xF0 && second < 0x90);
    if (tooLong) {
      return false;
    }
    for (int i = 1; i < bytes; i++) {
      if ((Bytes.getByte(value, at + i) & 0xC0) != 0x80) {
        return false;
      }
    }
    return true;
  }
}
