package io.helenus.server.admin.command;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.Invocation;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.system.ClusterFacts;
import io.helenus.server.system.ClusterView;
import io.helenus.server.system.MemberView;
import io.helenus.server.system.NodeFacts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Commands that show the members of the cluster and the traffic between them. Any thread. */
final class ClusterCommands {
  private static final String SNITCH = "org.apache.cassandra.locator.SimpleSnitch";

  private final AdminNode node;

  ClusterCommands(AdminNode node) {
    this.node = node;
  }

  String version(Invocation invocation) {
    String compatible = "ReleaseVersion: " + NodeFacts.RELEASE_VERSION + "\n";
    return invocation.has("verbose")
        ? compatible + "HelenusVersion: " + node.facts().helenusVersion() + "\n"
        : compatible;
  }

  String describeCluster(Invocation invocation) throws CommandException {
    Map<String, List<String>> schemas = new LinkedHashMap<>();
    List<String> unreachable = new ArrayList<>();
    List<String> all = new ArrayList<>();
    ClusterView cluster = node.cluster();
    for (MemberView member : Addresses.sorted(cluster.members())) {
      String address = Addresses.text(member.broadcast(), invocation);
      all.add(Addresses.withPort(member.broadcast()));
      if (member.isUp()) {
        String version = member.schemaVersion().toString();
        schemas.computeIfAbsent(version, unused -> new ArrayList<>()).add(address);
      } else {
        unreachable.add(address);
      }
    }
    if (!unreachable.isEmpty()) {
      schemas.put("UNREACHABLE", unreachable);
    }
    StringBuilder out = new StringBuilder("Cluster Information:\n");
    out.append("\tName: ").append(node.state().clusterName()).append('\n');
    out.append("\tSnitch: " + SNITCH + "\n\tDynamicEndPointSnitch: disabled\n");
    out.append("\tPartitioner: " + Partitioner.MURMUR3_CLASS + "\n\tSchema versions:\n");
    schemas.forEach(
        (version, members) ->
            out.append("\t\t").append(version).append(": ").append(members).append("\n\n"));
    out.append("Stats for all nodes:\n\tLive: ").append(all.size() - unreachable.size());
    out.append("\n\tJoining: 0\n\tMoving: 0\n\tLeaving: 0\n\tUnreachable: ");
    out.append(unreachable.size()).append("\n\nData Centers: \n");
    RingCommands.byDataCenter(cluster)
        .forEach(
            (dataCenter, members) -> {
              long down = members.stream().filter(each -> !each.isUp()).count();
              out.append('\t').append(dataCenter).append(" #Nodes: ").append(members.size());
              out.append(" #Down: ").append(down).append('\n');
            });
    out.append("\nDatabase versions:\n\t").append(NodeFacts.RELEASE_VERSION).append(": ");
    out.append(all).append("\n\nKeyspaces:\n");
    for (KeyspaceSchema keyspace : Targets.keyspaces(node)) {
      out.append('\t').append(keyspace.name()).append(" -> Replication class: ");
      out.append(keyspace.replication().simpleName()).append(' ');
      out.append(options(keyspace.replication().options())).append('\n');
    }
    String note = Ownership.of(node, null).note();
    return note.isEmpty() ? out.toString() : out.append("\nNote: " + note + "\n").toString();
  }

  private static String options(Map<String, String> options) {
    return options.entrySet().stream()
        .map(each -> each.getKey() + "=" + each.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }

  /** The versions of the values count changes in Cassandra; here nothing changes during a run. */
  String gossipInfo(Invocation invocation) {
    StringBuilder out = new StringBuilder();
    for (MemberView member : Addresses.sorted(node.cluster().members())) {
      out.append('/').append(Addresses.text(member.broadcast(), invocation)).append('\n');
      out.append("  generation:").append(member.generation()).append('\n');
      out.append("  heartbeat:").append(member.heartbeat(uptimeSeconds(node))).append('\n');
      int version = 0;
      for (Map.Entry<String, String> value : gossip(member).entrySet()) {
        out.append("  ").append(value.getKey()).append(':').append(++version).append(':');
        out.append(value.getValue()).append('\n');
      }
    }
    return out.append('\n').toString();
  }

  private Map<String, String> gossip(MemberView member) {
    String normal = "NORMAL," + member.node().tokens()[0];
    boolean serving = member.isLocal() ? node.isServing() : member.isServing();
    Map<String, String> values = new LinkedHashMap<>();
    if (member.isLocal()) {
      values.put("STATUS", normal);
    }
    if (member.loadBytes() >= 0) {
      values.put("LOAD", Double.toString(member.loadBytes()));
    }
    values.put("SCHEMA", member.schemaVersion().toString());
    values.put("DC", member.node().dataCenter());
    values.put("RACK", member.node().rack());
    values.put("RELEASE_VERSION", NodeFacts.RELEASE_VERSION);
    if (member.isLocal()) {
      values.put("RPC_ADDRESS", member.clients().address().getHostAddress());
    }
    values.put("HOST_ID", member.node().hostId().toString());
    values.put("RPC_READY", Boolean.toString(serving));
    values.put("NATIVE_ADDRESS_AND_PORT", Addresses.withPort(member.clients()));
    values.put("STATUS_WITH_PORT", normal);
    values.put("TOKENS", "<hidden>");
    return values;
  }

  /** Members that were never heard of are left out. */
  String failureDetector(Invocation invocation) {
    StringBuilder out = new StringBuilder("%10s,%16s%n".formatted("Endpoint", "Phi"));
    for (MemberView peer : Addresses.sorted(node.cluster().peers())) {
      if (!Double.isNaN(peer.phi())) {
        String endpoint = "/" + Addresses.text(peer.broadcast(), invocation);
        out.append(String.format(Locale.ROOT, "%10s,%16.8f%n", endpoint, peer.phi()));
      }
    }
    return out.toString();
  }

  static long uptimeSeconds(AdminNode node) {
    return node.nowMicros() / 1_000_000 - node.facts().startedSeconds();
  }

  String netStats(Invocation invocation) {
    ClusterFacts.Traffic traffic = node.facts().cluster().traffic();
    StringBuilder out = new StringBuilder("Mode: ");
    out.append(node.isDrained() ? "DRAINED" : "NORMAL").append("\nNot sending any streams.\n");
    out.append("Read Repair Statistics:\nAttempted: ").append(traffic.readRepairs());
    out.append("\nMismatch (Blocking): ").append(traffic.blockingMismatches());
    out.append("\nMismatch (Background): ").append(traffic.backgroundMismatches()).append('\n');
    String line = "%-25s%10s%10s%15s%10s%n";
    out.append(line.formatted("Pool Name", "Active", "Pending", "Completed", "Dropped"));
    for (Map.Entry<String, ClusterFacts.Messages> kind :
        List.of(
            Map.entry("Large messages", traffic.large()),
            Map.entry("Small messages", traffic.small()),
            Map.entry("Gossip messages", traffic.gossip()))) {
      ClusterFacts.Messages sent = kind.getValue();
      out.append(
          line.formatted(kind.getKey(), "n/a", sent.pending(), sent.completed(), sent.dropped()));
    }
    return out.toString();
  }
}
