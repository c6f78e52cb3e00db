package io.helenus.server.metrics;

/** The metrics of a table. */
public enum TableMetric {
  /** Reads of one partition, at the coordinator; nanoseconds. */
  COORDINATOR_READ_LATENCY(true),
  /** Reads of ranges, at the coordinator; nanoseconds. */
  COORDINATOR_SCAN_LATENCY(true),
  /** Writes, at the coordinator; nanoseconds. */
  COORDINATOR_WRITE_LATENCY(true),
  /** Reads of one partition, at the replica; nanoseconds. */
  LOCAL_READ_LATENCY(true),
  /** Reads of ranges, at the replica; nanoseconds. */
  LOCAL_SCAN_LATENCY(true),
  /** Writes, at the replica; nanoseconds. */
  LOCAL_WRITE_LATENCY(true),
  /** Live rows that a read encountered at the replica. */
  ROWS_PER_READ(false),
  /** Tombstones that a read encountered at the replica. */
  TOMBSTONES_PER_READ(false),
  /** Files that a read of one partition looked into at the replica. */
  FILES_PER_READ(false);

  /** The resolution of small latencies; larger ones have 16 steps per doubling. */
  private static final long LATENCY_STEP_NANOS = 128;

  private final boolean latency;

  TableMetric(boolean latency) {
    this.latency = latency;
  }

  /** Whether the metric is a duration. */
  public boolean isLatency() {
    return latency;
  }

  long step() {
    return latency ? LATENCY_STEP_NANOS : 1;
  }
}
