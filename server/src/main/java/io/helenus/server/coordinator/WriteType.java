package io.helenus.server.coordinator;

import io.helenus.server.metrics.RequestKind;

/** The kind of write that timed out or failed (native protocol v5, section 9, write types). */
public enum WriteType {
  /** One statement. */
  SIMPLE,
  /** A part of a logged batch, after its entry was stored in the batch log. */
  BATCH,
  /** An unlogged batch. */
  UNLOGGED_BATCH,
  /** The entry of a logged batch in the batch log. */
  BATCH_LOG,
  /** A conditional write. */
  CAS,
  /** Increments of counters. */
  COUNTER;

  /** Whether the client's request consists of several writes. */
  boolean isPart() {
    return switch (this) {
      case SIMPLE, CAS, COUNTER -> false;
      case BATCH, UNLOGGED_BATCH, BATCH_LOG -> true;
    };
  }

  /** What a request with such a write counts as. */
  RequestKind requestKind() {
    return this == CAS ? RequestKind.CAS_WRITE : RequestKind.WRITE;
  }
}
