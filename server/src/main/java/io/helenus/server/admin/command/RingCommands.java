package io.helenus.server.admin.command;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.Invocation;
import io.helenus.server.ring.ReplicaMap;
import io.helenus.server.ring.RingNode;
import io.helenus.server.ring.TokenRange;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.system.ClusterView;
import io.helenus.server.system.MemberView;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.KeyFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Commands that show which members own which part of the token ring. Any thread. */
final class RingCommands {
  private final AdminNode node;

  RingCommands(AdminNode node) {
    this.node = node;
  }

  /** The members by data centre, those of each in the order of their addresses. */
  static SortedMap<String, List<MemberView>> byDataCenter(ClusterView cluster) {
    SortedMap<String, List<MemberView>> members = new TreeMap<>();
    for (MemberView member : Addresses.sorted(cluster.members())) {
      members.computeIfAbsent(member.node().dataCenter(), unused -> new ArrayList<>()).add(member);
    }
    return members;
  }

  private static String load(MemberView member) {
    long bytes = member.loadBytes();
    return bytes < 0 ? "?" : Sizes.spaced(bytes);
  }

  String status(Invocation invocation) throws CommandException {
    invocation.atMost(1, "status takes one keyspace");
    ClusterView cluster = node.cluster();
    Ownership ownership = Ownership.of(node, invocation.argument(0));
    boolean known = ownership.keyspace() != null;
    TextTable last = new TextTable("  ");
    SortedMap<String, TextTable> tables = new TreeMap<>();
    for (var dataCenter : byDataCenter(cluster).entrySet()) {
      last = last.withSameWidths();
      tables.put(dataCenter.getKey(), last);
      last.row(
          "--",
          "Address",
          "Load",
          "Tokens",
          known ? "Owns (effective)" : "Owns",
          "Host ID",
          "Rack");
      for (MemberView member : dataCenter.getValue()) {
        last.row(
            member.isUp() ? "UN" : "DN",
            invocation.has("resolve-ip")
                ? member.broadcast().address().getHostName()
                : Addresses.text(member.broadcast(), invocation),
            load(member),
            Integer.toString(member.node().tokens().length),
            ownership.text(cluster, member, "##0.0%"),
            member.node().hostId().toString(),
            member.node().rack());
      }
    }
    StringBuilder out = new StringBuilder();
    tables.forEach(
        (dataCenter, table) -> {
          String title = "Datacenter: " + dataCenter;
          out.append(title).append('\n').repeat('=', title.length());
          out.append("\nStatus=Up/Down\n|/ State=Normal/Leaving/Joining/Moving\n");
          table.print(out);
          out.append('\n');
        });
    if (!known) {
      out.append("Note: ").append(ownership.note()).append('\n');
    }
    return out.toString();
  }

  String ring(Invocation invocation) throws CommandException {
    invocation.atMost(1, "ring takes one keyspace");
    ClusterView cluster = node.cluster();
    Ownership ownership = Ownership.of(node, invocation.argument(0));
    SortedMap<String, List<MemberView>> dataCenters = byDataCenter(cluster);
    int width = 0;
    boolean severalTokens = false;
    for (MemberView member : cluster.members()) {
      width = Math.max(width, Addresses.withPort(member.broadcast()).length());
      severalTokens |= member.node().tokens().length > 1;
    }
    String line = "%-" + width + "s  %-12s%-7s%-8s%-16s%-20s%-44s%n";
    StringBuilder out = new StringBuilder("\n");
    for (String dataCenter : dataCenters.keySet()) {
      SortedMap<Long, Object[]> tokens = new TreeMap<>();
      for (MemberView member : dataCenters.getOrDefault(dataCenter, List.of())) {
        String address = Addresses.text(member.broadcast(), invocation);
        String status = member.isUp() ? "Up" : "Down";
        String load = load(member);
        String owns = ownership.text(cluster, member, "##0.00%");
        for (long token : member.node().tokens()) {
          tokens.put(
              token,
              new Object[] {address, member.node().rack(), status, "Normal", load, owns, token});
        }
      }
      out.append("Datacenter: ").append(dataCenter).append("\n==========\n");
      out.append(line.formatted("Address", "Rack", "Status", "State", "Load", "Owns", "Token"));
      if (tokens.size() > 1) {
        out.append(line.formatted("", "", "", "", "", "", tokens.lastKey()));
      } else {
        out.append('\n');
      }
      tokens.values().forEach(cells -> out.append(line.formatted(cells)));
      out.append('\n');
    }
    if (severalTokens) {
      out.append("  Warning: \"nodetool ring\" is used to output all the tokens of a node.\n")
          .append("  To view status related info of a node use \"nodetool status\" instead.\n\n");
    }
    out.append("\n  ");
    if (ownership.keyspace() == null) {
      out.append("Note: ").append(ownership.note()).append('\n');
    }
    return out.toString();
  }

