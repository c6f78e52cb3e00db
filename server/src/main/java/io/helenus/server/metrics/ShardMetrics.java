package io.helenus.server.metrics;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one shard measures. Shard thread only; nothing is locked, nothing looked up by name, and
 * nothing allocated but when a table is first used. Times are given by the callers, who have looked
 * at the clock anyway: nanoseconds of one monotonic clock.
 */
public final class ShardMetrics {
  private static final long TICK_NANOS = Meter.TICK_SECONDS * 1_000_000_000L;
  private static final int CACHE_MINUTES = 15;
  private static final MeasuredKind[] KINDS = MeasuredKind.values();

  private final LongSupplier cacheHits;
  private final LongSupplier cacheRequests;
  private final Meter hitMeter = new Meter(CACHE_MINUTES);
  private final Meter requestMeter = new Meter(CACHE_MINUTES);
  private final Map<BatchKind, Recorder> batches = new EnumMap<>(BatchKind.class);

  // by storage id, and by its negative
  private @Nullable Recorder[] @Nullable [] stored = new Recorder[64][];
  private @Nullable Recorder[] @Nullable [] virtual = new Recorder[64][];

  private long tick;
  private long nextTickNanos;
  private long requests;
  private long preparedExecuted;
  private long regularExecuted;
  private long reads;
  private long writes;

  /**
   * From now on.
   *
   * @param cacheHits how often the block cache had what was asked for, so far
   * @param cacheRequests how often it was asked, so far
   */
  public ShardMetrics(long nowNanos, LongSupplier cacheHits, LongSupplier cacheRequests) {
    this.nextTickNanos = nowNanos + TICK_NANOS;
    this.cacheHits = cacheHits;
    this.cacheRequests = cacheRequests;
  }

  /** A request of a client has come. */
  public void request() {
    requests++;
  }

  /** An EXECUTE message is run. */
  public void preparedExecuted() {
    preparedExecuted++;
  }

  /** A QUERY message is run. */
  public void regularExecuted() {
    regularExecuted++;
  }

  /** A batch of so many partitions is run. */
  public void batch(BatchKind kind, int partitions, long nowNanos) {
    long at = tickAt(nowNanos);
    Recorder recorder = batches.get(kind);
    if (recorder == null) {
      recorder = new Recorder(1, at);
      batches.put(kind, recorder);
    }
    recorder.record(partitions, at);
  }

  /**
   * A read has been answered.
   *
   * @param partition whether it was of one partition
   */
  public void read(
      int tableId,
      boolean partition,
      long coordinatorNanos,
      long replicaNanos,
      int rows,
      int tombstones,
      long nowNanos) {
    reads++;
    long at = tickAt(nowNanos);
    @Nullable Recorder[] table = table(tableId);
    MeasuredKind atCoordinator =
        partition ? MeasuredKind.COORDINATOR_READ_LATENCY : MeasuredKind.COORDINATOR_SCAN_LATENCY;
    MeasuredKind atReplica =
        partition ? MeasuredKind.LOCAL_READ_LATENCY : MeasuredKind.LOCAL_SCAN_LATENCY;
    recorder(table, atCoordinator, at).record(coordinatorNanos, at);
    recorder(table, atReplica, at).record(replicaNanos, at);
    recorder(table, MeasuredKind.ROWS_PER_READ, at).record(rows, at);
    recorder(table, MeasuredKind.TOMBSTONES_PER_READ, at).record(tombstones, at);
  }

  /** A read has failed or timed out: only the coordinator knows how long it took. */
  public void readFailed(int tableId, boolean partition, long coordinatorNanos, long nowNanos) {
    reads++;
    MeasuredKind kind =
        partition ? MeasuredKind.COORDINATOR_READ_LATENCY : MeasuredKind.COORDINATOR_SCAN_LATENCY;
    record(tableId, kind, coordinatorNanos, nowNanos);
  }

  /** A mutation was written, or was not. */
  public void mutation() {
    writes++;
  }

