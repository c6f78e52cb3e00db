package io.helenus.server.coordinator;

import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;

/** Keeps the entries of a shard's logged batches on this node. Shard thread only. */
public final class LocalBatchLog implements BatchLogKeeper {
  private final Shard shard;
  private final BatchLogEntries entries;
  private final ReplicaAccess replica;

  /** Creates the batch log of a shard, which writes its entries to this replica. */
  public LocalBatchLog(Shard shard, BatchLogEntries entries, ReplicaAccess replica) {
    this.shard = shard;
    this.entries = entries;
    this.replica = replica;
  }

  BatchLogEntries entries() {
    return entries;
  }

  @Override
  public BatchId newId(long token) {
    return entries.newId(token);
  }

  @Override
  public void store(BatchId id, MemorySegment entry, int length, ReplicaAccess.WriteReply reply) {
    ByteWriter mutation = new ByteWriter(length + 128);
    entries.storeWith(id, entry, length, new MutationWriter(mutation));
    replica.write(
        shard,
        id.token(),
        mutation.segment(),
        mutation.size(),
        new ReplicaAccess.WriteReply() {
          @Override
          public void written(long nanos) {
            entries.stored(id);
            reply.written(nanos);
          }

          @Override
          public void notWritten(Exception cause) {
            entries.notStored(id);
            reply.notWritten(cause);
          }
        });
  }

  @Override
  public void remove(BatchId id, ReplicaAccess.WriteReply reply) {
    entries.remove(id, replica, reply);
  }
}
