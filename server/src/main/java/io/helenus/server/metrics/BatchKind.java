package io.helenus.server.metrics;

/** The kinds of batches whose partitions are counted. */
public enum BatchKind {
  /** Through the batch log. */
  LOGGED,
  /** Each partition by itself. */
  UNLOGGED,
  /** Of counters. */
  COUNTER
}
