package io.helenus.server.faults;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.process.ClusterProcesses;
import io.helenus.server.process.ServerProcess;
import io.helenus.server.ring.ConsistencyLevel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What clients of three processes see of faults of links, and of a process that does not run: no
 * acknowledged write is lost, writes at QUORUM go on wherever two nodes reach each other, reads
 * time out at worst, and all is well within seconds after the fault. {@code -Dfaults.millis=20000}
 * is the long form.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class LinkFaultsIT {
  /** How long a fault lasts. */
  private static final int MILLIS = Integer.getInteger("faults.millis", 2_000);

  /** How long a stream may be silent, and so how long it takes to notice that one is half open. */
  private static final int SILENCE_MILLIS = 10_000;

  private static final int RECOVERY_MILLIS = 10_000;

  private FaultyLinks links;
  private ClusterProcesses cluster;
  private QuorumLoad load;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    int port = ServerProcess.freePort();
    links = new FaultyLinks(port);
    cluster =
        new ClusterProcesses(
            folder.resolve("cluster"),
            List.of(
                "-Dmemory=256MiB",
                "-Dphi_convict_threshold=5",
                "-Dread_request_timeout=" + QuorumLoad.TIMEOUT_MILLIS + "ms",
                "-Dwrite_request_timeout=" + QuorumLoad.TIMEOUT_MILLIS + "ms"),
            port,
            FaultyLinks.ADDRESSES);
    cluster.run(
        1,
        "CREATE KEYSPACE k WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
    cluster.run(2, "CREATE TABLE k.t (id int PRIMARY KEY, v int)");
    assertTrue(links.carried(1, 2) > 0 && links.carried(3, 1) > 0, "the nodes pass by the links");
  }

  @AfterAll
  void stop() throws IOException {
    cluster.close();
    links.close();
  }

  @BeforeEach
  void begin() throws InterruptedException {
    load = new QuorumLoad(cluster);
    load.measure();
  }

  /** Ends the fault; what follows is without one. */
  @AfterEach
  void recover() throws InterruptedException {
    links.heal();
    long millis = load.awaitAll();
    assertTrue(millis <= RECOVERY_MILLIS, "recovery took " + millis + " ms\n" + cluster.logs());
    load.seen();
    for (int i = 0; i < 3; i++) {
      Thread.sleep(200);
      load.seen().forEach(LinkFaultsIT::assertNothingFails);
    }
    load.stop();
    System.out.println("  recovered after " + millis + " ms");
  }

  private List<QuorumLoad.Seen> during(String fault, int millis) throws InterruptedException {
    Thread.sleep(millis);
    List<QuorumLoad.Seen> seen = load.seen();
    System.out.println(fault + ": " + seen);
    return seen;
  }

  private static void assertWritesSucceed(QuorumLoad.Seen seen) {
    assertTrue(seen.writes() > 0, seen::toString);
    assertNoWriteFails(seen);
  }

  private static void assertNoWriteFails(QuorumLoad.Seen seen) {
    assertEquals(0, seen.failures().getOrDefault(0x1100, 0), seen::toString);
    assertEquals(0, seen.failures().getOrDefault(0x1000, 0), seen::toString);
  }

  private static void assertNothingFails(QuorumLoad.Seen seen) {
    assertEquals(Map.of(), seen.failures());
  }

  @Test
  void aSlowReplica() throws Exception {
    for (int other = 1; other <= 2; other++) {
      links.delay(other, 3, 200);
      links.delay(3, other, 200);
    }
    List<QuorumLoad.Seen> seen = during("slow replica", MILLIS);
    seen.forEach(LinkFaultsIT::assertWritesSucceed);
    seen.forEach(LinkFaultsIT::assertNothingFails);
    assertTrue(seen.getFirst().writes() > seen.getLast().writes(), seen::toString);
  }

  @Test
  void aLinkThatIsCut() throws Exception {
    links.cut(1, 2);
    during("cut", 500).forEach(LinkFaultsIT::assertNoWriteFails);
    List<QuorumLoad.Seen> seen = during("cut", MILLIS);
    seen.forEach(LinkFaultsIT::assertWritesSucceed);
    // both know that the other one is down
    seen.forEach(LinkFaultsIT::assertNothingFails);
    assertTrue(cluster.node(1).log().contains("is down"), cluster.node(1)::log);
  }

  @Test
  void aPartitionOfOneDirection() throws Exception {
    links.hold(1, 2);
    during("one-way partition", MILLIS).forEach(LinkFaultsIT::assertWritesSucceed);
  }

  @Test
  void aNodeThatIsHeardByNobody() throws Exception {
    links.hold(3, 1);
    links.hold(3, 2);
    List<QuorumLoad.Seen> seen = during("unheard", MILLIS);
    assertWritesSucceed(seen.get(0));
    assertWritesSucceed(seen.get(1));
    // what it sends to others arrives nowhere, and so it acknowledges nothing
    assertTrue(seen.get(2).writes() <= 1, seen::toString);
  }

  @Test
  void aLinkThatIsHalfOpen() throws Exception {
    links.halfOpen(1, 2);
    List<QuorumLoad.Seen> seen = during("half open", SILENCE_MILLIS + 2_000);
    seen.forEach(LinkFaultsIT::assertWritesSucceed);
  }

  @Test
  void aMinorityThatIsCutOff() throws Exception {
    for (int round = 0; round < 3; round++) {
      links.cut(3, 1);
      links.cut(3, 2);
      List<QuorumLoad.Seen> seen = during("flapping", 300);
      assertNoWriteFails(seen.get(0));
      assertNoWriteFails(seen.get(1));
      links.heal();
      Thread.sleep(300);
    }
    links.cut(3, 1);
    links.cut(3, 2);
    Thread.sleep(300);
    load.seen();
    List<QuorumLoad.Seen> seen = during("minority", MILLIS);
    assertWritesSucceed(seen.get(0));
    assertWritesSucceed(seen.get(1));
    assertEquals(0, seen.get(2).writes(), seen::toString);
    assertEquals(Set.of(0x1000), seen.get(2).failures().keySet(), seen::toString);
  }

  /**
   * Others go on, and change the schema, both at once: each answer must be true, and all nodes have
   * one schema afterwards.
   */
  @ParameterizedTest
  @MethodSource("pausedNodes")
  void aProcessThatDoesNotRun(int stopped) throws Exception {
    List<Integer> others = List.of(1 + stopped % 3, 1 + (stopped + 1) % 3);
    List<String> failures = Collections.synchronizedList(new ArrayList<>());
    load.pause(stopped, true);
    cluster.node(stopped).pause();
    long start = System.nanoTime();
    try {
      List<Thread> changes = new ArrayList<>();
      for (int through : others) {
        String table = "k.t" + stopped + through;
        changes.add(Thread.startVirtualThread(() -> change(through, table, failures)));
      }
      List<QuorumLoad.Seen> seen = during("node " + stopped + " does not run", MILLIS);
      others.forEach(each -> assertWritesSucceed(seen.get(each - 1)));
      for (Thread each : changes) {
        each.join();
      }
    } finally {
      cluster.node(stopped).resume();
    }
    System.out.println("  schema changes: " + (System.nanoTime() - start) / 1_000_000 + " ms");
    assertEquals(List.of(), failures);
    load.awaitAll();
    load.pause(stopped, false);
    assertOneSchema(others.stream().map(each -> "t" + stopped + each).toList());
  }

  static IntStream pausedNodes() {
    return MILLIS > SILENCE_MILLIS
        ? IntStream.rangeClosed(1, ClusterProcesses.COUNT)
        : IntStream.of(1);
  }

  private void change(int node, String table, List<String> failures) {
    for (String cql :
        List.of(
            "CREATE TABLE " + table + " (a int PRIMARY KEY)",
            "ALTER TABLE " + table + " ADD b int",
            "CREATE TABLE " + table + "x (a int PRIMARY KEY)",
            "DROP TABLE " + table + "x")) {
      if (cluster.query(node, ConsistencyLevel.QUORUM, cql) instanceof Response.Failure failure) {
        failures.add(cql + ": " + failure);
      }
    }
  }

  private void assertOneSchema(List<String> tables) throws InterruptedException {
    Set<String> schemas = schemas();
    for (int i = 0; i < 100 && schemas.size() > 1; i++) {
      Thread.sleep(100);
      schemas = schemas();
    }
    assertEquals(1, schemas.size(), schemas::toString);
    String schema = schemas.iterator().next();
    for (String table : tables) {
      assertTrue(schema.contains(" " + table + " b"), schema);
      assertFalse(schema.contains(" " + table + "x "), schema);
    }
  }

  /** The version and the columns of each node. */
  private Set<String> schemas() {
    Set<String> schemas = new HashSet<>();
    for (int i = 1; i <= ClusterProcesses.COUNT; i++) {
      try (CqlClient client = cluster.connect(i)) {
        StringBuilder schema = new StringBuilder();
        for (String cql :
            List.of(
                "SELECT schema_version FROM system.local",
                "SELECT table_name, column_name FROM system_schema.columns"
                    + " WHERE keyspace_name = 'k'")) {
          Response.Rows rows = assertInstanceOf(Response.Rows.class, client.query(cql));
          for (List<byte[]> row : rows.rows()) {
            row.forEach(value -> schema.append(' ').append(new String(value, ISO_8859_1)));
          }
        }
        schemas.add(schema.toString());
      }
    }
    return schemas;
  }
}
