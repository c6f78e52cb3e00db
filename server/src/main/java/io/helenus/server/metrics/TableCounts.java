package io.helenus.server.metrics;

/**
 * Counts of the work of replicas on a table, or on several, since the node started, of one shard or
 * the sum of several. Must not be modified.
 *
 * @param reads latencies of reads of one partition
 * @param scans latencies of reads of ranges
 * @param writes latencies of writes
 * @param viewWaits how long writes that change materialized views waited for others of their
 *     partition
 * @param viewReads how long it took to read the rows from which changes of views are computed
 * @param measured the reads and scans whose rows and tombstones were counted
 * @param rows the live rows that they encountered
 * @param tombstones the tombstones that they encountered
 */
public record TableCounts(
    LatencyCounts reads,
    LatencyCounts scans,
    LatencyCounts writes,
    LatencyCounts viewWaits,
    LatencyCounts viewReads,
    long measured,
    long rows,
    long tombstones) {
  /** Nothing counted. */
  public static TableCounts none() {
    return new TableCounts(
        new LatencyCounts(LatencyCounts.Resolution.COARSE),
        new LatencyCounts(LatencyCounts.Resolution.COARSE),
        new LatencyCounts(LatencyCounts.Resolution.COARSE),
        new LatencyCounts(LatencyCounts.Resolution.COARSE),
        new LatencyCounts(LatencyCounts.Resolution.COARSE),
        0,
        0,
        0);
  }

  /** The sum. */
  public TableCounts plus(TableCounts other) {
    return new TableCounts(
        reads.plus(other.reads),
        scans.plus(other.scans),
        writes.plus(other.writes),
        viewWaits.plus(other.viewWaits),
        viewReads.plus(other.viewReads),
        measured + other.measured,
        rows + other.rows,
        tombstones + other.tombstones);
  }

  /** The difference. */
  public TableCounts minus(TableCounts other) {
    return new TableCounts(
        reads.minus(other.reads),
        scans.minus(other.scans),
        writes.minus(other.writes),
        viewWaits.minus(other.viewWaits),
        viewReads.minus(other.viewReads),
        measured - other.measured,
        rows - other.rows,
        tombstones - other.tombstones);
  }
}
