package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;

/** Told once how a write ended, on the shard that asked. */
public interface WriteCallback {
  /** As many replicas as the consistency level asks have it. */
  void written();

  /** It failed, or nobody knows whether it did (timeouts). */
  void failed(CqlError error);
}
