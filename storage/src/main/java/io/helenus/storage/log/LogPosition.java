package io.helenus.storage.log;

/**
 * Positions in one log, encoded as a long: the segment's sequence in the upper half, the offset in
 * its file in the lower half, so that later positions are greater. Stateless.
 */
public final class LogPosition {
  /** Before everything. */
  public static final long START = 0;

  /** After everything: covers the whole log. */
  public static final long ALL = Long.MAX_VALUE;

  private LogPosition() {}

  /** The position of an offset in a segment. */
  public static long of(int sequence, long offset) {
    return (long) sequence << 32 | offset;
  }

  /** The sequence of the segment at a position. */
  public static int sequence(long position) {
    return (int) (position >>> 32);
  }

  /** The offset in the segment's file. */
  public static long offset(long position) {
    return position & 0xFFFFFFFFL;
  }
}
