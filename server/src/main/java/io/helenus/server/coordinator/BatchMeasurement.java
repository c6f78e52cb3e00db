package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.metrics.RequestKind;
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
    this.tables = coordinator.mutations().tables(parts);
    this.startNanos = coordinator.shard().nanos();
  }

  void end() {
    long now = coordinator.shard().nanos();
    coordinator.metrics().writeEnded(RequestKind.WRITE, now - startNanos);
    for (int table : tables) {
      coordinator.metrics().written(table, now - startNanos, now);
    }
  }

  void failed(CqlError error) {
    end();
    switch (error) {
      case CqlError.WriteTimeout _ -> coordinator.metrics().timedOut(RequestKind.WRITE, false);
      case CqlError.Unavailable _ -> coordinator.metrics().unavailable(RequestKind.WRITE);
      default -> coordinator.metrics().failed(RequestKind.WRITE);
    }
  }
}
