package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.ring.RingNode;
import io.helenus.server.ring.TokenRing;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Replication;
import io.helenus.server.schema.TableOptions;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.TableSchemaBuilder;
import io.helenus.server.types.ScalarType;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RingPlacementsTest {
  private static final RingNode LOCAL = new RingNode(new UUID(0, 1), "datacenter1", "rack1");

  private final RingPlacements placements =
      new RingPlacements(TokenRing.of(Map.of(LOCAL, new long[] {0, 100})), LOCAL);

  private static KeyspaceSchema keyspace(String name, int factor) {
    return KeyspaceSchema.empty(name, true, Replication.simple(factor));
  }

  private static TableSchema table(int id) {
    return new TableSchemaBuilder("ks", "t" + id, new UUID(0, id), id, TableOptions.defaults())
        .partitionKey("k", ScalarType.INT)
        .build();
  }

  @Test
  void tableChangesReuseThePlacement() {
    KeyspaceSchema keyspace = keyspace("ks", 1);
    Placement first = placements.of(keyspace.properties());
    for (int id = 1; id < 20; id++) {
      keyspace = keyspace.with(table(id));
      assertSame(first, placements.of(keyspace.properties()));
    }
    assertSame(first, placements.of(keyspace("other", 1).properties()));
  }

  @Test
  void aDifferentReplicationFactorHasADifferentPlacement() {
    Placement one = placements.of(keyspace("ks", 1).properties());
    Placement three = placements.of(keyspace("ks", 3).properties());
    assertNotSame(one, three);
    assertEquals(1, one.required(ConsistencyLevel.QUORUM));
    assertEquals(2, three.required(ConsistencyLevel.QUORUM));
    assertEquals(1, three.alive(ConsistencyLevel.LOCAL_QUORUM, 7));
    assertSame(one, placements.of(keyspace("again", 1).properties()));
  }
}
