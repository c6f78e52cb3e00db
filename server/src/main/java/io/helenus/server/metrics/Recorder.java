package io.helenus.server.metrics;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/**
 * Records one quantity: its count, its rate over the last minute, and its distribution. The weight
 * of a value halves every minute, so that percentiles describe recent behavior; a single value
 * disappears after about {@link #WEIGHT_BITS} minutes. Recording allocates only when the histogram
 * grows and once a minute. One thread.
 */
final class Recorder {
  /** The weight of a new value, as a power of two. */
  private static final int WEIGHT_BITS = 20;

  private static final int TICKS_PER_HALVING = 60 / Meter.TICK_SECONDS;
  private static final int SIGNIFICANT_DIGITS = 1;
  private static final int FIRST_RANGE = 64;

  private final long step;
  private final Meter meter = new Meter(1);
  private @Nullable Histogram histogram;
  private long count;
  private long max;
  private long tick;

  // consecutive equal values are common and counted here first
  private long runValue;
  private long runLength;

  /**
   * Starts at a tick.
   *
   * @param step the resolution; smaller differences are lost
   */
  Recorder(long step, long tick) {
    this.step = step;
    this.tick = tick;
  }

  private Histogram newHistogram() {
    Histogram made = new Histogram(step, step * FIRST_RANGE, SIGNIFICANT_DIGITS);
    made.setAutoResize(true);
    return made;
  }

  /** Records a value. */
  void record(long value, long nowTick) {
    if (nowTick != tick) {
      catchUp(nowTick);
    }
    count++;
    if (value == runValue) {
      runLength++;
      return;
    }
    endRun();
    runValue = value;
    runLength = 1;
  }

  /** Created with the second value, so that the first request does not wait for class loading. */
  private Histogram histogram() {
    Histogram known = histogram;
    if (known == null) {
      known = newHistogram();
      histogram = known;
    }
    return known;
  }

  private void endRun() {
    if (runLength > 0) {
      max = Math.max(max, runValue);
      histogram().recordValueWithCount(runValue, runLength << WEIGHT_BITS);
      runLength = 0;
    }
  }

  /** Advances over the time in which nothing was recorded. */
  void catchUp(long nowTick) {
    endRun();
    meter.tick(count, nowTick - tick);
    long halvings = nowTick / TICKS_PER_HALVING - tick / TICKS_PER_HALVING;
    if (halvings > 0) {
      halve(halvings);
    }
    tick = nowTick;
  }

  private void halve(long times) {
    Histogram lighter = newHistogram();
    if (times < Long.SIZE) {
      for (HistogramIterationValue value : histogram().recordedValues()) {
        long weight = value.getCountAtValueIteratedTo() >>> times;
        if (weight > 0) {
          lighter.recordValueWithCount(value.getValueIteratedTo(), weight);
        }
      }
    }
    histogram = lighter;
    max = Math.min(max, lighter.getMaxValue());
  }

  /** The current summary. */
  MetricSummary measured(long nowTick) {
    if (nowTick != tick) {
      catchUp(nowTick);
    }
    endRun();
    return new MetricSummary(count, max, meter.perSecond(), histogram().copy());
  }
}
