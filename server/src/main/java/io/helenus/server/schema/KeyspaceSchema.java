package io.helenus.server.schema;

import io.helenus.server.types.PartitionKeyTypes;
import io.helenus.server.types.UserType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A keyspace and its tables. Immutable; any thread; lookups allocate nothing. */
public final class KeyspaceSchema implements SortedArrays.Named {
  private static final TableSchema[] NO_TABLES = {};
  private static final NamedType[] NO_TYPES = {};
  private static final Comparator<TableSchema> BY_NAME =
      new Comparator<>() {
        @Override
        public int compare(TableSchema a, TableSchema b) {
          return a.name().compareTo(b.name());
        }
      };

  private final KeyspaceProperties properties;
  private final NamedType[] types;
  private final @Nullable Supplier<List<TableSchema>> source;

  /** Null until first needed. Racing threads compute equal values. */
  private @Nullable ByName known;

  /** The final field publishes the array safely to other threads. */
  private record ByName(TableSchema[] tables) {}

  /** A sorted array of user types. */
  private record NamedType(UserType type) implements SortedArrays.Named {
    @Override
    public String name() {
      return type.name();
    }
  }

  private KeyspaceSchema(
      KeyspaceProperties properties,
      NamedType[] types,
      @Nullable Supplier<List<TableSchema>> source,
      @Nullable ByName known) {
    this.properties = properties;
    this.types = types;
    this.source = source;
    this.known = known;
  }

  /**
   * A system keyspace whose tables are not stored; they are defined when first needed.
   *
   * @param virtual whether it is described in system_virtual_schema, not in system_schema
   * @param tables returns equal tables each time
   */
  public static KeyspaceSchema lazy(
      String name, Replication replication, boolean virtual, Supplier<List<TableSchema>> tables) {
    return new KeyspaceSchema(
        new KeyspaceProperties(name, true, replication, virtual), NO_TYPES, tables, null);
  }

  private TableSchema[] byName() {
    ByName found = known;
    if (found == null) {
      found = new ByName(source == null ? NO_TABLES : sorted(source.get()));
      known = found;
    }
    return found.tables();
  }

  private static TableSchema[] sorted(Collection<TableSchema> tables) {
    TableSchema[] sorted = tables.toArray(NO_TABLES);
    Arrays.sort(sorted, BY_NAME);
    return sorted;
  }

  /** Whether its tables are defined on demand and unknown to storage. */
  public boolean isLazy() {
    return source != null;
  }

  /**
   * A keyspace with tables.
   *
   * @param virtual whether it is described in system_virtual_schema, not in system_schema
   */
  public static KeyspaceSchema of(
      String name,
      boolean durableWrites,
      Replication replication,
      boolean virtual,
      Collection<TableSchema> tables) {
    return make(
        new KeyspaceProperties(name, durableWrites, replication, virtual),
        NO_TYPES,
        sorted(tables));
  }

  /** An ordinary keyspace with no tables. */
  public static KeyspaceSchema empty(String name, boolean durableWrites, Replication replication) {
    return make(
        new KeyspaceProperties(name, durableWrites, replication, false), NO_TYPES, NO_TABLES);
  }

  private static KeyspaceSchema make(
      KeyspaceProperties properties, NamedType[] types, TableSchema[] tables) {
    return new KeyspaceSchema(properties, types, null, new ByName(tables));
  }

  /** The name, unquoted, in its original case. */
  @Override
  public String name() {
    return properties.name();
  }

  /** What it is besides its tables and types. */
  public KeyspaceProperties properties() {
    return properties;
  }

  /** Whether writes go through the commit log. */
  public boolean durableWrites() {
    return properties.durableWrites();
  }

  /** The replication settings. */
  public Replication replication() {
    return properties.replication();
  }

  /** Whether it is described in system_virtual_schema and not in system_schema. */
  public boolean isVirtual() {
    return properties.isVirtual();
  }

