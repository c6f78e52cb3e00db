package io.helenus.server.simulation.cluster;

import io.helenus.server.simulation.Model;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Definitions that clients of different nodes change at the same time: tables of a keyspace of
 * their own are created and dropped. What was answered must be true on all nodes at the end.
 */
final class Definitions {
  private enum Presence {
    PRESENT,
    ABSENT,
    UNKNOWN,
    CHANGING
  }

  private final SimCluster cluster;
  private final ClusterClients clients;
  private final ClusterFaults faults;
  private final Counts counts;
  private final Map<String, Presence> tables = new TreeMap<>();

  Definitions(SimCluster cluster, ClusterClients clients, ClusterFaults faults, Counts counts) {
    this.cluster = cluster;
    this.clients = clients;
    this.faults = faults;
    this.counts = counts;
  }

  /** Creates the tables of the model and the keyspace for further ones. */
  void createTables(int replicas, List<Model.Table> all) {
    String replication = "{'class': 'SimpleStrategy', 'replication_factor': " + replicas + "}";
    require("CREATE KEYSPACE sim WITH replication = " + replication);
    require("CREATE KEYSPACE ddl WITH replication = " + replication);
    for (Model.Table table : all) {
      String collection = table.sets ? "set<int>" : "map<int, int>";
      require(
          "CREATE TABLE sim.%s (p int, c int, d int, s int static, sm %s static, v int, w int, m %s, PRIMARY KEY (p, c, d)) WITH CLUSTERING ORDER BY (c ASC, d DESC)"
              .formatted(table.name, collection, collection));
    }
    // one table has an index, the other one is filtered
    require("CREATE INDEX ON sim." + all.getFirst().name + " (v)");
  }

  private void require(String cql) {
    Answer answer = clients.ask(0, ClientRequest.of(cql));
    if (answer == null || answer instanceof Answer.Failure) {
      throw new ViolationError(Violation.UNEXPECTED_ERROR, cql + ": " + answer);
    }
  }

  /** Creates or drops a table by any node. */
  void change(SimRandomness choices) {
    int host = clients.anyReady(choices);
    if (host < 0) {
      return;
    }
    List<String> known = new ArrayList<>(tables.keySet());
    known.removeIf(name -> tables.get(name) == Presence.CHANGING || isAbsent(name));
    boolean drops = !known.isEmpty() && choices.percent(40);
    String name = drops ? known.get(choices.below(known.size())) : "t" + tables.size();
    tables.put(name, Presence.CHANGING);
    String cql =
        drops
            ? "DROP TABLE IF EXISTS ddl." + name
            : "CREATE TABLE ddl." + name + " (k int PRIMARY KEY, v int)";
    clients.send(
        host,
        choices.below(cluster.loops(host)),
        ClientRequest.of(cql),
        answer -> {
          boolean done = !(answer instanceof Answer.Failure);
          counts.add(done ? "definitions" : "unknown definitions");
          Presence after = drops ? Presence.ABSENT : Presence.PRESENT;
          tables.put(name, done ? after : Presence.UNKNOWN);
        });
  }

  private boolean isAbsent(String name) {
    return tables.get(name) == Presence.ABSENT;
  }

  /** All nodes have the same definitions, and those that clients were told of. */
  void compareAll() {
    faults.calm();
    clients.limit(0);
    Set<String> first = new HashSet<>();
    String version = "";
    for (int host = 0; host < cluster.size(); host++) {
      Set<String> found = tables(host);
      String has = ask(host, "SELECT schema_version FROM system.local").getFirst().getFirst();
      if (host == 0) {
        first = found;
        version = has;
      }
      if (!found.equals(first) || !has.equals(version)) {
        throw new ViolationError(
            Violation.DIVERGED_HISTORY,
            "node " + host + " has " + found + " and " + has + ", not " + first + " " + version);
      }
    }
    Set<String> all = first;
    tables.forEach((name, presence) -> compare(name, presence, all.contains(name)));
  }

  private static void compare(String name, Presence presence, boolean found) {
    if (presence == Presence.PRESENT && !found || presence == Presence.ABSENT && found) {
      throw new ViolationError(
          found ? Violation.RESURRECTED : Violation.LOST_WRITE,
          "table " + name + " is said to be " + presence);
    }
  }

  private Set<String> tables(int host) {
    Set<String> names = new HashSet<>();
    for (List<String> row :
        ask(host, "SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'ddl'")) {
      names.add(new String(HexFormat.of().parseHex(row.getFirst()), StandardCharsets.UTF_8));
    }
    return names;
  }

  private List<List<String>> ask(int host, String cql) {
    if (clients.ask(host, ClientRequest.of(cql)) instanceof Answer.Rows rows) {
      return rows.texts();
    }
    throw new ViolationError(Violation.UNREADABLE, "of node " + host + ": " + cql);
  }
}
