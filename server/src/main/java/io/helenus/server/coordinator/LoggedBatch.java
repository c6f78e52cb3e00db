package io.helenus.server.coordinator;

import io.helenus.server.coordinator.LoggedBatchOperation.Step;
import io.helenus.server.error.CqlError;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.bytes.ByteWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the steps of one {@link LoggedBatchOperation}. It is also the callback for the writes
 * of its parts. Shard thread only.
 */
final class LoggedBatch implements WriteCallback {
  private static final Logger LOG = LoggerFactory.getLogger(LoggedBatch.class);

  private final Coordinator coordinator;
  private final List<PartitionWrite> parts;
  private final ConsistencyLevel level;
  private final BatchMeasurement measurement;
  private final WriteCallback client;
  private final @Nullable RequestTrace trace;
  private final LoggedBatchOperation operation;
  private final BatchId id;

  LoggedBatch(
      Coordinator coordinator,
      List<PartitionWrite> parts,
      ConsistencyLevel level,
      WriteCallback client) {
    this.coordinator = coordinator;
    this.parts = parts;
    this.level = level;
    this.client = client;
    this.trace = client.trace();
    this.measurement = new BatchMeasurement(coordinator, parts);
    this.operation = new LoggedBatchOperation(parts.size());
    this.id = coordinator.batchLog().newId(parts.getFirst().token());
  }

  void start() {
    ByteWriter entry = coordinator.takeBuffer();
    BatchEntry.encode(
        coordinator.wallMicros(), parts.stream().map(PartitionWrite::mutation).toList(), entry);
    BatchLogOperation storing = new BatchLogOperation(coordinator, new EntryStored());
    coordinator.deadlines().writes().add(storing);
    coordinator.batchLog().store(id, entry.segment(), entry.size(), storing);
    coordinator.release(entry);
  }

  private final class EntryStored implements WriteCallback {
    @Override
    public void written() {
      perform(operation.entryStored(), null);
    }

    @Override
    public void failed(CqlError error) {
      parts.forEach(part -> coordinator.release(part.mutation()));
      perform(operation.entryNotStored(), error);
    }
  }

  private final class EntryRemoved implements WriteCallback {
    @Override
    public void written() {
      perform(operation.entryRemovalEnded(), null);
    }

    @Override
    public void failed(CqlError error) {
      LOG.warn("Could not remove batch {} from the batch log: {}", id, error.message());
      perform(operation.entryRemovalEnded(), null);
    }
  }

  @Override
  public void written() {
    perform(operation.partWritten(), null);
  }

  @Override
  public void writtenLate() {
    perform(operation.partWritten(), null);
  }

  @Override
  public @Nullable RequestTrace trace() {
    return trace;
  }

  @Override
  public void failed(CqlError error) {
    perform(operation.partFailed(), error);
  }

  private void perform(Step step, @Nullable CqlError error) {
    switch (step) {
      case WAIT -> {}
      case WRITE_PARTS -> {
        for (PartitionWrite part : parts) {
          coordinator.writePart(part, level, WriteType.BATCH, this);
        }
      }
      case REMOVE_ENTRY -> {
        BatchLogOperation removing = new BatchLogOperation(coordinator, new EntryRemoved());
        coordinator.deadlines().writes().add(removing);
        coordinator.batchLog().remove(id, removing);
      }
      case CONFIRM -> {
        measurement.end();
        client.written();
      }
      case REPORT_FAILURE -> {
        if (error == null) {
          throw new IllegalStateException("failure without an error");
        }
        measurement.failed(error);
        client.failed(error);
      }
    }
  }
}
