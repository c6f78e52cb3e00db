package io.helenus.server.metrics;

/** The kinds of request that a coordinator carries out for clients, as Cassandra counts them. */
public enum RequestKind {
  /** Reads a partition. */
  READ,
  /** Reads a range of partitions. */
  RANGE_SLICE,
  /** Writes, batches and increments of counters. */
  WRITE,
  /** Conditional writes. */
  CAS_WRITE
}