  String getEndpoints(Invocation invocation) throws CommandException {
    String usage = "getendpoints requires keyspace, table and partition key arguments";
    invocation.atMost(3, usage);
    String key = invocation.required(2, usage);
    String keyspaceName = invocation.required(0, usage);
    String tableName = invocation.required(1, usage);
    KeyspaceSchema keyspace = node.state().schema().keyspace(keyspaceName);
    if (keyspace == null) {
      throw CommandException.usage("Unknown keyspace '" + keyspaceName + "'");
    }
    TableSchema table = keyspace.table(tableName);
    if (table == null) {
      throw CommandException.usage(
          "Unknown table '" + tableName + "' in keyspace '" + keyspaceName + "'");
    }
    ClusterView cluster = node.cluster();
    StringBuilder out = new StringBuilder();
    if (keyspace.isVirtual() || keyspace.replication().isLocal()) {
      return Addresses.text(cluster.self().broadcast(), invocation) + "\n";
    }
    byte[] prefix = PartitionKeyText.prefix(table, keyspace.partitionKeyTypes(table), key, false);
    long token = KeyFormat.token(new ByteWriter(64).putBytes(prefix).segment(), 0);
    for (RingNode replica : cluster.replicas(keyspace).replicas(token)) {
      MemberView member = cluster.member(replica.hostId());
      out.append(Addresses.text(member.broadcast(), invocation)).append('\n');
    }
    return out.toString();
  }

  String describeRing(Invocation invocation) throws CommandException {
    String name = invocation.required(0, "Required parameters are missing: keyspace");
    KeyspaceSchema keyspace = node.state().schema().keyspace(name);
    if (keyspace == null) {
      throw CommandException.failed("No such keyspace: " + name);
    }
    if (keyspace.isVirtual() || keyspace.replication().isLocal()) {
      throw CommandException.failed("There is no ring for the keyspace: " + name);
    }
    ClusterView cluster = node.cluster();
    ReplicaMap replicas = cluster.replicas(keyspace);
    StringBuilder out = new StringBuilder("Schema Version:");
    out.append(node.state().schema().version()).append("\nTokenRange: \n");
    for (TokenRange range : replicas.ring().ranges()) {
      List<String> endpoints = new ArrayList<>();
      List<String> clients = new ArrayList<>();
      List<String> details = new ArrayList<>();
      for (RingNode replica : replicas.replicas(range.right())) {
        MemberView member = cluster.member(replica.hostId());
        String endpoint = Addresses.text(member.broadcast(), invocation);
        endpoints.add(endpoint);
        clients.add(Addresses.text(member.clients(), invocation));
        details.add(
            "EndpointDetails(host:%s, datacenter:%s, rack:%s)"
                .formatted(endpoint, replica.datacenter(), replica.rack()));
      }
      out.append("\tTokenRange(start_token:").append(range.left());
      out.append(", end_token:").append(range.right());
      out.append(", endpoints:").append(endpoints);
      out.append(", rpc_endpoints:").append(clients);
      out.append(", endpoint_details:").append(details).append(")\n");
    }
    return out.toString();
  }
}
