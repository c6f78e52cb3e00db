package io.helenus.server.coordinator;

import java.lang.foreign.MemorySegment;

/**
 * Keeps the entries of logged batches until all their parts have been written, and completes the
 * batches whose coordinator did not: the seam between a logged batch and whoever keeps its entry. A
 * single node keeps its own entries ({@link LocalBatchLog}). One per shard; shard thread only.
 */
public interface BatchLogKeeper {
  /** A new id for the entry of a batch whose first partition has this token. */
  BatchId newId(long token);

  /**
   * Keeps an entry. The reply says that it is as durable as any acknowledged write, or that it is
   * not kept. The bytes stay untouched until the reply.
   */
  void store(BatchId id, MemorySegment entry, int length, ReplicaAccess.WriteReply reply);

  /** Forgets an entry whose parts have all been written. */
  void remove(BatchId id, ReplicaAccess.WriteReply reply);
}
