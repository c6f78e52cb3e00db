package io.helenus.server.coordinator;

import io.helenus.server.ring.ConsistencyLevel;

/**
 * An operation that a coordinator has started and not yet finished.
 *
 * @param tableId the storage id of the only or first table
 * @param runningNanos nanoseconds since it began
 */
public record RunningOperation(Kind kind, int tableId, ConsistencyLevel level, long runningNanos) {
  /** The kinds of operation. */
  public enum Kind {
    /** Reads one partition. */
    READ,
    /** Reads a range of partitions. */
    SCAN,
    /** Writes one partition. */
    WRITE,
    /** Truncates a table. */
    TRUNCATE
  }
}
