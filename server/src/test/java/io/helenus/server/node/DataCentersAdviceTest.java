package io.helenus.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.config.Setting;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is advised about keyspaces in a cluster of two data centres. */
class DataCentersAdviceTest {
  private static final String SIMPLE = "{'class': 'SimpleStrategy', 'replication_factor': 1}";
  private static final String RULE = "simple-strategy-in-several-data-centers: ";

  private final NodeRig node = new NodeRig(settings -> settings.with(Setting.SCHEMA_ADVICE, "on"));

  private List<String> advice(String statement) {
    node.run(statement);
    return node.warnings().stream().filter(each -> each.startsWith(RULE)).toList();
  }

  @Test
  void aKeyspaceWithSimpleStrategyIsSpokenAbout() {
    node.join("paris", 42);
    List<String> said = advice("CREATE KEYSPACE k WITH replication = " + SIMPLE);
    assertEquals(1, said.size());
    String instead =
        "ALTER KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy',"
            + " 'datacenter1': 3, 'paris': 3};";
    assertTrue(said.getFirst().contains("Instead: " + instead), said::toString);
    assertEquals(List.of(), advice(instead.replace(";", "")));
    assertEquals(List.of(), advice("CREATE TABLE k.t (k int PRIMARY KEY)"));
  }

  @Test
  void itsFirstTableIsAReminder() {
    node.join("paris", 42);
    node.run("CREATE KEYSPACE k WITH replication = " + SIMPLE);
    assertEquals(1, advice("CREATE TABLE k.t (k int PRIMARY KEY)").size());
    assertEquals(List.of(), advice("CREATE TABLE k.u (k int PRIMARY KEY)"));
    assertEquals(List.of(), advice("ALTER TABLE k.t ADD v int"));
  }

  @Test
  void inOneDataCenterNothingIsSaid() {
    node.join("datacenter1", 42);
    assertEquals(List.of(), advice("CREATE KEYSPACE k WITH replication = " + SIMPLE));
    assertEquals(List.of(), advice("CREATE TABLE k.t (k int PRIMARY KEY)"));
  }
}
