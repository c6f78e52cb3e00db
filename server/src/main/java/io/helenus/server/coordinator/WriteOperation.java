package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.protocol.Consistency;
import io.helenus.storage.bytes.ByteWriter;
import java.util.List;

/**
 * One mutation on its way to its replicas: the machine of a write. Inputs are replies and the
 * deadline; it answers once. Shard thread only.
 */
final class WriteOperation extends Deadlines.Operation implements ReplicaAccess.WriteReply {
  private final Coordinator coordinator;
  private final Consistency level;
  private final WriteType type;
  private final int required;
  private final ByteWriter mutation;
  private final WriteCallback callback;
  private boolean answered;

  WriteOperation(
      Coordinator coordinator,
      Consistency level,
      WriteType type,
      int required,
      ByteWriter mutation,
      WriteCallback callback) {
    this.coordinator = coordinator;
    this.level = level;
    this.type = type;
    this.required = required;
    this.mutation = mutation;
    this.callback = callback;
  }

  @Override
  public void written() {
    coordinator.release(mutation);
    if (!answered) {
      answered = true;
      coordinator.writes().remove(this);
      callback.written();
    }
  }

  @Override
  public void notWritten(Exception cause) {
    coordinator.release(mutation);
    if (!answered) {
      answered = true;
      coordinator.writes().remove(this);
      callback.failed(
          new CqlError.WriteFailure(
              Failures.failed(0, cause),
              level.code(),
              0,
              required,
              Failures.reasons(),
              type.name()));
    }
  }

  @Override
  void timedOut() {
    answered = true;
    callback.failed(
        new CqlError.WriteTimeout(Failures.timedOut(0), level.code(), 0, required, type.name(), 0));
  }

  /** A batch's many writes as one: told when all are done, or the first failure. */
  static final class All implements WriteCallback {
    private final WriteCallback callback;
    private int missing;
    private boolean answered;

    All(List<PartitionWrite> writes, WriteCallback callback) {
      this.missing = writes.size();
      this.callback = callback;
    }

    @Override
    public void written() {
      missing--;
      if (missing == 0 && !answered) {
        answered = true;
        callback.written();
      }
    }

    @Override
    public void failed(CqlError error) {
      if (!answered) {
        answered = true;
        callback.failed(error);
      }
    }
  }
}
