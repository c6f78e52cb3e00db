package io.helenus.server.system;

import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.NodeAddresses;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.TableStatistics;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A member of the cluster as this node sees it: what the metadata log says of it, and for the rest
 * this node's own facts or what is known of the peer. Immutable; any thread.
 */
public final class MemberView {
  private static final NodeFacts.Endpoint NOWHERE =
      new NodeFacts.Endpoint(InetAddress.ofLiteral("0.0.0.0"), 0);

  private final ClusterNode node;
  private final Schema schema;
  private final NodeFacts facts;
  private final ClusterFacts.@Nullable Peer peer;

  /**
   * Creates a member.
   *
   * @param schema as this node sees it
   * @param facts about this node
   * @param peer what is known of the member; null if it is this node
   */
  MemberView(ClusterNode node, Schema schema, NodeFacts facts, ClusterFacts.@Nullable Peer peer) {
    this.node = node;
    this.schema = schema;
    this.facts = facts;
    this.peer = peer;
  }

  /** Its identity and its tokens. */
  public ClusterNode node() {
    return node;
  }

  /** Whether it is this node. */
  public boolean isLocal() {
    return peer == null;
  }

  /** Whether it is alive, as far as this node knows. */
  public boolean isUp() {
    return peer == null || peer.isUp();
  }

  /** Whether it serves clients, as far as this node knows; of this node itself others know. */
  public boolean isServing() {
    return peer == null || peer.isServing();
  }

  /** How likely it is down; NaN if it was never heard of, and for this node. */
  public double phi() {
    return peer == null ? Double.NaN : peer.phi();
  }

  /** When it started, in seconds since 1970; 0 if unknown. */
  public int generation() {
    return peer == null ? facts.startedSeconds() : peer.generation();
  }

  /**
   * The number of its last heartbeat.
   *
   * @param ofThisNode of this node itself
   */
  public long heartbeat(long ofThisNode) {
    return peer == null ? ofThisNode : peer.heartbeat();
  }

  /** The size of its SSTables; -1 if unknown. */
  public long loadBytes() {
    if (peer != null) {
      return peer.loadBytes();
    }
    long bytes = 0;
    for (TableSchema table : schema.storedTables()) {
      TableStatistics statistics = facts.statistics(table.storageId());
      bytes += statistics == null ? 0 : statistics.fileBytes();
    }
    return bytes;
  }

  /**
   * The version of the schema that it has applied. Drivers ignore a peer without a version, so this
   * node's stands for that of a peer that was not heard of since this node started.
   */
  public UUID schemaVersion() {
    UUID version = peer == null ? null : peer.schemaVersion();
    return version == null ? schema.version() : version;
  }

  /** Whether it is known where it is reached. */
  boolean isLocated() {
    return peer == null || node.addresses() != null || peer.broadcast() != null;
  }

  /** Where other nodes reach it; the wildcard address if that is unknown. */
  public NodeFacts.Endpoint broadcast() {
    if (peer == null) {
      return facts.broadcast();
    }
    NodeAddresses registered = node.addresses();
    return endpoint(peer.broadcast(), registered == null ? null : registered.broadcast());
  }

  /** Where clients reach it; the wildcard address if that is unknown. */
  public NodeFacts.Endpoint clients() {
    if (peer == null) {
      return facts.nativeTransport();
    }
    NodeAddresses registered = node.addresses();
    return endpoint(peer.clients(), registered == null ? null : registered.client());
  }

  private static NodeFacts.Endpoint endpoint(
      @Nullable InetSocketAddress last, @Nullable InetSocketAddress registered) {
    InetSocketAddress address = last == null ? registered : last;
    return address == null
        ? NOWHERE
        : new NodeFacts.Endpoint(address.getAddress(), address.getPort());
  }
}
