package io.helenus.server.schema;

import io.helenus.server.types.UserType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All keyspaces as of one entry of the metadata log, including the system keyspaces. Immutable; any
 * thread; lookups allocate nothing.
 */
public final class Schema {
  private static final KeyspaceSchema[] NO_KEYSPACES = {};
  private static final TableSchema[] NO_TABLES = {};
  private static final Comparator<KeyspaceSchema> BY_NAME =
      new Comparator<>() {
        @Override
        public int compare(KeyspaceSchema a, KeyspaceSchema b) {
          return a.name().compareTo(b.name());
        }
      };
  private static final Comparator<TableSchema> BY_STORAGE_ID =
      new Comparator<>() {
        @Override
        public int compare(TableSchema a, TableSchema b) {
          return Integer.compare(a.storageId(), b.storageId());
        }
      };

  private final KeyspaceSchema[] keyspaces;
  private final TableSchema[] tablesByStorageId;
  private final UUID version;
  private final long epoch;

  private Schema(
      KeyspaceSchema[] keyspacesByName, TableSchema[] tablesByStorageId, UUID version, long epoch) {
    this.keyspaces = keyspacesByName;
    this.tablesByStorageId = tablesByStorageId;
    this.version = version;
    this.epoch = epoch;
  }

  /** A schema of these keyspaces. */
  public static Schema of(Collection<KeyspaceSchema> keyspaces, UUID version, long epoch) {
    KeyspaceSchema[] byName = keyspaces.toArray(NO_KEYSPACES);
    Arrays.sort(byName, BY_NAME);
    List<TableSchema> tables = new ArrayList<>();
    for (KeyspaceSchema keyspace : byName) {
      if (!keyspace.isLazy()) {
        tables.addAll(keyspace.tables());
      }
    }
    TableSchema[] byId = tables.toArray(NO_TABLES);
    Arrays.sort(byId, BY_STORAGE_ID);
    return new Schema(byName, byId, version, epoch);
  }

  /** The version shown in {@code system.local}. */
  public UUID version() {
    return version;
  }

  /**
   * The index of the metadata log entry that produced this schema, or has truncated one of its
   * tables since; mutations carry it.
   */
  public long epoch() {
    return epoch;
  }

  /** The same schema, after an entry that truncated a table. */
  public Schema withEpoch(long later) {
    return new Schema(keyspaces, tablesByStorageId, version, later);
  }

  /** All keyspaces, by name. */
  public List<KeyspaceSchema> keyspaces() {
    return Collections.unmodifiableList(Arrays.asList(keyspaces));
  }

  /** The keyspace of this name; null if it does not exist. */
  public @Nullable KeyspaceSchema keyspace(String name) {
    int at = indexOf(name);
    return at < 0 ? null : keyspaces[at];
  }

  private int indexOf(String name) {
    return SortedArrays.indexOf(keyspaces, name);
  }

  /** The table of these names; null if it does not exist. */
  public @Nullable TableSchema table(String keyspace, String table) {
    KeyspaceSchema found = keyspace(keyspace);
    return found == null ? null : found.table(table);
  }

  /** The user type of these names, not frozen; null if it does not exist. */
  public @Nullable UserType userType(String keyspace, String type) {
    KeyspaceSchema found = keyspace(keyspace);
    return found == null ? null : found.type(type);
  }

  /** The table of this storage id; null if it does not exist. */
  public @Nullable TableSchema table(int storageId) {
    if (storageId < 0) {
      return virtualTable(storageId);
    }
    int at = indexOf(storageId);
    return at < 0 ? null : tablesByStorageId[at];
  }

  private int indexOf(int storageId) {
    int low = 0;
    int high = tablesByStorageId.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int id = tablesByStorageId[middle].storageId();
      if (id == storageId) {
        return middle;
      }
      if (id < storageId) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -low - 1;
  }

