package io.helenus.server.admin.command;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.Invocation;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.ring.RingNode;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.system.NodeFacts;
import io.helenus.storage.engine.TableStatistics;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Commands that show the members of the cluster: so far this node alone. Any thread. */
final class ClusterCommands {
  private static final String SNITCH = "org.apache.cassandra.locator.SimpleSnitch";

  private final AdminNode node;

  ClusterCommands(AdminNode node) {
    this.node = node;
  }

  private String address() {
    return node.facts().broadcast().address().getHostAddress();
  }

  private String addressAndPort() {
    return address() + ":" + node.facts().broadcast().port();
  }

  /** The size of all SSTables. */
  static long loadBytes(AdminNode node) {
    long bytes = 0;
    for (TableSchema table : node.state().schema().storedTables()) {
      TableStatistics statistics = node.facts().statistics(table.storageId());
      bytes += statistics == null ? 0 : statistics.fileBytes();
    }
    return bytes;
  }

  private String load() {
    return Sizes.spaced(loadBytes(node));
  }

  String version(Invocation invocation) {
    String compatible = "ReleaseVersion: " + NodeFacts.RELEASE_VERSION + "\n";
    return invocation.has("verbose")
        ? compatible + "HelenusVersion: " + node.facts().helenusVersion() + "\n"
        : compatible;
  }

  String status(Invocation invocation) throws CommandException {
    invocation.atMost(1, "status takes one keyspace");
    Ownership ownership = Ownership.of(node, invocation.argument(0));
    ClusterNode self = node.self();
    String dataCenter = "Datacenter: " + self.dataCenter();
    StringBuilder out = new StringBuilder(dataCenter).append('\n');
    out.repeat('=', dataCenter.length())
        .append("\nStatus=Up/Down\n|/ State=Normal/Leaving/Joining/Moving\n");
    boolean known = ownership.keyspace() != null;
    String host =
        invocation.has("resolve-ip")
            ? node.facts().broadcast().address().getHostName()
            : invocation.has("print-port") ? addressAndPort() : address();
    new TextTable("  ")
        .row(
            "--",
            "Address",
            "Load",
            "Tokens",
            known ? "Owns (effective)" : "Owns",
            "Host ID",
            "Rack")
        .row(
            "UN",
            host,
            load(),
            Integer.toString(self.tokens().length),
            known ? Sizes.decimal("##0.0%", ownership.share(node, self)) : "?",
            self.hostId().toString(),
            self.rack())
        .print(out);
    out.append('\n');
    if (!known) {
      out.append("Note: ").append(ownership.note()).append('\n');
    }
    return out.toString();
  }

  String ring(Invocation invocation) throws CommandException {
    invocation.atMost(1, "ring takes one keyspace");
    Ownership ownership = Ownership.of(node, invocation.argument(0));
    ClusterNode self = node.self();
    String owns =
        ownership.keyspace() == null ? "?" : Sizes.decimal("##0.00%", ownership.share(node, self));
    String line = "%-" + addressAndPort().length() + "s  %-12s%-7s%-8s%-16s%-20s%-44s%n";
    long[] tokens = self.tokens();
    StringBuilder out = new StringBuilder("\nDatacenter: " + self.dataCenter() + "\n==========\n");
    out.append(line.formatted("Address", "Rack", "Status", "State", "Load", "Owns", "Token"));
    if (tokens.length > 1) {
      out.append(line.formatted("", "", "", "", "", "", tokens[tokens.length - 1]));
    } else {
      out.append('\n');
    }
    for (long token : tokens) {
      out.append(line.formatted(address(), self.rack(), "Up", "Normal", load(), owns, token));
    }
    if (tokens.length > 1) {
      out.append("\n  Warning: \"nodetool ring\" is used to output all the tokens of a node.\n")
          .append("  To view status related info of a node use \"nodetool status\" instead.\n\n");
    }
    out.append("\n  ");
    if (ownership.keyspace() == null) {
      out.append("Note: ").append(ownership.note()).append('\n');
    }
    return out.toString();
  }

