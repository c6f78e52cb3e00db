package io.helenus.server.coordinator;

import java.util.List;
import java.util.Set;

/** Measures the latency of a batch, once for each table that it writes to. Shard thread only. */
final class BatchMeasurement {
  private final Coordinator coordinator;
  private final Set<Integer> tables;
  private final long startNanos;

  /** Starts measuring; must be called before the mutations are handed over. */
  BatchMeasurement(Coordinator coordinator, List<PartitionWrite> parts) {
    this.coordinator = coordinator;
    this.tables = coordinator.tables(parts);
    this.startNanos = coordinator.shard().nanos();
  }

  void end() {
    long now = coordinator.shard().nanos();
    for (int table : tables) {
      coordinator.metrics().written(table, now - startNanos, now);
    }
  }
}
