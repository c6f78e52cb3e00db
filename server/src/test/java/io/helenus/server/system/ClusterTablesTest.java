package io.helenus.server.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.ReadRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What system tables show on one of three nodes, next to what was recorded from Cassandra. */
class ClusterTablesTest {
  private static ThreeNodes three(int self) {
    return ThreeNodes.inOneDataCenter(self)
        .with(
            "CREATE KEYSPACE three WITH replication = {'class': 'SimpleStrategy',"
                + " 'replication_factor': 3}",
            "CREATE TABLE three.t (a int PRIMARY KEY, b text)");
  }

  /** The rows that a recorded query returned: a line for each column that is not null. */
  private static List<Map<String, String>> recorded(String file, String query) throws IOException {
    List<String> lines =
        Files.readAllLines(Path.of("src", "test", "resources", "system", file + ".txt"));
    List<Map<String, String>> rows = new ArrayList<>();
    Map<String, String> row = new TreeMap<>();
    for (String line : lines.subList(lines.indexOf("> " + query) + 1, lines.size())) {
      if (line.startsWith(">")) {
        break;
      }
      if (line.equals("--")) {
        rows.add(row);
        row = new TreeMap<>();
      } else {
        row.put(line.split(" = ", 2)[0], line.split(" = ", 2)[1]);
      }
    }
    assertTrue(!rows.isEmpty(), query);
    return rows;
  }

  private static List<Map<String, String>> scan(ThreeNodes nodes, String keyspace, String name) {
    TableSchema table = Objects.requireNonNull(nodes.state().schema().table(keyspace, name));
    RowTexts rows = new RowTexts(table);
    new SystemTables(nodes::state, nodes.hostId(), nodes.facts())
        .read(
            nodes.fixture.shard(),
            new ReadRequest().reset(table.storageId(), 0),
            rows,
            new ReplicaAccess.ReadReply() {
              @Override
              public void read(boolean stopped, int count, int tombstones, long nanos) {}

              @Override
              public void notRead(Exception cause) {
                throw new AssertionError(cause);
              }
            });
    return rows.rows;
  }

  /** Whose values differ between nodes or between Cassandra and Helenus. */
  private static final Set<String> DIFFERENT =
      Set.of(
          "cluster_name",
          "gossip_generation",
          "helenus_version",
          "host_id",
          "release_version",
          "schema_version",
          "truncated_at");

  private static Map<String, String> comparable(Map<String, String> row, String keyColumn) {
    Map<String, String> comparable = new TreeMap<>(row);
    String key = comparable.remove("");
    if (key != null) {
      comparable.put(keyColumn, key);
    }
    comparable.keySet().removeAll(DIFFERENT);
    return comparable;
  }

  private static void assertRecorded(String table, String keyColumn) throws IOException {
    List<Map<String, String>> expected = new ArrayList<>();
    for (Map<String, String> row : recorded("three-nodes", "SELECT * FROM system." + table)) {
      expected.add(comparable(row, keyColumn));
    }
    List<Map<String, String>> actual = new ArrayList<>();
    for (Map<String, String> row : scan(three(1), "system", table)) {
      actual.add(comparable(row, keyColumn));
    }
    assertEquals(expected, actual);
  }

  @Test
  void localAndPeers() throws IOException {
    assertRecorded("local", "key");
    assertRecorded("peers", "peer");
    assertRecorded("peers_v2", "peer");
  }

  @Test
  void eachNodeListsTheOthers() {
    for (int self = 1; self <= 3; self++) {
      ThreeNodes nodes = three(self);
      Set<String> ids = new TreeSet<>();
      for (Map<String, String> row : scan(nodes, "system", "peers_v2")) {
        ids.add(row.get("host_id"));
        assertEquals("'5.0.0'", row.get("release_version"));
      }
      Set<String> others = new TreeSet<>();
      for (int i = 1; i <= 3; i++) {
        if (i != self) {
          others.add(ThreeNodes.hostId(i).toString());
        }
      }
      assertEquals(others, ids);
      assertEquals(
          nodes.hostId().toString(), scan(nodes, "system", "local").getFirst().get("host_id"));
    }
  }

  /** Drivers ignore a peer without a version, and compare those of peers that are up. */
  @Test
  void aPeerHasTheSchemaVersionThatItHasApplied() {
    ThreeNodes nodes = three(1);
    nodes.unknown.add(3);
    nodes.schemaVersions.put(2, ThreeNodes.hostId(99));
    Map<String, String> versions = new HashMap<>();
    for (Map<String, String> row : scan(nodes, "system", "peers")) {
      versions.put(row.get(""), row.get("schema_version"));
    }
    assertEquals(
        Map.of(
            "'127.0.0.42'",
            ThreeNodes.hostId(99).toString(),
            "'127.0.0.43'",
            nodes.state().schema().version().toString()),
        versions);
  }

