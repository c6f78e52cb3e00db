package io.helenus.server.view;

import io.helenus.server.schema.TableSchema;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The materialized views of a table. A pure function of the arguments of its calls, with buffers of
 * its own: one thread at a time.
 */
public final class BaseViews {
  private final TableSchema base;
  private final BaseKey key;
  private final List<ViewPlan> plans = new ArrayList<>();

  /** Compiles the views of a base table. */
  public BaseViews(TableSchema base, List<TableSchema> views) {
    this.base = base;
    key = new BaseKey(base);
    for (TableSchema view : views) {
      plans.add(new ViewPlan(base, view, key));
    }
  }

  /** The base table. */
  public TableSchema base() {
    return base;
  }

  /** The storage ids of the views. */
  public List<Integer> viewIds() {
    return plans.stream().map(ViewPlan::tableId).toList();
  }

  /** Sets the partition of the rows that follow, by its key prefix. */
  public void partition(MemorySegment prefix, long offset) {
    key.partition(prefix, offset);
  }

  /**
   * Adds what changes in the views because of a row of the base table.
   *
   * @param clustering the clustering part of its key, without the section
   * @param before what is stored of the row before the write, dead cells included; null if nothing
   * @param after the same after the write
   * @throws io.helenus.server.error.CqlException INVALID if a value is too long for a key
   */
  public void add(
      MemorySegment clustering,
      long offset,
      @Nullable RowView before,
      @Nullable RowView after,
      long nowSeconds,
      ViewChanges out) {
    key.row(clustering, offset);
    for (ViewPlan plan : plans) {
      plan.add(key, before, after, nowSeconds, out);
    }
  }

  /**
   * Adds what one view shows of a row of the base table, as if the view had nothing of it.
   *
   * @return false if the table has no view with this storage id
   */
  public boolean addShown(
      int viewId,
      MemorySegment clustering,
      long offset,
      RowView row,
      long nowSeconds,
      ViewChanges out) {
    for (ViewPlan plan : plans) {
      if (plan.tableId() == viewId) {
        key.row(clustering, offset);
        if (plan.shows(key, row, nowSeconds)) {
          boolean ignored = plan.repair(key, row, null, nowSeconds, out);
        }
        return true;
      }
    }
    return false;
  }
}
