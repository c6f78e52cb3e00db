package io.helenus.server.admin;

import static io.helenus.server.admin.CommandLayoutTest.recorded;
import static io.helenus.server.admin.CommandLayoutTest.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.system.ClusterFacts;
import io.helenus.server.system.ThreeNodes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What commands print on one of three nodes of which the third is down, next to what Cassandra
 * printed with the same tokens. Members come in the order of their addresses, and ranges in that of
 * their tokens; in Cassandra the order is that of hash codes, so that sorted lines are compared.
 */
class ClusterLayoutTest {
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private static ThreeNodes three() {
    ThreeNodes nodes =
        ThreeNodes.inOneDataCenter(1)
            .with(
                "CREATE KEYSPACE three WITH replication = {'class': 'SimpleStrategy',"
                    + " 'replication_factor': 3}",
                "CREATE TABLE three.t (a int PRIMARY KEY, b text)");
    nodes.loads[0] = 113_213;
    nodes.loads[1] = 109_998;
    nodes.loads[2] = 109_995;
    nodes.down.add(3);
    return nodes;
  }

  private static ThreeNodes threeAndOne() {
    ThreeNodes nodes =
        three()
            .with(
                "CREATE KEYSPACE one WITH replication = {'class': 'SimpleStrategy',"
                    + " 'replication_factor': 1}",
                "CREATE TABLE one.t (a int PRIMARY KEY, b text)",
                "CREATE TABLE one.u (a int, b text, PRIMARY KEY ((a, b)))");
    nodes.loads[0] = 133_253;
    nodes.loads[1] = 99_400;
    return nodes;
  }

  private static ThreeNodes westAndEast() {
    ThreeNodes nodes =
        ThreeNodes.inTwoDataCenters(1)
            .with(
                "CREATE KEYSPACE nts WITH replication = {'class': 'NetworkTopologyStrategy',"
                    + " 'west': 1, 'east': 1}",
                "CREATE TABLE nts.t (a int PRIMARY KEY, b text)");
    nodes.loads[0] = 97_720;
    nodes.loads[1] = 81_633;
    nodes.loads[2] = 31_631;
    nodes.down.add(3);
    return nodes;
  }

  private static List<String> lines(String output) {
    return ID.matcher(output)
        .replaceAll("<uuid>")
        .replace("GossipingPropertyFileSnitch", "SimpleSnitch")
        .replace("DynamicEndPointSnitch: enabled", "DynamicEndPointSnitch: disabled")
        .replace("Name: Oracle", "Name: Test")
        .replace("5.0.9", "5.0.0")
        .replace("{west=1, east=1}", "{east=1, west=1}")
        .lines()
        .toList();
  }

  private static List<String> sorted(String output) {
    return lines(output).stream().sorted().toList();
  }

  private static void assertSameLines(String recording, ThreeNodes nodes, String command)
      throws IOException {
    assertEquals(sorted(recorded(recording)), sorted(run(new FakeNode(nodes), command)));
  }

  private static void assertSame(String recording, ThreeNodes nodes, String command)
      throws IOException {
    assertEquals(lines(recorded(recording)), lines(run(new FakeNode(nodes), command)));
  }

  @Test
  void status() throws IOException {
    assertSameLines("three-nodes/status", three(), "status three");
    assertSameLines("three-nodes/status", three(), "status");
    assertSameLines("three-nodes/status-mixed", threeAndOne(), "status");
    assertSameLines("three-nodes/status-one", threeAndOne(), "status one");
  }

  @Test
  void whatIsNotKnownOfAMemberIsNotMadeUp() throws IOException {
    ThreeNodes nodes = three();
    nodes.unknown.add(2);
    String status = run(new FakeNode(nodes), "status");
    assertTrue(status.contains("DN  127.0.0.42  ?           4 "), status);
    assertFalse(run(new FakeNode(nodes), "failuredetector").contains("127.0.0.42"));
    String gossip = run(new FakeNode(nodes), "gossipinfo");
    assertEquals(2, gossip.lines().filter(line -> line.startsWith("  LOAD:")).count());
  }

  @Test
  void ring() throws IOException {
    assertSame("three-nodes/ring-mixed", threeAndOne(), "ring");
    ThreeNodes later = threeAndOne();
    later.loads[1] = 92_940;
    assertSame("three-nodes/ring-one-ports", later, "ring -pp one");
  }

  /** The keyspaces come last, in another order. */
  private static void assertSameCluster(String recording, ThreeNodes nodes, String command)
      throws IOException {
    String expected = recorded(recording);
    String actual = run(new FakeNode(nodes), command);
    String keyspaces = "Keyspaces:\n";
    assertEquals(
        lines(expected.substring(0, expected.indexOf(keyspaces))),
        lines(actual.substring(0, actual.indexOf(keyspaces))));
    assertEquals(sorted(expected), sorted(actual));
  }

