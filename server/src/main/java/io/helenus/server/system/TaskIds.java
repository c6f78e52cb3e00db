package io.helenus.server.system;

import java.util.UUID;

/** Computes the timeuuids of flushes and compactions from start time and sequence number. */
public final class TaskIds {
  /**
   * From 1582-10-15, the first day of the Gregorian calendar, to 1970 (RFC 9562), in units of 100
   * ns.
   */
  private static final long EPOCH_HUNDRED_NANOS = 0x01B21DD213814000L;

  private static final long VERSION = 0x1000;
  private static final long VARIANT = 1L << 63;

  private TaskIds() {}

  /** The id of a task. */
  public static UUID of(long startedMicros, long number) {
    long ticks = startedMicros * 10 + EPOCH_HUNDRED_NANOS;
    long high = ticks << 32 | (ticks & 0xFFFF_0000_0000L) >>> 16 | VERSION | ticks >>> 48;
    return new UUID(high, VARIANT | (number & 0x3FFF_FFFF_FFFF_FFFFL));
  }
}
