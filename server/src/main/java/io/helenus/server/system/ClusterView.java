package io.helenus.server.system;

import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.ring.ReplicaMap;
import io.helenus.server.ring.ReplicationOptions;
import io.helenus.server.ring.RingNode;
import io.helenus.server.ring.TokenRange;
import io.helenus.server.ring.TokenRing;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Replication;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * The cluster as one node sees it at one time: its members, and the placement of its keyspaces.
 * What system tables and commands show is a function of it. One thread.
 */
public final class ClusterView {
  private final ClusterState state;
  private final ClusterNode self;
  private final NodeFacts facts;
  private final Map<Replication, ReplicaMap> placements = new HashMap<>();

  /**
   * A view of a state.
   *
   * @param hostId the node whose view it is, which is a member
   * @param facts about that node
   */
  public ClusterView(ClusterState state, UUID hostId, NodeFacts facts) {
    this.state = state;
    this.self = Objects.requireNonNull(state.node(hostId));
    this.facts = facts;
  }

  /** The members and the schema. */
  public ClusterState state() {
    return state;
  }

  /** The node whose view this is. */
  public MemberView self() {
    return new MemberView(self, state.schema(), facts, null);
  }

  /** All members, in the order in which they joined. */
  public List<MemberView> members() {
    List<MemberView> members = new ArrayList<>(state.nodes().size());
    for (ClusterNode node : state.nodes().values()) {
      members.add(member(node));
    }
    return members;
  }

  /** All members but this node, in the order in which they joined. */
  public List<MemberView> peers() {
    List<MemberView> peers = members();
    peers.removeIf(MemberView::isLocal);
    return peers;
  }

  /**
   * The member that is a replica.
   *
   * @throws IllegalArgumentException if it is no member
   */
  public MemberView member(UUID hostId) {
    ClusterNode node = state.node(hostId);
    if (node == null) {
      throw new IllegalArgumentException("not a member: " + hostId);
    }
    return member(node);
  }

  private MemberView member(ClusterNode node) {
    boolean local = node.hostId().equals(self.hostId());
    return new MemberView(
        node, state.schema(), facts, local ? null : facts.cluster().peer(node.hostId()));
  }

  /** The replicas of a keyspace's tokens. */
  public ReplicaMap replicas(KeyspaceSchema keyspace) {
    return placements.computeIfAbsent(
        keyspace.replication(),
        replication ->
            new ReplicaMap(
                state.ring(),
                ReplicationOptions.stored(replication.toMap(), state.nodes().size()),
                ringNode(self)));
  }

  /** The ranges of a keyspace of which this node is the first replica, by their right ends. */
  List<TokenRange> primaryRanges(KeyspaceSchema keyspace) {
    ReplicaMap replicas = replicas(keyspace);
    List<TokenRange> primary = new ArrayList<>();
    for (TokenRange range : state.ring().ranges()) {
      List<RingNode> ofRange = replicas.replicas(range.right());
      if (!ofRange.isEmpty() && ofRange.getFirst().hostId().equals(self.hostId())) {
        primary.add(range);
      }
    }
    return primary;
  }

  /**
   * The ranges that end at a token of this node, if only the nodes of its data centre are looked
   * at, by their right ends.
   */
  List<TokenRange> localPrimaryRanges() {
    TokenRing ring = localRing();
    List<TokenRange> primary = new ArrayList<>();
    for (int i = 0; i < ring.size(); i++) {
      if (ring.ownerAt(i).hostId().equals(self.hostId())) {
        primary.add(ring.rangeAt(i));
      }
    }
    return primary;
  }

  private TokenRing localRing() {
    if (state.ring().datacenters().size() == 1) {
      return state.ring();
    }
    Map<RingNode, long[]> tokens = new LinkedHashMap<>();
    for (ClusterNode node : state.nodes().values()) {
      if (node.dataCenter().equals(self.dataCenter())) {
        tokens.put(ringNode(node), node.tokens());
      }
    }
    return TokenRing.of(tokens);
  }

  /** The share of the token ring of which a member has replicas. */
  public double share(KeyspaceSchema keyspace, UUID hostId) {
    ReplicaMap replicas = replicas(keyspace);
    double share = 0;
    for (TokenRange range : state.ring().ranges()) {
      for (RingNode replica : replicas.replicas(range.right())) {
        if (replica.hostId().equals(hostId)) {
          share += width(range);
        }
      }
    }
    return share;
  }

  /** The share of the token ring that is in a range. */
  static double width(TokenRange range) {
    long width = range.right() - range.left();
    return width == 0 ? 1 : Math.scalb(width > 0 ? (double) width : (double) width + 0x1p64, -64);
  }

  private static RingNode ringNode(ClusterNode node) {
    return new RingNode(node.hostId(), node.dataCenter(), node.rack());
  }
}
