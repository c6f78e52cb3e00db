package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.ring.ConsistencyLevel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes answer as one. */
class ThreeServersTest {
  private static final ConsistencyLevel QUORUM = ConsistencyLevel.QUORUM;

  @TempDir private Path folder;

  @Test
  void aRowWrittenThroughOneIsReadThroughEach() throws Exception {
    try (ThreeServers nodes = new ThreeServers(folder)) {
      for (int i = 1; i <= 3; i++) {
        nodes.awaitUp(i, 2);
      }
      assertEquals(
          "done",
          nodes.run(
              1,
              QUORUM,
              "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy',"
                  + " 'replication_factor': 3}"));
      assertEquals(
          "done",
          nodes.run(2, QUORUM, "CREATE TABLE k.t (a int, b int, c text, PRIMARY KEY (a, b))"));
      for (int i = 0; i < 30; i++) {
        assertEquals(
            "done",
            nodes.run(
                1 + i % 3,
                QUORUM,
                "INSERT INTO k.t (a, b, c) VALUES (%d, %d, 'v%d')".formatted(i / 3, i, i)));
      }
      for (int i = 1; i <= 3; i++) {
        for (ConsistencyLevel level :
            new ConsistencyLevel[] {ConsistencyLevel.ONE, QUORUM, ConsistencyLevel.ALL}) {
          assertEquals(
              "3,v3 4,v4 5,v5",
              nodes.run(i, level, "SELECT b, c FROM k.t WHERE a = 1"),
              "" + level);
          assertEquals("5,v5", nodes.run(i, level, "SELECT b, c FROM k.t WHERE a = 1 AND b = 5"));
          assertEquals(
              "5,v5 4,v4",
              nodes.run(i, level, "SELECT b, c FROM k.t WHERE a = 1 ORDER BY b DESC LIMIT 2"));
        }
      }
    }
  }
}
