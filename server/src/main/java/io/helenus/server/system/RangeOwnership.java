package io.helenus.server.system;

import io.helenus.server.metadata.ClusterState;
import io.helenus.server.ring.ReplicaMap;
import io.helenus.server.ring.RingNode;
import io.helenus.server.ring.TokenRange;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.SchemaDescriber;
import java.net.Inet6Address;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;

/** The replicas of each range of a keyspace, as DESCRIBE CLUSTER shows them. Any thread. */
public final class RangeOwnership implements SchemaDescriber.Ownership {
  private final Supplier<ClusterState> states;
  private final UUID hostId;
  private final NodeFacts facts;

  /**
   * The replicas as a node sees them.
   *
   * @param states the present state; any thread
   * @param hostId the id of the node
   * @param facts about the node
   */
  public RangeOwnership(Supplier<ClusterState> states, UUID hostId, NodeFacts facts) {
    this.states = states;
    this.hostId = hostId;
    this.facts = facts;
  }

  @Override
  public SortedMap<String, List<String>> of(KeyspaceSchema keyspace) {
    SortedMap<String, List<String>> owners = new TreeMap<>();
    if (keyspace.isVirtual()) {
      return owners;
    }
    ClusterView cluster = new ClusterView(states.get(), hostId, facts);
    ReplicaMap replicas = cluster.replicas(keyspace);
    for (TokenRange range : replicas.ring().ranges()) {
      List<String> addresses = new ArrayList<>();
      for (RingNode replica : replicas.replicas(range.right())) {
        addresses.add(text(cluster.member(replica.hostId()).broadcast()));
      }
      owners.put(Long.toString(range.right()), addresses);
    }
    return owners;
  }

  /** An address as Cassandra shows it, without a host name. */
  private static String text(NodeFacts.Endpoint endpoint) {
    String address = endpoint.address().getHostAddress();
    boolean bracketed = endpoint.address() instanceof Inet6Address;
    return "/" + (bracketed ? "[" + address + "]" : address) + ":" + endpoint.port();
  }
}
