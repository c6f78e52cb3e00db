package io.helenus.server.coordinator;

import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;

/**
 * Tables whose rows are made when they are read; their storage ids are negative. Any shard's
 * thread.
 */
public interface VirtualTables {
  /**
   * Hands the rows asked for to the sink, in key order. The reply comes on the asking shard's
   * thread, at once or after other shards have been asked what they know.
   */
  void read(Shard from, ReadRequest request, RowSink sink, ReplicaAccess.ReadReply reply);
}
