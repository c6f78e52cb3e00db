package io.helenus.server.metrics;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/**
 * Records one quantity: how often, its rate over the last minute, and its distribution, in which
 * the weight of a value halves every minute, so that percentiles tell of what is, not of what was.
 * A single value is forgotten after about {@link #WEIGHT_BITS} minutes. Recording allocates nothing
 * but for growth and once a minute. One thread.
 */
final class Recorder {
  /** The weight of a fresh value, as a power of two. */
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

  // values often come again: a run of equal ones is counted here first
  private long runValue;
  private long runLength;

  /**
   * From a tick on.
   *
   * @param step what is smaller is not told apart
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

  /** Made when a second value comes, so that a first answer does not wait for its classes. */
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

  /** Lets the time go by in which nothing was recorded. */
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

  /** What there is now. */
  Measured measured(long nowTick) {
    if (nowTick != tick) {
      catchUp(nowTick);
    }
    endRun();
    return new Measured(count, max, meter.perSecond(), histogram().copy());
  }
}
