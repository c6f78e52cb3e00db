package io.helenus.server.view;

import io.helenus.cql.ast.CqlNames;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.PartitionKeys;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares rows of a materialized view, as they are stored, with those of its base table, and finds
 * the changes that make them equal: all have the timestamps of what they write or delete, so that
 * they never hide a later write with a greater one (docs/views.md). Pure, with buffers of its own:
 * one thread at a time.
 */
public final class ViewComparison {
  private final TableSchema view;
  private final BaseKey key;
  private final ViewPlan plan;
  private final BaseRowKey baseRow;

  /** Compiles a view for comparisons. */
  public ViewComparison(TableSchema base, TableSchema view) {
    this.view = view;
    key = new BaseKey(base);
    plan = new ViewPlan(base, view, key);
    baseRow = new BaseRowKey(base, view, plan);
  }

  /**
   * The column because of which a view cannot be compared row by row: one of the base table's
   * partition key, whose values may differ and yet be equal as clustering values of the view, so
   * that two rows of the base table share one of the view. Null if there is none.
   */
  public static @Nullable ColumnSchema obstacle(TableSchema base, TableSchema view) {
    for (ColumnSchema column : view.clusteringColumns()) {
      boolean inPartitionKey =
          base.partitionKey().stream().anyMatch(each -> each.id() == column.id());
      if (inPartitionKey && BaseKey.encoding(column).keepsWireValue()) {
        return column;
      }
    }
    return null;
  }

  /** Sets the partition of the base rows that follow, by its key prefix. */
  public void partition(MemorySegment prefix, long offset) {
    key.partition(prefix, offset);
  }

  /**
   * Computes the key of the view's row that shows a row of the base table; false if none does.
   *
   * @param clustering the clustering part of its key, without the section
   */
  public boolean shows(MemorySegment clustering, long offset, RowView base, long nowSeconds) {
    key.row(clustering, offset);
    return plan.shows(key, base, nowSeconds);
  }

  /** The token of the computed key. */
  public long token() {
    return plan.token();
  }

  /** The prefix of the computed key. */
  public ByteWriter prefix() {
    return plan.prefix();
  }

  /** The suffix of the computed key. */
  public ByteWriter suffix() {
    return plan.suffix();
  }

  /**
   * Compares what the view has under the computed key with what it should show, and adds the
   * changes that make them equal, as far as such changes exist.
   *
   * @param base the row of the base table for which the key was computed
   * @param stored the view's row; null if it has none that is live
   * @return whether they differ
   */
  public boolean differs(
      RowView base, @Nullable RowView stored, long nowSeconds, ViewChanges changes) {
    return plan.repair(key, base, stored, nowSeconds, changes);
  }

  /** Adds what deletes a live row of the view that no row of the base table explains. */
  public void remove(
      long token,
      ByteWriter prefix,
      ByteWriter suffix,
      RowView stored,
      long nowSeconds,
      ViewChanges changes) {
    plan.remove(token, prefix, suffix, key, stored, nowSeconds, changes);
  }

  /** Takes a row of the view by its key, to find the row of the base table that it shows. */
  public void viewRow(
      MemorySegment prefix, long prefixOffset, MemorySegment clustering, long clusteringOffset) {
    baseRow.of(prefix, prefixOffset, clustering, clusteringOffset);
  }

  /** The token of the base row's partition. */
  public long baseToken() {
    return baseRow.token();
  }

  /** The key prefix of the base row's partition. */
  public byte[] basePrefix() {
    return baseRow.prefix().toArray();
  }

  /** The clustering part of the base row's key, without the section. */
  public byte[] baseClustering() {
    return baseRow.clustering().toArray();
  }

  /** The key of a row of the view in CQL, as conditions of a WHERE clause. */
  public String text(ByteWriter prefix, ByteWriter suffix) {
    ByteWriter value = new ByteWriter(64);
    List<String> conditions = new ArrayList<>();
    long ignored = KeyFormat.readPartitionKey(prefix.segment(), 0, value);
    long component = 0;
    for (ColumnSchema column : view.partitionKey()) {
      boolean single = view.partitionKey().size() == 1;
      long offset = single ? 0 : component + 2;
      int length =
          single ? value.size() : PartitionKeys.componentLength(value.segment(), component);
      conditions.add(condition(column, Bytes.toArray(value.segment(), offset, length)));
      component = single ? 0 : PartitionKeys.nextComponent(value.segment(), component);
    }
    long at = 1;
    for (ColumnSchema column : view.clusteringColumns()) {
      KeyEncoding encoding = BaseKey.encoding(column);
      value.clear();
      at = encoding.read(suffix.segment(), at, column.descending(), value);
      conditions.add(condition(column, value.toArray()));
    }
    return String.join(" AND ", conditions);
  }

  private static String condition(ColumnSchema column, byte[] value) {
    return CqlNames.quoted(column.name()) + " = " + column.type().toLiteral(value);
  }
}
