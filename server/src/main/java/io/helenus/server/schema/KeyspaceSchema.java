package io.helenus.server.schema;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A keyspace and all that lives in it. Immutable; any thread. */
public final class KeyspaceSchema {
  private final String name;
  private final boolean durableWrites;
  private final Replication replication;
  private final boolean virtual;
  private final SortedMap<String, TableSchema> tables;

  /**
   * A keyspace.
   *
   * @param virtual whether its tables are made up as they are read (system_views): they are
   *     described in system_virtual_schema, not in system_schema
   * @param tables by name
   */
  public KeyspaceSchema(
      String name,
      boolean durableWrites,
      Replication replication,
      boolean virtual,
      SortedMap<String, TableSchema> tables) {
    this.name = name;
    this.durableWrites = durableWrites;
    this.replication = replication;
    this.virtual = virtual;
    this.tables = Collections.unmodifiableSortedMap(tables);
  }

  /** An ordinary keyspace with no tables. */
  public static KeyspaceSchema empty(String name, boolean durableWrites, Replication replication) {
    return new KeyspaceSchema(name, durableWrites, replication, false, new TreeMap<>());
  }

  /** Its name, as in the text where it is quoted. */
  public String name() {
    return name;
  }

  /** Whether writes go through the commit log. */
  public boolean durableWrites() {
    return durableWrites;
  }

  /** How it is replicated. */
  public Replication replication() {
    return replication;
  }

  /** Whether it is described in system_virtual_schema and not in system_schema. */
  public boolean isVirtual() {
    return virtual;
  }

  /** All tables, by name. */
  public Collection<TableSchema> tables() {
    return tables.values();
  }

  /** The table of this name; null when there is none. */
  public @Nullable TableSchema table(String tableName) {
    return tables.get(tableName);
  }

  /** The same keyspace with this table added, or replaced. */
  public KeyspaceSchema with(TableSchema table) {
    TreeMap<String, TableSchema> changed = new TreeMap<>(tables);
    changed.put(table.name(), table);
    return new KeyspaceSchema(name, durableWrites, replication, virtual, changed);
  }

  /** The same keyspace without the table of this name. */
  public KeyspaceSchema withoutTable(String tableName) {
    TreeMap<String, TableSchema> changed = new TreeMap<>(tables);
    changed.remove(tableName);
    return new KeyspaceSchema(name, durableWrites, replication, virtual, changed);
  }

  /** The same tables under other options. */
  public KeyspaceSchema with(boolean newDurableWrites, Replication newReplication) {
    return new KeyspaceSchema(name, newDurableWrites, newReplication, virtual, tables);
  }

  @Override
  public String toString() {
    return name;
  }
}
