package io.helenus.server.admin.command;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.Invocation;
import io.helenus.server.admin.Snapshots;
import io.helenus.server.metrics.MetricSummary;
import io.helenus.server.metrics.TableMetric;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.TableStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code nodetool tablestats}. Lines that have no counterpart here show what Cassandra shows for a
 * table without data; docs/compatibility.md lists them. Any thread.
 */
final class TableStats {
  private static final String RULE = "----------------\n";
  private static final double NANOS_PER_MILLI = 1e6;
  private static final List<TableMetric> METRICS =
      List.of(
          TableMetric.LOCAL_READ_LATENCY,
          TableMetric.LOCAL_WRITE_LATENCY,
          TableMetric.ROWS_PER_READ,
          TableMetric.TOMBSTONES_PER_READ);

  private final AdminNode node;

  TableStats(AdminNode node) {
    this.node = node;
  }

  String run(Invocation invocation) throws CommandException, IOException {
    if (invocation.has("ignore") && invocation.arguments().isEmpty()) {
      throw CommandException.usage("-i requires a list of tables");
    }
    Set<TableSchema> named = named(invocation.arguments());
    boolean excluded = invocation.has("ignore");
    boolean all = invocation.arguments().isEmpty();
    List<List<TableSchema>> chosen = new ArrayList<>();
    int count = 0;
    for (KeyspaceSchema keyspace : Targets.keyspaces(node)) {
      List<TableSchema> tables =
          keyspace.tables().stream()
              .filter(table -> all || named.contains(table) != excluded)
              .toList();
      count += tables.size();
      if (!tables.isEmpty()) {
        chosen.add(tables);
      }
    }
    Map<TableMetric, Map<Integer, MetricSummary>> measured = measure(chosen);
    Map<String, Long> ofSnapshots = new HashMap<>();
    for (Snapshots.Snapshot each : node.snapshots().list()) {
      ofSnapshots.merge(each.keyspace() + "." + each.table(), each.trueBytes(), Long::sum);
    }
    StringBuilder out = new StringBuilder("Total number of tables: " + count + "\n" + RULE);
    for (List<TableSchema> tables : chosen) {
      appendKeyspace(tables, measured, out);
      for (TableSchema table : tables) {
        long inSnapshots = ofSnapshots.getOrDefault(table.keyspace() + "." + table.name(), 0L);
        new Section(table, measured, inSnapshots, invocation.has("human-readable"), out).append();
      }
      out.append(RULE);
    }
    return out.toString();
  }

  private Set<TableSchema> named(List<String> arguments) throws CommandException {
    Set<TableSchema> tables = new HashSet<>();
    for (String argument : arguments) {
      int dot = argument.indexOf('.');
      String name = dot < 0 ? argument : argument.substring(0, dot);
      KeyspaceSchema keyspace = node.state().schema().keyspace(name);
      if (keyspace == null || keyspace.isVirtual()) {
        throw CommandException.usage("Unknown keyspace: " + name);
      }
      if (dot < 0) {
        tables.addAll(keyspace.tables());
        continue;
      }
      TableSchema table = keyspace.table(argument.substring(dot + 1));
      if (table == null) {
        throw CommandException.usage(
            "Unknown tables: [" + argument.substring(dot + 1) + "] in keyspace: " + name);
      }
      tables.add(table);
    }
    return tables;
  }

  private Map<TableMetric, Map<Integer, MetricSummary>> measure(
      Collection<List<TableSchema>> chosen) throws CommandException {
    int[] ids = chosen.stream().flatMap(List::stream).mapToInt(Targets::storageId).toArray();
    Map<TableMetric, Map<Integer, MetricSummary>> measured = new EnumMap<>(TableMetric.class);
    for (TableMetric metric : METRICS) {
      measured.put(metric, node.statistics(metric, ids).tables());
    }
    return measured;
  }

  private static void appendKeyspace(
      List<TableSchema> tables,
      Map<TableMetric, Map<Integer, MetricSummary>> measured,
      StringBuilder out) {
    out.append("Keyspace: ").append(tables.getFirst().keyspace()).append('\n');
    appendLatency("Read", TableMetric.LOCAL_READ_LATENCY, tables, measured, out);
    appendLatency("Write", TableMetric.LOCAL_WRITE_LATENCY, tables, measured, out);
    out.append("\tPending Flushes: 0\n");
  }

  private static void appendLatency(
      String what,
      TableMetric metric,
      List<TableSchema> tables,
      Map<TableMetric, Map<Integer, MetricSummary>> measured,
      StringBuilder out) {
    long count = 0;
    double nanos = 0;
    for (TableSchema table : tables) {
      MetricSummary summary = summary(measured, metric, table);
      if (summary != null) {
        count += summary.count();
        nanos += summary.count() * summary.histogram().getMean();
      }
    }
    out.append('\t').append(what).append(" Count: ").append(count).append('\n');
    out.append('\t').append(what).append(" Latency: ").append(nanos / count / NANOS_PER_MILLI);
    out.append(" ms\n");
  }