  /** A client's write to a table has been answered. */
  public void written(int tableId, long coordinatorNanos, long nowNanos) {
    record(tableId, MeasuredKind.COORDINATOR_WRITE_LATENCY, coordinatorNanos, nowNanos);
  }

  /** A replica has written to a table. */
  public void applied(int tableId, long replicaNanos, long nowNanos) {
    record(tableId, MeasuredKind.LOCAL_WRITE_LATENCY, replicaNanos, nowNanos);
  }

  private void record(int tableId, MeasuredKind kind, long value, long nowNanos) {
    long at = tickAt(nowNanos);
    recorder(table(tableId), kind, at).record(value, at);
  }

  private @Nullable Recorder[] table(int tableId) {
    int index = tableId < 0 ? -tableId : tableId;
    @Nullable Recorder[] @Nullable [] tables = tableId < 0 ? virtual : stored;
    @Nullable Recorder[] found = index < tables.length ? tables[index] : null;
    return found == null ? addTable(tableId, index) : found;
  }

  private @Nullable Recorder[] addTable(int tableId, int index) {
    @Nullable Recorder[] @Nullable [] tables = tableId < 0 ? virtual : stored;
    if (index >= tables.length) {
      tables = Arrays.copyOf(tables, Math.max(2 * tables.length, index + 1));
      if (tableId < 0) {
        virtual = tables;
      } else {
        stored = tables;
      }
    }
    @Nullable Recorder[] added = new Recorder[KINDS.length];
    tables[index] = added;
    return added;
  }

  private static Recorder recorder(@Nullable Recorder[] table, MeasuredKind kind, long at) {
    Recorder found = table[kind.ordinal()];
    if (found == null) {
      found = new Recorder(kind.step(), at);
      table[kind.ordinal()] = found;
    }
    return found;
  }

  private long tickAt(long nowNanos) {
    if (nowNanos - nextTickNanos >= 0) {
      goOn(nowNanos);
    }
    return tick;
  }

  private void goOn(long nowNanos) {
    long ticks = 1 + (nowNanos - nextTickNanos) / TICK_NANOS;
    tick += ticks;
    nextTickNanos += ticks * TICK_NANOS;
    hitMeter.tick(cacheHits.getAsLong(), ticks);
    requestMeter.tick(cacheRequests.getAsLong(), ticks);
  }

  /** Forgets tables that are no more. */
  public void retainTables(IntPredicate exists) {
    for (int id = 0; id < stored.length; id++) {
      if (stored[id] != null && !exists.test(id)) {
        stored[id] = null;
      }
    }
  }

  /**
   * What has been measured so far.
   *
   * @param kind what to report of tables; null for nothing
   * @param tableIds the storage ids of the tables to report
   */
  public MetricsSnapshot snapshot(@Nullable MeasuredKind kind, int[] tableIds, long nowNanos) {
    long at = tickAt(nowNanos);
    Map<BatchKind, Measured> measuredBatches = new EnumMap<>(BatchKind.class);
    batches.forEach((each, recorder) -> measuredBatches.put(each, recorder.measured(at)));
    Map<Integer, Measured> measuredTables = new TreeMap<>();
    if (kind != null) {
      for (int tableId : tableIds) {
        Recorder recorder = existing(tableId, kind);
        if (recorder != null) {
          measuredTables.put(tableId, recorder.measured(at));
        }
      }
    }
    return new MetricsSnapshot(
        requests,
        preparedExecuted,
        regularExecuted,
        reads,
        writes,
        hitMeter.perSecond(),
        requestMeter.perSecond(),
        measuredBatches,
        measuredTables);
  }

  private @Nullable Recorder existing(int tableId, MeasuredKind kind) {
    @Nullable Recorder[] @Nullable [] tables = tableId < 0 ? virtual : stored;
    int index = Math.abs(tableId);
    @Nullable Recorder[] table = index < tables.length ? tables[index] : null;
    return table == null ? null : table[kind.ordinal()];
  }
}
