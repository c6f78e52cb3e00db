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
  private final @Nullable HotPartitions hotPartitions;
  private final Meter hitMeter = new Meter(CACHE_MINUTES);
  private final Meter requestMeter = new Meter(CACHE_MINUTES);
  private final Map<BatchKind, Recorder> batches = new EnumMap<>(BatchKind.class);

  private final Requests clientRequests = new Requests();
  private final Tally allTables = new Tally();

  // indexed by storage id, for virtual tables by the negated id
  private @Nullable MeasuredTable[] stored = new MeasuredTable[64];
  private @Nullable MeasuredTable[] virtual = new MeasuredTable[64];

  private long tick;
  private long nextTickNanos;
  private long requests;
  private long preparedExecuted;
  private long regularExecuted;
  private long reads;
  private long writes;
  private long digestMismatches;
  private long readRepairs;
  private long shortReads;
  private final LatencyCounts viewWrites = new LatencyCounts(LatencyCounts.Resolution.FINE);
  private long viewWritesAttempted;
  private long viewWritesSucceeded;

  /** The measurements of a table. */
  private static final class MeasuredTable {
    private final @Nullable Recorder[] recorders = new Recorder[KINDS.length];
    private final Tally tally = new Tally();

    Recorder recorder(TableMetric kind, long at) {
      Recorder found = recorders[kind.ordinal()];
      if (found == null) {
        found = new Recorder(kind.step(), at);
        recorders[kind.ordinal()] = found;
      }
      return found;
    }
  }

  /**
   * Starts now, without counting by partition.
   *
   * @param cacheHits the number of block cache hits so far
   * @param cacheRequests the number of block cache requests so far
   */
  public ShardMetrics(long nowNanos, LongSupplier cacheHits, LongSupplier cacheRequests) {
    this(nowNanos, cacheHits, cacheRequests, null);
  }

  /**
   * Starts now.
   *
   * @param hotPartitions counts requests by partition; null if that is off
   */
  public ShardMetrics(
      long nowNanos,
      LongSupplier cacheHits,
      LongSupplier cacheRequests,
      @Nullable HotPartitions hotPartitions) {
    this.hotPartitions = hotPartitions;
    this.nextTickNanos = nowNanos + TICK_NANOS;
    this.cacheHits = cacheHits;
    this.cacheRequests = cacheRequests;
  }

  /** What counts the requests of this shard's replica by partition; null if that is off. */
  public @Nullable HotPartitions hotPartitions() {
    return hotPartitions;
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
   * Records a successful read that this node's replica alone has carried out.
   *
   * @param partition whether it read a single partition
   * @param files the files that it looked into; negative if that is not known
   */
  public void read(
      int tableId,
      boolean partition,
      long coordinatorNanos,
      long replicaNanos,
      int rows,
      int tombstones,
      int files,
      long nowNanos) {
    long at = tickAt(nowNanos);
    MeasuredTable table = table(tableId);
    coordinated(table, partition, coordinatorNanos, at);
    readByReplica(table, tableId, partition, replicaNanos, rows, tombstones, files, at);
  }

  /** Records what this node's replica has read for a coordinator that asks several. */
  public void readByReplica(
      int tableId,
      boolean partition,
      long nanos,
      int rows,
      int tombstones,
      int files,
      long nowNanos) {
    long at = tickAt(nowNanos);
    readByReplica(table(tableId), tableId, partition, nanos, rows, tombstones, files, at);
  }

  private void readByReplica(
      MeasuredTable table,
      int tableId,
      boolean partition,
      long nanos,
      int rows,
      int tombstones,
      int files,
      long at) {
    reads++;
    TableMetric latency =
        partition ? TableMetric.LOCAL_READ_LATENCY : TableMetric.LOCAL_SCAN_LATENCY;
    table.recorder(latency, at).record(nanos, at);
    table.recorder(TableMetric.ROWS_PER_READ, at).record(rows, at);
    table.recorder(TableMetric.TOMBSTONES_PER_READ, at).record(tombstones, at);
    if (partition && files >= 0) {
      table.recorder(TableMetric.FILES_PER_READ, at).record(files, at);
    }
    table.tally.read(partition, nanos, rows, tombstones);
    if (tableId > 0) {
      allTables.read(partition, nanos, rows, tombstones);
    }
  }

  /** This node's replica could not read for a coordinator that asks several, or not in time. */
  public void notReadByReplica() {
    reads++;
  }

  /** Records a read of several replicas at its coordinator, successful or not. */
  public void readCoordinated(int tableId, boolean partition, long nanos, long nowNanos) {
    coordinated(table(tableId), partition, nanos, tickAt(nowNanos));
  }

  private void coordinated(MeasuredTable table, boolean partition, long nanos, long at) {
    TableMetric latency =
        partition ? TableMetric.COORDINATOR_READ_LATENCY : TableMetric.COORDINATOR_SCAN_LATENCY;
    table.recorder(latency, at).record(nanos, at);
    clientRequests.ended(partition ? RequestKind.READ : RequestKind.RANGE_SLICE, nanos);
  }

  /**
   * Records a read of this node's replica alone that failed or timed out: only the coordinator's
   * latency is known.
   */
  public void readFailed(int tableId, boolean partition, long coordinatorNanos, long nowNanos) {
    reads++;
    readCoordinated(tableId, partition, coordinatorNanos, nowNanos);
  }

  /** Counts a read whose replicas had different digests. */
  public void digestMismatch() {
    digestMismatches++;
  }

  /** Counts a read that wrote to replicas what they lacked. */
  public void readRepair() {
    readRepairs++;
  }

  /** A replica's data ended before the read did, so that they were asked on. */
  public void shortRead() {
    shortReads++;
  }

  /** How often replicas were asked on. */
  public long shortReads() {
    return shortReads;
  }

  /** The reads whose replicas had different digests. */
  public long digestMismatches() {
    return digestMismatches;
  }

  /** The reads that wrote to replicas what they lacked. */
  public long readRepairs() {
    return readRepairs;
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
    table(tableId).tally.written(replicaNanos);
    allTables.written(replicaNanos);
  }

  /** Records how long a write that changes views of a table waited for others of its partition. */
  public void viewsWaited(int tableId, long nanos) {
    table(tableId).tally.viewsWaited(nanos);
    allTables.viewsWaited(nanos);
  }

  /** Records how long reading took from which changes of a table's views are computed. */
  public void viewsRead(int tableId, long nanos) {
    table(tableId).tally.viewsRead(nanos);
    allTables.viewsRead(nanos);
  }

  /** Counts writes to partitions of views that begin. */
  public void viewWritesBegun(int partitions) {
    viewWritesAttempted += partitions;
  }

  /** Records a write to a partition of a view. */
  public void viewWritten(long nanos) {
    viewWritesSucceeded++;
    viewWrites.add(nanos, 1);
  }

  /** Records the latency of a client's write, however many tables it changes. */
  public void writeEnded(RequestKind kind, long coordinatorNanos) {
    clientRequests.ended(kind, coordinatorNanos);
  }

  /**
   * Counts a request that has timed out.
   *
   * @param dropped whether replicas do not carry it out any more
   */
  public void timedOut(RequestKind kind, boolean dropped) {
    clientRequests.timedOut(kind);
    if (dropped) {
      clientRequests.dropped(kind);
    }
  }

  /** Counts a request that was refused because too few replicas are alive. */
  public void unavailable(RequestKind kind) {
    clientRequests.unavailable(kind);
  }

  /** Counts a request that has failed. */
  public void failed(RequestKind kind) {
    clientRequests.failed(kind);
  }

  private void record(int tableId, TableMetric kind, long value, long nowNanos) {
    long at = tickAt(nowNanos);
    table(tableId).recorder(kind, at).record(value, at);
  }

  private MeasuredTable table(int tableId) {
    MeasuredTable found = existing(tableId);
    return found == null ? addTable(tableId) : found;
  }

  private @Nullable MeasuredTable existing(int tableId) {
    @Nullable MeasuredTable[] tables = tableId < 0 ? virtual : stored;
    int index = tableId < 0 ? -tableId : tableId;
    return index < tables.length ? tables[index] : null;
  }

  private MeasuredTable addTable(int tableId) {
    @Nullable MeasuredTable[] tables = tableId < 0 ? virtual : stored;
    int index = Math.abs(tableId);
    if (index >= tables.length) {
      tables = Arrays.copyOf(tables, Math.max(2 * tables.length, index + 1));
      if (tableId < 0) {
        virtual = tables;
      } else {
        stored = tables;
      }
    }
    MeasuredTable added = new MeasuredTable();
    tables[index] = added;
    return added;
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
        MeasuredTable table = existing(tableId);
        Recorder recorder = table == null ? null : table.recorders[kind.ordinal()];
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
        measuredTables,
        hotPartitions == null ? HotPartitionList.NONE : hotPartitions.list(nowNanos));
  }

  /**
   * Returns the counts since the node started. Takes no longer if more tables have been used.
   *
   * @param tableIds the storage ids of the tables to report
   */
  public NodeCounts counts(int[] tableIds) {
    Map<Integer, TableCounts> tables = new TreeMap<>();
    for (int tableId : tableIds) {
      MeasuredTable table = existing(tableId);
      if (table != null) {
        tables.put(tableId, table.tally.counts());
      }
    }
    return new NodeCounts(
        clientRequests.counts(),
        tables,
        allTables.counts(),
        new ViewCounts(viewWrites.copy(), viewWritesAttempted, viewWritesSucceeded));
  }
}
