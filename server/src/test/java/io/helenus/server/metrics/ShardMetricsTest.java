package io.helenus.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.testing.Seeds;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ShardMetricsTest {
  @RegisterExtension final Seeds seeds = Seeds.from(7);

  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final int TABLE = 101;
  private static final int[] TABLES = {TABLE, TABLE + 1, TABLE + 2, -3, -4};

  private long cacheHits;
  private long now;
  private final ShardMetrics metrics = new ShardMetrics(0, () -> cacheHits, () -> 2 * cacheHits);

  private MetricSummary measured(TableMetric kind, int table) {
    return Objects.requireNonNull(metrics.snapshot(kind, new int[] {table}, now).table(table));
  }

  private void read(int table, long nanos, int rows) {
    metrics.read(table, true, 2 * nanos, nanos, rows, 0, 1, now);
  }

  @Test
  void aReadIsMeasuredAtCoordinatorAndReplica() {
    metrics.read(TABLE, true, 3000, 1000, 5, 2, 3, now);
    metrics.read(TABLE, false, 9000, 8000, 50, 0, 7, now);
    assertEquals(3000, measured(TableMetric.COORDINATOR_READ_LATENCY, TABLE).max());
    assertEquals(1000, measured(TableMetric.LOCAL_READ_LATENCY, TABLE).max());
    assertEquals(9000, measured(TableMetric.COORDINATOR_SCAN_LATENCY, TABLE).max());
    assertEquals(8000, measured(TableMetric.LOCAL_SCAN_LATENCY, TABLE).max());
    assertEquals(50, measured(TableMetric.ROWS_PER_READ, TABLE).max());
    assertEquals(2, measured(TableMetric.ROWS_PER_READ, TABLE).count());
    assertEquals(1, measured(TableMetric.FILES_PER_READ, TABLE).count(), "of one partition");
    assertEquals(3, measured(TableMetric.FILES_PER_READ, TABLE).max());
    assertEquals(2, measured(TableMetric.TOMBSTONES_PER_READ, TABLE).max());
    assertEquals(2, metrics.snapshot(null, TABLES, now).reads());
  }

  @Test
  void aReadOfSeveralReplicasIsMeasuredAtEach() {
    metrics.readCoordinated(TABLE, true, 3000, now);
    assertEquals(3000, measured(TableMetric.COORDINATOR_READ_LATENCY, TABLE).max());
    assertNull(metrics.snapshot(TableMetric.LOCAL_READ_LATENCY, TABLES, now).table(TABLE));
    assertEquals(0, metrics.snapshot(null, TABLES, now).reads());
    metrics.readByReplica(TABLE + 1, true, 1000, 5, 2, -1, now);
    metrics.notReadByReplica();
    assertEquals(1000, measured(TableMetric.LOCAL_READ_LATENCY, TABLE + 1).max());
    assertEquals(5, measured(TableMetric.ROWS_PER_READ, TABLE + 1).max());
    assertEquals(2, measured(TableMetric.TOMBSTONES_PER_READ, TABLE + 1).max());
    assertNull(
        metrics.snapshot(TableMetric.COORDINATOR_READ_LATENCY, TABLES, now).table(TABLE + 1));
    assertEquals(2, metrics.snapshot(null, TABLES, now).reads());
    NodeCounts counts = metrics.counts(TABLES);
    assertEquals(1, counts.allTables().reads().count());
    assertEquals(
        1, Objects.requireNonNull(counts.requests().get(RequestKind.READ)).latencies().count());
  }

  @Test
  void onlyUsedTablesAreMeasured() {
    metrics.written(TABLE, 1000, now);
    assertNull(metrics.snapshot(TableMetric.LOCAL_WRITE_LATENCY, TABLES, now).table(TABLE));
    assertNull(
        metrics.snapshot(TableMetric.COORDINATOR_WRITE_LATENCY, TABLES, now).table(TABLE + 1));
    assertTrue(metrics.snapshot(null, TABLES, now).tables().isEmpty());
  }

  @Test
  void systemTablesHaveNegativeIds() {
    read(-7, 1000, 1);
    read(7, 1000, 2);
    read(5000, 1000, 3);
    assertEquals(1, measured(TableMetric.ROWS_PER_READ, -7).max());
    assertEquals(2, measured(TableMetric.ROWS_PER_READ, 7).max());
    assertEquals(3, measured(TableMetric.ROWS_PER_READ, 5000).max());
  }

  @Test
  void percentilesAreAccurateToASixteenth() {
    SplittableRandom random = new SplittableRandom(seeds.first());
    long[] values = new long[20_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = (long) Math.exp(7 + 8 * random.nextDouble());
      read(TABLE, values[i], i % 1000);
    }
    Arrays.sort(values);
    MetricSummary latency = measured(TableMetric.LOCAL_READ_LATENCY, TABLE);
    assertEquals(values.length, latency.count());
    assertEquals(values[values.length - 1], latency.max());
    for (double share : new double[] {0.01, 0.5, 0.9, 0.99, 0.999}) {
      long exact = values[(int) (values.length * share)];
      assertEquals(exact, latency.quantile(share), exact / 15.0 + 128, "at " + share);
    }
    assertEquals(500, measured(TableMetric.ROWS_PER_READ, TABLE).quantile(0.5), 32);
    assertEquals(999, measured(TableMetric.ROWS_PER_READ, TABLE).max());
  }

  @Test
  void smallCountsAreExact() {
    for (int rows : new int[] {1, 3, 3, 3, 7}) {
      read(TABLE, 1000, rows);
    }
    MetricSummary rows = measured(TableMetric.ROWS_PER_READ, TABLE);
    assertEquals(3, rows.quantile(0.5));
    assertEquals(7, rows.quantile(0.99));
    assertEquals(1, rows.quantile(0.01));
  }

  @Test
  void olderValuesWeighLess() {
    for (int i = 0; i < 1000; i++) {
      read(TABLE, 1_000_000, 1);
    }
    now += 5 * MINUTE;
    for (int i = 0; i < 200; i++) {
      read(TABLE, 1000, 1);
    }
    MetricSummary latency = measured(TableMetric.LOCAL_READ_LATENCY, TABLE);
    assertEquals(1200, latency.count());
    assertTrue(latency.quantile(0.5) < 1100, "" + latency.quantile(0.5));
    assertTrue(latency.quantile(0.99) > 900_000);
    now += 40 * MINUTE;
    MetricSummary idle = measured(TableMetric.LOCAL_READ_LATENCY, TABLE);
    assertEquals(1200, idle.count());
    assertEquals(0, idle.quantile(0.99));
    assertEquals(0, idle.max());
    now += 365L * 24 * 60 * MINUTE;
    read(TABLE, 7000, 1);
    assertEquals(7000, measured(TableMetric.LOCAL_READ_LATENCY, TABLE).max());
  }

  @Test
  void theRateCoversAboutTheLastMinute() {
    for (int i = 0; i < 600; i++) {
      read(TABLE, 1000, 1);
      now += SECOND / 2;
    }
    assertEquals(2, measured(TableMetric.LOCAL_READ_LATENCY, TABLE).perSecond(), 0.1);
    now += MINUTE;
    assertEquals(2 / Math.E, measured(TableMetric.LOCAL_READ_LATENCY, TABLE).perSecond(), 0.1);
    now += 60 * MINUTE;
    assertEquals(0, measured(TableMetric.LOCAL_READ_LATENCY, TABLE).perSecond(), 0.001);
  }

  @Test
  void theCacheIsSampled() {
    for (int i = 0; i < 100; i++) {
      cacheHits += 50;
      now += 5 * SECOND;
      read(TABLE, 1000, 1);
    }
    assertEquals(10, metrics.snapshot(null, TABLES, now).cacheHitsPerSecond(), 0.5);
    assertEquals(20, metrics.snapshot(null, TABLES, now).cacheRequestsPerSecond(), 1);
  }

  @Test
  void shardsAreSummed() {
    ShardMetrics other = new ShardMetrics(0, () -> 0, () -> 0);
    read(TABLE, 1000, 1);
    other.read(TABLE, true, 5_000_000, 4_000_000, 9, 3, 0, now);
    other.read(TABLE + 1, true, 1, 1, 1, 1, 0, now);
    metrics.batch(BatchKind.LOGGED, 3, now);
    other.batch(BatchKind.UNLOGGED, 4, now);
    metrics.request();
    other.request();
    other.preparedExecuted();
    TableMetric kind = TableMetric.LOCAL_READ_LATENCY;
    MetricsSnapshot sum =
        MetricsSnapshot.none()
            .plus(metrics.snapshot(kind, TABLES, now))
            .plus(other.snapshot(kind, TABLES, now));
    assertEquals(2, Objects.requireNonNull(sum.table(TABLE)).count());
    assertEquals(4_000_000, Objects.requireNonNull(sum.table(TABLE)).max());
    assertEquals(1000, Objects.requireNonNull(sum.table(TABLE)).quantile(0.5), 128);
    assertEquals(1, Objects.requireNonNull(sum.table(TABLE + 1)).count());
    assertEquals(3, Objects.requireNonNull(sum.batches().get(BatchKind.LOGGED)).max());
    assertEquals(4, Objects.requireNonNull(sum.batches().get(BatchKind.UNLOGGED)).max());
    assertEquals(2, sum.requests());
    assertEquals(1, sum.preparedExecuted());
    assertEquals(3, sum.reads());
  }

  @Test
  void aSnapshotIsImmutable() {
    read(TABLE, 1000, 1);
    MetricSummary before = measured(TableMetric.LOCAL_READ_LATENCY, TABLE);
    for (int i = 0; i < 100; i++) {
      read(TABLE, 9_000_000, 1);
    }
    assertEquals(1, before.count());
    assertEquals(1000, before.quantile(0.99));
  }

  @Test
  void droppedTablesAreRemoved() {
    read(TABLE, 1000, 1);
    read(TABLE + 1, 1000, 1);
    read(-3, 1000, 1);
    metrics.retainTables(id -> id == TABLE);
    MetricsSnapshot left = metrics.snapshot(TableMetric.LOCAL_READ_LATENCY, TABLES, now);
    assertEquals(java.util.Set.of(TABLE, -3), left.tables().keySet());
  }

  private static LatencyCounts counted(LatencyCounts.Resolution resolution, long... nanos) {
    LatencyCounts counts = new LatencyCounts(resolution);
    for (long each : nanos) {
      counts.add(each, 1);
    }
    return counts;
  }

  @Test
  void latenciesAreCountedUpToTheirBound() {
    for (LatencyCounts.Resolution resolution : LatencyCounts.Resolution.values()) {
      double[] bounds = new LatencyCounts(resolution).boundsNanos();
      assertEquals(1024, bounds[0]);
      assertEquals(Double.POSITIVE_INFINITY, bounds[bounds.length - 1]);
      for (int i = 0; i < bounds.length - 1; i++) {
        long bound = (long) bounds[i];
        long[] counts = counted(resolution, bound - 1, bound, bound + 1).counts();
        assertEquals(2, counts[i], "up to " + bound);
        assertEquals(1, counts[i + 1], "above " + bound);
      }
      LatencyCounts extremes = counted(resolution, 0, 1, 1L << 60);
      assertEquals(2, extremes.counts()[0]);
      assertEquals(1, extremes.counts()[bounds.length - 1]);
      assertEquals(3, extremes.count());
      assertEquals((1L << 60) + 1, extremes.sumNanos());
    }
  }

  @Test
  void countsNeverDecay() {
    read(TABLE, 5000, 3);
    metrics.applied(TABLE, 7000, now);
    metrics.applied(TABLE + 1, 9000, now);
    metrics.writeEnded(RequestKind.CAS_WRITE, 8000);
    now += 1000 * MINUTE;
    metrics.retainTables(id -> id == TABLE);
    NodeCounts counts = metrics.counts(TABLES).plus(NodeCounts.none());
    assertEquals(java.util.Set.of(TABLE), counts.tables().keySet());
    TableCounts table = Objects.requireNonNull(counts.tables().get(TABLE));
    assertEquals(5000, table.reads().sumNanos());
    assertEquals(3, table.rows());
    assertEquals(1, table.writes().count());
    assertEquals(2, counts.allTables().writes().count(), "dropped tables included");
    RequestCounts reads = Objects.requireNonNull(counts.requests().get(RequestKind.READ));
    assertEquals(10_000, reads.latencies().sumNanos());
    RequestCounts conditional =
        Objects.requireNonNull(counts.requests().get(RequestKind.CAS_WRITE));
    assertEquals(1, conditional.latencies().count());
  }
}
