package io.helenus.server.admin.command;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.DroppedMessages;
import io.helenus.server.admin.GarbageCollections;
import io.helenus.server.admin.Invocation;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.system.NodeStatistics;
import io.helenus.server.system.NodeStatistics.ThreadPool;
import io.helenus.server.system.TaskIds;
import io.helenus.storage.engine.StorageActivity;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Commands that show what the node does and has done. Any thread. */
final class ActivityCommands {
  private static final long WINDOW_MICROS = 15 * 60 * 1_000_000L;
  private static final int WINDOW_MINUTES = 15;
  private static final double MICROS_PER_HOUR = 3600e6;

  private final AdminNode node;

  ActivityCommands(AdminNode node) {
    this.node = node;
  }

  /** Cassandra's pools, those without a counterpart with zeros, then those of Helenus alone. */
  String tpStats(Invocation invocation) throws CommandException {
    NodeStatistics statistics = node.statistics(null, new int[0]);
    Map<String, ThreadPool> pools = new LinkedHashMap<>();
    for (String name : names("thread-pools.txt")) {
      pools.put(name, new ThreadPool(name, 0, 0, 0, 0, 0, 0));
    }
    statistics.threadPools().forEach(pool -> pools.put(pool.name(), pool));
    TextTable table = new TextTable(" ");
    table.row("Pool Name", "Active", "Pending", "Completed", "Blocked", "All time blocked");
    for (ThreadPool pool : pools.values()) {
      table.row(
          pool.name(),
          Integer.toString(pool.activeTasks()),
          Integer.toString(pool.pendingTasks()),
          Long.toString(pool.completedTasks()),
          Long.toString(pool.blockedTasks()),
          Long.toString(pool.blockedTasksAllTime()));
    }
    StringBuilder out = new StringBuilder();
    table.print(out);
    out.append("\nLatencies waiting in queue (micros) per dropped message types\n");
    String line = "%-33s %-7s     %-6s   %-6s   %-6s   %-6s%n";
    out.append(line.formatted("Message type", "Dropped", "50%", "95%", "99%", "Max"));
    Map<String, Long> dropped =
        new HashMap<>(DroppedMessages.of(node.measurements(new int[0]).counts().requests()));
    node.facts()
        .cluster()
        .traffic()
        .droppedByType()
        .forEach((type, count) -> dropped.merge(type, count, Long::sum));
    for (String name : names("message-types.txt")) {
      out.append(line.formatted(name, dropped.getOrDefault(name, 0L), "0.0", "0.0", "0.0", "0.0"));
    }
    return out.toString();
  }

  private static List<String> names(String resource) {
    try (InputStream in = ActivityCommands.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException(resource + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The column that says MB shows bytes in Cassandra, and so it does here. */
  String gcStats(Invocation invocation) {
    GarbageCollections all = node.garbageCollections();
    return """
           Interval (ms) Max GC Elapsed (ms)Total GC Elapsed (ms)Stdev GC Elapsed (ms)   GC Reclaimed (MB)         Collections      Direct Memory Bytes
    """
        + String.format(
            Locale.ROOT,
            "%20d%20.0f%20d%20.0f%20.0f%20d%25d%n",
            all.intervalMillis(),
            all.maxMillis(),
            all.totalMillis(),
            all.deviationMillis(),
            all.reclaimedBytes(),
            all.collections(),
            all.directBytes());
  }

  String compactionStats(Invocation invocation) {
    StorageActivity activity = node.facts().storageActivity();
    boolean human = invocation.has("human-readable");
    List<StorageActivity.Task> running =
        activity.tasks().stream()
            .filter(task -> task.kind() == StorageActivity.Kind.COMPACTION)
            .toList();
    long now = node.nowMicros();
    long recent =
        activity.finished().stream()
            .filter(each -> each.endedMicros() > now - WINDOW_MICROS)
            .count();
    double hours = (now - node.facts().startedSeconds() * 1_000_000L) / MICROS_PER_HOUR;
    long completed = activity.compactions().completed();
    String bytes = size(activity.compactedBytes(), human);
    StringBuilder out = new StringBuilder();
    new TextTable(" ")
        .row("concurrent compactors", Integer.toString(node.compactors()))
        .row(
            "pending tasks",
            Integer.toString(activity.compactions().pending() + activity.compactions().active()))
        .row("compactions completed", Long.toString(completed))
        .row("data compacted", bytes)
        .row("compressed data compacted", bytes)
        .row("compactions aborted", "0")
        .row("compactions reduced", "0")
        .row("sstables dropped from compaction", "0")
        .row("15 minute rate", rate("minute", (double) recent / WINDOW_MINUTES))
        .row("mean rate", rate("hour", completed / hours))
        .row("compaction throughput (MiB/s)", "throttling disabled (0)")
        .print(out);
    if (!running.isEmpty()) {
      appendRunning(running, human, out);
    }
    return out.toString();
  }

  private void appendRunning(List<StorageActivity.Task> running, boolean human, StringBuilder out) {
    TextTable table = new TextTable(" ");
    table.row(
        "id", "compaction type", "keyspace", "table", "completed", "total", "unit", "progress");
    for (StorageActivity.Task task : running) {
      TableSchema of = node.state().schema().table(task.tableId());
      table.row(
          TaskIds.of(task.startedMicros(), task.number()).toString(),
          "Compaction",
          of == null ? "system" : of.keyspace(),
          of == null ? "batches" : of.name(),
          size(task.progressBytes(), human),
          size(task.totalBytes(), human),
          "bytes",
          task.totalBytes() == 0
              ? "n/a"
              : Sizes.decimal("0.00", 100.0 * task.progressBytes() / task.totalBytes()) + "%");
    }
    table.print(out);
    out.append("Active compaction remaining time :        n/a\n");
  }

  private static String size(long bytes, boolean human) {
    return human ? Sizes.spaced(bytes) : Long.toString(bytes);
  }

  private static String rate(String unit, double rate) {
    return String.format(Locale.ROOT, "%.2f/%s", rate, unit);
  }
}
