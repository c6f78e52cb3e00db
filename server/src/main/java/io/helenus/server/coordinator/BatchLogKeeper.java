package io.helenus.server.coordinator;

import io.helenus.storage.row.MutationWriter;
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
   * Stores an entry. A successful reply means that it is as durable as any acknowledged write. The
   * caller must not modify the bytes until the reply.
   */
  void store(BatchId id, MemorySegment entry, int length, ReplicaAccess.WriteReply reply);

  /** Removes an entry whose parts have all been written. */
  void remove(BatchId id, ReplicaAccess.WriteReply reply);

  /**
   * Appends what stores an entry to a write of the id's shard, of which it becomes a part. Its
   * outcome is to be reported by {@link #stored} or {@link #notStored}.
   */
  void storeWith(BatchId id, MemorySegment entry, int length, MutationWriter write);

  /** A write that stores the entry is durable. */
  void stored(BatchId id);

  /** A write that would have stored the entry was refused. */
  void notStored(BatchId id);
}
