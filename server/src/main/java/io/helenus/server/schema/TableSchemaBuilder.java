package io.helenus.server.schema;

import io.helenus.server.types.CqlType;
import io.helenus.server.types.UserType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds a table. Columns get ids in the order in which they are added; a re-added name gets its
 * previous id. One thread.
 */
public final class TableSchemaBuilder {
  final String keyspace;
  final String name;
  final UUID id;
  final int storageId;
  Partitioner partitioner = Partitioner.MURMUR3;
  TableOptions options;
  CompactStorage compactStorage = CompactStorage.NONE;
  final List<ColumnSchema> partitionKey = new ArrayList<>();
  final List<ColumnSchema> clusteringColumns = new ArrayList<>();
  final List<ColumnSchema> staticColumns = new ArrayList<>();
  final List<ColumnSchema> regularColumns = new ArrayList<>();
  final TreeMap<String, DroppedColumn> droppedColumns = new TreeMap<>();
  final List<IndexSchema> indexes = new ArrayList<>();
  int lastColumnId;
  int lastIndexId;
  @Nullable ViewSchema view;

  /** Starts a table without columns. */
  public TableSchemaBuilder(
      String keyspace, String name, UUID id, int storageId, TableOptions options) {
    this.keyspace = keyspace;
    this.name = name;
    this.id = id;
    this.storageId = storageId;
    this.options = options;
  }

  TableSchemaBuilder(TableSchema table) {
    this(table.keyspace(), table.name(), table.id(), table.storageId(), table.options());
    partitioner = table.partitioner();
    compactStorage = table.compactStorage();
    partitionKey.addAll(table.partitionKey());
    clusteringColumns.addAll(table.clusteringColumns());
    staticColumns.addAll(table.staticColumns());
    regularColumns.addAll(table.regularColumns());
    for (DroppedColumn dropped : table.droppedColumns()) {
      droppedColumns.put(dropped.name(), dropped);
    }
    lastColumnId = table.lastColumnId();
    indexes.addAll(table.indexes());
    lastIndexId = table.lastIndexId();
    view = table.view();
  }

  /** Sets the partitioner; the default is {@link Partitioner#MURMUR3}. */
  public TableSchemaBuilder partitioner(Partitioner value) {
    partitioner = value;
    return this;
  }

  /** Sets whether it is a table WITH COMPACT STORAGE; it is not by default. */
  public TableSchemaBuilder compactStorage(CompactStorage value) {
    compactStorage = value;
    return this;
  }

  /** Makes it a materialized view, or changes which one. */
  public TableSchemaBuilder view(ViewSchema value) {
    view = value;
    return this;
  }

  /** Replaces the options. */
  public TableSchemaBuilder options(TableOptions value) {
    options = value;
    return this;
  }

  /** Adds a column at the end of the partition key. */
  public TableSchemaBuilder partitionKey(String column, CqlType type) {
    return add(column, type, ColumnKind.PARTITION_KEY, false);
  }

  /** Adds a column at the end of the clustering columns. */
  public TableSchemaBuilder clustering(String column, CqlType type, boolean descending) {
    return add(column, type, ColumnKind.CLUSTERING, descending);
  }

  /** Adds a static column. */
  public TableSchemaBuilder staticColumn(String column, CqlType type) {
    return add(column, type, ColumnKind.STATIC, false);
  }

  /** Adds a regular column. */
  public TableSchemaBuilder regular(String column, CqlType type) {
    return add(column, type, ColumnKind.REGULAR, false);
  }

  /** Adds a column with the next id, or with its previous id if it was dropped. */
  public TableSchemaBuilder add(String column, CqlType type, ColumnKind kind, boolean descending) {
    DroppedColumn dropped = droppedColumns.get(column);
    int columnId = dropped == null ? ++lastColumnId : dropped.id();
    List<ColumnSchema> list = list(kind);
    boolean key = kind == ColumnKind.PARTITION_KEY || kind == ColumnKind.CLUSTERING;
    list.add(
        new ColumnSchema(
            column,
            type,
            kind,
            key ? list.size() : -1,
            descending,
            columnId,
            type.isMultiCell(),
            null,
            List.of()));
    return this;
  }

  /** Adds a column unchanged; for tables read from the metadata log. */
  public TableSchemaBuilder add(ColumnSchema column) {
    list(column.kind()).add(column);
    lastColumnId = Math.max(lastColumnId, column.id());
    return this;
  }

  /** Sets the largest column id ever assigned; for tables read from the metadata log. */
  public TableSchemaBuilder lastColumnId(int columnId) {
    lastColumnId = Math.max(lastColumnId, columnId);
    return this;
  }

