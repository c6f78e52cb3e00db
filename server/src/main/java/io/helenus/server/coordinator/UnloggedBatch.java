package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import java.util.List;

/**
 * Combines the writes of an unlogged batch: succeeds when all parts have, fails with the first part
 * that fails. Shard thread only.
 */
final class UnloggedBatch implements WriteCallback {
  private final BatchMeasurement measurement;
  private final WriteCallback client;
  private int missingParts;
  private boolean answered;

  UnloggedBatch(Coordinator coordinator, List<PartitionWrite> parts, WriteCallback client) {
    this.measurement = new BatchMeasurement(coordinator, parts);
    this.missingParts = parts.size();
    this.client = client;
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
  public void failed(CqlError error) {
    if (!answered) {
      answered = true;
      measurement.failed(error);
      client.failed(error);
    }
  }
}
