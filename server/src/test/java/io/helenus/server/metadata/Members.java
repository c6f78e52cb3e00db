package io.helenus.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.metadata.MetadataLog.ProposalCallback;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Members of a cluster, for tests that need more than one. Stateless. */
public final class Members {
  private Members() {}

  /** The addresses of the member with a number from 1 to 254: even ones have IPv6 addresses. */
  public static NodeAddresses addresses(int number) {
    byte[] host = new byte[number % 2 == 0 ? 16 : 4];
    host[0] = (byte) (number % 2 == 0 ? 0xFD : 10);
    host[host.length - 1] = (byte) number;
    try {
      InetAddress address = InetAddress.getByAddress(host);
      return new NodeAddresses(
          new InetSocketAddress(address, 7000), new InetSocketAddress(address, 9042));
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  /** The identity of the member with a number. */
  public static NodeIdentity identity(int number) {
    return new NodeIdentity(
        "Test", "datacenter1", "rack1", 16, List.of(), addresses(number), "0.1.0");
  }

  /** A member that has registered its addresses. */
  public static ClusterNode node(UUID hostId, int number, long... tokens) {
    return new ClusterNode(hostId, "datacenter1", "rack1", tokens, addresses(number), "0.1.0");
  }

  /** The state after a node has joined, or has joined again elsewhere. */
  public static ClusterState with(ClusterState state, ClusterNode node) {
    Map<UUID, ClusterNode> nodes = new LinkedHashMap<>(state.nodes());
    nodes.put(node.hostId(), node);
    return after(state, nodes);
  }

  /** The state without a node. */
  public static ClusterState without(ClusterState state, UUID hostId) {
    Map<UUID, ClusterNode> nodes = new LinkedHashMap<>(state.nodes());
    nodes.remove(hostId);
    return after(state, nodes);
  }

  private static ClusterState after(ClusterState state, Map<UUID, ClusterNode> nodes) {
    return new ClusterState(
        state.index() + 1,
        ClusterMembership.ofFounder("Test", nodes),
        state.schema(),
        state.lastTableId(),
        state.truncations(),
        Map.of());
  }

  /** Proposes that a node joins. */
  public static void join(MetadataLog log, ClusterNode node) {
    Proposal joins =
        new Proposal(
            new ProposalId(node.hostId(), 1, 1),
            log.state().index() + 1,
            new MetadataEntry.NodeJoined(node, log.state().clusterName()));
    log.propose(
        joins,
        new ProposalCallback() {
          @Override
          public void decided(Decision decision) {
            assertEquals(Outcome.APPLIED, decision.outcome(), decision.refusal());
          }

          @Override
          public void notProposed(Exception cause) {
            throw new AssertionError("the node cannot join", cause);
          }

          @Override
          public void unknown(Exception cause) {
            throw new AssertionError("whether the node has joined is unknown", cause);
          }
        });
  }
}
