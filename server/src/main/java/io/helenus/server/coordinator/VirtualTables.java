package io.helenus.server.coordinator;

import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;

/**
 * Tables whose rows are computed when they are read; their storage ids are negative. Any shard's
 * thread.
 */
public interface VirtualTables {
  /**
   * Passes the requested rows to the sink, in key order, with at least the requested columns. The
   * reply arrives on the requesting shard's thread, either immediately or after other shards have
   * been queried.
   */
  void read(Shard from, ReadRequest request, RowSink sink, ReplicaAccess.ReadReply reply);
}
