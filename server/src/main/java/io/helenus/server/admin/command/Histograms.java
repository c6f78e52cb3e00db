package io.helenus.server.admin.command;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.Invocation;
import io.helenus.server.metrics.MetricSummary;
import io.helenus.server.metrics.TableMetric;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.PartitionNotes;
import io.helenus.storage.engine.TableStatistics;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** {@code nodetool proxyhistograms} and {@code tablehistograms}. Any thread. */
final class Histograms {
  private static final double NANOS_PER_MICRO = 1000;
  private static final double[] PERCENTILES = {50, 75, 95, 98, 99};

  private final AdminNode node;

  Histograms(AdminNode node) {
    this.node = node;
  }

  /** Conditional writes are measured as writes; there are no views. */
  String proxy(Invocation invocation) throws CommandException {
    int[] ids =
        node.state().schema().keyspaces().stream()
            .flatMap(keyspace -> keyspace.tables().stream())
            .mapToInt(Targets::storageId)
            .toArray();
    double[] reads = micros(sum(TableMetric.COORDINATOR_READ_LATENCY, ids));
    double[] writes = micros(sum(TableMetric.COORDINATOR_WRITE_LATENCY, ids));
    double[] ranges = micros(sum(TableMetric.COORDINATOR_SCAN_LATENCY, ids));
    double[] none = micros(null);
    StringBuilder out = new StringBuilder("proxy histograms\n");
    String head = "%-10s %18s %18s %18s %18s %18s %18s%n";
    out.append(
        head.formatted(
            "Percentile",
            "Read Latency",
            "Write Latency",
            "Range Latency",
            "CAS Read Latency",
            "CAS Write Latency",
            "View Write Latency"));
    String unit = "(micros)";
    out.append(head.formatted("", unit, unit, unit, unit, unit, unit));
    for (int i = 0; i < none.length; i++) {
      out.append(
          String.format(
              Locale.ROOT,
              "%-10s %18.2f %18.2f %18.2f %18.2f %18.2f %18.2f%n",
              label(i),
              reads[i],
              writes[i],
              ranges[i],
              none[i],
              none[i],
              none[i]));
    }
    return out.append('\n').toString();
  }

  private @Nullable MetricSummary sum(TableMetric metric, int[] ids) throws CommandException {
    return node.statistics(metric, ids).tables().values().stream()
        .reduce(MetricSummary::plus)
        .orElse(null);
  }

  String tables(Invocation invocation) throws CommandException {
    String usage = "tablehistograms requires keyspace and table name arguments";
    invocation.atMost(2, usage);
    List<TableSchema> tables;
    if (invocation.arguments().isEmpty()) {
      tables = Targets.tables(node, invocation);
    } else {
      String first = invocation.required(0, usage);
      int dot = first.indexOf('.');
      String keyspaceName = dot < 0 ? first : first.substring(0, dot);
      String name = dot < 0 ? invocation.required(1, usage) : first.substring(dot + 1);
      KeyspaceSchema keyspace = node.state().schema().keyspace(keyspaceName);
      TableSchema table = keyspace == null ? null : keyspace.table(name);
      if (table == null) {
        throw CommandException.usage("Unknown table " + keyspaceName + "." + name);
      }
      tables = List.of(table);
    }
    StringBuilder out = new StringBuilder();
    for (TableSchema table : tables) {
      append(table, out);
    }
    return out.toString();
  }

  private void append(TableSchema table, StringBuilder out) throws CommandException {
    int[] id = {Targets.storageId(table)};
    double[] reads = micros(sum(TableMetric.LOCAL_READ_LATENCY, id));
    double[] writes = micros(sum(TableMetric.LOCAL_WRITE_LATENCY, id));
    TableStatistics files = node.facts().statistics(id[0]);
    if (files == null || files.files() == 0) {
      out.append(
          "No SSTables exists, unable to calculate 'Partition Size' and 'Cell Count'"
              + " percentiles\n");
    }
    PartitionNotes notes = node.facts().partitionNotes(id[0]);
    long largest = files == null ? 0 : files.largestPartitionBytes();
    double[] sizes = sizes(new PartitionSizes(notes.countsBySize(), largest));
    double[] cells = sizes(PartitionSizes.ofCells(notes.countsByCells()));
    double[] looked = values(sum(TableMetric.FILES_PER_READ, id), 1);
    out.append(table.keyspace()).append('/').append(table.name()).append(" histograms\n");
    String head = "%-10s%18s%18s%18s%18s%18s%n";
    out.append(
        head.formatted(
            "Percentile",
            "Read Latency",
            "Write Latency",
            "SSTables",
            "Partition Size",
            "Cell Count"));
    out.append(head.formatted("", "(micros)", "(micros)", "", "(bytes)", ""));
    for (int i = 0; i < reads.length; i++) {
      out.append(
          String.format(
              Locale.ROOT,
              "%-10s%18.2f%18.2f%18.2f%18.0f%18.0f%n",
              label(i),
              reads[i],
              writes[i],
              looked[i],
              sizes[i],
              cells[i]));
    }
    out.append('\n');
  }

  private static String label(int line) {
    return switch (line - PERCENTILES.length) {
      case 0 -> "Min";
      case 1 -> "Max";
      default -> (int) PERCENTILES[line] + "%";
    };
  }

  /** The percentiles, the smallest and the largest size of a partition; NaN if none is known. */
  private static double[] sizes(PartitionSizes known) {
    double[] sizes = new double[PERCENTILES.length + 2];
    if (known.isEmpty()) {
      Arrays.fill(sizes, Double.NaN);
      return sizes;
    }
    for (int i = 0; i < PERCENTILES.length; i++) {
      sizes[i] = known.percentile(PERCENTILES[i] / 100);
    }
    sizes[PERCENTILES.length] = known.smallest();
    sizes[PERCENTILES.length + 1] = known.largest();
    return sizes;
  }

  /** The percentiles, the smallest and the largest latency in microseconds. */
  private static double[] micros(@Nullable MetricSummary latencies) {
    return values(latencies, NANOS_PER_MICRO);
  }

  private static double[] values(@Nullable MetricSummary measured, double unit) {
    double[] values = new double[PERCENTILES.length + 2];
    if (measured != null && measured.count() > 0) {
      for (int i = 0; i < PERCENTILES.length; i++) {
        values[i] = measured.quantile(PERCENTILES[i] / 100) / unit;
      }
      Histogram histogram = measured.histogram();
      values[PERCENTILES.length] = Math.min(histogram.getMinValue(), measured.max()) / unit;
      values[PERCENTILES.length + 1] = measured.max() / unit;
    }
    return values;
  }
}