  @Test
  void describeCluster() throws IOException {
    assertSameCluster("three-nodes/describecluster", three(), "describecluster");
    assertSameCluster("three-nodes/describecluster-ports", threeAndOne(), "describecluster -pp");
  }

  @Test
  void membersThatDisagreeAboutTheSchemaAreListedApart() throws IOException {
    ThreeNodes nodes = three();
    UUID old = new UUID(0x8000L, 0x8000_0000_0000_0001L);
    nodes.schemaVersions.put(2, old);
    String text = run(new FakeNode(nodes), "describecluster");
    String own = nodes.state().schema().version().toString();
    assertTrue(text.contains("\t\t" + own + ": [127.0.0.41]\n\n"), text);
    assertTrue(text.contains("\t\t" + old + ": [127.0.0.42]\n\n"), text);
    assertTrue(text.contains("\t\tUNREACHABLE: [127.0.0.43]\n\n"), text);
  }

  @Test
  void describeRing() throws IOException {
    assertSameLines("three-nodes/describering", three(), "describering three");
    assertSameLines("three-nodes/describering-one-ports", threeAndOne(), "describering -pp one");
    assertEquals(
        "error: There is no ring for the keyspace: system\n[2]\n",
        run(new FakeNode(three()), "describering system"));
  }

  @Test
  void endpointsAreTheReplicasOfTheKey() throws IOException {
    assertSame("three-nodes/getendpoints", three(), "getendpoints three t 1");
    assertSame("three-nodes/getendpoints-ports", three(), "getendpoints -pp three t 1");
    FakeNode node = new FakeNode(threeAndOne());
    List<String> owners = new ArrayList<>();
    for (int key = 1; key <= 4; key++) {
      owners.add(run(node, "getendpoints one t " + key));
    }
    assertEquals(recorded("three-nodes/getendpoints-one"), String.join("", owners));
    assertEquals("127.0.0.41\n", run(node, "getendpoints one u 1:x"));
    assertEquals("127.0.0.41\n", run(node, "getendpoints system local local"));
    assertTrue(run(node, "getendpoints one t abc").endsWith("[2]\n"));
  }

  @Test
  void gossipInfo() throws IOException {
    List<String> known = labels(recorded("three-nodes/gossipinfo"));
    List<String> shown = labels(run(new FakeNode(three()), "gossipinfo"));
    for (int i = 0, at = 0; i < shown.size(); i++, at++) {
      while (!shown.get(i).equals(known.get(at))) {
        at++;
      }
    }
    assertEquals(3, shown.stream().filter(line -> line.startsWith("/")).count());
  }

  private static List<String> labels(String output) {
    return output
        .lines()
        .map(line -> line.contains(":") ? line.substring(0, line.indexOf(':')) : line)
        .toList();
  }

  @Test
  void failureDetector() throws IOException {
    ThreeNodes nodes = three();
    nodes.phis[1] = 0.12633409;
    nodes.phis[2] = 28.61052683;
    assertSame("three-nodes/failuredetector", nodes, "failuredetector");
    nodes.phis[1] = 0.10838676;
    nodes.phis[2] = 66.29092311;
    assertSame("three-nodes/failuredetector-ports", nodes, "failuredetector -pp");
  }

  @Test
  void netStatsAndDroppedMessages() throws IOException {
    ThreeNodes nodes = three();
    nodes.traffic =
        new ClusterFacts.Traffic(
            new ClusterFacts.Messages(0, 2, 0),
            new ClusterFacts.Messages(0, 22, 0),
            new ClusterFacts.Messages(34, 704, 0),
            0,
            0,
            0,
            Map.of("MUTATION_REQ", 7L),
            ClusterFacts.LinkTotals.NONE);
    assertSame("three-nodes/netstats", nodes, "netstats");
    String dropped = run(new FakeNode(nodes), "tpstats");
    assertTrue(dropped.contains("\nMUTATION_REQ                      7           0.0 "), dropped);
  }

  @Test
  void twoDataCenters() throws IOException {
    ThreeNodes nodes = westAndEast();
    assertSameLines("two-datacenters/status", nodes, "status");
    assertSameLines("two-datacenters/status-ports", nodes, "status -pp");
    assertSame("two-datacenters/ring", nodes, "ring nts");
    assertSameCluster("two-datacenters/describecluster", nodes, "describecluster");
    assertSameLines("two-datacenters/describering", nodes, "describering nts");
    List<String> owners = new ArrayList<>();
    for (int key = 1; key <= 4; key++) {
      owners.add(run(new FakeNode(nodes), "getendpoints nts t " + key));
    }
    assertEquals(recorded("two-datacenters/getendpoints"), String.join("", owners));
  }
}
