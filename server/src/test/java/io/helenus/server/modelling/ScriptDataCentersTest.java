package io.helenus.server.modelling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.helenus.server.functions.FunctionContext;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.env.SystemClock;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Scripts are written for clusters whose data centres have names of their own. */
class ScriptDataCentersTest {
  private final ScriptSchema script =
      new ScriptSchema(
          Schema.of(SystemKeyspaces.all(), new UUID(0, 0), 0),
          null,
          new FunctionContext(new SystemClock(), () -> 42));

  private Map<String, String> replication(String cql) {
    script.take("CREATE KEYSPACE k WITH replication = " + cql);
    KeyspaceSchema keyspace = script.schema().keyspace("k");
    assertNotNull(keyspace);
    return keyspace.replication().options();
  }

  @Test
  void theDataCentersThatAScriptNamesExist() {
    assertEquals(
        Map.of("east", "3", "west", "2"),
        replication("{'class': 'NetworkTopologyStrategy', 'east': 3, 'west': 2}"));
  }

  @Test
  void withoutNamesThereIsOne() {
    assertEquals(
        Map.of("datacenter1", "3"),
        replication("{'class': 'NetworkTopologyStrategy', 'replication_factor': 3}"));
  }
}