  private static Set<String> ranges(List<Map<String, String>> rows, String keyspace) {
    Set<String> ranges = new TreeSet<>();
    for (Map<String, String> row : rows) {
      if (("'" + keyspace + "'").equals(row.getOrDefault("keyspace_name", row.get("")))) {
        String type = row.getOrDefault("range_type", "");
        ranges.add(type + row.get("range_start") + row.get("range_end"));
      }
    }
    return ranges;
  }

  private static void assertRanges(String file, ThreeNodes nodes, String keyspace)
      throws IOException {
    for (String table : List.of("size_estimates", "table_estimates")) {
      String query = "SELECT * FROM system." + table + " WHERE keyspace_name='" + keyspace + "'";
      assertEquals(
          ranges(recorded(file, query), keyspace),
          ranges(scan(nodes, "system", table), keyspace),
          table);
    }
  }

  @Test
  void estimatesAreOfThePrimaryRanges() throws IOException {
    assertRanges("estimates-three-nodes", three(1), "three");
    assertRanges(
        "estimates-two-datacenters",
        ThreeNodes.inTwoDataCenters(2)
            .with(
                "CREATE KEYSPACE nts WITH replication = {'class': 'NetworkTopologyStrategy',"
                    + " 'west': 1, 'east': 1}",
                "CREATE TABLE nts.t (a int PRIMARY KEY, b text)"),
        "nts");
  }

  private static long partitions(ThreeNodes nodes, String keyspace) {
    long sum = 0;
    for (Map<String, String> row : scan(nodes, "system", "size_estimates")) {
      if (("'" + keyspace + "'").equals(row.get(""))) {
        sum += Long.parseLong(Objects.requireNonNull(row.get("partitions_count")));
      }
    }
    return sum;
  }

  /** Over all nodes, each partition is counted once, however many replicas it has. */
  @Test
  void estimatesOfAllNodesAddUpToTheTable() {
    long thrice = 0;
    long once = 0;
    for (int self = 1; self <= 3; self++) {
      ThreeNodes nodes =
          three(self)
              .with(
                  "CREATE KEYSPACE one WITH replication = {'class': 'SimpleStrategy',"
                      + " 'replication_factor': 1}",
                  "CREATE TABLE one.t (a int PRIMARY KEY, b text)");
      nodes.partitions = 9000;
      thrice += partitions(nodes, "three");
      once += partitions(nodes, "one");
    }
    assertTrue(Math.abs(thrice - 9000) < 15, "each of three nodes has all 9000: " + thrice);
    assertTrue(Math.abs(once - 27000) < 15, "each of three nodes has 9000 others: " + once);
  }

  @Test
  void gossipInfoListsAllMembers() {
    ThreeNodes nodes = three(1);
    nodes.down.add(3);
    nodes.unknown.add(2);
    Map<String, String> serving = new TreeMap<>();
    Map<String, String> loads = new TreeMap<>();
    for (Map<String, String> row : scan(nodes, "system_views", "gossip_info")) {
      serving.put(row.get("hostname"), row.get("rpc_ready"));
      loads.put(row.get("hostname"), String.valueOf(row.get("load")));
    }
    assertEquals(
        Map.of("'127.0.0.41'", "'true'", "'127.0.0.42'", "'false'", "'127.0.0.43'", "'false'"),
        serving);
    assertEquals("null", loads.get("'127.0.0.42'"));
    assertEquals("'100.0'", loads.get("'127.0.0.43'"));
  }

  @Test
  void describeClusterListsAllReplicas() throws IOException {
    ThreeNodes nodes = three(1);
    String expected =
        Objects.requireNonNull(
            recorded("three-nodes", "DESCRIBE CLUSTER").getFirst().get("snitch"));
    assertEquals("'DynamicEndpointSnitch'", expected);
    String ownership = "";
    for (String line :
        Files.readAllLines(Path.of("src", "test", "resources", "system", "three-nodes.txt"))) {
      ownership = line.startsWith("range_ownership = ") ? line : ownership;
    }
    StringBuilder actual = new StringBuilder("range_ownership = {");
    new RangeOwnership(nodes::state, nodes.hostId(), nodes.facts())
        .of(Objects.requireNonNull(nodes.state().schema().keyspace("three")))
        .forEach(
            (token, replicas) ->
                actual
                    .append(actual.charAt(actual.length() - 1) == '{' ? "" : ", ")
                    .append("('")
                    .append(token)
                    .append("', ['")
                    .append(String.join("', '", replicas))
                    .append("'])"));
    assertEquals(ownership, actual.append('}').toString());
  }
}
