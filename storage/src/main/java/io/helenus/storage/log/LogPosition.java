package io.helenus.storage.log;

/** A place in one log: the segment's sequence and the offset in its file. Only grows. Stateless. */
public final class LogPosition {
  /** Before everything. */
  public static final long START = 0;

  /** After everything: stands for all of a log. */
  public static final long ALL = Long.MAX_VALUE;

  private LogPosition() {}

  /** The position of an offset in a segment. */
  public static long of(int sequence, long offset) {
    return (long) sequence << 32 | offset;
  }

  /** The segment of a position. */
  public static int sequence(long position) {
    return (int) (position >>> 32);
  }

  /** The offset in the segment's file. */
  public static long offset(long position) {
    return position & 0xFFFFFFFFL;
  }
}
