package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metadata.Members;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Replication;
import io.helenus.server.schema.TableOptions;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.TableSchemaBuilder;
import io.helenus.server.system.SystemFixture;
import io.helenus.server.types.ScalarType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RingPlacementsTest {
  private static final UUID LOCAL = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);

  private final KeyspaceSchema before = keyspace("ks", 1);
  private ClusterState state = state(before);
  private final io.helenus.server.cluster.Members members =
      new io.helenus.server.cluster.Members(LOCAL);
  private final RingPlacements placements = new RingPlacements(() -> state, members);

  private static ClusterNode node(UUID hostId, long... tokens) {
    return new ClusterNode(hostId, "datacenter1", "rack1", tokens);
  }

  private static ClusterState state(KeyspaceSchema... keyspaces) {
    return Members.with(ClusterState.first(List.of(keyspaces)), node(LOCAL, 0, 100));
  }

  private static KeyspaceSchema keyspace(String name, int factor) {
    return KeyspaceSchema.empty(name, true, Replication.simple(factor));
  }

  private static TableSchema table(int id) {
    return new TableSchemaBuilder("ks", "t" + id, new UUID(0, id), id, TableOptions.defaults())
        .partitionKey("k", ScalarType.INT)
        .build();
  }

  private Placement of(KeyspaceSchema keyspace) {
    return placements.of(keyspace.properties());
  }

  @Test
  void tableChangesReuseThePlacement() {
    KeyspaceSchema keyspace = before;
    Placement first = of(keyspace);
    for (int id = 1; id < 20; id++) {
      keyspace = keyspace.with(table(id));
      assertSame(first, of(keyspace));
    }
    assertSame(first, of(keyspace("other", 1)));
  }

  @Test
  void aDifferentReplicationFactorHasADifferentPlacement() {
    Placement one = of(before);
    Placement three = of(keyspace("three", 3));
    assertNotSame(one, three);
    assertEquals(1, one.required(ConsistencyLevel.QUORUM));
    assertEquals(2, three.required(ConsistencyLevel.QUORUM));
    assertEquals(1, Admission.alive(three.replicas(7), ConsistencyLevel.LOCAL_QUORUM));
    assertSame(one, of(keyspace("again", 1)));
  }

  @Test
  void schemaChangesReuseThePlacementUntilTheReplicationChanges() {
    SystemFixture node = new SystemFixture();
    node.change(
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    KeyspaceSchema first = Objects.requireNonNull(node.metadata().state().schema().keyspace("k"));
    RingPlacements ofNode =
        new RingPlacements(
            node.metadata()::state,
            new io.helenus.server.cluster.Members(node.metadata().localNode().hostId()));
    Placement placement = ofNode.of(first.properties());
    node.change("CREATE TABLE k.t (k int PRIMARY KEY)");
    assertSame(placement, ofNode.of(first.properties()));
    node.change(
        "ALTER KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    assertEquals(2, ofNode.of(first.properties()).required(ConsistencyLevel.QUORUM));
  }

  @Test
  void theNextRequestIsPlacedOnTheRingThatANodeHasJoined() {
    assertTrue(of(before).replicas(50).hasLocal());
    state = Members.with(state, node(OTHER, 60));
    assertFalse(of(before).replicas(50).hasLocal());
    assertTrue(of(before).replicas(70).hasLocal());
    state = Members.without(state, OTHER);
    assertTrue(of(before).replicas(50).hasLocal());
  }

  @Test
  void theNextRequestIsPlacedByTheReplicationThatAKeyspaceHasNow() {
    assertEquals(1, of(before).required(ConsistencyLevel.QUORUM));
    KeyspaceSchema after = keyspace("ks", 3);
    state = state(after);
    assertEquals(2, of(before).required(ConsistencyLevel.QUORUM), "of a statement planned before");
    assertEquals(2, of(after).required(ConsistencyLevel.QUORUM));
  }

  @Test
  void aKeyspaceThatHasBeenDroppedKeepsItsReplication() {
    state = state();
    assertEquals(1, of(before).required(ConsistencyLevel.QUORUM));
  }

  @Test
  void aNodeThatMovedToAnotherDataCentreIsSeenFromThere() {
    state = Members.with(state, node(OTHER, 60));
    members.of(OTHER).up(true);
    assertEquals(
        2, Admission.alive(of(keyspace("two", 2)).replicas(50), ConsistencyLevel.LOCAL_ONE));
    state = Members.with(state, new ClusterNode(LOCAL, "elsewhere", "rack1", new long[] {0, 100}));
    assertEquals(
        1, Admission.alive(of(keyspace("two", 2)).replicas(50), ConsistencyLevel.LOCAL_ONE));
    assertTrue(of(keyspace("two", 2)).replicas(50).hasLocal());
  }

  @Test
  void onlyReplicasThatAreUpAreAlive() {
    state = Members.with(state, node(OTHER, 60));
    ReplicaSet two = of(keyspace("two", 2)).replicas(50);
    assertEquals(0b01, two.live());
    members.of(OTHER).up(true);
    assertEquals(0b11, two.live());
    members.of(LOCAL).up(false);
    assertEquals(0b11, two.live(), "this node is always up");
    assertFalse(two.isLocalOnly());
  }

  @Test
  void rangesWithTheSameReplicasAreOne() {
    state = Members.with(state, node(OTHER, 60, 70));
    Placement one = of(before);
    assertSame(one.replicas(55), one.replicas(65));
    assertSame(one.replicas(-5), one.replicas(500));
    assertEquals(0, one.lastWithSameReplicas(-5));
    assertEquals(70, one.lastWithSameReplicas(30));
    assertEquals(Long.MAX_VALUE, one.lastWithSameReplicas(71), "the ring begins with it too");
    assertEquals(Long.MAX_VALUE, of(keyspace("two", 2)).lastWithSameReplicas(-5));
  }

  @Test
  void errorsOfALevelForEachDataCentreNameOne() {
    Placement topology =
        of(
            KeyspaceSchema.empty(
                "topology",
                true,
                Replication.of(
                    Map.of(
                        "class",
                        "org.apache.cassandra.locator.NetworkTopologyStrategy",
                        "datacenter1",
                        "3"))));
    assertEquals("datacenter1", topology.datacenter(ConsistencyLevel.EACH_QUORUM));
    assertNull(topology.datacenter(ConsistencyLevel.LOCAL_QUORUM));
    assertNull(of(keyspace("three", 3)).datacenter(ConsistencyLevel.EACH_QUORUM));
    assertEquals(
        "Cannot achieve consistency level EACH_QUORUM in DC datacenter1",
        Failures.unavailable(ConsistencyLevel.EACH_QUORUM, topology, 2, 1).message());
    assertEquals(
        "Cannot achieve consistency level QUORUM",
        Failures.unavailable(ConsistencyLevel.QUORUM, topology, 2, 1).message());
  }

  @Test
  void aNodeThatHasBeenRemovedIsNoReplica() {
    state = Members.without(Members.with(state, node(OTHER, 60)), LOCAL);
    assertFalse(of(before).replicas(70).hasLocal());
  }

  @Test
  void placementsAreThoseOfAMember() {
    assertThrows(
        IllegalStateException.class,
        () -> new RingPlacements(() -> state, new io.helenus.server.cluster.Members(OTHER)));
  }
}
