package io.helenus.server.query.explain;

import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.KeyspaceProperties;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.TableStatistics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the explanation of a statement depends on beside its plan. */
interface Surroundings {
  /** The statistics of a table on this node. */
  TableStatistics statistics(TableSchema table);

  /** The number of shards of this node. */
  int shards();

  /** The number of entries in the files of an index on this node. */
  long indexEntries(TableSchema table, int indexId);

  /** Whether an index covers all data on this node. */
  boolean isIndexBuilt(TableSchema table, int indexId);

  /** Who is asked for partitions with a token, as text: {@code ONE asks 1 of 3: this node}. */
  String readReplicas(KeyspaceProperties keyspace, long token, ConsistencyLevel level);

  /** The same for a range of tokens. */
  String scanReplicas(KeyspaceProperties keyspace, ConsistencyLevel level);

  /** The same for a write. */
  String writeReplicas(KeyspaceProperties keyspace, long token, ConsistencyLevel level);

  /**
   * Whether partitions have replicas on other nodes.
   *
   * @param partitions null if they are not known; then, whether any partition has
   */
  boolean isElsewhere(
      KeyspaceProperties keyspace, @Nullable List<PartitionList.Partition> partitions);

  /**
   * Whether this node is not a replica of all of some partitions.
   *
   * @param partitions null if they are not known, or are all
   */
  boolean isMissingSome(
      KeyspaceProperties keyspace, @Nullable List<PartitionList.Partition> partitions);

  /** The consistency level of the request. */
  ConsistencyLevel level();

  /** The serial consistency level of the request. */
  ConsistencyLevel serialLevel();

  /** How many rows a page has; not above 0 for no pages. */
  int pageSize();
}
