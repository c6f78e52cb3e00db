package io.helenus.server.coordinator;

import java.lang.foreign.MemorySegment;

/**
 * Keeps the entries of logged batches until all their parts have been written, so that a batch that
 * its coordinator did not finish can be completed. A single node keeps its own entries ({@link
 * LocalBatchLog}). One per shard; shard thread only.
 */
public interface BatchLogKeeper {
  /** Returns a new id for the entry of a batch whose first partition has this token. */
  BatchId newId(long token);

  /**
   * Stores an entry, whose bytes are copied before this returns. A successful reply means that it
   * is as durable as any acknowledged write.
   */
  void store(BatchId id, MemorySegment entry, int length, ReplicaAccess.WriteReply reply);

  /** Removes an entry whose parts have all been written. */
  void remove(BatchId id, ReplicaAccess.WriteReply reply);
}
