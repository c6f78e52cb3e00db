package io.helenus.server.metrics;

import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The partitions of one shard that are read and written most. Reads and writes are counted in
 * windows of {@link #WINDOW_NANOS}; at the end of a window the partitions with at least a
 * thousandth of its requests become listed, and stay so for a minute after they were last that
 * frequent. A pure machine: times in nanoseconds of one monotonic clock are passed in.
 *
 * <p>A caller asks {@link #samplesRead} or {@link #samplesWrite} first and records what these
 * select: all requests while there are few, one in so many while there are many. A recorded request
 * allocates only if its partition becomes a candidate, whose key is copied, and while a sketch
 * grows to its bounded size. One thread at a time.
 */
public final class HotPartitions {
  /** How long requests are counted together. */
  public static final long WINDOW_NANOS = 2_500_000_000L;

  /** More memory makes the counts no more exact than is useful. */
  public static final int USEFUL_BYTES = 512 << 10;

  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int LISTED = 64;

  private static final long TABLE_FACTOR = 0x9E3779B97F4A7C15L;

  private final Frequencies reads;
  private final Frequencies writes;
  private final Candidates candidates;
  private long windowStart;
  private double lastSeconds;

  /** A partition whose key is known. */
  static final class Candidate {
    private final long item;
    private final int tableId;
    private final byte[] prefix;
    private long heavyAt;
    private long lastReads;
    private long lastWrites;
    private double readsOfMinute;
    private double writesOfMinute;

    Candidate(long item, int tableId, byte[] prefix, long nowNanos) {
      this.item = item;
      this.tableId = tableId;
      this.prefix = prefix;
      this.heavyAt = nowNanos;
    }

    long item() {
      return item;
    }

    int keyBytes() {
      return prefix.length;
    }

    private double heat(double lastSeconds) {
      double now = (lastReads + lastWrites) / lastSeconds;
      return Math.max(now, readsOfMinute + writesOfMinute);
    }
  }

  /**
   * Starts now, with nothing counted.
   *
   * @param bytes the most heap to use, of which more than {@link #USEFUL_BYTES} is left alone
   * @param seed of the random choice of requests
   */
  public HotPartitions(int bytes, long seed, long nowNanos) {
    int used = Math.min(bytes, USEFUL_BYTES);
    reads = new Frequencies(used / 4, seed);
    writes = new Frequencies(used / 4, ~seed);
    candidates = new Candidates(used / 2);
    windowStart = nowNanos;
  }

  /** Whether a read that is beginning is to be recorded. */
  public boolean samplesRead() {
    return reads.samples();
  }

  /** Whether a write that is beginning is to be recorded. */
  public boolean samplesWrite() {
    return writes.samples();
  }

  /**
   * Records a request to a partition.
   *
   * @param prefix where the key prefix of the partition is, which begins with its token
   */
  public void record(
      int tableId, MemorySegment prefix, long offset, int length, boolean isWrite, long nowNanos) {
    if (nowNanos - windowStart >= WINDOW_NANOS) {
      endWindow(nowNanos);
    }
    // tokens are hashes of the key already
    long item = Bytes.getLong(prefix, offset) + tableId * TABLE_FACTOR;
    Frequencies frequencies = isWrite ? writes : reads;
    if (frequencies.add(item) && !candidates.contains(item)) {
      candidates.add(item, tableId, prefix, offset, length, nowNanos);
    }
  }

  /** Ends the present window, and if nothing has come for longer, the silence after it. */
  private void endWindow(long nowNanos) {
    long elapsed = nowNanos - windowStart;
    if (elapsed >= 2 * WINDOW_NANOS) {
      // all requests came in its first part: a later one would have ended the window
      endWindow(WINDOW_NANOS, windowStart + WINDOW_NANOS);
      elapsed -= WINDOW_NANOS;
    }
    endWindow(elapsed, nowNanos);
  }

  private void endWindow(long elapsedNanos, long nowNanos) {
    double seconds = elapsedNanos / NANOS_PER_SECOND;
    double kept = Math.exp(-(double) elapsedNanos / MINUTE_NANOS);
    List<Candidate> listed = new ArrayList<>();
    for (Candidate each : candidates.all()) {
      each.lastReads = reads.count(each.item);
      each.lastWrites = writes.count(each.item);
      each.readsOfMinute = kept * each.readsOfMinute + (1 - kept) * each.lastReads / seconds;
      each.writesOfMinute = kept * each.writesOfMinute + (1 - kept) * each.lastWrites / seconds;
      if (reads.isHeavy(each.lastReads) || writes.isHeavy(each.lastWrites)) {
        each.heavyAt = nowNanos;
      }
      if (nowNanos - each.heavyAt < MINUTE_NANOS) {
        listed.add(each);
      }
    }
    listed.sort(Comparator.<Candidate>comparingDouble(each -> each.heat(seconds)).reversed());
    candidates.replace(listed.subList(0, Math.min(LISTED, listed.size())));
    reads.endWindow();
    writes.endWindow();
    windowStart = nowNanos;
    lastSeconds = seconds;
  }

  /** What is listed, with the rates since the start of the last complete window. */
  public HotPartitionList list(long nowNanos) {
    if (nowNanos - windowStart >= WINDOW_NANOS) {
      endWindow(nowNanos);
    }
    double seconds = lastSeconds + Math.max(1, nowNanos - windowStart) / NANOS_PER_SECOND;
    List<HotPartition> listed = new ArrayList<>();
    for (Candidate each : candidates.all()) {
      listed.add(
          new HotPartition(
              each.tableId,
              Arrays.copyOf(each.prefix, each.prefix.length),
              (each.lastReads + reads.count(each.item)) / seconds,
              (each.lastWrites + writes.count(each.item)) / seconds,
              each.readsOfMinute,
              each.writesOfMinute));
    }
    listed.sort(HotPartition.HOTTEST_FIRST);
    return new HotPartitionList(
        listed.subList(0, Math.min(LISTED, listed.size())),
        reads.total() / seconds,
        writes.total() / seconds);
  }
}