  String describeCluster(Invocation invocation) throws CommandException {
    ClusterNode self = node.self();
    StringBuilder out = new StringBuilder("Cluster Information:\n");
    out.append("\tName: ").append(node.state().clusterName()).append('\n');
    out.append("\tSnitch: " + SNITCH + "\n\tDynamicEndPointSnitch: disabled\n");
    out.append("\tPartitioner: " + Partitioner.MURMUR3_CLASS + "\n\tSchema versions:\n\t\t");
    out.append(node.state().schema().version()).append(": [").append(address()).append("]\n\n");
    out.append("Stats for all nodes:\n\tLive: 1\n\tJoining: 0\n\tMoving: 0\n\tLeaving: 0\n");
    out.append("\tUnreachable: 0\n\nData Centers: \n\t").append(self.dataCenter());
    out.append(" #Nodes: 1 #Down: 0\n\nDatabase versions:\n\t").append(NodeFacts.RELEASE_VERSION);
    out.append(": [").append(addressAndPort()).append("]\n\nKeyspaces:\n");
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
    ClusterNode self = node.self();
    NodeFacts facts = node.facts();
    String normal = "NORMAL," + self.tokens()[0];
    String clients =
        facts.nativeTransport().address().getHostAddress() + ":" + facts.nativeTransport().port();
    StringBuilder out = new StringBuilder("/" + address() + "\n");
    out.append("  generation:").append(facts.startedSeconds()).append('\n');
    out.append("  heartbeat:").append(uptimeSeconds(node)).append('\n');
    int version = 0;
    for (String value :
        List.of(
            "STATUS=" + normal,
            "LOAD=" + (double) loadBytes(node),
            "SCHEMA=" + node.state().schema().version(),
            "DC=" + self.dataCenter(),
            "RACK=" + self.rack(),
            "RELEASE_VERSION=" + NodeFacts.RELEASE_VERSION,
            "RPC_ADDRESS=" + facts.nativeTransport().address().getHostAddress(),
            "HOST_ID=" + self.hostId(),
            "RPC_READY=" + node.isServing(),
            "NATIVE_ADDRESS_AND_PORT=" + clients,
            "STATUS_WITH_PORT=" + normal,
            "TOKENS=<hidden>")) {
      out.append("  ").append(value.replaceFirst("=", ":" + ++version + ":")).append('\n');
    }
    return out.append('\n').toString();
  }

  static long uptimeSeconds(AdminNode node) {
    return node.nowMicros() / 1_000_000 - node.facts().startedSeconds();
  }

  String netStats(Invocation invocation) {
    return "Mode: "
        + (node.isDrained() ? "DRAINED" : "NORMAL")
        + """

        Not sending any streams.
        Read Repair Statistics:
        Attempted: 0
        Mismatch (Blocking): 0
        Mismatch (Background): 0
        Pool Name                    Active   Pending      Completed   Dropped
        Large messages                  n/a         0              0         0
        Small messages                  n/a         0              0         0
        Gossip messages                 n/a         0              0         0
        """;
  }

  /** The key is not looked at as long as every token has the same replicas. */
  String getEndpoints(Invocation invocation) throws CommandException {
    String usage = "getendpoints requires keyspace, table and partition key arguments";
    invocation.atMost(3, usage);
    String unused = invocation.required(2, usage);
    String keyspaceName = invocation.required(0, usage);
    String tableName = invocation.required(1, usage);
    KeyspaceSchema keyspace = node.state().schema().keyspace(keyspaceName);
    if (keyspace == null) {
      throw CommandException.usage("Unknown keyspace '" + keyspaceName + "'");
    }
    if (keyspace.table(tableName) == null) {
      throw CommandException.usage(
          "Unknown table '" + tableName + "' in keyspace '" + keyspaceName + "'");
    }
    List<RingNode> replicas = node.replicas(keyspace).replicas(0);
    return (address() + "\n").repeat(replicas.size());
  }

  String describeRing(Invocation invocation) throws CommandException {
    String name = invocation.required(0, "Required parameters are missing: keyspace");
    if (node.state().schema().keyspace(name) == null) {
      throw CommandException.failed("No such keyspace: " + name);
    }
    StringBuilder out = new StringBuilder("Schema Version:");
    out.append(node.state().schema().version()).append("\nTokenRange: \n");
    String place =
        "endpoints:[%1$s], rpc_endpoints:[%1$s], endpoint_details:[EndpointDetails(host:%1$s, datacenter:%2$s, rack:%3$s)])\n"
            .formatted(address(), node.self().dataCenter(), node.self().rack());
    long[] tokens = node.self().tokens();
    Arrays.sort(tokens);
    for (int i = 0; i < tokens.length; i++) {
      long before = tokens[(i + tokens.length - 1) % tokens.length];
      out.append("\tTokenRange(start_token:").append(before).append(", end_token:");
      out.append(tokens[i]).append(", ").append(place);
    }
    return out.toString();
  }
}
