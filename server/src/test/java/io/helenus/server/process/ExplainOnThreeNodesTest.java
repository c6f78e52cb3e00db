package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.config.Setting;
import io.helenus.server.ring.ConsistencyLevel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What EXPLAIN says of replicas, and EXPLAIN ANALYZE measures of them, on three nodes. */
class ExplainOnThreeNodesTest {
  private static final int ROWS = 200;
  private static final Pattern ASKED =
      Pattern.compile("this node for rows, (127\\.0\\.0\\.\\d) for a digest of them; not (.*)");

  @TempDir private Path folder;
  private ThreeServers nodes;

  @BeforeEach
  void start() throws Exception {
    nodes = new ThreeServers(folder, settings -> settings.with(Setting.CQL_EXTENSIONS, "true"));
    for (int i = 1; i <= 3; i++) {
      nodes.awaitUp(i, 2);
    }
    for (int replicas : new int[] {1, 3}) {
      run(
          "CREATE KEYSPACE k%d WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
                  .formatted(replicas)
              + " %d}".formatted(replicas));
      run("CREATE TABLE k%d.t (a int, b int, c text, PRIMARY KEY (a, b))".formatted(replicas));
    }
    for (int b = 0; b < ROWS; b++) {
      run("INSERT INTO k3.t (a, b, c) VALUES (1, %d, '%s')".formatted(b, "x".repeat(400)));
    }
    for (int i = 1; i <= 3; i++) {
      nodes.server(i).node().flushAll().join();
    }
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  private void run(String cql) throws Exception {
    assertEquals("done", nodes.run(1, ConsistencyLevel.ALL, cql), cql);
  }

  /** The columns of a step of the answer, without the spaces that pad them. */
  private List<String> step(String step, ConsistencyLevel level, String cql) throws Exception {
    Response response = nodes.client(1).query(cql, QueryOptions.NONE.withConsistency(level.code()));
    if (response instanceof Response.Rows rows) {
      for (List<byte[]> row : rows.rows()) {
        List<String> values =
            row.stream().map(each -> new String(each, StandardCharsets.UTF_8).strip()).toList();
        if (values.getFirst().equals(step)) {
          return values;
        }
      }
    }
    throw new AssertionError(response.toString());
  }

  /** The last numbers of the addresses of the nodes that read for a statement, by its trace. */
  private Set<Integer> readers(String cql, ConsistencyLevel level) throws Exception {
    CqlClient client = nodes.client(1);
    Response response =
        client.query(cql, QueryOptions.NONE.withTracing().withConsistency(level.code()));
    String select =
        "SELECT source FROM system_traces.events WHERE session_id = "
            + Objects.requireNonNull(response.extras().tracingId());
    Set<Integer> readers = new TreeSet<>();
    for (int i = 0; i < 100 && readers.size() < 2; i++) {
      Thread.sleep(50);
      if (client.query(select) instanceof Response.Rows rows) {
        rows.rows().forEach(row -> readers.add((int) Objects.requireNonNull(row.getFirst())[3]));
      }
    }
    return readers;
  }

  @Test
  void theReplicasThatAReadAsksAreNamed() throws Exception {
    String select = "SELECT * FROM k3.t WHERE a = 1";
    String one = step("replicas", ConsistencyLevel.ONE, "EXPLAIN " + select).get(1);
    assertEquals("ONE asks 1 of 3: this node; not ", one.replaceAll("127.*", ""));
    String all = step("replicas", ConsistencyLevel.ALL, "EXPLAIN " + select).get(1);
    assertTrue(all.startsWith("ALL asks 3 of 3: this node for rows, 127.0.0."), all);
    assertTrue(all.contains("127.0.0.2") && all.contains("127.0.0.3"), all);

    String quorum = step("replicas", ConsistencyLevel.QUORUM, "EXPLAIN " + select).get(1);
    Matcher asked = ASKED.matcher(quorum);
    assertTrue(quorum.startsWith("QUORUM asks 2 of 3: ") && asked.find(), quorum);
    int other = asked.group(1).charAt(asked.group(1).length() - 1) - '0';
    assertEquals("127.0.0." + (5 - other), asked.group(2));
    assertEquals(Set.of(1, other), readers(select, ConsistencyLevel.QUORUM));

    nodes.stop(other);
    nodes.awaitUp(1, 1);
    String without = step("replicas", ConsistencyLevel.QUORUM, "EXPLAIN " + select).get(1);
    assertEquals(
        "QUORUM asks 2 of 3: this node for rows, 127.0.0.%d for a digest of them; not 127.0.0.%d (down)"
            .formatted(5 - other, other),
        without);
    String tooFew = step("replicas", ConsistencyLevel.ALL, "EXPLAIN " + select).get(1);
    assertTrue(tooFew.startsWith("ALL asks 3 of 3: too few are up: "), tooFew);
  }

  @Test
  void whatThisNodeReadIsMeasuredAndSaidToBeThat() throws Exception {
    for (String select : List.of("SELECT * FROM k3.t WHERE a = 1", "SELECT * FROM k3.t")) {
      String analyze = "EXPLAIN ANALYZE " + select;
      List<String> local = step("storage", ConsistencyLevel.ONE, analyze);
      List<String> merged = step("storage", ConsistencyLevel.QUORUM, analyze);
      assertTrue(local.get(3).startsWith("1 file, "), local::toString);
      assertEquals(local.get(3), merged.get(3), "this node reads the same alone");
      assertTrue(!local.get(1).contains("measured"), local::toString);
      assertTrue(
          merged.get(1).endsWith("; measured is what this node read, not what the others did"),
          merged::toString);
      assertEquals("1 request", step("replicas", ConsistencyLevel.QUORUM, analyze).get(3));
      assertEquals("2 requests", step("replicas", ConsistencyLevel.ALL, analyze).get(3));
      assertTrue(
          step("select", ConsistencyLevel.QUORUM, analyze).get(3).startsWith(ROWS + " rows, "));
    }
  }

  @Test
  void whatOnlyOthersReadIsNotMeasured() throws Exception {
    int key = 0;
    String select;
    List<String> replicas;
    do {
      select = "SELECT * FROM k1.t WHERE a = " + ++key;
      replicas = step("replicas", ConsistencyLevel.ONE, "EXPLAIN ANALYZE " + select);
    } while (replicas.get(1).endsWith("this node"));
    assertTrue(replicas.get(1).startsWith("ONE asks 1 of 1: 127.0.0."), replicas::toString);
    assertEquals("1 request", replicas.get(3));
    List<String> storage = step("storage", ConsistencyLevel.ONE, "EXPLAIN ANALYZE " + select);
    assertTrue(
        storage.get(1).endsWith("; what the others read is not measured"), storage::toString);
    assertEquals("", storage.get(3));
  }

  @Test
  void whatWorksOnOneReplicaOnlyIsForeseenToBeRefused() throws Exception {
    run("CREATE TABLE k3.n (a int PRIMARY KEY, c counter)");
    for (int replicas : new int[] {1, 3}) {
      String table = "k" + replicas + ".v";
      run("CREATE TABLE %s (a int PRIMARY KEY, l list<int>, v vector<float, 2>)".formatted(table));
      run("CREATE INDEX ON %s (v) USING 'sai'".formatted(table));
    }
    String logged =
        "BEGIN BATCH INSERT INTO k3.v (a) VALUES (1); INSERT INTO k3.v (a) VALUES (2); APPLY BATCH";
    for (String statement :
        List.of(
            "INSERT INTO k3.t (a, b) VALUES (1, 2) IF NOT EXISTS",
            "UPDATE k3.n SET c = c + 1 WHERE a = 1",
            "UPDATE k3.v SET l[0] = 1 WHERE a = 1",
            logged,
            "SELECT a FROM k1.v ORDER BY v ANN OF [1, 2] LIMIT 1")) {
      String said = step("refused", ConsistencyLevel.ONE, "EXPLAIN " + statement).get(1);
      String refusal = nodes.run(1, ConsistencyLevel.ONE, statement);
      assertTrue(refusal.contains(said), () -> statement + ": " + said + " | " + refusal);
    }
    for (String statement :
        List.of(
            logged.replace("BEGIN BATCH", "BEGIN UNLOGGED BATCH"),
            "SELECT a FROM k3.v ORDER BY v ANN OF [1, 2] LIMIT 1")) {
      assertThrows(
          AssertionError.class,
          () -> step("refused", ConsistencyLevel.ONE, "EXPLAIN " + statement));
      String answer = nodes.run(1, ConsistencyLevel.ONE, statement);
      assertTrue(!answer.startsWith("error"), answer);
    }
  }
}