  /** All tables, by name. */
  public List<TableSchema> tables() {
    return Collections.unmodifiableList(Arrays.asList(byName()));
  }

  /** The table of this name; null if it does not exist. */
  public @Nullable TableSchema table(String tableName) {
    TableSchema[] tables = byName();
    int at = SortedArrays.indexOf(tables, tableName);
    return at < 0 ? null : tables[at];
  }

  /** The base table of a materialized view. */
  public TableSchema baseOf(ViewSchema view) {
    TableSchema base = table(view.baseTable());
    if (base == null) {
      throw new IllegalStateException("a view of a missing table: " + view.baseTable());
    }
    return base;
  }

  /** The types of a table's partition key. */
  public PartitionKeyTypes partitionKeyTypes(TableSchema table) {
    ViewSchema view = table.view();
    List<ColumnSchema> clustering = view == null ? List.of() : baseOf(view).clusteringColumns();
    return new PartitionKeyTypes(
        table.partitionKey().stream().map(ColumnSchema::type).toList(),
        table.partitionKey().stream()
            .map(column -> clustering.stream().anyMatch(each -> each.id() == column.id()))
            .toList());
  }

  /** The materialized views of a table, by name. */
  public List<TableSchema> viewsOf(TableSchema base) {
    List<TableSchema> views = new ArrayList<>();
    for (TableSchema table : byName()) {
      ViewSchema view = table.view();
      if (view != null && view.baseId().equals(base.id())) {
        views.add(table);
      }
    }
    return views;
  }

  /** The table with the index of this name; null if there is no such index. */
  public @Nullable TableSchema indexedTable(String indexName) {
    for (TableSchema table : byName()) {
      if (table.index(indexName) != null) {
        return table;
      }
    }
    return null;
  }

  /** This keyspace with the table added or replaced. */
  public KeyspaceSchema with(TableSchema table) {
    TableSchema[] tables = byName();
    int at = SortedArrays.indexOf(tables, table.name());
    TableSchema[] changed = SortedArrays.with(tables, at, table);
    return make(properties, types, changed);
  }

  /** This keyspace without the table of this name. */
  public KeyspaceSchema withoutTable(String tableName) {
    TableSchema[] tables = byName();
    int at = SortedArrays.indexOf(tables, tableName);
    return at < 0 ? this : make(properties, types, SortedArrays.without(tables, at));
  }

  /** All user types, not frozen, by name. */
  public List<UserType> types() {
    return Arrays.stream(types).map(NamedType::type).toList();
  }

  /** The user type of this name, not frozen; null if it does not exist. */
  public @Nullable UserType type(String typeName) {
    int at = SortedArrays.indexOf(types, typeName);
    return at < 0 ? null : types[at].type();
  }

  /**
   * This keyspace with the user type added, or replaced together with its uses in other types and
   * tables.
   */
  public KeyspaceSchema with(UserType type) {
    int at = SortedArrays.indexOf(types, type.name());
    NamedType[] changed = SortedArrays.with(types, at, new NamedType(type));
    TableSchema[] tables = byName();
    if (at >= 0) {
      for (int i = 0; i < changed.length; i++) {
        changed[i] = new NamedType((UserType) changed[i].type().withAltered(type));
      }
      tables = tables.clone();
      for (int i = 0; i < tables.length; i++) {
        tables[i] = tables[i].withAltered(type);
      }
    }
    return make(properties, changed, tables);
  }

  /** This keyspace without the user type of this name. */
  public KeyspaceSchema withoutType(String typeName) {
    int at = SortedArrays.indexOf(types, typeName);
    return at < 0 ? this : make(properties, SortedArrays.without(types, at), byName());
  }

  /** The same tables under other options. */
  public KeyspaceSchema with(boolean newDurableWrites, Replication newReplication) {
    return new KeyspaceSchema(
        new KeyspaceProperties(name(), newDurableWrites, newReplication, isVirtual()),
        types,
        source,
        known);
  }

  @Override
  public String toString() {
    return properties.name();
  }
}
