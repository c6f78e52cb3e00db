package io.helenus.server.system;

import io.helenus.server.coordinator.BatchLog;
import io.helenus.server.coordinator.ReplicaAccess.ReadReply;
import io.helenus.server.metrics.MetricSummary;
import io.helenus.server.metrics.TableMetric;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.RowSink.Next;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tables of {@code system_views} that contain a row of metrics for each table. The metrics of a
 * limited number of tables are requested from the shards at a time, so that the cost of a page
 * depends on its size and not on the number of tables. One read, on the requesting shard's thread.
 */
final class TableMetricTables {
  /** The smallest page size that clients commonly use. */
  private static final int TABLES_AT_ONCE = 100;

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MEDIAN = 0.5;
  private static final double P99 = 0.99;

  private final TableMetric kind;
  private final NodeFacts facts;
  private final Shard from;
  private final VirtualRows rows;
  private final SchemaWalk walk;
  private final Consumer<? super VirtualRows> whenRead;
  private final ReadReply reply;

  /**
   * Creates a read without starting it.
   *
   * @param walk the tables to show
   * @param whenRead called when the rows have been passed on
   * @param reply notified if the read fails after {@link #start} has returned
   */
  TableMetricTables(
      TableMetric kind,
      NodeFacts facts,
      Shard from,
      VirtualRows rows,
      SchemaWalk walk,
      Consumer<? super VirtualRows> whenRead,
      ReadReply reply) {
    this.kind = kind;
    this.facts = facts;
    this.from = from;
    this.rows = rows;
    this.walk = walk;
    this.whenRead = whenRead;
    this.reply = reply;
  }

  /**
   * The metric that a table of system_views shows for each table; null if it shows anything else.
   */
  static @Nullable TableMetric measuredKind(String table) {
    return switch (table) {
      case "coordinator_read_latency" -> TableMetric.COORDINATOR_READ_LATENCY;
      case "coordinator_scan_latency" -> TableMetric.COORDINATOR_SCAN_LATENCY;
      case "coordinator_write_latency" -> TableMetric.COORDINATOR_WRITE_LATENCY;
      case "local_read_latency" -> TableMetric.LOCAL_READ_LATENCY;
      case "local_scan_latency" -> TableMetric.LOCAL_SCAN_LATENCY;
      case "local_write_latency" -> TableMetric.LOCAL_WRITE_LATENCY;
      case "rows_per_read" -> TableMetric.ROWS_PER_READ;
      case "tombstones_per_read" -> TableMetric.TOMBSTONES_PER_READ;
      default -> null;
    };
  }

  /**
   * The storage id under which a table's metrics are recorded; for system.batches, that of the
   * batch log.
   */
  static int measuredId(TableSchema table) {
    boolean batchLog = table.keyspace().equals("system") && table.name().equals("batches");
    return batchLog ? BatchLog.TABLE_ID : table.storageId();
  }

  void start() {
    if (rows.readsCells()) {
      measure(nextTables());
      return;
    }
    walk.forEachTable(rows, table -> row(table, null));
    whenRead.accept(rows);
  }

  private List<TableSchema> nextTables() {
    List<TableSchema> tables = new ArrayList<>();
    TableSchema next = walk.nextTable();
    while (next != null) {
      tables.add(next);
      next = tables.size() < TABLES_AT_ONCE ? walk.nextTable() : null;
    }
    return tables;
  }

  private void measure(List<TableSchema> tables) {
    if (tables.isEmpty()) {
      whenRead.accept(rows);
      return;
    }
    int[] ids = tables.stream().mapToInt(TableMetricTables::measuredId).toArray();
    facts.gather(from, kind, ids, gathered -> measured(tables, gathered));
  }

  private void measured(List<TableSchema> tables, NodeStatistics gathered) {
    List<TableSchema> next;
    try {
      Map<Integer, MetricSummary> measured = gathered.tables();
      for (TableSchema table : tables) {
        row(table, measured.get(measuredId(table)));
      }
      next = rows.flush() == Next.STOP ? List.of() : nextTables();
    } catch (Throwable e) {
      reply.notRead(from.fatal().contain(e));
      return;
    }
    measure(next);
  }

  private void row(TableSchema table, @Nullable MetricSummary measured) {
    String unit = kind.isLatency() ? "_ms" : "";
    double divisor = kind.isLatency() ? NANOS_PER_MILLI : 1;
    rows.row()
        .text("keyspace_name", table.keyspace())
        .text("table_name", table.name())
        .bigint("count", measured == null ? 0 : measured.count())
        .real("max" + unit, measured == null ? 0 : measured.max() / divisor)
        .real("p50th" + unit, ViewTables.quantile(measured, MEDIAN) / divisor)
        .real("p99th" + unit, ViewTables.quantile(measured, P99) / divisor);
    if (kind.isLatency()) {
      rows.real("per_second", measured == null ? 0 : rounded(measured.perSecond()));
    }
    rows.end();
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
