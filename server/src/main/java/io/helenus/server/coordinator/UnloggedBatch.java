package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Combines the writes of an unlogged batch: succeeds when all parts have, fails with the first part
 * that fails. Shard thread only.
 */
final class UnloggedBatch implements WriteCallback {
  private final BatchMeasurement measurement;
  private final WriteCallback client;
  private final @Nullable RequestTrace trace;
  private int missingParts;
  private boolean answered;

  UnloggedBatch(Coordinator coordinator, List<PartitionWrite> parts, WriteCallback client) {
    this.measurement = new BatchMeasurement(coordinator, parts);
    this.missingParts = parts.size();
    this.client = client;
    this.trace = client.trace();
  }

  @Override
  public void written() {
    missingParts--;
    if (missingParts == 0 && !answered) {
      answered = true;
      measurement.end();
      client.written();
    }
  }

  @Override
  public @Nullable RequestTrace trace() {
    return trace;
  }

  @Override
  public void failed(CqlError error) {
    if (!answered) {
      answered = true;
      measurement.failed(error);
      client.failed(error);
    }
  }
}
