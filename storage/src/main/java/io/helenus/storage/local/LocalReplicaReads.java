package io.helenus.storage.local;

import io.helenus.storage.engine.RawCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.ReplicaReads;

/** Reads of several replicas on a shard. Shard thread only. */
final class LocalReplicaReads implements ReplicaReads {
  private final TableStores stores;
  private final TableReads reads;
  private final StorageContext context;
  private final int shard;

  LocalReplicaReads(TableStores stores, TableReads reads, StorageContext context, int shard) {
    this.stores = stores;
    this.reads = reads;
    this.context = context;
    this.shard = shard;
  }

  @Override
  public RawCursor read(ReadRequest request, int limitBytes) {
    TableStore store = stores.existing(request.tableId());
    ReadRequest ofShard = ClampedRequest.ofShard(store, request, context, shard);
    return reads.openRaw(store.sources(), ofShard, limitBytes);
  }

  @Override
  public ReplicaMerge merge(ReadRequest request, int replicas) {
    return reads.merge(stores.existing(request.tableId()).sources(), request, replicas);
  }
}
