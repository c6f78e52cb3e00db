package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.ring.ConsistencyLevel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nothing that was acknowledged at QUORUM is lost, whichever nodes are killed or do not run for a
 * while. {@code -Dcluster.kill.rounds=100} is the long form, {@code -Dcluster.kill.seed} repeats
 * the choices of a run.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterKillIT {
  private static final int ROUNDS = Integer.getInteger("cluster.kill.rounds", 5);
  private static final long SEED = Long.getLong("cluster.kill.seed", System.nanoTime());
  private static final int KEYS = 400;
  private static final QueryOptions QUORUM =
      QueryOptions.NONE.withConsistency(ConsistencyLevel.QUORUM.code());

  private ClusterProcesses cluster;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    cluster =
        new ClusterProcesses(
            folder.resolve("cluster"), List.of("-Dmemory=256MiB", "-Dphi_convict_threshold=5"));
    cluster.run(
        1,
        "CREATE KEYSPACE k WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
    cluster.run(2, "CREATE TABLE k.t (id int PRIMARY KEY, v int)");
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  /** What became of a key: its value is one of those attempted from the last acknowledged on. */
  private static final class Written {
    int acknowledged;
    int attempted;
  }

  /**
   * Writes increasing values to keys of its own, one after the other, through one node as long as
   * that answers, and through another one afterwards.
   */
  private final class Writer implements Runnable {
    final int number;
    final Map<Integer, Written> keys = new HashMap<>();
    final AtomicInteger acknowledged = new AtomicInteger();
    final AtomicInteger failed = new AtomicInteger();
    final Thread thread;
    private final Random random;
    private volatile boolean stopped;
    private volatile @Nullable Throwable error;
    private int value;

    Writer(int number) {
      this.number = number;
      this.random = new Random(SEED + number);
      thread = new Thread(this, "writer-" + number);
      thread.start();
    }

    @Override
    public void run() {
      int through = number;
      try {
        while (!stopped) {
          try (CqlClient client = cluster.connect(through)) {
            write(client);
          } catch (UncheckedIOException e) {
            failed.incrementAndGet();
            through = through % ClusterProcesses.COUNT + 1;
            Thread.sleep(20);
          }
        }
      } catch (Throwable e) {
        error = e;
      }
    }

    private void write(CqlClient client) throws InterruptedException {
      while (!stopped) {
        int key = number * 1_000_000 + random.nextInt(KEYS);
        Written written = keys.computeIfAbsent(key, id -> new Written());
        written.attempted = ++value;
        Response response =
            client.query("INSERT INTO k.t (id, v) VALUES (" + key + ", " + value + ")", QUORUM);
        if (response instanceof Response.Failure) {
          failed.incrementAndGet();
          Thread.sleep(5);
        } else {
          written.acknowledged = value;
          acknowledged.incrementAndGet();
        }
      }
    }

    void stop() throws InterruptedException {
      stopped = true;
      thread.join();
      if (error != null) {
        throw new AssertionError("writer " + number, error);
      }
    }
  }

  private static int number(byte @Nullable [] value) {
    return value == null ? 0 : ByteBuffer.wrap(value).getInt();
  }

  private Map<Integer, Integer> rows(int node) {
    Map<Integer, Integer> rows = new HashMap<>();
    Response response = cluster.query(node, ConsistencyLevel.QUORUM, "SELECT id, v FROM k.t");
    for (List<byte[]> row : assertInstanceOf(Response.Rows.class, response).rows()) {
      rows.put(number(row.get(0)), number(row.get(1)));
    }
    return rows;
  }

  /** By key while nodes may still differ, then all at once through each node. */
  private void assertNothingIsLost(List<Writer> writers) {
    List<CqlClient> clients = new ArrayList<>();
    for (int i = 1; i <= ClusterProcesses.COUNT; i++) {
      clients.add(cluster.connect(i));
    }
    for (Writer writer : writers) {
      writer.keys.forEach(
          (key, written) -> {
            CqlClient client = clients.get(key % clients.size());
            Response response = client.query("SELECT v FROM k.t WHERE id = " + key, QUORUM);
            var rows = assertInstanceOf(Response.Rows.class, response).rows();
            check(key, written, rows.isEmpty() ? 0 : number(rows.getFirst().getFirst()));
          });
    }
    clients.forEach(CqlClient::close);
    for (int i = 1; i <= ClusterProcesses.COUNT; i++) {
      Map<Integer, Integer> rows = rows(i);
      for (Writer writer : writers) {
        writer.keys.forEach((key, written) -> check(key, written, rows.getOrDefault(key, 0)));
      }
    }
  }

  private static void check(int key, Written written, int value) {
    assertTrue(
        value >= written.acknowledged && value <= written.attempted,
        () ->
            "key "
                + key
                + " is "
                + value
                + ", acknowledged was "
                + written.acknowledged
                + ", attempted "
                + written.attempted
                + "; cluster.kill.seed="
                + SEED);
  }

  private static int sum(List<Writer> writers) {
    return writers.stream().mapToInt(each -> each.acknowledged.get()).sum();
  }

  private List<Writer> writers() {
    List<Writer> writers = new ArrayList<>();
    for (int i = 1; i <= ClusterProcesses.COUNT; i++) {
      writers.add(new Writer(i));
    }
    return writers;
  }

  @Test
  @Timeout(3600)
  void whatWasAcknowledgedSurvivesKills() throws Exception {
    Random random = new Random(SEED);
    List<Writer> writers = writers();
    for (int round = 1; round <= ROUNDS; round++) {
      int before = sum(writers);
      Thread.sleep(random.nextInt(500));
      int killed = 1 + random.nextInt(ClusterProcesses.COUNT);
      cluster.node(killed).kill();
      int down = sum(writers);
      Thread.sleep(random.nextInt(1000));
      cluster.start(killed);
      int after = sum(writers);
      System.out.println(
          "round " + round + ": node " + killed + ", " + (down - before) + " + " + (after - down));
      assertTrue(after > down, "nothing was written while node " + killed + " was down");
    }
    Thread.sleep(random.nextInt(500));
    cluster.killAll();
    cluster.startAll();
    for (Writer writer : writers) {
      writer.stop();
    }
    cluster.awaitAll("SELECT v FROM k.t WHERE id = 1");
    assertNothingIsLost(writers);
    System.out.println(
        sum(writers)
            + " acknowledged, "
            + writers.stream().mapToInt(each -> each.failed.get()).sum()
            + " failed");
  }

  @Test
  @Timeout(300)
  void aNodeThatServesAgainKnowsWhatWasDefinedMeanwhile() throws Exception {
    cluster.awaitAll("SELECT v FROM k.t WHERE id = 1");
    for (int i = 0; i < 3; i++) {
      assertEquals(0, cluster.node(3).terminate());
      String table = "k.defined" + i;
      cluster.run(1, "CREATE TABLE " + table + " (id int PRIMARY KEY)");
      cluster.start(3);
      Response read = cluster.query(3, ConsistencyLevel.ONE, "SELECT * FROM " + table);
      assertInstanceOf(Response.Rows.class, read, cluster.node(3).log());
    }
  }

  @Test
  @Timeout(300)
  void othersGoOnWhileANodeDoesNotRun() throws Exception {
    cluster.awaitAll("SELECT v FROM k.t WHERE id = 1");
    cluster.node(3).pause();
    List<Long> millis = new ArrayList<>();
    int failures = 0;
    try (CqlClient client = cluster.connect(1)) {
      long end = System.nanoTime() + 13_000_000_000L;
      for (int i = 0; System.nanoTime() < end; i++) {
        long start = System.nanoTime();
        Response written =
            client.query("INSERT INTO k.t (id, v) VALUES (" + -i + ", " + i + ")", QUORUM);
        assertInstanceOf(
            Response.Done.class, written, "a write does not wait for the last replica");
        Response read = client.query("SELECT v FROM k.t WHERE id = " + -i, QUORUM);
        if (read instanceof Response.Failure failure) {
          failures++;
          assertEquals(0x1200, failure.code(), failure.message());
        }
        assertInstanceOf(Response.Rows.class, client.query("SELECT v FROM k.t WHERE id = " + -i));
        millis.add((System.nanoTime() - start) / 1_000_000);
      }
    } finally {
      cluster.node(3).resume();
    }
    long longest = millis.stream().mapToLong(Long::longValue).max().orElseThrow();
    System.out.println(
        millis.size() + " rounds, longest " + longest + " ms, read timeouts " + failures);
    assertTrue(longest < 6000, "longest " + longest + " ms");
    assertTrue(millis.getLast() < 1000, "it was convicted");
    cluster.awaitAll("SELECT v FROM k.t WHERE id = 1");
  }
}
