package io.helenus.server.admin.command;

import io.helenus.server.metrics.HotPartition;
import io.helenus.server.metrics.HotPartitionList;
import io.helenus.server.query.modification.MutationLimit;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** {@code nodetool toppartitions --now}: what the node has counted anyway. One use. */
final class HotPartitionText {
  private final Schema schema;
  private final HotPartitionList hot;
  private final int tableId;
  private final int top;

  /**
   * Prepares the text.
   *
   * @param tableId 0 for all tables
   * @param top how many partitions are shown
   */
  HotPartitionText(Schema schema, HotPartitionList hot, int tableId, int top) {
    this.schema = schema;
    this.hot = hot;
    this.tableId = tableId;
    this.top = top;
  }

  /** Appends the partitions that are read most. */
  void reads(StringBuilder out) {
    print(HotPartition::readsPerSecond, hot::readShare, out);
  }

  /** Appends the partitions that are written most. */
  void writes(StringBuilder out) {
    print(HotPartition::writesPerSecond, hot::writeShare, out);
  }

  private void print(
      ToDoubleFunction<HotPartition> rate,
      ToDoubleFunction<HotPartition> share,
      StringBuilder out) {
    List<HotPartition> shown =
        hot.partitions().stream()
            .filter(each -> rate.applyAsDouble(each) > 0 && isShown(each))
            .sorted(Comparator.comparingDouble(rate).reversed())
            .limit(top)
            .toList();
    if (shown.isEmpty()) {
      out.append("   Nothing recorded in the last seconds...\n");
      return;
    }
    TextTable table = new TextTable(" ");
    table.row("   Table", "Partition", "Count/s", "Share");
    for (HotPartition each : shown) {
      TableSchema of = schema.table(each.tableId());
      if (of != null) {
        table.row(
            "   " + of.keyspace() + "." + of.name(),
            MutationLimit.partitionText(of, each.prefix()),
            String.format(Locale.ROOT, "%.1f", rate.applyAsDouble(each)),
            String.format(Locale.ROOT, "%.2f%%", 100 * share.applyAsDouble(each)));
      }
    }
    table.print(out);
  }

  /** Whether it is in the table asked for, which has not been dropped meanwhile. */
  private boolean isShown(HotPartition each) {
    TableSchema of = schema.table(each.tableId());
    return of != null
        && of.partitioner() != Partitioner.LOCAL
        && (tableId == 0 || tableId == each.tableId());
  }
}
