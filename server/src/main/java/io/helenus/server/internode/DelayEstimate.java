package io.helenus.server.internode;

/**
 * How long frames wait on their way, although the clocks of the two nodes have nothing in common:
 * by how much the difference between the time of arrival and the time of sending exceeds the
 * smallest one. Only the last one or two windows count, or the drift of the clocks would look like
 * waiting. One thread.
 */
final class DelayEstimate {
  private static final long WINDOW_MICROS = 30_000_000;

  /** An hour; a greater number is the fault of whoever sent the time. */
  private static final long MOST_MICROS = 3_600_000_000L;

  private long windowStart;
  private long smallest = Long.MAX_VALUE;
  private long smallestBefore = Long.MAX_VALUE;

  /** How long a frame has waited, in microseconds. */
  long waitedMicros(long sentMicros, long nowMicros) {
    if (smallest == Long.MAX_VALUE) {
      windowStart = nowMicros;
    } else if (nowMicros - windowStart >= WINDOW_MICROS) {
      smallestBefore = nowMicros - windowStart < 2 * WINDOW_MICROS ? smallest : Long.MAX_VALUE;
      smallest = Long.MAX_VALUE;
      windowStart = nowMicros;
    }
    long difference = nowMicros - sentMicros;
    smallest = Math.min(smallest, difference);
    return Math.clamp(difference - Math.min(smallest, smallestBefore), 0, MOST_MICROS);
  }
}
