package io.helenus.server.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SystemKeyspacesTest {
  private final Schema schema = Schema.of(SystemKeyspaces.all(), new UUID(0, 0), 0);

  private TableSchema table(String keyspace, String name) {
    return Objects.requireNonNull(schema.table(keyspace, name), keyspace + "." + name);
  }

  @Test
  void allSystemKeyspacesOfTheOracleExist() {
    assertEquals(
        List.of(
            "system 23",
            "system_auth 8",
            "system_distributed 4",
            "system_schema 11",
            "system_traces 2",
            "system_views 48",
            "system_virtual_schema 3"),
        schema.keyspaces().stream().map(each -> each + " " + each.tables().size()).toList());
  }

  @Test
  void replicationMatchesTheOracle() {
    assertEquals(
        List.of(
            "LocalStrategy {}",
            "SimpleStrategy {replication_factor=1}",
            "SimpleStrategy {replication_factor=3}",
            "LocalStrategy {}",
            "SimpleStrategy {replication_factor=2}",
            "LocalStrategy {}",
            "LocalStrategy {}"),
        schema.keyspaces().stream()
            .map(KeyspaceSchema::replication)
            .map(each -> each.simpleName() + " " + each.options())
            .toList());
  }

  @Test
  void storageIdsNeverChange() {
    assertEquals(1, table("system_auth", "cidr_groups").storageId());
    assertEquals(8, table("system_auth", "roles").storageId());
    assertEquals(9, table("system_distributed", "parent_repair_history").storageId());
    assertEquals(12, table("system_distributed", "view_build_status").storageId());
    assertEquals(13, table("system_traces", "events").storageId());
    assertEquals(14, table("system_traces", "sessions").storageId());
  }

  @Test
  void everyTableIsFoundByItsStorageIdAndByItsName() {
    Set<Integer> ids = new HashSet<>();
    for (KeyspaceSchema keyspace : schema.keyspaces()) {
      for (TableSchema table : keyspace.tables()) {
        assertTrue(ids.add(table.storageId()), table.toString());
        assertEquals(table, schema.table(table.storageId()));
        assertEquals(table, schema.table(keyspace.name(), table.name()));
        assertFalse(table.partitionKey().isEmpty());
        for (ColumnSchema column : table.columns()) {
          assertEquals(column, table.column(column.name()));
        }
      }
    }
    assertEquals(14, schema.storedTables().size());
  }

  @Test
  void nonFrozenCollectionsHaveCellsByPath() {
    assertTrue(Objects.requireNonNull(table("system", "local").column("tokens")).multiCell());
    assertFalse(
        Objects.requireNonNull(table("system_schema", "tables").column("caching")).multiCell());
    assertTrue(
        Objects.requireNonNull(table("system_traces", "sessions").column("parameters"))
            .multiCell());
  }

  @Test
  void theHelenusVersionIsAColumnOfSystemLocal() {
    assertNotNull(table("system", "local").column("helenus_version"));
  }
}
