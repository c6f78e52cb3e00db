package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
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
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RingPlacementsTest {
  private static final UUID LOCAL = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);

  private final KeyspaceSchema before = keyspace("ks", 1);
  private ClusterState state = state(before);
  private final RingPlacements placements = new RingPlacements(() -> state, LOCAL);

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
    assertEquals(1, three.alive(ConsistencyLevel.LOCAL_QUORUM, 7));
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
        new RingPlacements(node.metadata()::state, node.metadata().localNode().hostId());
    Placement placement = ofNode.of(first.properties());
    node.change("CREATE TABLE k.t (k int PRIMARY KEY)");
    assertSame(placement, ofNode.of(first.properties()));
    node.change(
        "ALTER KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    assertEquals(2, ofNode.of(first.properties()).required(ConsistencyLevel.QUORUM));
  }

  @Test
  void theNextRequestIsPlacedOnTheRingThatANodeHasJoined() {
    assertTrue(of(before).isLocal(50));
    state = Members.with(state, node(OTHER, 60));
    assertFalse(of(before).isLocal(50));
    assertTrue(of(before).isLocal(70));
    state = Members.without(state, OTHER);
    assertTrue(of(before).isLocal(50));
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
    assertEquals(2, of(keyspace("two", 2)).alive(ConsistencyLevel.LOCAL_ONE, 50));
    state = Members.with(state, new ClusterNode(LOCAL, "elsewhere", "rack1", new long[] {0, 100}));
    assertEquals(1, of(keyspace("two", 2)).alive(ConsistencyLevel.LOCAL_ONE, 50));
    assertTrue(of(keyspace("two", 2)).isLocal(50));
  }

  @Test
  void aNodeThatHasBeenRemovedIsNoReplica() {
    state = Members.without(Members.with(state, node(OTHER, 60)), LOCAL);
    assertFalse(of(before).isLocal(70));
  }

  @Test
  void placementsAreThoseOfAMember() {
    assertThrows(IllegalStateException.class, () -> new RingPlacements(() -> state, OTHER));
  }
}
