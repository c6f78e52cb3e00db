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
    writes = added(writes, nanos);
  }

  void viewsWaited(long nanos) {
    viewWaits = added(viewWaits, nanos);
  }

  void viewsRead(long nanos) {
    viewReads = added(viewReads, nanos);
  }

  /** Adds a latency; the counts are made with the first one. */
  private static LatencyCounts added(@Nullable LatencyCounts known, long nanos) {
    LatencyCounts latencies =
        known == null ? new LatencyCounts(LatencyCounts.Resolution.COARSE) : known;
    latencies.add(nanos, 1);
    return latencies;
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
