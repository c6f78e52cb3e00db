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
 * their own are created and dropped, and columns of one that stays. What was answered must be true
 * on all nodes at the end.
 */
final class Definitions {
  /** The columns that are added to the table that stays. */
  private static final String COLUMNS = "altered.c";

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

  /** Tables, and columns with the table before their name. */
  private final Map<String, Presence> known = new TreeMap<>();

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
    require("CREATE TABLE ddl.altered (k int PRIMARY KEY)");
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

  /** Creates or drops a table, or a column, by any node. */
  void change(SimRandomness choices) {
    int host = clients.anyReady(choices);
    if (host < 0) {
      return;
    }
    String prefix = choices.percent(50) ? COLUMNS : "t";
    List<String> droppable = droppable(prefix);
    boolean drops = !droppable.isEmpty() && choices.percent(40);
    String name = drops ? droppable.get(choices.below(droppable.size())) : prefix + known.size();
    known.put(name, Presence.CHANGING);
    clients.send(
        host,
        choices.below(cluster.loops(host)),
        ClientRequest.of(drops ? drop(name) : create(name)),
        answer -> {
          boolean done = !(answer instanceof Answer.Failure);
          counts.add(done ? "definitions" : "unknown definitions");
          Presence after = drops ? Presence.ABSENT : Presence.PRESENT;
          known.put(name, done ? after : Presence.UNKNOWN);
        });
  }

  private List<String> droppable(String prefix) {
    List<String> names = new ArrayList<>();
    known.forEach(
        (name, presence) -> {
          if (name.startsWith(prefix)
              && (presence == Presence.PRESENT || presence == Presence.UNKNOWN)) {
            names.add(name);
          }
        });
    return names;
  }

  private static String create(String name) {
    return name.startsWith(COLUMNS)
        ? "ALTER TABLE ddl.altered ADD " + name.substring(name.indexOf('.') + 1) + " int"
        : "CREATE TABLE ddl." + name + " (k int PRIMARY KEY, v int)";
  }

  private static String drop(String name) {
    return name.startsWith(COLUMNS)
        ? "ALTER TABLE ddl.altered DROP IF EXISTS " + name.substring(name.indexOf('.') + 1)
        : "DROP TABLE IF EXISTS ddl." + name;
  }

  /** All nodes have the same definitions, and those that clients were told of. */
  void compareAll() {
    faults.calm();
    clients.limit(0);
    Set<String> first = new HashSet<>();
    String version = "";
    for (int host = 0; host < cluster.size(); host++) {
      Set<String> found = definitions(host);
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
    known.forEach((name, presence) -> compare(name, presence, all.contains(name)));
  }

  private static void compare(String name, Presence presence, boolean found) {
    if (presence == Presence.PRESENT && !found || presence == Presence.ABSENT && found) {
      throw new ViolationError(
          found ? Violation.RESURRECTED : Violation.LOST_WRITE,
          name + " is said to be " + presence);
    }
  }

  private Set<String> definitions(int host) {
    Set<String> names = new HashSet<>();
    for (List<String> row :
        ask(host, "SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'ddl'")) {
      names.add(text(row.getFirst()));
    }
    for (List<String> row :
        ask(
            host,
            "SELECT column_name FROM system_schema.columns WHERE keyspace_name = 'ddl' AND"
                + " table_name = 'altered'")) {
      names.add("altered." + text(row.getFirst()));
    }
    return names;
  }

  private static String text(String hex) {
    return new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_8);
  }

  private List<List<String>> ask(int host, String cql) {
    if (clients.ask(host, ClientRequest.of(cql)) instanceof Answer.Rows rows) {
      return rows.texts();
    }
    throw new ViolationError(Violation.UNREADABLE, "of node " + host + ": " + cql);
  }
}
