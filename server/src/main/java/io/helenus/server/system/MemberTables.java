package io.helenus.server.system;

import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.types.WireValues;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code system.peers} and {@code system.peers_v2}, which list the other members, and {@code
 * system_views.gossip_info}, which lists all, whether they are up or down. The preferred addresses
 * are null, as in Cassandra on networks where nodes have one address. One read, one thread.
 */
final class MemberTables {
  private final ClusterView cluster;
  private final VirtualRows rows;

  MemberTables(ClusterView cluster, VirtualRows rows) {
    this.cluster = cluster;
    this.rows = rows;
  }

  void peers() {
    boolean ports = rows.table().name().equals("peers_v2");
    for (MemberView peer : cluster.peers()) {
      if (!peer.isLocated()) {
        continue;
      }
      NodeFacts.Endpoint broadcast = peer.broadcast();
      NodeFacts.Endpoint clients = peer.clients();
      rows.row().inet("peer", broadcast.address());
      if (ports) {
        rows.number("peer_port", broadcast.port())
            .inet("native_address", clients.address())
            .number("native_port", clients.port());
      } else {
        rows.inet("rpc_address", clients.address());
      }
      rows.text("data_center", peer.node().dataCenter())
          .uuid("host_id", peer.node().hostId())
          .text("rack", peer.node().rack())
          .text("release_version", NodeFacts.RELEASE_VERSION)
          .uuid("schema_version", peer.schemaVersion())
          .set("tokens", () -> tokens(peer.node()))
          .end();
    }
  }

  void gossipInfo() {
    for (MemberView member : cluster.members()) {
      NodeFacts.Endpoint broadcast = member.broadcast();
      String address = broadcast.address().getHostAddress();
      NodeFacts.Endpoint clients = member.clients();
      String clientAddress = clients.address().getHostAddress();
      String status = "NORMAL," + member.node().tokens()[0];
      rows.row()
          .inet("address", broadcast.address())
          .number("port", broadcast.port())
          .text("dc", member.node().dataCenter())
          .number("generation", member.generation())
          .text("host_id", member.node().hostId().toString())
          .text("hostname", address)
          .set("load", () -> load(member.loadBytes()))
          .text("native_address_and_port", clientAddress + ":" + clients.port())
          .text("rack", member.node().rack())
          .text("release_version", NodeFacts.RELEASE_VERSION)
          .text("rpc_address", clientAddress)
          .text("rpc_ready", Boolean.toString(member.isServing()))
          .text("schema", member.schemaVersion().toString())
          .text("status", status)
          .text("status_with_port", status)
          .end();
    }
  }

  private static byte @Nullable [] load(double bytes) {
    return bytes < 0 ? null : WireValues.ofText(Double.toString(bytes));
  }

  /** The tokens of a member as a set of texts. */
  static byte[] tokens(ClusterNode node) {
    List<String> tokens = new ArrayList<>();
    for (long token : node.tokens()) {
      tokens.add(Long.toString(token));
    }
    return WireValues.ofTextSet(tokens);
  }
}
