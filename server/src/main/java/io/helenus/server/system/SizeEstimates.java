package io.helenus.server.system;

import io.helenus.server.ring.TokenRange;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.TableStatistics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code system.size_estimates} and {@code system.table_estimates}, from which Spark and Presto
 * plan splits: one row for each primary range of this node, with the partitions that the node
 * stores of the table distributed over all ranges of which it is a replica, in proportion to their
 * length. One read, one thread.
 */
final class SizeEstimates {
  private final ClusterView cluster;
  private final NodeFacts facts;
  private final VirtualRows rows;
  private final boolean withTypes;

  /** The ranges of the keyspace of the last table. */
  private @Nullable Ranges last;

  private record Ranges(
      KeyspaceSchema keyspace,
      double replicated,
      List<TokenRange> primary,
      List<TokenRange> local) {}

  SizeEstimates(ClusterView cluster, NodeFacts facts, VirtualRows rows) {
    this.cluster = cluster;
    this.facts = facts;
    this.rows = rows;
    this.withTypes = rows.table().name().equals("table_estimates");
  }

  /** Adds the rows of a table. */
  void of(TableSchema table) {
    KeyspaceSchema keyspace = cluster.state().schema().keyspace(table.keyspace());
    if (keyspace == null) {
      return;
    }
    Ranges ranges = ranges(keyspace);
    TableStatistics statistics = rows.readsCells() ? facts.statistics(table.storageId()) : null;
    long partitions = statistics == null ? 0 : statistics.estimatedPartitions();
    long bytes = statistics == null ? 0 : statistics.fileBytes() + statistics.memtableBytes();
    Estimate estimate =
        new Estimate(
            table, partitions, partitions == 0 ? 0 : bytes / partitions, ranges.replicated);
    if (withTypes) {
      addAll(estimate, "local_primary", ranges.local);
      addAll(estimate, "primary", ranges.primary);
    } else {
      addAll(estimate, null, ranges.primary);
    }
  }

  private Ranges ranges(KeyspaceSchema keyspace) {
    Ranges ranges = last;
    if (ranges == null || ranges.keyspace != keyspace) {
      ranges =
          new Ranges(
              keyspace,
              cluster.share(keyspace, cluster.self().node().hostId()),
              cluster.primaryRanges(keyspace),
              withTypes ? cluster.localPrimaryRanges() : List.of());
      last = ranges;
    }
    return ranges;
  }

  /**
   * A table on this node.
   *
   * @param replicated the share of the token ring of which the node has replicas
   */
  private record Estimate(TableSchema table, long partitions, long meanBytes, double replicated) {
    long partitionsIn(double width) {
      return replicated == 0 ? 0 : Math.round(partitions * Math.min(1, width / replicated));
    }
  }

  private void addAll(Estimate estimate, @Nullable String type, List<TokenRange> ranges) {
    for (TokenRange range : ranges) {
      if (range.wraps()) {
        add(estimate, type, new TokenRange(Long.MIN_VALUE, range.right()));
        add(estimate, type, new TokenRange(range.left(), Long.MIN_VALUE));
      } else {
        add(estimate, type, range);
      }
    }
  }

  private void add(Estimate estimate, @Nullable String type, TokenRange range) {
    rows.row()
        .text("keyspace_name", estimate.table.keyspace())
        .text("table_name", estimate.table.name());
    if (type != null) {
      rows.text("range_type", type);
    }
    rows.text("range_start", Long.toString(range.left()))
        .text("range_end", Long.toString(range.right()))
        .bigint("mean_partition_size", estimate.meanBytes)
        .bigint("partitions_count", estimate.partitionsIn(ClusterView.width(range)))
        .end();
  }
}
