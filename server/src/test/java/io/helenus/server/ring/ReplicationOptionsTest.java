package io.helenus.server.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helenus.server.error.CqlException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Messages, the order of checks, and stored options match the oracle (the real Apache Cassandra
 * whose answers are recorded), with one datacenter.
 */
class ReplicationOptionsTest {
  private static final String PACKAGE = "org.apache.cassandra.locator.";
  private static final Set<String> DATACENTERS = Set.of("datacenter1");

  private static Map<String, String> map(String text) {
    Map<String, String> map = new LinkedHashMap<>();
    for (String entry : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      int colon = entry.indexOf(':');
      map.put(entry.substring(0, colon), entry.substring(colon + 1));
    }
    return map;
  }

  private static Map<String, String> accepted(String given, String previous) {
    return ReplicationOptions.parse("ks", map(given), map(previous), DATACENTERS, 1).options();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "class:SimpleStrategy | class:SimpleStrategy,replication_factor:1",
        "class:SimpleStrategy,replication_factor:0 | class:SimpleStrategy,replication_factor:0",
        "class:SimpleStrategy,replication_factor:+2 | class:SimpleStrategy,replication_factor:+2",
        "class:SimpleStrategy,replication_factor:02 | class:SimpleStrategy,replication_factor:02",
        "class:org.apache.cassandra.locator.SimpleStrategy,replication_factor:1"
            + " | class:SimpleStrategy,replication_factor:1",
        "class:NetworkTopologyStrategy | class:NetworkTopologyStrategy,datacenter1:1",
        "class:NetworkTopologyStrategy,replication_factor:2"
            + " | class:NetworkTopologyStrategy,datacenter1:2",
        "class:NetworkTopologyStrategy,replication_factor:+2"
            + " | class:NetworkTopologyStrategy,datacenter1:2",
        "class:NetworkTopologyStrategy,replication_factor:2,datacenter1:1"
            + " | class:NetworkTopologyStrategy,datacenter1:1",
        "class:NetworkTopologyStrategy,replication_factor:b,datacenter1:1"
            + " | class:NetworkTopologyStrategy,datacenter1:1",
        "class:NetworkTopologyStrategy,replication_factor:0,datacenter1:2"
            + " | class:NetworkTopologyStrategy,datacenter1:2",
        "class:NetworkTopologyStrategy,zoo:0,datacenter1:1"
            + " | class:NetworkTopologyStrategy,datacenter1:1",
        "class:NetworkTopologyStrategy,datacenter1:00"
            + " | class:NetworkTopologyStrategy,datacenter1:00",
      })
  void acceptedOptionsAreStoredAsByTheOracle(String given, String stored) {
    Map<String, String> expected = map(stored);
    expected.put("class", PACKAGE + expected.get("class"));
    assertEquals(expected, accepted(given, ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "class:org.apache.cassandra.locator.Nope,replication_factor:1"
            + " | Unable to find replication strategy class 'org.apache.cassandra.locator.Nope'",
        "class:Nope"
            + " | Unable to find replication strategy class 'org.apache.cassandra.locator.Nope'",
        "class:a.b.Nope | Unable to find replication strategy class 'a.b.Nope'",
        "class: | Unable to find replication strategy class 'org.apache.cassandra.locator.'",
        "class:EverywhereStrategy | Unable to find replication strategy class"
            + " 'org.apache.cassandra.locator.EverywhereStrategy'",
        "replication_factor:1 | Missing replication strategy class",
        "CLASS:SimpleStrategy,replication_factor:1 | Missing replication strategy class",
        "class:SimpleStrategy,replication_factor:a | For input string: \"a\"",
        "class:SimpleStrategy,replication_factor: | For input string: \"\"",
        "class:SimpleStrategy,replication_factor:1.5 | For input string: \"1.5\"",
        "class:SimpleStrategy,replication_factor:2147483648 | For input string: \"2147483648\"",
        "class:SimpleStrategy,replication_factor:-1"
            + " | Replication factor must be non-negative, found -1",
        "class:SimpleStrategy,replication_factor:3/1"
            + " | Transient replication is not enabled on this node",
        "class:SimpleStrategy,replication_factor:1/"
            + " | Replication factor format is <replicas> or <replicas>/<transient>",
        "class:SimpleStrategy,replication_factor:3,foo:1"
            + " | Unrecognized strategy option {foo} passed to SimpleStrategy for keyspace ks",
        "class:SimpleStrategy,replication_factor:a,foo:1 | For input string: \"a\"",
        "class:SimpleStrategy,zoo:1,bar:2"
            + " | Unrecognized strategy option {bar} passed to SimpleStrategy for keyspace ks",
        "class:NetworkTopologyStrategy,dc9:1 | Unrecognized strategy option {dc9} passed to"
            + " NetworkTopologyStrategy for keyspace ks",
        "class:NetworkTopologyStrategy,replication_factor:1,zoo:1 | Unrecognized strategy option"
            + " {zoo} passed to NetworkTopologyStrategy for keyspace ks",
        "class:NetworkTopologyStrategy,:1 | Unrecognized strategy option {} passed to"
            + " NetworkTopologyStrategy for keyspace ks",
        "class:NetworkTopologyStrategy,datacenter1:a | For input string: \"a\"",
        "class:NetworkTopologyStrategy,zoo:a,datacenter1:1 | For input string: \"a\"",
        "class:NetworkTopologyStrategy,datacenter1:-1"
            + " | Replication factor must be non-negative, found -1",
        "class:NetworkTopologyStrategy,datacenter1:0"
            + " | Configuration for at least one datacenter must be present",
        "class:NetworkTopologyStrategy,replication_factor:a"
            + " | Configuration for at least one datacenter must be present",
        "class:NetworkTopologyStrategy,replication_factor:3/1"
            + " | Configuration for at least one datacenter must be present",
        "class:LocalStrategy"
            + " | Unable to use given strategy class: LocalStrategy is reserved for internal use.",
        "class:OldNetworkTopologyStrategy,replication_factor:1 | The support for the"
            + " OldNetworkTopologyStrategy has been removed in C* version 4.0. The keyspace"
            + " strategy should be switch to NetworkTopologyStrategy",
      })
  void refusedOptionsHaveTheOraclesText(String given, String text) {
    CqlException refused = assertThrows(CqlException.class, () -> accepted(given, ""));
    assertEquals(text, refused.getMessage());
    assertEquals(given.contains(":LocalStrategy") ? 0x2200 : 0x2300, refused.error().code());
  }

  @Test
  void alterKeepsDatacentersThatItDoesNotName() {
    String before = "class:" + PACKAGE + "SimpleStrategy,replication_factor:3";
    assertEquals(
        Map.of("class", PACKAGE + "SimpleStrategy", "replication_factor", "3"),
        accepted("class:SimpleStrategy", before));
    assertEquals(
        Map.of("class", PACKAGE + "NetworkTopologyStrategy", "datacenter1", "3"),
        accepted("class:NetworkTopologyStrategy", before));
    String topology = "class:" + PACKAGE + "NetworkTopologyStrategy,datacenter1:3";
    assertEquals(
        Map.of("class", PACKAGE + "NetworkTopologyStrategy", "datacenter1", "3"),
        accepted("class:NetworkTopologyStrategy,replication_factor:2", topology));
    assertEquals(
        Map.of("class", PACKAGE + "SimpleStrategy", "replication_factor", "1"),
        accepted("class:SimpleStrategy", topology));
  }

  @Test
  void storedOptionsRestoreTheStrategy() {
    for (String given :
        List.of("class:SimpleStrategy,replication_factor:3", "class:NetworkTopologyStrategy")) {
      ReplicationStrategy strategy =
          ReplicationOptions.parse("ks", map(given), Map.of(), DATACENTERS, 1);
      assertEquals(strategy, ReplicationOptions.stored(strategy.options(), 1));
    }
    ReplicationStrategy local = new ReplicationStrategy.Local();
    assertEquals(local, ReplicationOptions.stored(local.options(), 1));
  }

  @Test
  void moreReplicasThanNodesCauseAWarning() {
    RingNode node = new RingNode(new UUID(1, 1), "datacenter1", "rack1");
    Map<RingNode, long[]> tokens = new HashMap<>();
    tokens.put(node, new long[] {1});
    TokenRing ring = TokenRing.of(tokens);
    ReplicationStrategy simple = new ReplicationStrategy.Simple(ReplicationFactor.of(5));
    assertEquals(
        List.of("Your replication factor 5 for keyspace ks is higher than the number of nodes 1"),
        ReplicationOptions.warnings("ks", simple, ring));
    ReplicationStrategy topology =
        ReplicationOptions.parse(
            "ks", map("class:NetworkTopologyStrategy,datacenter1:3"), Map.of(), DATACENTERS, 1);
    assertEquals(
        List.of(
            "Your replication factor 3 for keyspace ks is higher than the number of nodes 1 for"
                + " datacenter datacenter1"),
        ReplicationOptions.warnings("ks", topology, ring));
    ReplicationStrategy one = new ReplicationStrategy.Simple(ReplicationFactor.of(1));
    assertEquals(List.of(), ReplicationOptions.warnings("ks", one, ring));
  }
}
