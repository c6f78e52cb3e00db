package io.helenus.server.schema;

/** How the partitions of a table are ordered. */
public enum Partitioner {
  /**
   * By token: a key's prefix is the token, then the escaped partition key ({@link
   * io.helenus.storage.row.KeyFormat}).
   */
  MURMUR3,
  /**
   * By value, for tables local to a node: a key's prefix is each partition key column in the
   * encoding of clustering columns, ascending, without a token.
   */
  LOCAL;

  /** The class name reported to clients. */
  public static final String MURMUR3_CLASS = "org.apache.cassandra.dht.Murmur3Partitioner";
}
