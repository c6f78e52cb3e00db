package io.helenus.server.replica;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.shard.Shard;
import io.helenus.server.view.BaseViews;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import org.jspecify.annotations.Nullable;

/**
 * One shard's part of this node's replica, for work in the background that goes through tables
 * shard by shard and changes partitions in steps. On the shard's thread, except where it says
 * otherwise.
 */
public interface ShardReplica {
  /** The shard. Any thread. */
  Shard shard();

  /**
   * Reads what this shard has of a table. On the thread of another shard, which gets the reply;
   * request and sink are owned by this one until then.
   */
  void read(Shard from, ReadRequest request, RowSink sink, ReplicaAccess.ReadReply reply);

  /**
   * Lets a step wait in the queue of the partition with a key prefix, which is of this shard,
   * behind the writes that wait there.
   */
  void queue(ByteWriter prefix, PartitionStep step);

  /**
   * The views of a table as they are defined now, null if there is none. They are shared by all
   * work of the shard: their partition has to be set before each use.
   */
  @Nullable BaseViews views(int tableId);
}
