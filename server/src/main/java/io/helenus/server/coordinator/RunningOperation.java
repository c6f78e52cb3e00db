package io.helenus.server.coordinator;

import io.helenus.server.ring.ConsistencyLevel;

/**
 * An operation that a coordinator has begun and not ended.
 *
 * @param tableId of the only or first table
 * @param runningNanos since it began
 */
public record RunningOperation(Kind kind, int tableId, ConsistencyLevel level, long runningNanos) {
  /** What it does. */
  public enum Kind {
    /** Reads one partition. */
    READ,
    /** Reads a range of partitions. */
    SCAN,
    /** Writes one partition. */
    WRITE,
    /** Empties a table. */
    TRUNCATE
  }
}
