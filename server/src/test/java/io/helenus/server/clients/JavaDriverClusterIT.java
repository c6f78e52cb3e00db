package io.helenus.server.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import io.helenus.server.process.ClusterProcesses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Java driver 4 with a cluster of three nodes, and one of them as its contact point. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class JavaDriverClusterIT {
  private static final int IN_FLIGHT = 16;

  private ClusterProcesses cluster;
  private CqlSession session;

  @BeforeAll
  void connect(@TempDir Path folder) throws IOException {
    cluster = new ClusterProcesses(folder.resolve("cluster"), List.of("-Dmemory=256MiB"));
    session =
        CqlSession.builder()
            .addContactPoint(new InetSocketAddress(ClusterProcesses.address(2), cluster.port()))
            .withLocalDatacenter("datacenter1")
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withString(DefaultDriverOption.REQUEST_TIMEOUT, "30 seconds")
                    .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "QUORUM")
                    .withBoolean(DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, true)
                    .withString(DefaultDriverOption.RECONNECTION_BASE_DELAY, "100 milliseconds")
                    .build())
            .build();
    for (int replicas : new int[] {1, 3}) {
      session.execute(
          "CREATE KEYSPACE rf"
              + replicas
              + " WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': "
              + replicas
              + "}");
      session.execute("CREATE TABLE rf" + replicas + ".t (id int PRIMARY KEY, v int)");
    }
  }

  @AfterAll
  void stop() {
    if (session != null) {
      session.close();
    }
    cluster.close();
  }

  @Test
  void itFindsTheOtherNodes() {
    Set<String> addresses = new TreeSet<>();
    for (Node node : session.getMetadata().getNodes().values()) {
      assertEquals(NodeState.UP, node.getState());
      assertEquals("rack1", node.getRack());
      InetSocketAddress address = node.getBroadcastRpcAddress().orElseThrow();
      assertEquals(cluster.port(), address.getPort());
      addresses.add(address.getHostString());
    }
    assertEquals(Set.of("127.0.0.1", "127.0.0.2", "127.0.0.3"), addresses);
    assertTrue(session.checkSchemaAgreement());
  }

  @Test
  void requestsGoToAReplica() {
    TokenMap tokens = session.getMetadata().getTokenMap().orElseThrow();
    assertEquals(3 * 16, tokens.getTokenRanges().size());
    PreparedStatement insert = session.prepare("INSERT INTO rf1.t (id, v) VALUES (?, ?)");
    Set<Node> coordinators = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
    for (int i = 0; i < 300; i++) {
      BoundStatement bound = insert.bind(i, i);
      ByteBuffer key = bound.getRoutingKey();
      Set<Node> replicas = tokens.getReplicas("rf1", key);
      assertEquals(1, replicas.size());
      assertEquals(3, tokens.getReplicas("rf3", key).size());
      Node coordinator = session.execute(bound).getExecutionInfo().getCoordinator();
      assertEquals(replicas, Set.of(coordinator));
      coordinators.add(coordinator);
    }
    assertEquals(3, coordinators.size());
  }

  /** Requests in flight all the time. */
  private final class Load {
    final AtomicInteger done = new AtomicInteger();
    final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Semaphore ended = new Semaphore(0);
    private final AtomicInteger next = new AtomicInteger();
    private final PreparedStatement insert =
        session.prepare("INSERT INTO rf3.t (id, v) VALUES (?, ?)");
    private final PreparedStatement select = session.prepare("SELECT v FROM rf3.t WHERE id = ?");

    Load() {
      for (int i = 0; i < IN_FLIGHT; i++) {
        request();
      }
    }

    private void request() {
      if (stopped.get()) {
        ended.release();
        return;
      }
      int number = next.incrementAndGet();
      BoundStatement statement =
          number % 2 == 0 ? insert.bind(number % 1000, number) : select.bind(number % 1000);
      var ignored =
          session
              .executeAsync(statement)
              .whenComplete(
                  (result, failure) -> {
                    if (failure == null) {
                      done.incrementAndGet();
                    } else {
                      failures.add(failure);
                    }
                    request();
                  });
    }

    void awaitMore(int count) throws InterruptedException {
      int until = done.get() + count;
      while (done.get() < until && failures.isEmpty()) {
        Thread.sleep(10);
      }
    }

    void stop() throws InterruptedException {
      stopped.set(true);
      ended.acquire(IN_FLIGHT);
    }
  }

  private NodeState state(int number) {
    for (Node node : session.getMetadata().getNodes().values()) {
      InetSocketAddress address = node.getBroadcastRpcAddress().orElseThrow();
      if (address.getAddress().equals(ClusterProcesses.address(number))) {
        return node.getState();
      }
    }
    throw new AssertionError("node " + number + " is gone");
  }

  private void await(int number, NodeState state) throws InterruptedException {
    while (state(number) != state) {
      Thread.sleep(10);
    }
  }

  @Test
  void aRollingRestartFailsNoRequest() throws Exception {
    Load load = new Load();
    load.awaitMore(500);
    List<String> seen = new ArrayList<>();
    for (int i = 1; i <= ClusterProcesses.COUNT; i++) {
      int before = load.done.get();
      assertEquals(0, cluster.node(i).terminate(), cluster.node(i).log());
      await(i, NodeState.DOWN);
      load.awaitMore(200);
      int down = load.done.get();
      cluster.start(i);
      await(i, NodeState.UP);
      load.awaitMore(200);
      seen.add((down - before) + " + " + (load.done.get() - down));
    }
    load.stop();
    System.out.println("requests while each node was stopped, and started: " + seen);
    List<String> failures = load.failures.stream().map(Throwable::toString).toList();
    assertEquals(List.of(), failures, cluster.logs());
  }
}
