package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.config.Setting;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.NodeAddresses;
import io.helenus.server.ring.ConsistencyLevel;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What requests do on replicas, and what members register, on three nodes. */
class ClusterRequestsTest {
  private static final ConsistencyLevel QUORUM = ConsistencyLevel.QUORUM;
  private static final ConsistencyLevel ALL = ConsistencyLevel.ALL;
  private static final ConsistencyLevel ONE = ConsistencyLevel.ONE;

  private static final QueryOptions AT_ONE = QueryOptions.NONE.withConsistency(ONE.code());

  @TempDir private Path folder;

  private int healthPort;

  private static void awaitAll(ThreeServers nodes) throws InterruptedException {
    for (int i = 1; i <= 3; i++) {
      nodes.awaitUp(i, 2);
    }
  }

  private String metrics() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI page = URI.create("http://127.0.0.1:" + healthPort + "/metrics");
      return client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString()).body();
    }
  }

  /** Waits for a line of node 1. */
  private void awaitMetric(String line) throws Exception {
    String page = metrics();
    for (int i = 0; i < 100 && !page.contains("\n" + line + "\n"); i++) {
      Thread.sleep(50);
      page = metrics();
    }
    assertTrue(page.contains("\n" + line + "\n"), line + " in\n" + page);
  }

  private static void run(ThreeServers nodes, int node, String cql) throws Exception {
    assertEquals("done", nodes.run(node, QUORUM, cql), cql);
  }

  @Test
  void readsRepairReplicasUnlessTheTableSaysOtherwise() throws Exception {
    healthPort = FreePorts.next();
    try (ThreeServers nodes =
        new ThreeServers(
            folder, settings -> settings.with(Setting.HEALTH_PORT, String.valueOf(healthPort)))) {
      awaitAll(nodes);
      run(
          nodes,
          1,
          "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
              + " 3}");
      run(nodes, 1, "CREATE TABLE k.blocking (a int PRIMARY KEY, b int)");
      run(nodes, 1, "CREATE TABLE k.none (a int PRIMARY KEY, b int) WITH read_repair = 'NONE'");
      nodes.stop(3);
      nodes.awaitUp(1, 1);
      run(nodes, 1, "INSERT INTO k.blocking (a, b) VALUES (1, 1)");
      run(nodes, 1, "INSERT INTO k.none (a, b) VALUES (1, 1)");
      nodes.start(3);
      awaitAll(nodes);
      assertEquals("1,1", nodes.run(1, ALL, "SELECT * FROM k.blocking WHERE a = 1"));
      assertEquals("1,1", nodes.run(1, ALL, "SELECT * FROM k.none WHERE a = 1"));
      assertEquals("1,1", nodes.run(3, ONE, "SELECT * FROM k.blocking WHERE a = 1"));
      assertEquals("", nodes.run(3, ONE, "SELECT * FROM k.none WHERE a = 1"));
      awaitMetric("cassandra_readrepair_attempted_total 1.0");
      awaitMetric("cassandra_readrepair_repairedblocking_total 2.0");
      awaitMetric("helenus_cluster_members{state=\"up\"} 3.0");
      awaitMetric("helenus_internode_links 4.0");
      assertFalse(metrics().contains("helenus_internode_messages_total{direction=\"in\"} 0.0"));
    }
  }

  @Test
  void aReadAsOfLongAgoIsRefused() throws Exception {
    try (ThreeServers nodes = new ThreeServers(folder)) {
      awaitAll(nodes);
      run(
          nodes,
          1,
          "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
              + " 3}");
      run(nodes, 1, "CREATE TABLE k.t (a int PRIMARY KEY, b int)");
      int now = (int) Instant.now().getEpochSecond();
      QueryOptions quorum = QueryOptions.NONE.withConsistency(QUORUM.code());
      String select = "SELECT * FROM k.t WHERE a = 1";
      assertInstanceOf(
          Response.Rows.class, nodes.client(1).query(select, quorum.withNowInSeconds(now - 200)));
      Response.Failure failure =
          assertInstanceOf(
              Response.Failure.class,
              nodes.client(1).query(select, quorum.withNowInSeconds(now - 400)));
      assertEquals(
          "Reads as of more than 300 s ago are not supported yet for rows with replicas on other"
              + " nodes",
          failure.message());
    }
  }

  /** Writes through all nodes, each in a thread of its own, beside TRUNCATEs through each. */
  @Test
  void truncatedTablesAreEqualOnAllReplicasWhateverIsWrittenMeanwhile() throws Exception {
    try (ThreeServers nodes = new ThreeServers(folder)) {
      awaitAll(nodes);
      run(
          nodes,
          1,
          "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
              + " 3}");
      run(nodes, 1, "CREATE TABLE k.t (a int PRIMARY KEY, b int)");
      for (int round = 1; round <= 6; round++) {
        for (int a = 0; a < 20; a++) {
          run(nodes, 1 + a % 3, "INSERT INTO k.t (a, b) VALUES (" + -a + ", " + round + ")");
        }
        List<FutureTask<Void>> writers = new ArrayList<>();
        AtomicBoolean ended = new AtomicBoolean();
        for (int writer = 1; writer <= 3; writer++) {
          int first = round * 100_000 + writer * 10_000;
          CqlClient client = nodes.connect(writer);
          FutureTask<Void> task =
              new FutureTask<>(
                  () -> {
                    try (client) {
                      for (int a = first; a < first + 200 || !ended.get(); a++) {
                        client.query("INSERT INTO k.t (a, b) VALUES (" + a + ", 0)", AT_ONE);
                      }
                    }
                    return null;
                  });
          writers.add(task);
          Thread started = Thread.startVirtualThread(task);
          assertNotNull(started);
        }
        Thread.sleep(20);
        run(nodes, 1 + round % 3, "TRUNCATE k.t");
        String old = "SELECT a FROM k.t WHERE b = " + round + " ALLOW FILTERING";
        for (int node = 1; node <= 3; node++) {
          assertEquals("", nodes.run(node, ONE, old), "node " + node);
        }
        ended.set(true);
        for (FutureTask<Void> writer : writers) {
          writer.get();
        }
        run(nodes, 1, "INSERT INTO k.t (a, b) VALUES (1000000, " + round + ")");
        // a read repairs what was written at ONE; none of it is from before the TRUNCATE
        String all = nodes.run(2, ALL, "SELECT * FROM k.t");
        assertTrue(all.contains("1000000," + round));
        for (int node = 1; node <= 3; node++) {
          assertEquals(all, nodes.run(node, ONE, "SELECT * FROM k.t"), "node " + node);
        }
      }
      nodes.stop(3);
      nodes.awaitUp(1, 1);
      assertEquals(
          "error: Cannot achieve consistency level ALL", nodes.run(1, QUORUM, "TRUNCATE k.t"));
      // what was truncated is so after a restart, and only that
      nodes.start(3);
      awaitAll(nodes);
      assertTrue(nodes.run(3, ONE, "SELECT * FROM k.t").contains("1000000,6"));
    }
  }

  @Test
  void aMemberThatComesBackElsewhereRegisters() throws Exception {
    try (ThreeServers nodes = new ThreeServers(folder)) {
      awaitAll(nodes);
      UUID host = nodes.server(3).node().metadata().hostId();
      nodes.stop(3);
      nodes.otherPort(3);
      nodes.start(3);
      awaitAll(nodes);
      int logged = 0;
      for (int i = 0; i < 200 && logged != nodes.port(3); i++) {
        Thread.sleep(50);
        ClusterNode node = nodes.server(1).node().metadata().state().node(host);
        assertNotNull(node);
        NodeAddresses addresses = node.addresses();
        assertNotNull(addresses);
        logged = addresses.client().getPort();
      }
      assertEquals(nodes.port(3), logged);
    }
  }
}
