package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import org.jspecify.annotations.Nullable;

/** Receives the failure of an operation, on the shard that started it. */
public interface FailureCallback {
  /**
   * The operation failed. After a timeout it is unknown whether it took effect. Called at most
   * once.
   */
  void failed(CqlError error);

  /** The trace of the request, until it is answered; null if it is not traced. */
  default @Nullable RequestTrace trace() {
    return null;
  }
}