  /** Adds a dropped column unchanged; for tables read from the metadata log. */
  public TableSchemaBuilder add(DroppedColumn dropped) {
    droppedColumns.put(dropped.name(), dropped);
    lastColumnId = Math.max(lastColumnId, dropped.id());
    return this;
  }

  /** Adds an index; its id is used up, even if it is dropped. */
  public TableSchemaBuilder add(IndexSchema index) {
    indexes.add(index);
    lastIndexId = Math.max(lastIndexId, index.id());
    return this;
  }

  /** Drops an existing index. */
  public TableSchemaBuilder drop(IndexSchema index) {
    if (!indexes.remove(index)) {
      throw new IllegalArgumentException("no such index: " + index);
    }
    return this;
  }

  /** Sets the largest index id ever assigned; for tables read from the metadata log. */
  public TableSchemaBuilder lastIndexId(int indexId) {
    lastIndexId = Math.max(lastIndexId, indexId);
    return this;
  }

  /**
   * Drops an existing static or regular column. What an earlier drop of the name has hidden stays
   * hidden, even if this drop has an older timestamp.
   */
  public TableSchemaBuilder drop(ColumnSchema column, long droppedAtMicros) {
    DroppedColumn earlier = droppedColumns.get(column.name());
    long at =
        earlier == null ? droppedAtMicros : Math.max(earlier.droppedAtMicros(), droppedAtMicros);
    if (!list(column.kind()).remove(column)) {
      throw new IllegalArgumentException("no such column: " + column);
    }
    return add(
        new DroppedColumn(
            column.name(),
            column.type().withoutUserTypes(),
            column.kind(),
            column.id(),
            column.multiCell(),
            at));
  }

  /** Renames a column. */
  public TableSchemaBuilder rename(ColumnSchema column, String newName) {
    list(column.kind()).replaceAll(each -> each.id() == column.id() ? each.renamed(newName) : each);
    return this;
  }

  /** Replaces or removes the mask of an existing column. */
  public TableSchemaBuilder mask(String column, @Nullable ColumnMask mask) {
    for (ColumnKind kind : ColumnKind.values()) {
      list(kind).replaceAll(each -> each.name().equals(column) ? each.masked(mask) : each);
    }
    return this;
  }

  /** Replaces or removes the constraints of an existing column. */
  public TableSchemaBuilder constraints(String column, List<ColumnConstraint> constraints) {
    for (ColumnKind kind : ColumnKind.values()) {
      list(kind)
          .replaceAll(each -> each.name().equals(column) ? each.constrained(constraints) : each);
    }
    return this;
  }

  /**
   * Applies the change of a user type to the columns. Their indexes get new ids, so that storage
   * builds them again: values of the type have other terms now.
   */
  TableSchemaBuilder alterType(UserType type) {
    Set<Integer> altered = new HashSet<>();
    for (ColumnKind kind : ColumnKind.values()) {
      for (ColumnSchema column : list(kind)) {
        if (column.type().references(type)) {
          altered.add(column.id());
        }
      }
      list(kind).replaceAll(each -> each.withAltered(type));
    }
    indexes.replaceAll(
        each -> altered.contains(each.columnId()) ? each.withId(++lastIndexId) : each);
    return this;
  }

  private List<ColumnSchema> list(ColumnKind kind) {
    return switch (kind) {
      case PARTITION_KEY -> partitionKey;
      case CLUSTERING -> clusteringColumns;
      case STATIC -> staticColumns;
      case REGULAR -> regularColumns;
    };
  }

  int columnCount() {
    return partitionKey.size()
        + clusteringColumns.size()
        + staticColumns.size()
        + regularColumns.size();
  }

  boolean hasCounters() {
    return Stream.concat(staticColumns.stream(), regularColumns.stream())
        .anyMatch(column -> column.type().isCounter());
  }

  boolean hasColumn(int columnId) {
    return Stream.of(partitionKey, clusteringColumns, staticColumns, regularColumns)
        .flatMap(List::stream)
        .anyMatch(column -> column.id() == columnId);
  }

  /** The column of this name, hidden or not; null if it does not exist. */
  @Nullable ColumnSchema find(String columnName) {
    for (ColumnKind kind : ColumnKind.values()) {
      for (ColumnSchema column : list(kind)) {
        if (column.name().equals(columnName)) {
          return column;
        }
      }
    }
    return null;
  }

  /** Builds the table. */
  public TableSchema build() {
    return new TableSchema(this);
  }
}