  private static @Nullable MetricSummary summary(
      Map<TableMetric, Map<Integer, MetricSummary>> measured,
      TableMetric metric,
      TableSchema table) {
    Map<Integer, MetricSummary> tables = measured.get(metric);
    return tables == null ? null : tables.get(Targets.storageId(table));
  }

  /** The lines of one table. */
  private final class Section {
    private final TableSchema table;
    private final Map<TableMetric, Map<Integer, MetricSummary>> measured;
    private final long snapshotBytes;
    private final boolean human;
    private final StringBuilder out;
    private final TableStatistics statistics;

    Section(
        TableSchema table,
        Map<TableMetric, Map<Integer, MetricSummary>> measured,
        long snapshotBytes,
        boolean human,
        StringBuilder out) {
      this.table = table;
      this.measured = measured;
      this.snapshotBytes = snapshotBytes;
      this.human = human;
      this.out = out;
      TableStatistics known = node.facts().statistics(Targets.storageId(table));
      this.statistics = known == null ? TableStatistics.NONE : known;
    }

    private void line(String name, Object value) {
      out.append("\t\t").append(name).append(": ").append(value).append('\n');
    }

    private void size(String name, long bytes) {
      line(name, human ? Sizes.spaced(bytes) : bytes);
    }

    private @Nullable MetricSummary of(TableMetric metric) {
      return summary(measured, metric, table);
    }

    void append() {
      line("Table", table.name());
      appendFiles();
      appendMemtables();
      appendLocal();
      appendRepairs();
      line("Bloom filter false positives", 0);
      line("Bloom filter false ratio", "0.00000");
      size("Bloom filter space used", 0);
      size("Bloom filter off heap memory used", 0);
      size("Index summary off heap memory used", 0);
      size("Compression metadata off heap memory used", 0);
      line("Compacted partition minimum bytes", 0);
      line("Compacted partition maximum bytes", statistics.largestPartitionBytes());
      line("Compacted partition mean bytes", 0);
      appendSlices("live cells", TableMetric.ROWS_PER_READ);
      appendSlices("tombstones", TableMetric.TOMBSTONES_PER_READ);
      line("Droppable tombstone ratio", "0.00000");
      out.append('\n');
    }

    private void appendFiles() {
      line("SSTable count", statistics.files());
      line("Old SSTable count", 0);
      line("Max SSTable size", Sizes.dense(statistics.largestFileBytes()));
      size("Space used (live)", statistics.fileBytes());
      size("Space used (total)", statistics.fileBytes());
      size("Space used by snapshots (total)", snapshotBytes);
      size("Off heap memory used (total)", statistics.memtableBytes());
      line("SSTable Compression Ratio", "-1.00000");
      line("Number of partitions (estimate)", statistics.estimatedPartitions());
    }

    private void appendMemtables() {
      line("Memtable cell count", 0);
      size("Memtable data size", statistics.memtableBytes());
      size("Memtable off heap memory used", statistics.memtableBytes());
      line("Memtable switch count", 0);
    }

    private void appendLocal() {
      line("Speculative retries", 0);
      MetricSummary reads = of(TableMetric.LOCAL_READ_LATENCY);
      MetricSummary writes = of(TableMetric.LOCAL_WRITE_LATENCY);
      long readCount = reads == null ? 0 : reads.count();
      long writeCount = writes == null ? 0 : writes.count();
      line("Local read count", readCount);
      line("Local read latency", latency(reads));
      line("Local write count", writeCount);
      line("Local write latency", latency(writes));
      double ratio = writeCount == 0 ? 0 : (double) readCount / writeCount;
      line("Local read/write ratio", String.format(Locale.ROOT, "%.5f", ratio));
    }

    private static String latency(@Nullable MetricSummary latencies) {
      return latencies == null || latencies.count() == 0
          ? "NaN ms"
          : String.format(
              Locale.ROOT, "%.3f ms", latencies.histogram().getMean() / NANOS_PER_MILLI);
    }

    private void appendRepairs() {
      line("Pending flushes", 0);
      line("Percent repaired", statistics.files() == 0 ? "100.0" : "0.0");
      line("Bytes repaired", "0B");
      line("Bytes unrepaired", Sizes.dense(statistics.fileBytes()));
      line("Bytes pending repair", "0B");
    }

    private void appendSlices(String what, TableMetric metric) {
      MetricSummary slices = of(metric);
      boolean none = slices == null || slices.count() == 0;
      line(
          "Average " + what + " per slice (last five minutes)",
          none || slices == null ? "NaN" : slices.histogram().getMean());
      line(
          "Maximum " + what + " per slice (last five minutes)",
          none || slices == null ? 0 : slices.max());
    }
  }
}
