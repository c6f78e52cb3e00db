package io.helenus.server.replica;

import io.helenus.server.metrics.HotPartitions;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.ForwardingEngine;
import io.helenus.storage.engine.RawCursor;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.ReplicaReads;
import io.helenus.storage.engine.StorageEngine;

/**
 * Takes the place of a shard's engine for the reads that coordinators ask for, and counts them by
 * partition. What writes read before they write is not counted again. Shard thread only.
 */
final class CountedReads extends ForwardingEngine {
  private final Shard shard;
  private final HotPartitions hot;
  private final ReplicaReads replicaReads;

  CountedReads(StorageEngine engine, Shard shard, HotPartitions hot) {
    super(engine);
    this.shard = shard;
    this.hot = hot;
    this.replicaReads = new CountedReplicaReads(engine.replicaReads());
  }

  @Override
  public ReadCursor read(ReadRequest request) {
    count(request);
    return super.read(request);
  }

  @Override
  public ReplicaReads replicaReads() {
    return replicaReads;
  }

  private void count(ReadRequest request) {
    if (request.keys().isPartition() && hot.samplesRead()) {
      hot.record(
          request.tableId(),
          request.segment(),
          0,
          request.keys().lowerLength(),
          false,
          shard.nanos());
    }
  }

  private final class CountedReplicaReads implements ReplicaReads {
    private final ReplicaReads reads;

    CountedReplicaReads(ReplicaReads reads) {
      this.reads = reads;
    }

    @Override
    public RawCursor read(ReadRequest request, int limitBytes) {
      count(request);
      return reads.read(request, limitBytes);
    }

    @Override
    public ReplicaMerge merge(ReadRequest request, int replicas) {
      return reads.merge(request, replicas);
    }
  }
}
