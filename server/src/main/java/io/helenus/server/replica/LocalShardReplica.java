package io.helenus.server.replica;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.coordinator.RunningRead;
import io.helenus.server.shard.Shard;
import io.helenus.server.shard.TokenSlices;
import io.helenus.server.view.BaseViews;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import org.jspecify.annotations.Nullable;

/** A shard's part of the replica on this node. */
final class LocalShardReplica implements ShardReplica {
  private final LocalReplica replica;
  private final PartitionQueues queues;

  LocalShardReplica(LocalReplica replica, PartitionQueues queues) {
    this.replica = replica;
    this.queues = queues;
  }

  @Override
  public Shard shard() {
    return queues.shard();
  }

  @Override
  public void read(Shard from, ReadRequest request, RowSink sink, ReplicaAccess.ReadReply reply) {
    TokenSlices.Slice own = replica.slices().of(shard());
    RunningRead ignored = replica.read(from, own.first(), own.last(), request, sink, reply);
  }

  @Override
  public void queue(ByteWriter prefix, PartitionStep step) {
    queues.add(step, prefix);
  }

  @Override
  public @Nullable BaseViews views(int tableId) {
    return queues.viewed().of(tableId);
  }
}
