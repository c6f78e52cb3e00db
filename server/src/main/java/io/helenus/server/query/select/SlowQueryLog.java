package io.helenus.server.query.select;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the SELECTs of a node that took longer than {@code slow_query_log_timeout}: every five
 * seconds one line for each statement, with the number of times if there were several, for up to 50
 * statements. Used by all shards; only slow statements take its lock.
 */
public final class SlowQueryLog {
  /** The time over which slow statements are collected. */
  static final long INTERVAL_NANOS = 5_000_000_000L;

  private static final Logger LOG = LoggerFactory.getLogger(SlowQueryLog.class);
  private static final int MAX_STATEMENTS = 50;
  private static final int SHOWN_CHARS = 1000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final long thresholdNanos;
  private final Executor io;
  private Map<String, Entry> entries = new LinkedHashMap<>();
  private int others;

  /** The slow executions of one statement. */
  private static final class Entry {
    private int times;
    private long sum;
    private long min = Long.MAX_VALUE;
    private long max = -1;
    private String slowest = "";

    void add(long nanos, String details) {
      times++;
      sum += nanos;
      min = Math.min(min, nanos);
      if (nanos > max) {
        max = nanos;
        slowest = shown(details);
      }
    }
  }

  /**
   * Creates the log of a node.
   *
   * @param timeoutNanos what takes longer is slow; 0 to log nothing
   * @param io writes the lines, because a shard does not wait for a disk
   */
  public SlowQueryLog(long timeoutNanos, Executor io) {
    this.thresholdNanos = timeoutNanos == 0 ? Long.MAX_VALUE : timeoutNanos;
    this.io = io;
  }

  /** Whether an execution that took so long is to be added. */
  boolean isSlow(long nanos) {
    return nanos > thresholdNanos;
  }

  /**
   * Adds an execution.
   *
   * @param details what is shown of the slowest one
   * @return whether {@link #report} is to be called after the interval
   */
  synchronized boolean add(String statement, long nanos, String details) {
    String key = shown(statement);
    boolean first = entries.isEmpty();
    Entry entry = entries.get(key);
    if (entry == null) {
      if (entries.size() == MAX_STATEMENTS) {
        others++;
        return false;
      }
      entry = new Entry();
      entries.put(key, entry);
    }
    entry.add(nanos, details);
    return first;
  }

  /** Ends the interval and starts to write its lines. */
  public void report() {
    Map<String, Entry> ended;
    int more;
    synchronized (this) {
      ended = entries;
      more = others;
      entries = new LinkedHashMap<>();
      others = 0;
    }
    if (!ended.isEmpty()) {
      io.execute(() -> write(ended, more));
    }
  }

  private void write(Map<String, Entry> ended, int more) {
    ended.forEach((statement, entry) -> LOG.info("{}", line(statement, entry)));
    if (more > 0) {
      LOG.info(
          "{} more queries were slow, of statements beyond the {} above", more, MAX_STATEMENTS);
    }
  }

  /** In the words of Cassandra. */
  private String line(String statement, Entry entry) {
    String times =
        entry.times == 1
            ? String.format(Locale.ROOT, "time %d msec", entry.max / NANOS_PER_MILLI)
            : String.format(
                Locale.ROOT,
                "was slow %d times: avg/min/max %d/%d/%d msec",
                entry.times,
                entry.sum / entry.times / NANOS_PER_MILLI,
                entry.min / NANOS_PER_MILLI,
                entry.max / NANOS_PER_MILLI);
    return "Slow query <"
        + statement
        + ">, "
        + times
        + " - slow timeout "
        + thresholdNanos / NANOS_PER_MILLI
        + " msec; "
        + (entry.times == 1 ? "" : "the slowest: ")
        + entry.slowest;
  }

  /** One line of limited length: what is kept of a text. */
  private static String shown(String text) {
    String start = text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "...";
    return start.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
  }

  /** A list of at most as many sizes as are given, with the number of those that are not. */
  static String sizes(int[] bytes, int shown, int count) {
    if (count == 0) {
      return "no values";
    }
    StringBuilder out = new StringBuilder("values of ");
    for (int i = 0; i < shown; i++) {
      out.append(i == 0 ? "" : ", ").append(size(bytes[i]));
    }
    return count == shown ? out.toString() : out + " and " + (count - shown) + " more";
  }

  private static String size(int bytes) {
    return bytes < 0 ? "null" : bytes + " B";
  }
}
