package io.helenus.server.coordinator;

import io.helenus.server.metrics.ShardMetrics;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.MutationView;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What the coordinator of a shard has to know about encoded mutations. Shard thread only. */
public final class MutationFacts {
  private final MutationView view = new MutationView();
  private final ShardMetrics metrics;

  /** Measures in the metrics of the shard. */
  MutationFacts(ShardMetrics metrics) {
    this.metrics = metrics;
  }

  /**
   * Records the latencies of a mutation for each of its tables; a negative time is unknown and not
   * recorded.
   */
  public void measure(ByteWriter mutation, long nanos, long replicaNanos, long nowNanos) {
    view.wrap(mutation.segment(), 0, mutation.size());
    while (view.nextTable()) {
      if (nanos >= 0) {
        metrics.written(view.tableId(), nanos, nowNanos);
      }
      if (replicaNanos >= 0) {
        metrics.applied(view.tableId(), replicaNanos, nowNanos);
      }
    }
  }

  /** The token of a mutation. */
  long token(MemorySegment mutation, long offset, int length) {
    boolean ignored = view.wrap(mutation, offset, length).nextTable();
    return view.token();
  }

  /** The storage id of the first table; 0 if there is none. */
  int firstTable(ByteWriter mutation) {
    view.wrap(mutation.segment(), 0, mutation.size());
    return view.nextTable() ? view.tableId() : 0;
  }

  /** The storage ids of all tables. */
  Set<Integer> tables(List<PartitionWrite> writes) {
    Set<Integer> tables = new TreeSet<>();
    for (PartitionWrite write : writes) {
      view.wrap(write.mutation().segment(), 0, write.mutation().size());
      while (view.nextTable()) {
        tables.add(view.tableId());
      }
    }
    return tables;
  }
}
