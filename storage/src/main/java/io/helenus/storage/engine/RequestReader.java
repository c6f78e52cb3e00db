package io.helenus.storage.engine;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * Walks through the bytes of an encoded {@link ReadRequest} and never beyond them. Every method
 * throws {@link MalformedRequestException} if the bytes are not what it is asked for. One thread.
 */
final class RequestReader {
  private final MemorySegment segment;
  private final long start;
  private final long end;
  private long at;

  RequestReader(MemorySegment segment, long offset, long length) {
    this.segment = segment;
    this.start = offset;
    this.at = offset;
    this.end = offset + length;
  }

  /** Appends a slice as [bytes]. */
  static void putBytes(ByteWriter out, MemorySegment source, long offset, int length) {
    out.putVarint(length).putBytes(source, offset, length);
  }

  MemorySegment segment() {
    return segment;
  }

  /** An error at the current position. */
  MalformedRequestException malformed(String reason) {
    return new MalformedRequestException(at - start, reason);
  }

  /** Fails with a reason, which is a constant, unless a condition holds. */
  void require(boolean condition, String reason) {
    if (!condition) {
      throw malformed(reason);
    }
  }

  int unsignedByte(String what) {
    if (at >= end) {
      throw malformed(what + " expected");
    }
    return Bytes.getUnsignedByte(segment, at++);
  }

  long int64(String what) {
    if (end - at < Long.BYTES) {
      throw malformed(what + " expected");
    }
    at += Long.BYTES;
    return Bytes.getLong(segment, at - Long.BYTES);
  }

  /** A byte of flags, of which none is unknown. */
  int flags(String what, int known) {
    int flags = unsignedByte(what);
    if ((flags & ~known) != 0) {
      throw malformed("unknown " + what + " " + Integer.toHexString(flags));
    }
    return flags;
  }

  /** A varint in its shortest form between two numbers. */
  int number(String what, int least, int most) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      int next = unsignedByte(what);
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        if (next == 0 && shift > 0) {
          throw malformed(what + " is not in its shortest form");
        }
        break;
      }
      if (shift >= 28) {
        throw malformed(what + " is too large");
      }
    }
    if (value < least || value > most) {
      throw malformed(what + " " + value + " is out of range");
    }
    return (int) value;
  }

  /** The number of items that follow, each of which has a byte at least. */
  int count(String what) {
    return number(what, 0, (int) Math.min(end - at, Integer.MAX_VALUE));
  }

  /** The length of bytes that follow; {@link #skip} returns where. */
  int length(String what) {
    int length = number(what, 0, Integer.MAX_VALUE);
    if (length > end - at) {
      throw malformed(what + " goes beyond the end");
    }
    return length;
  }

  /** Moves beyond bytes; returns where they start. */
  long skip(int length) {
    at += length;
    return at - length;
  }

  /** The number of bytes that have not been read. */
  long remaining() {
    return end - at;
  }

  /** Fails unless all bytes have been read. */
  void requireEnd() {
    if (at != end) {
      throw malformed((end - at) + " bytes too many");
    }
  }
}
