package io.helenus.storage.engine;

import io.helenus.storage.bytes.ByteWriter;

/**
 * What replicas lack compared with the merge of their data replies, as mutations
 * (storage/docs/raw-read.md). Shard thread only.
 */
public interface ReplicaDifferences {
  /** Compares for a time slice; returns whether there is more to compare. */
  boolean advance();

  /**
   * The mutations for a replica, one for each partition, one after the other; empty if it lacks
   * nothing. Complete once {@link #advance} has returned false. The replicas are numbered as their
   * replies were.
   */
  ByteWriter mutations(int replica);

  /** The number of mutations for a replica. */
  int count(int replica);

  /**
   * Where a mutation for a replica starts in {@link #mutations}; the end of the last for the count.
   */
  int offset(int replica, int mutation);
}
