package io.helenus.server.view;

import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a schema that have materialized views. Immutable, but {@link BaseViews} is for one
 * thread at a time, so that each shard has its own.
 */
public final class ViewedTables {
  private final Schema schema;
  private final int[] ids;
  private final BaseViews[] views;

  /** The tables of a schema. */
  public ViewedTables(Schema schema) {
    this.schema = schema;
    TreeMap<Integer, BaseViews> found = new TreeMap<>();
    for (KeyspaceSchema keyspace : schema.keyspaces()) {
      if (keyspace.isLazy()) {
        continue;
      }
      for (TableSchema table : keyspace.tables()) {
        if (table.view() == null) {
          continue;
        }
        TableSchema base = keyspace.table(table.view().baseTable());
        if (base != null && !found.containsKey(base.storageId())) {
          found.put(base.storageId(), new BaseViews(base, keyspace.viewsOf(base)));
        }
      }
    }
    ids = found.keySet().stream().mapToInt(Integer::intValue).toArray();
    views = found.values().toArray(new BaseViews[0]);
  }

  /** Whether these are the tables of a schema. */
  public boolean isOf(Schema other) {
    return schema == other;
  }

  /** Whether any of them is not among others. */
  public boolean hasMoreTablesThan(ViewedTables others) {
    for (int id : ids) {
      if (others.of(id) == null) {
        return true;
      }
    }
    return false;
  }

  /** Whether no table has views. */
  public boolean isEmpty() {
    return ids.length == 0;
  }

  /** The views of a table; null if it has none. */
  public @Nullable BaseViews of(int tableId) {
    int at = Arrays.binarySearch(ids, tableId);
    return at < 0 ? null : views[at];
  }

  /** The storage ids of the views of a table. */
  public List<Integer> viewIds(int tableId) {
    BaseViews base = of(tableId);
    return base == null ? List.of() : base.viewIds();
  }
}
