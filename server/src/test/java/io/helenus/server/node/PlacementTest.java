package io.helenus.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests after a change of the cluster's state. */
class PlacementTest {
  private static final long TOKEN_OF_1 = -4069959284402364209L;

  private final NodeRig node = new NodeRig();

  @BeforeEach
  void define() {
    node.run(
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    node.run("CREATE TABLE k.t (a int PRIMARY KEY, b int)");
    node.run("INSERT INTO k.t (a, b) VALUES (1, 1)");
  }

  @Test
  void aNodeThatJoinsIsAReplicaForTheNextRequest() {
    node.join("datacenter1", TOKEN_OF_1);
    node.run("INSERT INTO k.t (a, b) VALUES (2, 2)");
    assertEquals(
        "Cannot achieve consistency level ONE",
        node.failure("INSERT INTO k.t (a, b) VALUES (1, 2)"));
    assertEquals(
        "Cannot achieve consistency level ONE", node.failure("SELECT b FROM k.t WHERE a = 1"));
    assertEquals(List.of("2"), node.rows("SELECT b FROM k.t WHERE a = 2"));
  }

  @Test
  void everyNodeIsAReplicaAfterTheReplicationIsRaised() {
    node.run(
        "ALTER KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}");
    node.join("datacenter1", TOKEN_OF_1);
    assertEquals(List.of("1"), node.rows("SELECT b FROM k.t WHERE a = 1"));
  }
}
