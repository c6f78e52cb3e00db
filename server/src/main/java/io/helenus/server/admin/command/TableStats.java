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
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code nodetool tablestats}. Lines that have no counterpart here show what Cassandra shows for a
 * table without data; docs/compatibility.md lists them. Any thread.
 */
final class TableStats {
  private static final String RULE = "----------------\n";
  private static final String JSON = "json";
  private static final String YAML = "yaml";
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
    checkFormat(invocation.option("format"));
    String sortKey = invocation.option("sort");
    Comparator<TableNumbers> order = sortKey == null ? null : TableOrder.by(sortKey);
    int top = top(invocation.option("top"), sortKey);
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
    List<List<TableNumbers>> numbers = new ArrayList<>();
    for (List<TableSchema> tables : chosen) {
      numbers.add(tables.stream().map(table -> numbers(table, measured, ofSnapshots)).toList());
    }
    boolean human = invocation.has("human-readable");
    String format = invocation.option("format");
    if (order != null) {
      List<TableNumbers> sorted = numbers.stream().flatMap(List::stream).sorted(order).toList();
      List<TableNumbers> shown = top == 0 || top > count ? sorted : sorted.subList(0, top);
      return format == null
          ? sortedText(shown, count, sortKey, human)
          : sortedDocument(shown, human, format.equals(JSON));
    }
    return format == null
        ? text(numbers, count, human)
        : document(numbers, count, human, format.equals(JSON));
  }

  private static void checkFormat(@Nullable String format) throws CommandException {
    if (format != null && !format.equals(JSON) && !format.equals(YAML)) {
      throw CommandException.usage("arguments for -F are json,yaml only.");
    }
  }

  /** How many tables to show; 0 for all. */
  private static int top(@Nullable String option, @Nullable String sortKey)
      throws CommandException {
    if (option == null) {
      return 0;
    }
    int top;
    try {
      top = Integer.parseInt(option);
    } catch (NumberFormatException e) {
      throw CommandException.usage("top: can not convert \"" + option + "\" to a int");
    }
    if (top < 0) {
      throw CommandException.usage("argument for top must be a positive integer.");
    }
    if (top > 0 && sortKey == null) {
      throw CommandException.usage("cannot filter top K tables without specifying a sort key.");
    }
    return top;
  }

  private static String sortedText(
      List<TableNumbers> shown, int count, @Nullable String sortKey, boolean human) {
    StringBuilder out = new StringBuilder("Total number of tables: " + count);
    if (shown.size() < count) {
      out.append(" (showing top " + shown.size() + " by " + sortKey + ")");
    }
    out.append('\n').append(RULE);
    for (TableNumbers table : shown) {
      new Section(table, TableOrder.name(table), "\t", human, out).append();
    }
    return out.append(RULE).toString();
  }

  private static String sortedDocument(List<TableNumbers> shown, boolean human, boolean json) {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    shown.forEach(each -> document.put(TableOrder.name(each), each.document(human)));
    return json ? Documents.json(document) : Documents.yaml(document);
  }

  private TableNumbers numbers(
      TableSchema table,
      Map<TableMetric, Map<Integer, MetricSummary>> measured,
      Map<String, Long> ofSnapshots) {
    int id = Targets.storageId(table);
    TableStatistics known = node.facts().statistics(id);
    TableStatistics files = known == null ? TableStatistics.NONE : known;
    long[] counts = node.facts().partitionNotes(id).countsBySize();
    return new TableNumbers(
        table,
        files,
        new PartitionSizes(counts, files.largestPartitionBytes()),
        ofSnapshots.getOrDefault(table.keyspace() + "." + table.name(), 0L),
        summary(measured, TableMetric.LOCAL_READ_LATENCY, table),
        summary(measured, TableMetric.LOCAL_WRITE_LATENCY, table),
        summary(measured, TableMetric.ROWS_PER_READ, table),
        summary(measured, TableMetric.TOMBSTONES_PER_READ, table));
  }

  private static String text(List<List<TableNumbers>> chosen, int count, boolean human) {
    StringBuilder out = new StringBuilder("Total number of tables: " + count + "\n" + RULE);
    for (List<TableNumbers> tables : chosen) {
      appendKeyspace(tables, out);
      for (TableNumbers table : tables) {
        new Section(table, table.table().name(), "\t\t", human, out).append();
      }
      out.append(RULE);
    }
    return out.toString();
  }

  /** In the order of Cassandra, which is that of hash maps. */
  private static String document(
      List<List<TableNumbers>> chosen, int count, boolean human, boolean json) {
    Map<String, @Nullable Object> document = new HashMap<>();
    document.put("total_number_of_tables", count);
    for (List<TableNumbers> tables : chosen) {
      Map<String, @Nullable Object> byName = new HashMap<>();
      tables.forEach(each -> byName.put(each.table().name(), each.document(human)));
      Map<String, @Nullable Object> keyspace = new HashMap<>();
      keyspace.put("read_latency", latency(readMillis(tables), json));
      keyspace.put("read_count", tables.stream().mapToLong(TableNumbers::readCount).sum());
      keyspace.put("read_latency_ms", latency(readMillis(tables), json));
      keyspace.put("write_count", tables.stream().mapToLong(TableNumbers::writeCount).sum());
      keyspace.put("write_latency_ms", latency(writeMillis(tables), json));
      keyspace.put("pending_flushes", 0);
      keyspace.put("tables", byName);
      document.put(tables.getFirst().table().keyspace(), keyspace);
    }
    return json ? Documents.json(document) : Documents.yaml(document);
  }

  /** That of a keyspace without requests is null in JSON, though that of a table is not. */
  private static @Nullable Double latency(double millis, boolean json) {
    return json && Double.isNaN(millis) ? null : millis;
  }

  private static double readMillis(List<TableNumbers> tables) {
    return TableNumbers.meanMillis(tables.stream().map(TableNumbers::reads).toList());
  }

  private static double writeMillis(List<TableNumbers> tables) {
    return TableNumbers.meanMillis(tables.stream().map(TableNumbers::writes).toList());
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

  private static void appendKeyspace(List<TableNumbers> tables, StringBuilder out) {
    out.append("Keyspace: ").append(tables.getFirst().table().keyspace()).append('\n');
    long reads = tables.stream().mapToLong(TableNumbers::readCount).sum();
    long writes = tables.stream().mapToLong(TableNumbers::writeCount).sum();
    out.append("\tRead Count: ").append(reads).append('\n');
    out.append("\tRead Latency: ").append(readMillis(tables)).append(" ms\n");
    out.append("\tWrite Count: ").append(writes).append('\n');
    out.append("\tWrite Latency: ").append(writeMillis(tables)).append(" ms\n");
    out.append("\tPending Flushes: 0\n");
  }

  private static @Nullable MetricSummary summary(
      Map<TableMetric, Map<Integer, MetricSummary>> measured,
      TableMetric metric,
      TableSchema table) {
    Map<Integer, MetricSummary> tables = measured.get(metric);
    return tables == null ? null : tables.get(Targets.storageId(table));
  }

  /** The lines of one table. */
  private static final class Section {
    private final TableNumbers numbers;
    private final String name;
    private final String indent;
    private final boolean human;
    private final StringBuilder out;
    private final TableStatistics statistics;

    Section(TableNumbers numbers, String name, String indent, boolean human, StringBuilder out) {
      this.numbers = numbers;
      this.name = name;
      this.indent = indent;
      this.human = human;
      this.out = out;
      this.statistics = numbers.files();
    }

    private void line(String label, Object value) {
      out.append(indent).append(label).append(": ").append(value).append('\n');
    }

    private void size(String label, long bytes) {
      line(label, human ? Sizes.spaced(bytes) : bytes);
    }

    void append() {
      line("Table", name);
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
      line("Compacted partition minimum bytes", numbers.sizes().smallest());
      line("Compacted partition maximum bytes", statistics.largestPartitionBytes());
      line("Compacted partition mean bytes", numbers.sizes().mean());
      appendSlices("live cells", numbers.rows());
      appendSlices("tombstones", numbers.tombstones());
      line("Droppable tombstone ratio", "0.00000");
      out.append('\n');
    }

    private void appendFiles() {
      line("SSTable count", statistics.files());
      line("Old SSTable count", 0);
      line("Max SSTable size", Sizes.dense(statistics.largestFileBytes()));
      size("Space used (live)", statistics.fileBytes());
      size("Space used (total)", statistics.fileBytes());
      size("Space used by snapshots (total)", numbers.snapshotBytes());
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
      line("Local read count", numbers.readCount());
      line("Local read latency", TableNumbers.latency(numbers.reads()) + " ms");
      line("Local write count", numbers.writeCount());
      line("Local write latency", TableNumbers.latency(numbers.writes()) + " ms");
      line("Local read/write ratio", numbers.readWriteRatio());
    }

    private void appendRepairs() {
      line("Pending flushes", 0);
      line("Percent repaired", numbers.percentRepaired());
      line("Bytes repaired", "0B");
      line("Bytes unrepaired", Sizes.dense(statistics.fileBytes()));
      line("Bytes pending repair", "0B");
    }

    private void appendSlices(String what, @Nullable MetricSummary slices) {
      line("Average " + what + " per slice (last five minutes)", TableNumbers.mean(slices));
      line("Maximum " + what + " per slice (last five minutes)", TableNumbers.max(slices));
    }
  }
}
