package io.helenus.server.admin.command;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.Invocation;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.system.NodeStatistics;
import io.helenus.storage.engine.TableStatistics;
import java.util.Locale;

/** {@code nodetool info}: the node at a glance. Any thread. */
final class InfoCommand {
  private static final double MEBIBYTE = 1 << 20;

  private final AdminNode node;

  InfoCommand(AdminNode node) {
    this.node = node;
  }

  String run(Invocation invocation) throws CommandException {
    NodeStatistics statistics = node.statistics(null, new int[0]);
    ClusterNode self = node.self();
    boolean up = !node.isDrained();
    long load = node.cluster().self().loadBytes();
    Runtime runtime = Runtime.getRuntime();
    StringBuilder out = new StringBuilder();
    line(out, "ID", self.hostId());
    line(out, "Gossip active", up);
    line(out, "Native Transport active", node.isServing());
    line(out, "Load", Sizes.spaced(load));
    line(out, "Uncompressed load", "N/A");
    line(out, "Generation No", node.facts().startedSeconds());
    line(out, "Uptime (seconds)", ClusterCommands.uptimeSeconds(node));
    line(
        out,
        "Heap Memory (MB)",
        String.format(
            Locale.ROOT,
            "%.2f / %.2f",
            (runtime.totalMemory() - runtime.freeMemory()) / MEBIBYTE,
            runtime.maxMemory() / MEBIBYTE));
    line(
        out,
        "Off Heap Memory (MB)",
        String.format(Locale.ROOT, "%.2f", offHeapBytes(statistics) / MEBIBYTE));
    line(out, "Data Center", self.dataCenter());
    line(out, "Rack", self.rack());
    line(out, "Exceptions", 0); // an exception that nothing handles stops the node
    line(out, "Key Cache", ABSENT);
    line(out, "Row Cache", ABSENT);
    line(out, "Counter Cache", ABSENT);
    line(out, "Chunk Cache", blocks(statistics));
    line(out, "Percent Repaired", load == 0 ? "100.0%" : "0.0%");
    long[] tokens = self.tokens();
    if (invocation.has("tokens") || tokens.length == 1) {
      for (long token : tokens) {
        line(out, "Token", token);
      }
    } else {
      line(out, "Token", "(invoke with -T/--tokens to see all " + tokens.length + " tokens)");
    }
    line(out, "Bootstrap state", "COMPLETED");
    line(out, "Bootstrap failed", false);
    line(out, "Decommissioning", false);
    line(out, "Decommission failed", false);
    return out.toString();
  }

  /** What Cassandra prints for a cache that is off. */
  private static final String ABSENT =
      "entries 0, size 0 bytes, capacity 0 bytes, 0 hits, 0 requests, NaN recent hit rate, 0 save"
          + " period in seconds";

  private static void line(StringBuilder out, String name, Object value) {
    out.append(String.format(Locale.ROOT, "%-23s: %s%n", name, value));
  }

  /** Memtables and cached blocks. */
  private long offHeapBytes(NodeStatistics statistics) {
    long bytes = 0;
    for (NodeStatistics.Cache cache : statistics.caches()) {
      bytes += cache.sizeBytes();
    }
    for (TableSchema table : node.state().schema().storedTables()) {
      TableStatistics stored = node.facts().statistics(table.storageId());
      bytes += stored == null ? 0 : stored.memtableBytes();
    }
    return bytes;
  }

  private static String blocks(NodeStatistics statistics) {
    for (NodeStatistics.Cache cache : statistics.caches()) {
      if (cache.name().equals("chunks")) {
        return String.format(
            Locale.ROOT,
            "entries %d, size %s, capacity %s, %d misses, %d requests, %.3f recent hit rate, NaN"
                + " microseconds miss latency",
            cache.entryCount(),
            Sizes.spaced(cache.sizeBytes()),
            Sizes.spaced(cache.capacityBytes()),
            cache.requestCount() - cache.hitCount(),
            cache.requestCount(),
            (double) cache.recentHitsPerSecond() / cache.recentRequestsPerSecond());
      }
    }
    return ABSENT;
  }
}
