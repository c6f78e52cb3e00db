package io.helenus.server.admin.command;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.Invocation;
import io.helenus.server.admin.Snapshots.Snapshot;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands for snapshots, one at a time. Any thread. */
final class SnapshotCommands {
  private final AdminNode node;

  SnapshotCommands(AdminNode node) {
    this.node = node;
  }

  String snapshot(Invocation invocation) throws CommandException, IOException {
    long millis = node.nowMicros() / 1000;
    String given = invocation.option("tag");
    String tag = given == null ? Long.toString(millis) : given;
    if (tag.contains("/")) {
      throw CommandException.failed("Snapshot name cannot contain /");
    }
    if (tag.isEmpty() || tag.equals(".") || tag.equals("..")) {
      throw CommandException.failed("You must supply a snapshot name.");
    }
    boolean skipFlush = invocation.has("skip-flush");
    String list = invocation.option("kt-list");
    String what =
        list != null
            ? list.replace(" ", "")
            : invocation.arguments().isEmpty()
                ? "all keyspaces"
                : String.join(", ", invocation.arguments());
    String out =
        "Requested creating snapshot(s) for ["
            + what
            + "] with snapshot name ["
            + tag
            + "] and options {skipFlush="
            + skipFlush
            + "}\n";
    node.takeSnapshotTurn();
    try {
      create(tag, chosen(invocation), skipFlush, Instant.ofEpochMilli(millis));
    } finally {
      node.snapshots().turns().end();
    }
    return out + "Snapshot directory: " + tag + "\n";
  }

  private void create(String tag, List<TableSchema> tables, boolean skipFlush, Instant created)
      throws IOException, CommandException {
    for (Snapshot existing : node.snapshots().list()) {
      if (existing.tag().equals(tag)
          && tables.stream()
              .anyMatch(
                  table ->
                      existing.keyspace().equals(table.keyspace())
                          && existing.table().equals(table.name()))) {
        throw CommandException.failed("Snapshot " + tag + " already exists.");
      }
    }
    for (TableSchema table : tables) {
      String folder = node.snapshots().createFolder(tag, table);
      node.snapshot(Targets.storageId(table), folder, skipFlush);
      node.snapshots().complete(folder, keyspace(table.keyspace()), table, created);
    }
  }

  private List<TableSchema> chosen(Invocation invocation) throws CommandException {
    List<TableSchema> tables = new ArrayList<>();
    String list = invocation.option("kt-list");
    String table = invocation.option("table");
    if (list != null) {
      if (!invocation.arguments().isEmpty() || table != null) {
        throw CommandException.failed(
            "When specifying the Keyspace table list (using -kt,--kt-list,-kc,--kc.list), you must"
                + " not also specify keyspaces to snapshot");
      }
      for (String each : list.split(",", -1)) {
        int dot = each.indexOf('.');
        if (dot < 0) {
          throw CommandException.failed("You must specify a keyspace and a table: " + each.strip());
        }
        tables.add(table(each.substring(0, dot).strip(), each.substring(dot + 1).strip()));
      }
    } else if (table != null) {
      if (invocation.arguments().size() != 1) {
        throw CommandException.failed(
            "When specifying the table for a snapshot, you must specify one and only one keyspace");
      }
      tables.add(table(invocation.arguments().getFirst(), table));
    } else if (invocation.arguments().isEmpty()) {
      Targets.keyspaces(node).forEach(each -> tables.addAll(each.tables()));
    } else {
      for (String name : invocation.arguments()) {
        tables.addAll(keyspace(name).tables());
      }
    }
    return tables.stream().filter(Targets::isStored).toList();
  }

  private KeyspaceSchema keyspace(String name) throws CommandException {
    KeyspaceSchema keyspace = node.state().schema().keyspace(name);
    if (keyspace == null || keyspace.isVirtual()) {
      throw CommandException.usage("Keyspace " + name + " does not exist");
    }
    return keyspace;
  }

  private TableSchema table(String keyspace, String name) throws CommandException {
    TableSchema table = keyspace(keyspace).table(name);
    if (table == null) {
      throw CommandException.usage("Unknown keyspace/cf pair (" + keyspace + "." + name + ")");
    }
    return table;
  }

  String list(Invocation invocation) throws IOException {
    List<Snapshot> snapshots = node.snapshots().list();
    StringBuilder out = new StringBuilder("Snapshot Details: \n");
    if (snapshots.isEmpty()) {
      return out.append("There are no snapshots\n").toString();
    }
    TextTable table = new TextTable(" ");
    table.row(
        "Snapshot name",
        "Keyspace name",
        "Column family name",
        "True size",
        "Size on disk",
        "Creation time",
        "Expiration time");
    long trueBytes = 0;
    for (Snapshot each : snapshots) {
      trueBytes += each.trueBytes();
      table.row(
          each.tag(),
          each.keyspace(),
          each.table(),
          Sizes.spaced(each.trueBytes()),
          Sizes.spaced(each.bytes()),
          each.created(),
          "");
    }
    table.print(out);
    out.append("\nTotal TrueDiskSpaceUsed: ").append(Sizes.spaced(trueBytes)).append("\n\n");
    return out.toString();
  }

  String clear(Invocation invocation) throws CommandException, IOException {
    String tag = invocation.option("tag");
    boolean all = invocation.has("all");
    if (tag == null && !all) {
      throw CommandException.usage("Specify snapshot name or --all");
    }
    if (tag != null && all) {
      throw CommandException.usage("Specify only one of snapshot name or --all");
    }
    delete(tag, invocation.arguments());
    return "Requested clearing snapshot(s) for ["
        + (invocation.arguments().isEmpty()
            ? "all keyspaces"
            : String.join(", ", invocation.arguments()))
        + "] with "
        + (tag == null ? "[all snapshots]" : "snapshot name [" + tag + "]")
        + "\n";
  }

  private void delete(@Nullable String tag, List<String> keyspaces)
      throws CommandException, IOException {
    node.takeSnapshotTurn();
    try {
      node.snapshots().delete(tag, keyspaces);
    } finally {
      node.snapshots().turns().end();
    }
  }
}
