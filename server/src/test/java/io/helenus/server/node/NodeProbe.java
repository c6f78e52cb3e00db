package io.helenus.server.node;

import io.helenus.server.coordinator.RemoteReplicas;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metadata.MetadataLog;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.replica.LinkedReplicas;
import io.helenus.server.replica.PeerRequests;
import io.helenus.server.shard.Shard;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/** What tests see of a node that the server does not show. The thread of the node. */
public final class NodeProbe {
  private NodeProbe() {}

  /** The log of the cluster, or of the node if it is alone. */
  public static MetadataLog log(Enrollment enrollment) {
    return enrollment.metadataLog();
  }

  /** Puts something in front of the log, for the changes of this node's clients. */
  public static void log(Enrollment enrollment, UnaryOperator<MetadataLog> changed) {
    enrollment.metadataLog(changed);
  }

  /** Puts something in front of the replicas on other nodes, before the node is opened. */
  public static void access(
      Enrollment enrollment, BiFunction<Shard, RemoteReplicas, RemoteReplicas> access) {
    enrollment.access(access::apply);
  }

  /** Lets coordinators place requests by another state, before the node is opened. */
  public static void placing(Enrollment enrollment, UnaryOperator<Supplier<ClusterState>> changed) {
    enrollment.placing(changed);
  }

  /** How often things happened in a node, by name. */
  public static Map<String, Long> counters(Node node) {
    return Map.of(
        "digest mismatches", sum(node, ShardMetrics::digestMismatches),
        "read repairs", sum(node, ShardMetrics::readRepairs),
        "short reads", sum(node, ShardMetrics::shortReads));
  }

  /** What requests in progress hold, by name; all 0 when there are none. */
  public static Map<String, Long> held(Node node) {
    ClusterServices cluster = node.cluster();
    return Map.of(
        "operations",
        node.services().stream().mapToLong(each -> each.coordinator().running().size()).sum(),
        "buffers and copies of requests",
        node.services().stream().mapToLong(each -> each.coordinator().borrowed()).sum(),
        "entries of reply tables",
        node.linked().stream().mapToLong(LinkedReplicas::waiting).sum(),
        "parked requests",
        cluster == null ? 0 : cluster.requests().stream().mapToLong(PeerRequests::parked).sum());
  }

  private static long sum(Node node, ToLongFunction<ShardMetrics> count) {
    return node.services().stream()
        .mapToLong(each -> count.applyAsLong(each.coordinator().metrics()))
        .sum();
  }
}
