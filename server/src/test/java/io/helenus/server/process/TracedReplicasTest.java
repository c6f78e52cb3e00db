package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.WireValues;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the traces of requests show of the replicas on three nodes. The wording of what Cassandra
 * has too was recorded from three nodes of Apache Cassandra 5.0.9.
 */
class TracedReplicasTest {
  private static final ConsistencyLevel QUORUM = ConsistencyLevel.QUORUM;
  private static final ConsistencyLevel ALL = ConsistencyLevel.ALL;
  private static final ConsistencyLevel ONE = ConsistencyLevel.ONE;

  @TempDir private Path folder;
  private ThreeServers nodes;

  @BeforeEach
  void start() throws Exception {
    nodes = new ThreeServers(folder);
    for (int i = 1; i <= 3; i++) {
      nodes.awaitUp(i, 2);
    }
    for (int replicas : new int[] {1, 3}) {
      run(
          "CREATE KEYSPACE k%d WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
                  .formatted(replicas)
              + " %d}".formatted(replicas));
      run("CREATE TABLE k%d.t (a int PRIMARY KEY, b int)".formatted(replicas));
    }
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  private void run(String cql) throws Exception {
    assertEquals("done", nodes.run(1, QUORUM, cql), cql);
  }

  /** Runs a statement with a trace; returns the id of its session. */
  private UUID trace(int node, ConsistencyLevel level, String cql) throws Exception {
    Response response =
        nodes
            .client(node)
            .query(cql, QueryOptions.NONE.withTracing().withConsistency(level.code()));
    assertFalse(response instanceof Response.Failure, response::toString);
    return Objects.requireNonNull(response.extras().tracingId());
  }

  private List<List<byte @Nullable []>> select(int node, String cql) throws Exception {
    return assertInstanceOf(
            Response.Rows.class,
            nodes.client(node).query(cql, QueryOptions.NONE.withConsistency(ONE.code())))
        .rows();
  }

  /**
   * The events of a trace, as the node that was asked shows them, by the last number of the
   * source's address and otherwise sorted. What replicas do that nobody waits for is traced too,
   * later.
   */
  private String events(int node, UUID session, int count) throws Exception {
    String cql =
        "SELECT source, activity, source_elapsed, source_port, thread FROM system_traces.events"
            + " WHERE session_id = "
            + session;
    List<List<byte @Nullable []>> rows = select(node, cql);
    for (int i = 0; i < 200 && rows.size() < count; i++) {
      Thread.sleep(50);
      rows = select(node, cql);
    }
    List<String> lines = new ArrayList<>();
    for (List<byte @Nullable []> row : rows) {
      String source = ScalarType.INET.toLiteral(row.get(0));
      String activity = WireValues.toText(Objects.requireNonNull(row.get(1)));
      assertTrue(WireValues.toInt(Objects.requireNonNull(row.get(2))) >= 0);
      assertTrue(WireValues.toInt(Objects.requireNonNull(row.get(3))) > 0);
      assertNotNull(row.get(4));
      lines.add(
          source.replaceAll(".*\\.(\\d+)'?$", "$1")
              + ": "
              + activity
                  .replaceAll("/127.0.0.(\\d):\\d+", "node $1")
                  .replaceAll("size \\d+", "size N")
                  .replaceAll("-?\\d{10,}", "TOKEN"));
    }
    return String.join("\n", lines.stream().sorted().toList()) + "\n";
  }

  private void assertSession(int node, UUID session) throws Exception {
    List<byte @Nullable []> row =
        select(
                node,
                "SELECT coordinator, duration FROM system_traces.sessions WHERE session_id = "
                    + session)
            .getFirst();
    assertEquals("'" + ThreeServers.address(node) + "'", ScalarType.INET.toLiteral(row.get(0)));
    assertTrue(WireValues.toInt(Objects.requireNonNull(row.get(1))) > 0);
  }

  @Test
  void aWriteShowsEachReplica() throws Exception {
    String insert = "INSERT INTO k3.t (a, b) VALUES (1, 1)";
    UUID session = trace(2, ONE, insert);
    assertSession(2, session);
    assertEquals(
        """
        1: Adding to t memtable
        1: Appending to commitlog
        1: Enqueuing response to node 2
        1: MUTATION_REQ message received from node 2
        2: Adding to t memtable
        2: Appending to commitlog
        2: Determining replicas for mutation
        2: MUTATION_RSP message received from node 1
        2: MUTATION_RSP message received from node 3
        2: Parsing INSERT INTO k3.t (a, b) VALUES (1, 1)
        2: Preparing statement
        2: Sending MUTATION_REQ message to node 1 message size N bytes
        2: Sending MUTATION_REQ message to node 3 message size N bytes
        3: Adding to t memtable
        3: Appending to commitlog
        3: Enqueuing response to node 2
        3: MUTATION_REQ message received from node 2
        """,
        events(2, session, 17));
  }

  @Test
  void aReadShowsDataAndDigests() throws Exception {
    run("INSERT INTO k3.t (a, b) VALUES (1, 1)");
    UUID session = trace(1, ALL, "SELECT * FROM k3.t WHERE a = 1");
    assertSession(1, session);
    assertEquals(
        """
        1: Executing single-partition query on t
        1: Parsing SELECT * FROM k3.t WHERE a = 1
        1: Preparing statement
        1: READ_RSP message received from node 2
        1: READ_RSP message received from node 3
        1: Read 1 live rows and 0 tombstone cells
        1: Sending READ_REQ message to node 2 message size N bytes
        1: Sending READ_REQ message to node 3 message size N bytes
        1: reading digest from node 2
        1: reading digest from node 3
        2: Enqueuing response to node 1
        2: Executing single-partition query on t
        2: READ_REQ message received from node 1
        2: Read 1 live rows and 0 tombstone cells
        3: Enqueuing response to node 1
        3: Executing single-partition query on t
        3: READ_REQ message received from node 1
        3: Read 1 live rows and 0 tombstone cells
        """,
        events(1, session, 18));
  }

  @Test
  void aReadShowsWhatItRepairs() throws Exception {
    nodes.stop(3);
    nodes.awaitUp(1, 1);
    run("INSERT INTO k3.t (a, b) VALUES (200, 1)");
    nodes.start(3);
    nodes.awaitUp(1, 2);
    nodes.awaitUp(3, 2); // so that its events have both of their replicas
    UUID session = trace(1, ALL, "SELECT * FROM k3.t WHERE a = 200");
    String events = events(1, session, 40);
    for (String line :
        List.of(
            "1: Digest mismatch: Mismatch for key DecoratedKey(TOKEN, 000000c8)",
            "1: reading data from node 2",
            "1: reading data from node 3",
            "2: Read 1 live rows and 0 tombstone cells\n2: Read 1 live rows and 0 tombstone cells",
            "3: Read 0 live rows and 0 tombstone cells\n3: Read 0 live rows and 0 tombstone cells",
            "1: Sending read-repair-mutation to node 3",
            "1: Sending READ_REPAIR_REQ message to node 3 message size N bytes",
            "3: READ_REPAIR_REQ message received from node 1",
            "3: Adding to t memtable",
            "1: READ_REPAIR_RSP message received from node 3")) {
      assertTrue(events.contains(line + "\n"), line + " in\n" + events);
    }
    assertFalse(events.contains("2: READ_REPAIR"), events);
    UUID second = trace(1, ALL, "SELECT * FROM k3.t WHERE a = 200");
    assertFalse(events(1, second, 18).contains("mismatch"));
  }

  @Test
  void aScanShowsTheReplicasOfEachRange() throws Exception {
    for (int i = 0; i < 20; i++) {
      run("INSERT INTO k3.t (a, b) VALUES (%d, 1)".formatted(i));
    }
    UUID session = trace(1, QUORUM, "SELECT * FROM k3.t WHERE token(a) > 0");
    assertSession(1, session);
    String events = events(1, session, 11);
    assertTrue(
        events.matches(
            "(?s).*1: Executing seq scan on t for tokens \\S+ to \\S+\n"
                + ".*1: RANGE_RSP message received from node [23]\n"
                + ".*1: Sending RANGE_REQ message to node [23] message size N bytes\n"
                + ".*1: reading digest from node [23]\n"
                + ".*[23]: Executing seq scan on t for tokens \\S+ to \\S+\n"
                + ".*[23]: RANGE_REQ message received from node 1\n"
                + ".*[23]: Read \\d+ live rows and 0 tombstone cells\n"),
        events);
  }

  @Test
  void aBatchShowsTheReplicasOfItsParts() throws Exception {
    UUID session =
        trace(
            1,
            ALL,
            "BEGIN UNLOGGED BATCH INSERT INTO k3.t (a, b) VALUES (1, 1); INSERT INTO k3.t (a, b)"
                + " VALUES (2, 1); APPLY BATCH");
    String events = events(1, session, 32);
    for (int node = 1; node <= 3; node++) {
      String line = node + ": Adding to t memtable\n";
      assertTrue(events.contains(line + line), events);
    }
  }

  @Test
  void aNodeWithoutReplicaShowsTheOneThatItAsks() throws Exception {
    for (int i = 0; i < 10; i++) {
      run("INSERT INTO k1.t (a, b) VALUES (%d, 1)".formatted(i));
    }
    int elsewhere = 0;
    for (int i = 0; i < 10; i++) {
      UUID session = trace(1, ONE, "SELECT * FROM k1.t WHERE a = " + i);
      String events = events(1, session, 4);
      if (events.contains("1: Executing")) {
        assertTrue(events.contains("1: Read 1 live rows and 0 tombstone cells\n"), events);
        assertFalse(events.contains("node"), events);
        continue;
      }
      elsewhere++;
      int replica = events(1, session, 9).contains("reading data from node 2") ? 2 : 3;
      assertEquals(
          """
          1: Parsing SELECT * FROM k1.t WHERE a = %2$d
          1: Preparing statement
          1: READ_RSP message received from node %1$d
          1: Sending READ_REQ message to node %1$d message size N bytes
          1: reading data from node %1$d
          %1$d: Enqueuing response to node 1
          %1$d: Executing single-partition query on t
          %1$d: READ_REQ message received from node 1
          %1$d: Read 1 live rows and 0 tombstone cells
          """
              .formatted(replica, i),
          events(1, session, 9));
    }
    assertTrue(elsewhere > 0);
  }

  @Test
  void requestsWithoutATraceLeaveNone() throws Exception {
    run("INSERT INTO k3.t (a, b) VALUES (1, 1)");
    assertEquals("1,1", nodes.run(1, ALL, "SELECT * FROM k3.t WHERE a = 1"));
    assertEquals(List.of(), select(1, "SELECT session_id FROM system_traces.events"));
  }
}