  private @Nullable TableSchema virtualTable(int storageId) {
    for (KeyspaceSchema keyspace : keyspaces) {
      if (keyspace.isLazy()) {
        for (TableSchema table : keyspace.tables()) {
          if (table.storageId() == storageId) {
            return table;
          }
        }
      }
    }
    return null;
  }

  /** All tables that are stored, by storage id. */
  public List<TableSchema> storedTables() {
    return Collections.unmodifiableList(Arrays.asList(tablesByStorageId));
  }

  /** The same keyspaces as of another entry. */
  public Schema at(UUID newVersion, long newEpoch) {
    return new Schema(keyspaces, tablesByStorageId, newVersion, newEpoch);
  }

  /** The schema that results from applying an edit to this one: a pure function. */
  public Schema apply(SchemaEdit edit, UUID newVersion, long newEpoch) {
    Schema changed =
        switch (edit) {
          case SchemaEdit.CreateKeyspace(String name, boolean durable, Replication replication) ->
              with(KeyspaceSchema.empty(name, durable, replication));
          case SchemaEdit.AlterKeyspace(String name, boolean durable, Replication replication) ->
              with(existing(name).with(durable, replication));
          case SchemaEdit.DropKeyspace(String name) -> without(name);
          case SchemaEdit.CreateTable(TableSchema table) -> with(table);
          case SchemaEdit.AlterTable(TableSchema table) -> with(table).withViewsOf(table);
          case SchemaEdit.DropTable(String name, String table) ->
              with(existing(name).withoutTable(table));
          case SchemaEdit.CreateType(UserType type) -> with(existing(type.keyspace()).with(type));
          case SchemaEdit.AlterType(UserType type) -> with(existing(type.keyspace()).with(type));
          case SchemaEdit.DropType(String name, String type) ->
              with(existing(name).withoutType(type));
        };
    return changed.at(newVersion, newEpoch);
  }

  private KeyspaceSchema existing(String name) {
    KeyspaceSchema keyspace = keyspace(name);
    if (keyspace == null) {
      throw new IllegalStateException("edit of an unknown keyspace: " + name);
    }
    return keyspace;
  }

  /** This schema with a stored table added or replaced. */
  private Schema with(TableSchema table) {
    KeyspaceSchema[] changed = keyspaces.clone();
    changed[indexOf(table.keyspace())] = existing(table.keyspace()).with(table);
    TableSchema[] byId = SortedArrays.with(tablesByStorageId, indexOf(table.storageId()), table);
    return new Schema(changed, byId, version, epoch);
  }

  /** This schema with the views of a table as they are after it has changed. */
  private Schema withViewsOf(TableSchema base) {
    Schema changed = this;
    for (TableSchema view : existing(base.keyspace()).viewsOf(base)) {
      changed = changed.with(ViewColumns.following(view, base));
    }
    return changed;
  }

  /** This schema with a keyspace added, or replaced together with all its tables. */
  public Schema with(KeyspaceSchema keyspace) {
    KeyspaceSchema[] changed = SortedArrays.with(keyspaces, indexOf(keyspace.name()), keyspace);
    return new Schema(changed, idsWith(keyspace.name(), keyspace), version, epoch);
  }

  private Schema without(String name) {
    int at = indexOf(name);
    if (at < 0) {
      return this;
    }
    KeyspaceSchema[] changed = SortedArrays.without(keyspaces, at);
    return new Schema(changed, idsWith(name, null), version, epoch);
  }

  /** The tables by storage id, with those of one keyspace replaced. */
  private TableSchema[] idsWith(String name, @Nullable KeyspaceSchema keyspace) {
    List<TableSchema> tables = new ArrayList<>(tablesByStorageId.length + 1);
    for (TableSchema table : tablesByStorageId) {
      if (!table.keyspace().equals(name)) {
        tables.add(table);
      }
    }
    if (keyspace != null && !keyspace.isLazy()) {
      tables.addAll(keyspace.tables());
    }
    TableSchema[] byId = tables.toArray(NO_TABLES);
    Arrays.sort(byId, BY_STORAGE_ID);
    return byId;
  }
}
