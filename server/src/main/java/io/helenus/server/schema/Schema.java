package io.helenus.server.schema;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All keyspaces as of one entry of the metadata log, those of the system included. Immutable; any
 * thread; lookups allocate nothing.
 */
public final class Schema {
  private final SortedMap<String, KeyspaceSchema> keyspaces;
  private final Map<Integer, TableSchema> tablesByStorageId;
  private final UUID version;
  private final long epoch;

  private Schema(
      SortedMap<String, KeyspaceSchema> keyspaces,
      Map<Integer, TableSchema> tablesByStorageId,
      UUID version,
      long epoch) {
    this.keyspaces = keyspaces;
    this.tablesByStorageId = tablesByStorageId;
    this.version = version;
    this.epoch = epoch;
  }

  /** A schema of these keyspaces. */
  public static Schema of(Collection<KeyspaceSchema> keyspaces, UUID version, long epoch) {
    TreeMap<String, KeyspaceSchema> byName = new TreeMap<>();
    Map<Integer, TableSchema> byId = new HashMap<>();
    for (KeyspaceSchema keyspace : keyspaces) {
      byName.put(keyspace.name(), keyspace);
      for (TableSchema table : keyspace.tables()) {
        byId.put(table.storageId(), table);
      }
    }
    return new Schema(byName, byId, version, epoch);
  }

  /** The version that {@code system.local} shows. */
  public UUID version() {
    return version;
  }

  /** The entry of the metadata log that made it; mutations carry it. */
  public long epoch() {
    return epoch;
  }

  /** All keyspaces, by name. */
  public Collection<KeyspaceSchema> keyspaces() {
    return Collections.unmodifiableCollection(keyspaces.values());
  }

  /** The keyspace of this name; null when there is none. */
  public @Nullable KeyspaceSchema keyspace(String name) {
    return keyspaces.get(name);
  }

  /** The table of these names; null when there is none. */
  public @Nullable TableSchema table(String keyspace, String table) {
    KeyspaceSchema found = keyspaces.get(keyspace);
    return found == null ? null : found.table(table);
  }

  /** The table of this storage id; null when there is none. */
  public @Nullable TableSchema table(int storageId) {
    return tablesByStorageId.get(storageId);
  }

  /** The same schema with this keyspace added, or replaced with all its tables. */
  public Schema with(KeyspaceSchema keyspace, UUID newVersion, long newEpoch) {
    TreeMap<String, KeyspaceSchema> byName = new TreeMap<>(keyspaces);
    Map<Integer, TableSchema> byId = new HashMap<>(tablesByStorageId);
    forget(byName.put(keyspace.name(), keyspace), byId);
    for (TableSchema table : keyspace.tables()) {
      byId.put(table.storageId(), table);
    }
    return new Schema(byName, byId, newVersion, newEpoch);
  }

  /** The same schema without the keyspace of this name. */
  public Schema without(String keyspace, UUID newVersion, long newEpoch) {
    TreeMap<String, KeyspaceSchema> byName = new TreeMap<>(keyspaces);
    Map<Integer, TableSchema> byId = new HashMap<>(tablesByStorageId);
    forget(byName.remove(keyspace), byId);
    return new Schema(byName, byId, newVersion, newEpoch);
  }

  /** The schema that an edit makes of this one: a pure function. */
  public Schema apply(SchemaEdit edit, UUID newVersion, long newEpoch) {
    return switch (edit) {
      case SchemaEdit.CreateKeyspace(String name, boolean durable, Replication replication) ->
          with(KeyspaceSchema.empty(name, durable, replication), newVersion, newEpoch);
      case SchemaEdit.AlterKeyspace(String name, boolean durable, Replication replication) ->
          with(existing(name).with(durable, replication), newVersion, newEpoch);
      case SchemaEdit.DropKeyspace(String name) -> without(name, newVersion, newEpoch);
      case SchemaEdit.CreateTable(TableSchema table) ->
          with(existing(table.keyspace()).with(table), newVersion, newEpoch);
      case SchemaEdit.AlterTable(TableSchema table) ->
          with(existing(table.keyspace()).with(table), newVersion, newEpoch);
      case SchemaEdit.DropTable(String name, String table) ->
          with(existing(name).withoutTable(table), newVersion, newEpoch);
    };
  }

  private KeyspaceSchema existing(String name) {
    KeyspaceSchema keyspace = keyspaces.get(name);
    if (keyspace == null) {
      throw new IllegalStateException("an edit names a keyspace that is not there: " + name);
    }
    return keyspace;
  }

  private static void forget(@Nullable KeyspaceSchema keyspace, Map<Integer, TableSchema> byId) {
    if (keyspace != null) {
      for (TableSchema table : keyspace.tables()) {
        byId.remove(table.storageId());
      }
    }
  }
}
