package io.helenus.server.metrics;

import org.jspecify.annotations.Nullable;

/**
 * Counts the work of replicas on a table, or on all of them; never forgets any. Allocates only when
 * a kind of work is done for the first time. One thread.
 */
final class Tally {
  private @Nullable LatencyCounts reads;
  private @Nullable LatencyCounts scans;
  private @Nullable LatencyCounts writes;
  private @Nullable LatencyCounts viewWaits;
  private @Nullable LatencyCounts viewReads;
  private long measured;
  private long rows;
  private long tombstones;

  void read(boolean partition, long nanos, int readRows, int readTombstones) {
    LatencyCounts latencies = partition ? reads : scans;
    if (latencies == null) {
      latencies = new LatencyCounts(LatencyCounts.Resolution.COARSE);
      if (partition) {
        reads = latencies;
      } else {
        scans = latencies;
      }
    }
    latencies.add(nanos, 1);
    measured++;
    rows += readRows;
    tombstones += readTombstones;
  }

  void written(long nanos) {
    LatencyCounts latencies = writes;
    if (latencies == null) {
      latencies = new LatencyCounts(LatencyCounts.Resolution.COARSE);
      writes = latencies;
    }
    latencies.add(nanos, 1);
  }

  void viewsWaited(long nanos) {
    LatencyCounts latencies = viewWaits;
    if (latencies == null) {
      latencies = new LatencyCounts(LatencyCounts.Resolution.COARSE);
      viewWaits = latencies;
    }
    latencies.add(nanos, 1);
  }

  void viewsRead(long nanos) {
    LatencyCounts latencies = viewReads;
    if (latencies == null) {
      latencies = new LatencyCounts(LatencyCounts.Resolution.COARSE);
      viewReads = latencies;
    }
    latencies.add(nanos, 1);
  }

  TableCounts counts() {
    return new TableCounts(
        copy(reads),
        copy(scans),
        copy(writes),
        copy(viewWaits),
        copy(viewReads),
        measured,
        rows,
        tombstones);
  }

  private static LatencyCounts copy(@Nullable LatencyCounts latencies) {
    return latencies == null
        ? new LatencyCounts(LatencyCounts.Resolution.COARSE)
        : latencies.copy();
  }
}
