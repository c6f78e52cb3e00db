package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;

/** The failing outcome of an operation, reported on the shard that asked. */
public interface FailureCallback {
  /** The operation failed; after a timeout nobody knows whether it took effect. Called once. */
  void failed(CqlError error);
}
