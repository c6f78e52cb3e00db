package io.helenus.server.metrics;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one shard. Shard thread only; no locks, no lookups by name, and no allocation
 * except when a table is first used. Callers pass in times in nanoseconds of one monotonic clock,
 * because they have read the clock anyway.
 */
public final class ShardMetrics {
  private static final long TICK_NANOS = Meter.TICK_SECONDS * 1_000_000_000L;
  private static final int CACHE_MINUTES = 15;
  private static final TableMetric[] KINDS = TableMetric.values();

  private final LongSupplier cacheHits;
  private final LongSupplier cacheRequests;
  private final Meter hitMeter = new Meter(CACHE_MINUTES);
  private final Meter requestMeter = new Meter(CACHE_MINUTES);
  private final Map<BatchKind, Recorder> batches = new EnumMap<>(BatchKind.class);

  // indexed by storage id, for virtual tables by the negated id
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
   * Starts now.
   *
   * @param cacheHits the number of block cache hits so far
   * @param cacheRequests the number of block cache requests so far
   */
  public ShardMetrics(long nowNanos, LongSupplier cacheHits, LongSupplier cacheRequests) {
    this.nextTickNanos = nowNanos + TICK_NANOS;
    this.cacheHits = cacheHits;
    this.cacheRequests = cacheRequests;
  }

  /** Counts a client request. */
  public void request() {
    requests++;
  }

  /** Counts an EXECUTE message. */
  public void preparedExecuted() {
    preparedExecuted++;
  }

  /** Counts a QUERY message. */
  public void regularExecuted() {
    regularExecuted++;
  }

  /** Records the number of partitions of a batch. */
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
   * Records a successful read.
   *
   * @param partition whether it read a single partition
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
    TableMetric atCoordinator =
        partition ? TableMetric.COORDINATOR_READ_LATENCY : TableMetric.COORDINATOR_SCAN_LATENCY;
    TableMetric atReplica =
        partition ? TableMetric.LOCAL_READ_LATENCY : TableMetric.LOCAL_SCAN_LATENCY;
    recorder(table, atCoordinator, at).record(coordinatorNanos, at);
    recorder(table, atReplica, at).record(replicaNanos, at);
    recorder(table, TableMetric.ROWS_PER_READ, at).record(rows, at);
    recorder(table, TableMetric.TOMBSTONES_PER_READ, at).record(tombstones, at);
  }

  /** Records a read that failed or timed out: only the coordinator's latency is known. */
  public void readFailed(int tableId, boolean partition, long coordinatorNanos, long nowNanos) {
    reads++;
    TableMetric kind =
        partition ? TableMetric.COORDINATOR_READ_LATENCY : TableMetric.COORDINATOR_SCAN_LATENCY;
    record(tableId, kind, coordinatorNanos, nowNanos);
  }

  /** Counts a finished mutation, successful or not. */
  public void mutation() {
    writes++;
  }

  /** Records a successful write to a table. */
  public void written(int tableId, long coordinatorNanos, long nowNanos) {
    record(tableId, TableMetric.COORDINATOR_WRITE_LATENCY, coordinatorNanos, nowNanos);
  }

  /** Records a replica's write to a table. */
  public void applied(int tableId, long replicaNanos, long nowNanos) {
    record(tableId, TableMetric.LOCAL_WRITE_LATENCY, replicaNanos, nowNanos);
  }

  private void record(int tableId, TableMetric kind, long value, long nowNanos) {
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

  private static Recorder recorder(@Nullable Recorder[] table, TableMetric kind, long at) {
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

  /** Removes dropped tables. */
  public void retainTables(IntPredicate exists) {
    for (int id = 0; id < stored.length; id++) {
      if (stored[id] != null && !exists.test(id)) {
        stored[id] = null;
      }
    }
  }

  /**
   * Returns a snapshot.
   *
   * @param kind the metric to report for tables; null for none
   * @param tableIds the storage ids of the tables to report
   */
  public MetricsSnapshot snapshot(@Nullable TableMetric kind, int[] tableIds, long nowNanos) {
    long at = tickAt(nowNanos);
    Map<BatchKind, MetricSummary> measuredBatches = new EnumMap<>(BatchKind.class);
    batches.forEach((each, recorder) -> measuredBatches.put(each, recorder.measured(at)));
    Map<Integer, MetricSummary> measuredTables = new TreeMap<>();
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

  private @Nullable Recorder existing(int tableId, TableMetric kind) {
    @Nullable Recorder[] @Nullable [] tables = tableId < 0 ? virtual : stored;
    int index = Math.abs(tableId);
    @Nullable Recorder[] table = index < tables.length ? tables[index] : null;
    return table == null ? null : table[kind.ordinal()];
  }
}
