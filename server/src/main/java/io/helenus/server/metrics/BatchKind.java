package io.helenus.server.metrics;

/** The kinds of batches whose partitions are counted. */
public enum BatchKind {
  /** Written through the batch log. */
  LOGGED,
  /** Partitions written independently. */
  UNLOGGED,
  /** Counter updates. */
  COUNTER
}
