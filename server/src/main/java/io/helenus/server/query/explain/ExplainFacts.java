package io.helenus.server.query.explain;

import io.helenus.server.cluster.Member;
import io.helenus.server.coordinator.Placement;
import io.helenus.server.coordinator.Placements;
import io.helenus.server.coordinator.ReplicaSet;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.Metadata;
import io.helenus.server.metadata.NodeAddresses;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.KeyspaceProperties;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.TableStatistics;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What explanations depend on, on one node. One per shard; shard thread only. */
public final class ExplainFacts {
  private final Stored stored;
  private final Placements placements;
  private final Metadata metadata;

  /** What this node stores. Tables are named by their ids in storage. */
  public interface Stored {
    /** The statistics of a table. */
    TableStatistics statistics(int tableId);

    /** The number of shards. */
    int shards();

    /** The number of entries in the files of an index. */
    long indexEntries(int tableId, int indexId);

    /** Whether an index covers all data. */
    boolean isIndexBuilt(int tableId, int indexId);
  }

  /** Creates the facts of a shard. */
  public ExplainFacts(Stored stored, Placements placements, Metadata metadata) {
    this.stored = stored;
    this.placements = placements;
    this.metadata = metadata;
  }

  /** The facts for a request. */
  Surroundings of(QueryParameters parameters) {
    return new OfRequest(
        parameters.consistency(), parameters.serialConsistency(), parameters.pageSize());
  }

  private final class OfRequest implements Surroundings {
    private final ConsistencyLevel level;
    private final ConsistencyLevel serialLevel;
    private final int pageSize;

    OfRequest(ConsistencyLevel level, ConsistencyLevel serialLevel, int pageSize) {
      this.level = level;
      this.serialLevel = serialLevel;
      this.pageSize = pageSize;
    }

    @Override
    public TableStatistics statistics(TableSchema table) {
      return table.isVirtual() ? TableStatistics.NONE : stored.statistics(table.storageId());
    }

    @Override
    public int shards() {
      return stored.shards();
    }

    @Override
    public long indexEntries(TableSchema table, int indexId) {
      return stored.indexEntries(table.storageId(), indexId);
    }

    @Override
    public boolean isIndexBuilt(TableSchema table, int indexId) {
      return stored.isIndexBuilt(table.storageId(), indexId);
    }

    @Override
    public String readReplicas(KeyspaceProperties keyspace, long token, ConsistencyLevel at) {
      Placement placement = placements.of(keyspace);
      ReplicaSet replicas = placement.replicas(token);
      int required = placement.required(at);
      int asked = replicas.asked(required, token);
      int others = (1 << replicas.size()) - 1 & ~asked;
      String text = at + " asks " + required + " of " + replicas.size() + ": ";
      if (Integer.bitCount(asked) < required) {
        return text + "too few are up: " + names(replicas, asked | others);
      }
      int ofData = replicas.askedForData(token);
      text += names(replicas, ofData);
      if (required > 1) {
        text += " for rows, " + names(replicas, asked & ~ofData) + " for a digest of them";
      }
      return others == 0 ? text : text + "; not " + names(replicas, others);
    }

    @Override
    public String scanReplicas(KeyspaceProperties keyspace, ConsistencyLevel at) {
      Placement placement = placements.of(keyspace);
      ReplicaSet everywhere = placement.everywhere();
      return at
          + " asks "
          + placement.required(at)
          + " for each range of tokens, one range after the other, on "
          + everywhere.size()
          + (everywhere.size() == 1 ? " node: " : " nodes: ")
          + names(everywhere, -1);
    }

    @Override
    public String writeReplicas(KeyspaceProperties keyspace, long token, ConsistencyLevel at) {
      Placement placement = placements.of(keyspace);
      ReplicaSet replicas = placement.replicas(token);
      return "sent to all "
          + replicas.size()
          + ", "
          + at
          + " waits for "
          + placement.required(at)
          + ": "
          + names(replicas, -1);
    }

    @Override
    public boolean isElsewhere(
        KeyspaceProperties keyspace, @Nullable List<PartitionList.Partition> partitions) {
      Placement placement = placements.of(keyspace);
      return partitions == null
          ? !placement.everywhere().isLocalOnly()
          : partitions.stream().anyMatch(each -> !placement.replicas(each.token()).isLocalOnly());
    }

    @Override
    public boolean isMissingSome(
        KeyspaceProperties keyspace, @Nullable List<PartitionList.Partition> partitions) {
      Placement placement = placements.of(keyspace);
      return partitions == null
          ? !placement.replicas(Long.MIN_VALUE).hasLocal()
              || placement.lastWithSameReplicas(Long.MIN_VALUE) < Long.MAX_VALUE
          : partitions.stream().anyMatch(each -> !placement.replicas(each.token()).hasLocal());
    }

    @Override
    public ConsistencyLevel level() {
      return level;
    }

    @Override
    public ConsistencyLevel serialLevel() {
      return serialLevel;
    }

    @Override
    public int pageSize() {
      return pageSize;
    }
  }

  /** The names of some replicas, a bit for each. */
  private String names(ReplicaSet replicas, int which) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < replicas.size(); i++) {
      if ((which & 1 << i) == 0) {
        continue;
      }
      Member member = replicas.member(i);
      names.add(
          member.isLocal() ? "this node" : address(member) + (member.isUp() ? "" : " (down)"));
    }
    return String.join(", ", names);
  }

  private String address(Member member) {
    ClusterNode node = metadata.state().nodes().get(member.hostId());
    NodeAddresses addresses = node == null ? null : node.addresses();
    return addresses == null
        ? member.hostId().toString()
        : addresses.broadcast().getAddress().getHostAddress();
  }
}
