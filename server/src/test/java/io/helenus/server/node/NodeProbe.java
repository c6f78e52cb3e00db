package io.helenus.server.node;

import io.helenus.server.coordinator.RemoteReplicas;
import io.helenus.server.metadata.MetadataLog;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.shard.Shard;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;

/** What tests see of a node that the server does not show. The thread of the node. */
public final class NodeProbe {
  private NodeProbe() {}

  /** The log of the cluster, or of the node if it is alone. */
  public static MetadataLog log(Enrollment enrollment) {
    return enrollment.metadataLog();
  }

  /** Puts something in front of the replicas on other nodes, before the node is opened. */
  public static void access(
      Enrollment enrollment, BiFunction<Shard, RemoteReplicas, RemoteReplicas> access) {
    enrollment.access(access::apply);
  }

  /** How often things happened in a node, by name. */
  public static Map<String, Long> counters(Node node) {
    return Map.of(
        "digest mismatches", sum(node, ShardMetrics::digestMismatches),
        "read repairs", sum(node, ShardMetrics::readRepairs));
  }

  private static long sum(Node node, ToLongFunction<ShardMetrics> count) {
    return node.services().stream()
        .mapToLong(each -> count.applyAsLong(each.coordinator().metrics()))
        .sum();
  }
}
