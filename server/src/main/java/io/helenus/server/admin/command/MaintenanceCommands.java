package io.helenus.server.admin.command;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.Invocation;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Replication;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.viewbuild.ViewBuilds;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** Commands that work on the files of tables, and those that stop and start work. Any thread. */
final class MaintenanceCommands {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");

  private final AdminNode node;

  MaintenanceCommands(AdminNode node) {
    this.node = node;
  }

  String flush(Invocation invocation) throws CommandException {
    for (TableSchema table : Targets.tables(node, invocation)) {
      if (Targets.isStored(table)) {
        node.flush(Targets.storageId(table));
      }
    }
    return "";
  }

  String compact(Invocation invocation) throws CommandException {
    for (TableSchema table : Targets.tables(node, invocation)) {
      if (Targets.isStored(table)) {
        node.compact(Targets.storageId(table));
      }
    }
    return "";
  }

  /** Indexes may be named {@code table.index} too, as in Cassandra. */
  String rebuildIndex(Invocation invocation) throws CommandException {
    String unused = invocation.required(2, "rebuild_index requires ks, cf and idx args");
    TableSchema table = Targets.table(node, invocation);
    List<IndexSchema> indexes = new ArrayList<>();
    for (String name : invocation.arguments().subList(2, invocation.arguments().size())) {
      indexes.add(index(table, name));
    }
    for (IndexSchema index : indexes) {
      if (table.isStored(index)) {
        node.rebuildIndex(Targets.storageId(table), index.id());
      }
    }
    return "";
  }

  /** As in Cassandra, the view may be one argument with its keyspace, and only its name matters. */
  String viewBuildStatus(Invocation invocation) throws CommandException {
    String usage = "viewbuildstatus requires keyspace and view name arguments";
    List<String> arguments = invocation.arguments();
    String first = invocation.required(0, usage);
    String keyspace = first;
    String name = "";
    if (arguments.size() == 2) {
      name = arguments.get(1);
    } else if (arguments.size() == 1 && first.indexOf('.') > 0) {
      keyspace = first.substring(0, first.indexOf('.'));
      name = first.substring(first.indexOf('.') + 1);
    } else {
      throw CommandException.usage(usage);
    }
    for (ViewBuilds.Progress view : node.facts().viewBuilds()) {
      if (view.keyspace().equals(keyspace) && view.view().equals(name) && !view.done()) {
        StringBuilder out = new StringBuilder();
        out.append(keyspace).append('.').append(name);
        out.append(" has not finished building; node status is below.\n\n");
        new TextTable(" ")
            .row("Host", "Info")
            .row(node.facts().broadcast().address().getHostAddress(), "STARTED")
            .print(out);
        throw CommandException.refused(out.toString());
      }
    }
    return keyspace + "." + name + " has finished building\n";
  }

  private static IndexSchema index(TableSchema table, String name) throws CommandException {
    for (IndexSchema index : table.indexes()) {
      if (name.equals(index.name()) || name.equals(table.name() + "." + index.name())) {
        return index;
      }
    }
    throw CommandException.failed("There is no index " + name + " on " + table);
  }

  /**
   * A node never had keys that it does not own, so nothing is removed; the arguments are checked.
   */
  String cleanup(Invocation invocation) throws CommandException {
    List<TableSchema> unused = Targets.tables(node, invocation);
    return "";
  }

  /** A keyspace with one replica needs no repair, and others cannot be repaired yet. */
  String repair(Invocation invocation) throws CommandException {
    List<TableSchema> unused = Targets.tables(node, invocation);
    StringBuilder out = new StringBuilder();
    for (KeyspaceSchema keyspace : Targets.keyspaces(node)) {
      boolean chosen =
          invocation.arguments().isEmpty() || keyspace.name().equals(invocation.argument(0));
      Replication replication = keyspace.replication();
      if (!chosen || replication.isLocal()) {
        continue;
      }
      int most =
          replication.options().values().stream().mapToInt(MaintenanceCommands::factor).sum();
      if (most != 1 && node.state().nodes().size() > 1) {
        throw CommandException.failed(
            "Repair of keyspace '"
                + keyspace.name()
                + "': repair of replicas is not supported yet; reads repair what they find");
      }
      if (most != 1) {
        throw CommandException.failed(
            "Nothing to repair for keyspace '"
                + keyspace.name()
                + "': there are no other replicas");
      }
      Instant now = Instant.ofEpochMilli(node.nowMicros() / 1000);
      out.append('[').append(TIME.format(now.atZone(ZoneId.systemDefault())));
      out.append("] Replication factor is 1. No repair is needed for keyspace '");
      out.append(keyspace.name()).append("'\n");
    }
    return out.toString();
  }

  private static int factor(String option) {
    try {
      return Integer.parseInt(option);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  String drain(Invocation invocation) throws CommandException {
    node.drain();
    return "";
  }

  String enableBinary(Invocation invocation) throws CommandException {
    if (node.isDrained()) {
      throw CommandException.usage(
          "Unable to start native transport because the node was drained.");
    }
    node.startServing();
    return "";
  }

  String disableBinary(Invocation invocation) throws CommandException {
    node.stopServing(invocation.has("force"));
    return "";
  }

  String statusBinary(Invocation invocation) {
    return running(node.isServing());
  }

  /** A node that was not drained is a member of the cluster. */
  String statusGossip(Invocation invocation) {
    return running(!node.isDrained());
  }

  private static String running(boolean running) {
    return running ? "running\n" : "not running\n";
  }

  String decommission(Invocation invocation) throws CommandException {
    throw CommandException.usage(
        node.state().nodes().size() > 1
            ? "Unsupported operation: nodes cannot leave the cluster yet"
            : "Unsupported operation: no other normal nodes in the ring; decommission would be"
                + " pointless");
  }

  String move(Invocation invocation) throws CommandException {
    throw CommandException.failed("This node has more than one token and cannot be moved thusly.");
  }

  String removeNode(Invocation invocation) throws CommandException {
    if ("status".equals(invocation.argument(0))) {
      return "RemovalStatus: No token removals in process.\n";
    }
    for (ClusterNode member : node.state().nodes().values()) {
      if (member.hostId().toString().equals(invocation.argument(0))) {
        throw CommandException.usage("Unsupported operation: nodes cannot be removed yet");
      }
    }
    throw CommandException.usage("Host ID not found.");
  }
}
