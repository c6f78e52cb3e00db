package io.helenus.server.metadata;

import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as of an entry of the metadata log, without its schema. Immutable; any thread.
 *
 * @param clusterName the name of the cluster; empty before the first node has joined
 * @param clusterId the host id of the node that founded it; null before that
 * @param nodes the members by host id, in the order in which they joined
 * @param voters the members that decide the next entry, an odd number; none before the first
 */
record ClusterMembership(
    String clusterName, @Nullable UUID clusterId, Map<UUID, ClusterNode> nodes, List<UUID> voters) {
  /** No cluster yet. */
  static final ClusterMembership NONE = new ClusterMembership("", null, Map.of(), List.of());

  /** Copies nothing: the collections must not be changed. */
  ClusterMembership {
    nodes = Collections.unmodifiableMap(nodes);
    voters = List.copyOf(voters);
  }

  /** What files say that name no voters: single nodes wrote them. */
  static ClusterMembership ofFounder(String clusterName, Map<UUID, ClusterNode> nodes) {
    if (nodes.isEmpty()) {
      return new ClusterMembership(clusterName, null, nodes, List.of());
    }
    UUID founder = nodes.keySet().iterator().next();
    return new ClusterMembership(clusterName, founder, nodes, List.of(founder));
  }

  /** With a node that has joined; the first one decides alone. */
  ClusterMembership with(ClusterNode node, String name) {
    Map<UUID, ClusterNode> all = new LinkedHashMap<>(nodes);
    all.put(node.hostId(), node);
    return nodes.isEmpty()
        ? ofFounder(name, all)
        : new ClusterMembership(clusterName, clusterId, all, voters);
  }

  /** With other voters. */
  ClusterMembership with(List<UUID> newVoters) {
    return new ClusterMembership(clusterName, clusterId, nodes, newVoters);
  }

  /** With a member that is elsewhere now, or runs another release. */
  ClusterMembership with(MetadataEntry.NodeRegistered registered) {
    ClusterNode node = nodes.get(registered.hostId());
    if (node == null) {
      throw new IllegalStateException("not a member: " + registered.hostId());
    }
    Map<UUID, ClusterNode> all = new LinkedHashMap<>(nodes);
    all.put(
        node.hostId(),
        new ClusterNode(
            node.hostId(),
            node.dataCenter(),
            node.rack(),
            node.tokens(),
            registered.addresses(),
            registered.release()));
    return new ClusterMembership(clusterName, clusterId, all, voters);
  }

  /**
   * Why a node cannot join; null if it can. What early builds wrote names no addresses, and had no
   * rules for them and for keyspaces.
   *
   * @param keyspace a keyspace of the users; null if there is none
   */
  @Nullable String refusal(ClusterNode node, String name, @Nullable String keyspace) {
    if (!nodes.isEmpty() && !name.equals(clusterName)) {
      return "the cluster is called " + clusterName + ", not " + name;
    }
    if (nodes.containsKey(node.hostId())) {
      return "host id " + node.hostId() + " is already a member";
    }
    NodeAddresses addresses = node.addresses();
    if (addresses != null && !nodes.isEmpty()) {
      String taken = refusal(node.hostId(), addresses);
      if (taken != null) {
        return taken;
      }
      if (keyspace != null) {
        return "nodes can only join while there is no keyspace, and there is " + keyspace;
      }
    }
    return refusal(node.hostId(), node.tokens());
  }

  private @Nullable String refusal(UUID hostId, long[] tokens) {
    if (tokens.length == 0) {
      return "node " + hostId + " has no tokens";
    }
    Map<Long, UUID> owners = new HashMap<>();
    for (ClusterNode member : nodes.values()) {
      for (long token : member.tokens()) {
        owners.put(token, member.hostId());
      }
    }
    for (long token : tokens) {
      UUID owner = owners.put(token, hostId);
      if (owner != null) {
        return "token " + token + " belongs to " + owner;
      }
    }
    return null;
  }

  private @Nullable String refusal(UUID hostId, NodeAddresses addresses) {
    InetSocketAddress broadcast = addresses.broadcast();
    for (ClusterNode member : nodes.values()) {
      NodeAddresses theirs = member.addresses();
      if (theirs != null
          && !member.hostId().equals(hostId)
          && theirs.broadcast().equals(broadcast)) {
        return "address " + NodeAddresses.text(broadcast) + " belongs to " + member.hostId();
      }
    }
    return null;
  }

  /**
   * Why a member cannot register what it says; null if it can. Its address may be that of another
   * member by the log: all may have come back elsewhere at once, and this one has registered first.
   */
  @Nullable String refusal(MetadataEntry.NodeRegistered registered) {
    return nodes.containsKey(registered.hostId())
        ? null
        : "host id " + registered.hostId() + " is not a member";
  }

  /** Why these cannot be the voters; null if they can. */
  @Nullable String refusal(List<UUID> newVoters) {
    if (newVoters.size() % 2 == 0) {
      return "the number of voters must be odd, not " + newVoters.size();
    }
    if (new HashSet<>(newVoters).size() < newVoters.size()) {
      return "a voter is named twice";
    }
    for (UUID voter : newVoters) {
      if (!nodes.containsKey(voter)) {
        return "host id " + voter + " is not a member";
      }
    }
    return newVoters.equals(voters) ? "these are the voters already" : null;
  }
}
