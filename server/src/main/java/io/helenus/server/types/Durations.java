package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;

/** Durations: months, days and nanoseconds, each a zigzag number as a {@link Vints}. Stateless. */
final class Durations {
  private Durations() {}

  static void validate(MemorySegment value, long offset, int length) {
    if (length < 3) {
      throw CqlException.invalid("Expected at least 3 bytes for a duration (" + length + ")");
    }
    long end = offset + length;
    long daysAt = next(value, offset, end);
    long nanosecondsAt = next(value, daysAt, end);
    next(value, nanosecondsAt, end);
    long months = signed(value, offset);
    long days = signed(value, daysAt);
    long nanoseconds = signed(value, nanosecondsAt);
    requireInt("months", months);
    requireInt("days", days);
    boolean negative = months < 0 || days < 0 || nanoseconds < 0;
    boolean positive = months > 0 || days > 0 || nanoseconds > 0;
    if (negative && positive) {
      throw CqlException.invalid(
          "The duration months, days and nanoseconds must be all of the same sign ("
              + months
              + ", "
              + days
              + ", "
              + nanoseconds
              + ")");
    }
  }

  private static void requireInt(String what, long number) {
    if (number != (int) number) {
      throw CqlException.invalid(
          "The duration " + what + " must be a 32 bits integer but was: " + number);
    }
  }

  /** Returns the offset after the number at an offset. */
  private static long next(MemorySegment value, long at, long end) {
    long after = Vints.end(value, at, end);
    if (after > end) {
      throw CqlException.invalid("The bytes of the duration end within a number");
    }
    return after;
  }

  private static long signed(MemorySegment value, long at) {
    long number = Vints.get(value, at);
    return (number >>> 1) ^ -(number & 1);
  }

  static CqlDuration read(byte[] wire) {
    ByteWriter bytes = new ByteWriter(wire.length).putBytes(wire);
    MemorySegment value = bytes.segment();
    long daysAt = next(value, 0, wire.length);
    long nanosecondsAt = next(value, daysAt, wire.length);
    return new CqlDuration(
        (int) signed(value, 0), (int) signed(value, daysAt), signed(value, nanosecondsAt));
  }

  static byte[] write(CqlDuration duration) {
    ByteWriter out = new ByteWriter(32);
    put(duration.months(), out);
    put(duration.days(), out);
    put(duration.nanoseconds(), out);
    return out.toArray();
  }

  private static void put(long signed, ByteWriter out) {
    Vints.put((signed << 1) ^ (signed >> 63), out);
  }
}
