package io.helenus.server.admin.command;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.Invocation;
import io.helenus.server.coordinator.BatchLog;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;

/** The keyspaces and tables that arguments name. Stateless. */
final class Targets {
  private Targets() {}

  /** The keyspaces that have files: neither virtual nor computed. */
  static List<KeyspaceSchema> keyspaces(AdminNode node) {
    return node.state().schema().keyspaces().stream().filter(each -> !each.isVirtual()).toList();
  }

  /** Whether users define the tables of the keyspace. */
  static boolean isUserKeyspace(KeyspaceSchema keyspace) {
    return !keyspace.isVirtual() && isUserKeyspace(keyspace.name());
  }

  /** Whether users define the tables of a stored keyspace with this name. */
  static boolean isUserKeyspace(String keyspace) {
    return switch (keyspace) {
      case "system",
          "system_schema",
          "system_auth",
          "system_distributed",
          "system_traces",
          "system_cluster_metadata" ->
          false;
      default -> true;
    };
  }

  /** The tables of {@code [keyspace [table...]]}; without arguments all of them. */
  static List<TableSchema> tables(AdminNode node, Invocation invocation) throws CommandException {
    List<String> arguments = invocation.arguments();
    if (arguments.isEmpty()) {
      return keyspaces(node).stream().flatMap(each -> each.tables().stream()).toList();
    }
    String name = arguments.getFirst();
    KeyspaceSchema keyspace = node.state().schema().keyspace(name);
    if (keyspace == null || keyspace.isVirtual()) {
      throw CommandException.usage("Keyspace [" + name + "] does not exist.");
    }
    if (arguments.size() == 1) {
      return keyspace.tables();
    }
    List<TableSchema> tables = new ArrayList<>();
    for (String each : arguments.subList(1, arguments.size())) {
      TableSchema table = keyspace.table(each);
      if (table == null) {
        throw CommandException.failed("Unknown keyspace/cf pair (" + name + "." + each + ")");
      }
      tables.add(table);
    }
    return tables;
  }

  /**
   * The table of {@code keyspace table ...}, for commands that name it as Cassandra's MBeans do.
   */
  static TableSchema table(AdminNode node, Invocation invocation) throws CommandException {
    String keyspaceName = invocation.required(0, "");
    String name = invocation.required(1, "");
    KeyspaceSchema keyspace = node.state().schema().keyspace(keyspaceName);
    TableSchema table = keyspace == null || keyspace.isVirtual() ? null : keyspace.table(name);
    if (table == null) {
      throw CommandException.notDone(
          "ColumnFamilyStore for " + keyspaceName + "/" + name + " not found.\n");
    }
    return table;
  }

  /** The storage id of a table; that of the batch log for system.batches. */
  static int storageId(TableSchema table) {
    boolean batchLog = table.keyspace().equals("system") && table.name().equals("batches");
    return batchLog ? BatchLog.TABLE_ID : table.storageId();
  }

  /** Whether the table has files: the other tables are computed when they are read. */
  static boolean isStored(TableSchema table) {
    return storageId(table) > 0;
  }
}
