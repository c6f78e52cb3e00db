package io.helenus.server.schema;

import io.helenus.cql.ast.CqlNames;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.UserType;
import io.helenus.server.types.VectorType;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.row.RowFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table. Immutable; any thread; lookups allocate nothing.
 *
 * <p>The order of {@link #columns} is that of {@code SELECT *}: partition key, clustering columns,
 * static columns by name, regular columns by name (see {@link #inOrderOfSelect}).
 */
public final class TableSchema implements SortedArrays.Named {
  private static final Comparator<ColumnSchema> BY_NAME =
      new Comparator<>() {
        @Override
        public int compare(ColumnSchema a, ColumnSchema b) {
          return compareNames(a.name(), b.name());
        }
      };
  private static final Comparator<TableDescriptor.Column> BY_ID =
      new Comparator<>() {
        @Override
        public int compare(TableDescriptor.Column a, TableDescriptor.Column b) {
          return Integer.compare(a.id(), b.id());
        }
      };

  private final String keyspace;
  private final String name;
  private final UUID id;
  private final int storageId;
  private final Partitioner partitioner;
  private final List<ColumnSchema> partitionKey;
  private final List<ColumnSchema> clusteringColumns;
  private final List<ColumnSchema> staticColumns;
  private final List<ColumnSchema> regularColumns;
  private final List<ColumnSchema> columns;
  private final List<DroppedColumn> droppedColumns;
  private final int lastColumnId;
  private final List<IndexSchema> indexes;
  private final int lastIndexId;
  private final TableOptions options;
  private final boolean counter;
  private final CompactStorage compactStorage;
  private final @Nullable ViewSchema view;
  private final List<ColumnSchema> visibleColumns;
  private final boolean constrained;
  private final Map<String, ColumnSchema> columnsByName;
  private final @Nullable TableDescriptor descriptor;

  /**
   * Cassandra's order of columns: by the first eight bytes as a signed number, then by all bytes.
   * For names with non-ASCII characters it differs from the order of characters.
   */
  private static int compareNames(String a, String b) {
    if (isAscii(a) && isAscii(b)) {
      return a.compareTo(b);
    }
    byte[] first = a.getBytes(StandardCharsets.UTF_8);
    byte[] second = b.getBytes(StandardCharsets.UTF_8);
    int order = Long.compare(firstEight(first), firstEight(second));
    return order == 0 ? Arrays.compareUnsigned(first, second) : order;
  }

  private static boolean isAscii(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  private static long firstEight(byte[] bytes) {
    long value = 0;
    for (int i = 0; i < 8; i++) {
      value = (value << 8) | (i < bytes.length ? bytes[i] & 0xFF : 0);
    }
    return value;
  }

  TableSchema(TableSchemaBuilder from) {
    keyspace = from.keyspace;
    name = from.name;
    id = from.id;
    storageId = from.storageId;
    partitioner = from.partitioner;
    options = from.options;
    partitionKey = List.copyOf(from.partitionKey);
    clusteringColumns = List.copyOf(from.clusteringColumns);
    staticColumns = sortedByName(from.staticColumns);
    regularColumns = sortedByName(from.regularColumns);
    droppedColumns = List.copyOf(from.droppedColumns.values());
    lastColumnId = from.lastColumnId;
    indexes = sortedIndexes(from.indexes);
    lastIndexId = from.lastIndexId;
    List<ColumnSchema> all = new ArrayList<>(from.columnCount());
    all.addAll(partitionKey);
    all.addAll(clusteringColumns);
    all.addAll(inOrderOfSelect(staticColumns));
    all.addAll(inOrderOfSelect(regularColumns));
    columns = List.copyOf(all);
    compactStorage = from.compactStorage;
    view = from.view;
    visibleColumns = visible();
    columnsByName = new HashMap<>(2 * visibleColumns.size());
    for (ColumnSchema column : visibleColumns) {
      if (columnsByName.put(column.name(), column) != null) {
        throw new IllegalArgumentException("duplicate column name: " + column);
      }
    }
    boolean counts = false;
    for (ColumnSchema column : columns) {
      counts |= column.type().isCounter();
    }
    for (DroppedColumn column : droppedColumns) {
      counts |= column.type().isCounter();
    }
    counter = counts;
    constrained = columns.stream().anyMatch(column -> !column.constraints().isEmpty());
    descriptor = storageId > 0 ? describe() : null;
  }

  private List<ColumnSchema> visible() {
    if (compactStorage == CompactStorage.NONE) {
      return columns;
    }
    List<ColumnSchema> visible = new ArrayList<>(columns);
    visible.removeIf(this::isHidden);
    return List.copyOf(visible);
  }

  private static List<IndexSchema> sortedIndexes(List<IndexSchema> indexes) {
    if (indexes.isEmpty()) {
      return List.of();
    }
    List<IndexSchema> sorted = new ArrayList<>(indexes);
    sorted.sort(Comparator.comparing(IndexSchema::name));
    return List.copyOf(sorted);
  }

  private static List<ColumnSchema> sortedByName(List<ColumnSchema> columns) {
    ColumnSchema[] sorted = columns.toArray(new ColumnSchema[0]);
    Arrays.sort(sorted, BY_NAME);
    return List.of(sorted);
  }

  /**
   * Merges the sorted columns with one cell and those with several by the signed bytes of their
   * names, as Cassandra does. Only names with non-ASCII characters change places.
   */
  private static List<ColumnSchema> inOrderOfSelect(List<ColumnSchema> sorted) {
    if (sorted.stream().allMatch(column -> isAscii(column.name()))) {
      return sorted;
    }
    List<ColumnSchema> simple = new ArrayList<>(sorted);
    simple.removeIf(column -> column.type().isMultiCell());
    List<ColumnSchema> merged = new ArrayList<>(sorted);
    merged.removeAll(simple);
    int at = 0;
    for (ColumnSchema each : simple) {
      while (at < merged.size() && compareSigned(merged.get(at).name(), each.name()) < 0) {
        at++;
      }
      merged.add(at++, each);
    }
    return merged;
  }

  private static int compareSigned(String a, String b) {
    return Arrays.compare(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  private TableDescriptor describe() {
    List<TableDescriptor.Column> cells = new ArrayList<>(columns.size() + droppedColumns.size());
    for (ColumnSchema column : columns) {
      if (column.kind() != ColumnKind.PARTITION_KEY) {
        DroppedColumn dropped = droppedColumn(column.name());
        long droppedAt = dropped == null ? RowFormat.NO_TIMESTAMP : dropped.droppedAtMicros();
        cells.add(new TableDescriptor.Column(column.id(), column.cellKind(), droppedAt));
      }
    }
    if (view != null) {
      cells.addAll(view.unselected());
    }
    for (DroppedColumn dropped : droppedColumns) {
      if (!columnsByName.containsKey(dropped.name())) {
        TableDescriptor.Kind kind =
            dropped.multiCell() ? TableDescriptor.Kind.MULTI_CELL : TableDescriptor.Kind.SIMPLE;
        cells.add(new TableDescriptor.Column(dropped.id(), kind, dropped.droppedAtMicros(), false));
      }
    }
    cells.sort(BY_ID);
    return TableStorageOptions.descriptor(this, cells);
  }

  /** The keyspace's name. */
  public String keyspace() {
    return keyspace;
  }

  /** The table's name. */
  @Override
  public String name() {
    return name;
  }

  /** The id shown to clients. */
  public UUID id() {
    return id;
  }

  /** The table's id in storage; negative for a virtual table, never reused. */
  public int storageId() {
    return storageId;
  }

  /** Whether its rows are computed when they are read. */
  public boolean isVirtual() {
    return storageId < 0;
  }

  /** The order of its partitions. */
  public Partitioner partitioner() {
    return partitioner;
  }

  /** The partition key columns, in key order; at least one. */
  public List<ColumnSchema> partitionKey() {
    return partitionKey;
  }

  /** The clustering columns, in key order. */
  public List<ColumnSchema> clusteringColumns() {
    return clusteringColumns;
  }

  /** The static columns, by name. */
  public List<ColumnSchema> staticColumns() {
    return staticColumns;
  }

  /** The regular columns, by name. */
  public List<ColumnSchema> regularColumns() {
    return regularColumns;
  }

  /** All columns: those of {@code SELECT *}, in its order, and the hidden ones. */
  public List<ColumnSchema> columns() {
    return columns;
  }

  /** The columns of {@code SELECT *}, in its order. */
  public List<ColumnSchema> visibleColumns() {
    return visibleColumns;
  }

  /** Whether COMPACT STORAGE added a column, which statements cannot name. */
  public boolean isHidden(ColumnSchema column) {
    return switch (compactStorage) {
      case NONE -> false;
      case STATIC -> column.kind() == ColumnKind.CLUSTERING || column.kind() == ColumnKind.REGULAR;
      case DENSE -> column.type() == ScalarType.EMPTY;
    };
  }

  /** The column of this name; null if it does not exist or is hidden. */
  public @Nullable ColumnSchema column(String columnName) {
    return columnsByName.get(columnName);
  }

  /** Columns that have been dropped, by name; some may have been added again. */
  public List<DroppedColumn> droppedColumns() {
    return droppedColumns;
  }

  /** The dropped column of this name; null if there is none. */
  public @Nullable DroppedColumn droppedColumn(String columnName) {
    for (DroppedColumn dropped : droppedColumns) {
      if (dropped.name().equals(columnName)) {
        return dropped;
      }
    }
    return null;
  }

  /** The largest column id ever assigned. */
  public int lastColumnId() {
    return lastColumnId;
  }

  /** The secondary indexes, by name. */
  public List<IndexSchema> indexes() {
    return indexes;
  }

  /** What an index indexes, in CQL: {@code keys(c)}. */
  public String targetOf(IndexSchema index) {
    return index.targetOf(columnOf(index).name());
  }

  /** The {@code is_string} of a storage-attached index: its values are not numbers or times. */
  public boolean hasTextTerms(IndexSchema index) {
    CqlType type = StorageAttachedIndexes.indexed(columnOf(index).type(), index.target());
    return !(type instanceof ScalarType)
        || type == ScalarType.TEXT
        || type == ScalarType.ASCII
        || type == ScalarType.BOOLEAN;
  }

  /** The type of the vectors of which an index finds the nearest; null if its values are others. */
  public @Nullable VectorType vectorOf(IndexSchema index) {
    return index.kind() == IndexSchema.Kind.SAI
            && StorageAttachedIndexes.indexed(columnOf(index).type(), index.target())
                instanceof VectorType vector
        ? vector
        : null;
  }

  /**
   * Whether an index is kept in storage. One on vectors in keys, static columns or collections is
   * not: the rows of the table are compared instead.
   */
  public boolean isStored(IndexSchema index) {
    ColumnSchema column = columnOf(index);
    return vectorOf(index) == null
        || (column.kind() == ColumnKind.REGULAR && column.type() instanceof VectorType);
  }

  /** The index of this name; null if it does not exist. */
  public @Nullable IndexSchema index(String indexName) {
    for (IndexSchema index : indexes) {
      if (index.name().equals(indexName)) {
        return index;
      }
    }
    return null;
  }

  /** The names of the indexes on a column, separated by commas; empty without any. */
  String indexNames(ColumnSchema column) {
    return indexes.stream()
        .filter(index -> index.columnId() == column.id())
        .map(IndexSchema::name)
        .collect(Collectors.joining(", "));
  }

  /** The largest index id ever assigned. */
  public int lastIndexId() {
    return lastIndexId;
  }

  /** The column of an index. */
  public ColumnSchema columnOf(IndexSchema index) {
    return column(index.columnId());
  }

  /** The column of this id, which exists. */
  public ColumnSchema column(int columnId) {
    for (ColumnSchema column : columns) {
      if (column.id() == columnId) {
        return column;
      }
    }
    throw new IllegalStateException(this + " has no column with the id " + columnId);
  }

  /** The table options. */
  public TableOptions options() {
    return options;
  }

  /** Whether its columns outside the primary key are counters, or were until they were dropped. */
  public boolean isCounter() {
    return counter;
  }

  /** How it was created WITH COMPACT STORAGE, unless that has been dropped. */
  public CompactStorage compactStorage() {
    return compactStorage;
  }

  /** Whether it was created WITH COMPACT STORAGE and that has not been dropped. */
  public boolean isCompact() {
    return compactStorage != CompactStorage.NONE;
  }

  /** What makes it a materialized view; null for any other table. */
  public @Nullable ViewSchema view() {
    return view;
  }

  /** Whether it has static columns. */
  public boolean hasStaticColumns() {
    return !staticColumns.isEmpty();
  }

  /** Whether any of its columns has constraints. */
  public boolean hasConstraints() {
    return constrained;
  }

  /** Whether it has clustering columns, including a hidden one. */
  public boolean hasClusteringColumns() {
    return !clusteringColumns.isEmpty();
  }

  /** The {@code flags} of system_schema.tables, sorted. */
  public List<String> flags() {
    List<String> flags = new ArrayList<>();
    boolean dense = compactStorage == CompactStorage.DENSE;
    if (!isCompact() || (dense && clusteringColumns.size() > 1)) {
      flags.add("compound");
    }
    if (counter) {
      flags.add("counter");
    }
    if (dense) {
      flags.add("dense");
    }
    return flags;
  }

  /** The table's descriptor for storage; virtual tables have none. */
  public TableDescriptor descriptor() {
    return Objects.requireNonNull(descriptor, "a virtual table has no storage descriptor");
  }

  /** A builder that starts from this table. */
  public TableSchemaBuilder toBuilder() {
    return new TableSchemaBuilder(this);
  }

  /** Whether a column has a user type or contains it. */
  public boolean references(UserType type) {
    for (ColumnSchema column : columns()) {
      if (column.type().references(type)) {
        return true;
      }
    }
    return false;
  }

  /** The same table after a user type was altered. */
  TableSchema withAltered(UserType type) {
    return references(type) ? toBuilder().alterType(type).build() : this;
  }

  /** {@code keyspace.table} as in CQL: quoted if necessary. */
  public String cqlName() {
    return CqlNames.quoted(keyspace) + "." + CqlNames.quoted(name);
  }

  /** {@code keyspace.table}, unquoted. */
  @Override
  public String toString() {
    return keyspace + "." + name;
  }
}
