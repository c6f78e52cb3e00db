package io.helenus.server.system;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.RowSink.Next;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Visits exactly the keyspaces and tables that a read of a virtual table selects, in the order of
 * its keys: a single keyspace or table is looked up by name, the start of a range is found by
 * binary search. The virtual table's partition key is the keyspace's name or the names of keyspace
 * and table; in the first case the table's name is the first clustering column, if there is one.
 * One read, one thread.
 */
final class SchemaWalk {
  private final VirtualKeys keys;
  private final boolean tableInPartitionKey;
  private final KeyspaceOrder.Entry[] keyspaces;
  private final Predicate<KeyspaceSchema> shown;
  private int nextKeyspace;
  private byte[] keyspacePrefix = {};
  private List<TableSchema> tables = List.of();
  private List<KeyRange> ranges = List.of();
  private int rangesVisited;
  private int from;
  private int to;

  /**
   * A walk over a schema.
   *
   * @param rows the rows of the virtual table
   * @param orders sorts the keyspaces for a scan
   * @param shown the keyspaces that the virtual table describes
   */
  SchemaWalk(
      Schema schema,
      VirtualRows rows,
      KeyspaceOrder.Cache orders,
      Predicate<KeyspaceSchema> shown) {
    this.keys = rows.keys();
    this.shown = shown;
    List<ColumnSchema> partitionKey = rows.table().partitionKey();
    this.tableInPartitionKey = partitionKey.size() > 1;
    if (keys.isSinglePartition()) {
      this.keyspaces = single(schema.keyspace(keys.firstTextOfPartition()));
    } else {
      this.keyspaces = orders.order(schema, rows.table().partitioner()).entries();
      KeyRange range = keys.partitions();
      this.nextKeyspace =
          first(
              keyspaces.length,
              i ->
                  tableInPartitionKey
                      ? range.isReachedByPrefix(keyspaces[i].prefix())
                      : range.isReachedByKey(keyspaces[i].prefix()));
    }
  }

  private KeyspaceOrder.Entry[] single(@Nullable KeyspaceSchema keyspace) {
    if (keyspace == null) {
      return new KeyspaceOrder.Entry[0];
    }
    byte[] prefix = tableInPartitionKey ? keys.byValue(keyspace.name()) : keys.partitions().lower();
    return new KeyspaceOrder.Entry[] {new KeyspaceOrder.Entry(prefix, keyspace)};
  }

  /** Visits each table and flushes its rows, until the sink ends the read. */
  void forEachTable(VirtualRows rows, Consumer<TableSchema> visitor) {
    for (TableSchema table = nextTable(); table != null; table = nextTable()) {
      visitor.accept(table);
      Next next = rows.flush();
      if (next == Next.STOP) {
        return;
      }
      if (next == Next.SKIP_PARTITION) {
        skipPartition();
      }
    }
  }

  /** Visits each keyspace and flushes its rows, until the sink ends the read. */
  void forEachKeyspace(VirtualRows rows, Consumer<KeyspaceSchema> visitor) {
    KeyspaceSchema keyspace = nextKeyspace();
    while (keyspace != null) {
      visitor.accept(keyspace);
      keyspace = rows.flush() == Next.STOP ? null : nextKeyspace();
    }
  }

  /** The next keyspace; null after the last. */
  private @Nullable KeyspaceSchema nextKeyspace() {
    while (nextKeyspace < keyspaces.length) {
      KeyspaceOrder.Entry entry = keyspaces[nextKeyspace++];
      if (!keys.isSinglePartition() && keys.partitions().isPassedBy(entry.prefix())) {
        return null;
      }
      if (shown.test(entry.keyspace())) {
        keyspacePrefix = entry.prefix();
        return entry.keyspace();
      }
    }
    return null;
  }

  /** The next table; null after the last. */
  @Nullable TableSchema nextTable() {
    while (from == to) {
      if (rangesVisited < ranges.size()) {
        enterRange();
      } else {
        KeyspaceSchema keyspace = nextKeyspace();
        if (keyspace == null) {
          return null;
        }
        tables = keyspace.tables();
        ranges = tableInPartitionKey ? List.of(keys.partitions()) : keys.rows();
        rangesVisited = 0;
        from = isBackwards() ? tables.size() : 0;
        to = from;
      }
    }
    return tables.get(isBackwards() ? --to : from++);
  }

  /** Skips the rest of the current partition. */
  void skipPartition() {
    if (!tableInPartitionKey) {
      rangesVisited = ranges.size();
      from = to;
    }
  }

  private boolean isBackwards() {
    return keys.isReversed() && !tableInPartitionKey;
  }

  /**
   * Sets {@code from} and {@code to} to the tables of the next range. A table with rows in two
   * ranges is visited once.
   */
  private void enterRange() {
    int visited = from;
    int index = isBackwards() ? ranges.size() - 1 - rangesVisited : rangesVisited;
    KeyRange range = ranges.get(index);
    rangesVisited++;
    int reached =
        first(
            tables.size(),
            i ->
                tableInPartitionKey
                    ? range.isReachedByKey(prefix(i))
                    : range.isReachedByPrefix(prefix(i)));
    int passed = first(tables.size(), i -> range.isPassedBy(prefix(i)));
    if (isBackwards()) {
      to = Math.min(passed, visited);
      from = Math.min(reached, to);
    } else {
      from = Math.max(reached, visited);
      to = Math.max(passed, from);
    }
  }

  /** The common start of the keys of a table's rows. */
  private byte[] prefix(int table) {
    String name = tables.get(table).name();
    return tableInPartitionKey ? keys.byValue(keyspacePrefix, name) : keys.rowsOf(name);
  }

  /**
   * Binary search: the first index at which a monotonic condition holds; {@code count} if there is
   * none.
   */
  private static int first(int count, IntPredicate condition) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (condition.test(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
