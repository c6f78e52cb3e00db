package io.helenus.server.system;

import io.helenus.server.coordinator.BatchLog;
import io.helenus.server.coordinator.ReplicaAccess.ReadReply;
import io.helenus.server.metrics.Measured;
import io.helenus.server.metrics.MeasuredKind;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.RowSink.Next;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tables of {@code system_views} that have a row of measurements for each table. The shards are
 * asked for a limited number of tables at a time, so that a page costs what it shows and not what
 * the node has. One read, on the asking shard's thread.
 */
final class MeasuredTables {
  /** As many rows as the smallest pages that clients usually ask for. */
  private static final int TABLES_AT_ONCE = 100;

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MEDIAN = 0.5;
  private static final double P99 = 0.99;

  private final MeasuredKind kind;
  private final NodeFacts facts;
  private final Shard from;
  private final VirtualRows rows;
  private final SchemaWalk walk;
  private final Consumer<? super VirtualRows> whenRead;
  private final ReadReply reply;

  /**
   * A read that has not started.
   *
   * @param walk the tables to show
   * @param whenRead called when the rows have been passed on
   * @param reply told if the read fails later than {@link #start}
   */
  MeasuredTables(
      MeasuredKind kind,
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

  /** What a table of system_views shows of each table; null if it shows something else. */
  static @Nullable MeasuredKind measuredKind(String table) {
    return switch (table) {
      case "coordinator_read_latency" -> MeasuredKind.COORDINATOR_READ_LATENCY;
      case "coordinator_scan_latency" -> MeasuredKind.COORDINATOR_SCAN_LATENCY;
      case "coordinator_write_latency" -> MeasuredKind.COORDINATOR_WRITE_LATENCY;
      case "local_read_latency" -> MeasuredKind.LOCAL_READ_LATENCY;
      case "local_scan_latency" -> MeasuredKind.LOCAL_SCAN_LATENCY;
      case "local_write_latency" -> MeasuredKind.LOCAL_WRITE_LATENCY;
      case "rows_per_read" -> MeasuredKind.ROWS_PER_READ;
      case "tombstones_per_read" -> MeasuredKind.TOMBSTONES_PER_READ;
      default -> null;
    };
  }

  /** The id that measurements of a table are kept under: the batch log is stored under its own. */
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
    int[] ids = tables.stream().mapToInt(MeasuredTables::measuredId).toArray();
    facts.gather(from, kind, ids, gathered -> measured(tables, gathered));
  }

  private void measured(List<TableSchema> tables, GatheredFacts gathered) {
    List<TableSchema> next;
    try {
      Map<Integer, Measured> measured = gathered.tables();
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

  private void row(TableSchema table, @Nullable Measured measured) {
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
