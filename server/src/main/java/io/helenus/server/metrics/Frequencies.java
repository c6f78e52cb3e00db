package io.helenus.server.metrics;

import org.apache.datasketches.frequencies.FrequentLongsSketch;

/**
 * How often each item came in the present window, of those that come often. Counts are never too
 * high, but for chance in the choice of requests. One thread at a time.
 */
final class Frequencies {
  /** How many requests of a window are recorded, about: enough to tell ranks ten and thirteen. */
  static final int SAMPLES_PER_WINDOW = 25_000;

  /** An item is heavy from this share of the requests on. */
  static final int HEAVY_DIVISOR = 1000;

  private static final int LEAST_HEAVY = 2;
  private static final int BYTES_PER_ITEM = 18;
  private static final int SMALLEST_MAP = 64;

  private final FrequentLongsSketch sketch;
  private long random;
  private int interval = 1;
  private int untilNext = 1;
  private int samples;
  private long heavy = LEAST_HEAVY;
  private long last;

  /**
   * Nothing counted.
   *
   * @param bytes the most that the sketch may take
   * @param seed of the choice of requests; any value
   */
  Frequencies(int bytes, long seed) {
    int items = Math.max(SMALLEST_MAP, Integer.highestOneBit(bytes / BYTES_PER_ITEM));
    sketch = new FrequentLongsSketch(items);
    random = seed == 0 ? 1 : seed;
  }

  /** Whether the next request is to be added. */
  boolean samples() {
    return --untilNext <= 0 && select();
  }

  private boolean select() {
    if (interval > 1) {
      // distances vary, so that a client's rhythm does not hide its partitions
      random ^= random << 13;
      random ^= random >>> 7;
      random ^= random << 17;
      untilNext = 1 + (int) ((random >>> 33) % (2L * interval - 1));
    }
    return true;
  }

  /** Adds a request that was selected; whether its item is heavy. */
  boolean add(long item) {
    sketch.update(item, interval);
    if (++samples == SAMPLES_PER_WINDOW) {
      samples /= 2;
      interval = Math.min(2 * interval, 1 << 20);
    }
    return sketch.getLowerBound(item) >= heavy;
  }

  /** How many requests of an item came in this window. */
  long count(long item) {
    return sketch.getLowerBound(item);
  }

  /** Whether that is many. */
  boolean isHeavy(long count) {
    return count >= heavyOf(sketch.getStreamLength());
  }

  private static long heavyOf(long requests) {
    return Math.max(LEAST_HEAVY, requests / HEAVY_DIVISOR);
  }

  /** Ends the window: the next is expected to have as many requests. */
  void endWindow() {
    long requests = sketch.getStreamLength();
    last = requests;
    heavy = heavyOf(requests);
    interval = (int) Math.min(1 + requests / SAMPLES_PER_WINDOW, 1 << 20);
    untilNext = Math.min(untilNext, interval);
    samples = 0;
    if (requests > 0) {
      sketch.reset();
    }
  }

  /** The requests of the last window and the present one. */
  long total() {
    return last + sketch.getStreamLength();
  }
}
