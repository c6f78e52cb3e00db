package io.helenus.copy.work;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Shows how far the work is: a line that is rewritten on a terminal, otherwise a line every ten
 * seconds. The part that is done is measured in ranges, since nobody knows the number of rows.
 * Counting is done by many threads at once.
 */
public final class Progress implements AutoCloseable {
  private static final Duration ON_TERMINAL = Duration.ofMillis(250);
  private static final Duration IN_LOG = Duration.ofSeconds(10);
  private static final int BAR = 24;
  private static final double NANOS = 1e9;
  private static final int MINUTE = 60;
  private static final int HOUR = 60 * MINUTE;

  private final PrintStream out;
  private final boolean terminal;
  private final long ranges;
  private final LongAdder rows = new LongAdder();
  private final AtomicLong done = new AtomicLong();
  private final long start = System.nanoTime();
  private final Thread painter;
  private volatile String what = "";

  /**
   * Begins to show progress.
   *
   * @param ranges how many there are
   * @param done how many of them an earlier run has finished
   */
  public Progress(PrintStream out, boolean terminal, long ranges, long done) {
    this.out = out;
    this.terminal = terminal;
    this.ranges = ranges - done;
    painter = Thread.ofVirtual().start(this::paint);
  }

  /** What is being done from now on. */
  public void begin(String what) {
    this.what = what;
  }

  /** Counts rows. */
  public void countRows(long more) {
    rows.add(more);
  }

  /** Counts a finished range. */
  public void countRange() {
    done.incrementAndGet();
  }

  /** A line of its own. */
  public synchronized void print(String line) {
    out.print((terminal ? "\r\033[K" : "") + line + "\n");
    out.flush();
  }

  private void paint() {
    try {
      while (true) {
        Thread.sleep(terminal ? ON_TERMINAL : IN_LOG);
        String line = line(System.nanoTime() - start);
        synchronized (this) {
          out.print(terminal ? "\r\033[K" + line : line + "\n");
          out.flush();
        }
      }
    } catch (InterruptedException _) {
      // finished
    }
  }

  /** The line after a time in nanoseconds. */
  String line(long nanos) {
    double seconds = nanos / NANOS;
    double part = ranges == 0 ? 1 : (double) done.get() / ranges;
    int full = (int) (part * BAR);
    String bar = terminal ? "[" + "#".repeat(full) + "-".repeat(BAR - full) + "] " : "";
    String left = part == 0 || part == 1 ? "" : ", " + time(seconds / part - seconds) + " left";
    return String.format(
        Locale.ROOT,
        "%s %s%d %%, %,d rows, %,d rows/s%s",
        what,
        bar,
        (int) (part * 100),
        rows.sum(),
        (long) (rows.sum() / Math.max(seconds, 1 / NANOS)),
        left);
  }

  private static String time(double seconds) {
    long whole = Math.round(seconds);
    if (whole < MINUTE) {
      return whole + " s";
    }
    return whole < HOUR
        ? whole / MINUTE + " min " + whole % MINUTE + " s"
        : whole / HOUR + " h " + whole % HOUR / MINUTE + " min";
  }

  @Override
  public void close() {
    painter.interrupt();
    try {
      painter.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    if (terminal) {
      synchronized (this) {
        out.print("\r\033[K");
        out.flush();
      }
    }
  }
}
