package io.helenus.server.coordinator;

/** What kind of write timed out or failed (native protocol v5, section 9, write types). */
public enum WriteType {
  /** One statement. */
  SIMPLE,
  /** A logged batch, after its batch log was written. */
  BATCH,
  /** An unlogged batch. */
  UNLOGGED_BATCH,
  /** The batch log of a logged batch. */
  BATCH_LOG;

  /** Whether it is a part of what a client asked for. */
  boolean isPart() {
    return this != SIMPLE;
  }
}
