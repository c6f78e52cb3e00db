package io.helenus.server.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.process.ClusterProcesses;
import io.helenus.server.process.ServerProcess;
import io.helenus.server.ring.ConsistencyLevel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What waits for other nodes is bounded, and what anybody sends to the storage port changes
 * nothing: three processes within their {@code memory}, one of which is looked at. {@code
 * -Dbounds.seconds=600} is the long form.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(1800)
class ClusterBoundsIT {
  private static final int SECONDS = Integer.getInteger("bounds.seconds", 3);
  private static final int LIMIT_MEBIBYTES = ResidentMemory.LIMIT_MEBIBYTES;
  private static final int TIMEOUT_MILLIS = 1_000;
  private static final int MEBIBYTE = 1 << 20;

  /** What the heap and buffers of a node may differ by between two looks without a reason. */
  private static final int SLACK_BYTES = 8 * MEBIBYTE;

  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int LARGE_BYTES = 256 << 10;

  private static final byte[] MAGIC = {0x48, 0x4C, 0x4E, 0x31};

  private FaultyLinks links;
  private ClusterProcesses cluster;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    int port = ServerProcess.freePort();
    links = new FaultyLinks(port);
    cluster =
        new ClusterProcesses(
            folder.resolve("cluster"),
            List.of(
                "-Dmemory=" + LIMIT_MEBIBYTES + "MiB",
                "-Dread_request_timeout=" + TIMEOUT_MILLIS + "ms",
                "-Dwrite_request_timeout=" + TIMEOUT_MILLIS + "ms"),
            port,
            FaultyLinks.ADDRESSES);
    cluster.run(
        1,
        "CREATE KEYSPACE k WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
    cluster.run(1, "CREATE TABLE k.t (id int PRIMARY KEY, v int)");
    cluster.run(1, "CREATE TABLE k.large (id int PRIMARY KEY, v text)");
  }

  @AfterAll
  void stop() throws IOException {
    cluster.close();
    links.close();
  }

  // ---- what a node has

  /**
   * What the first node holds that no cache accounts for.
   *
   * @param heap live objects, after a collection
   * @param buffers native memory for requests and links
   */
  private record Held(long heap, long buffers) {
    void assertWithin(Held before, String what) {
      assertTrue(heap - before.heap < SLACK_BYTES, () -> what + ": " + this + " after " + before);
      assertTrue(
          buffers - before.buffers < SLACK_BYTES, () -> what + ": " + this + " after " + before);
    }

    @Override
    public String toString() {
      return heap / 1024 + " KiB heap, " + buffers / 1024 + " KiB buffers";
    }
  }

  private double metric(String series) throws Exception {
    String text = cluster.metrics(1);
    for (String line : text.split("\n")) {
      if (line.startsWith(series + " ")) {
        return Double.parseDouble(line.substring(series.length() + 1));
      }
    }
    throw new AssertionError(series + " in\n" + text);
  }

  private long buffers() throws Exception {
    return (long) metric("helenus_memory_used_bytes{share=\"buffers\"}");
  }

  private Held held() throws Exception {
    String pid = Long.toString(cluster.node(1).pid());
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process collect =
        new ProcessBuilder(jcmd, pid, "GC.run")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertEquals(0, collect.waitFor());
    return new Held((long) metric("helenus_memory_used_bytes{share=\"heap\"}"), buffers());
  }

  /** Waits until a node is as before. */
  private Held settled(Held before, String what) throws Exception {
    Held now = held();
    for (int i = 0;
        i < 20 && (now.heap - before.heap > SLACK_BYTES || now.buffers > before.buffers + MEBIBYTE);
        i++) {
      Thread.sleep(500);
      now = held();
    }
    System.out.println(what + ": " + now + ", before " + before);
    now.assertWithin(before, what);
    for (int i = 1; i <= ClusterProcesses.COUNT; i++) {
      new ResidentMemory(cluster.node(i)).assertWithin(what + ", node " + i);
    }
    return now;
  }

  private int files() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/" + cluster.node(1).pid() + "/fd"))) {
      return (int) all.count();
    }
  }

  private void awaitAll() throws InterruptedException {
    cluster.awaitAll("SELECT v FROM k.t WHERE id = 1");
  }

  // ---- requests

  /** Sends statements through the first node, some of them at once. */
  private final class Pipeline implements AutoCloseable {
    private final CqlClient client = cluster.connect(1);
    private final ArrayDeque<Integer> sent = new ArrayDeque<>();
    private final Map<Integer, Integer> failures = new TreeMap<>();
    private int answers;

    void send(String cql, ConsistencyLevel level) {
      sent.add(client.sendQuery(cql, QueryOptions.NONE.withConsistency(level.code())));
    }

    void receiveUpTo(int left) {
      while (sent.size() > left) {
        Response response = client.receive(sent.remove());
        answers++;
        if (response instanceof Response.Failure failure) {
          failures.merge(failure.code(), 1, Integer::sum);
        }
      }
    }

    @Override
    public void close() {
      client.close();
    }
  }

  @Test
  void aPeerThatStopsReading() throws Exception {
    awaitAll();
    Held before = held();
    String value = "x".repeat(LARGE_BYTES);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Math.max(1, SECONDS / 10));
    long most = 0;
    double droppedBefore = metric("helenus_internode_dropped_total");
    double dropped = 0;
    do {
      links.hold(1, 3);
      try (Pipeline writes = new Pipeline()) {
        // more than may wait in a link
        for (int i = 0; i < 32 * MEBIBYTE / LARGE_BYTES; i++) {
          writes.send(
              "INSERT INTO k.large (id, v) VALUES (" + i % 50 + ", '" + value + "')",
              ConsistencyLevel.ONE);
          writes.receiveUpTo(8);
          most = i % 8 == 0 ? Math.max(most, buffers()) : most;
        }
        writes.receiveUpTo(0);
        assertEquals(Map.of(), writes.failures);
      }
      links.heal();
      awaitAll();
      // it is counted once a second
      Thread.sleep(1_100);
      dropped = metric("helenus_internode_dropped_total") - droppedBefore;
      // on a busy machine a link may be closed for its silence before it is full
    } while (System.nanoTime() < end || (dropped == 0 && System.nanoTime() < end + LONGEST_NANOS));
    System.out.println("stops reading: " + most / 1024 + " KiB at most, " + dropped + " dropped");
    assertTrue(dropped > 0, "a link was full");
    assertTrue(most < before.buffers + 28 * MEBIBYTE, "a link is bounded, not " + most);
    settled(before, "stops reading");
  }

  @Test
  void requestsToADeadNode() throws Exception {
    awaitAll();
    Held before = held();
    for (int round = 0; round < Math.clamp(SECONDS, 2, 6); round++) {
      cluster.node(3).pause();
      try (Pipeline writes = new Pipeline()) {
        long start = System.nanoTime();
        for (int i = 0; i < 2_000; i++) {
          writes.send("INSERT INTO k.t (id, v) VALUES (" + i + ", 1)", ConsistencyLevel.ALL);
        }
        writes.receiveUpTo(0);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        System.out.println("dead node: " + writes.failures + " after " + millis + " ms");
        assertEquals(Map.of(0x1100, 2_000), writes.failures);
        if (round == 0) {
          held().assertWithin(before, "requests that nobody waits for");
        }
      } finally {
        cluster.node(3).resume();
      }
      awaitAll();
    }
    settled(before, "dead node");
  }

  @Test
  void lateAnswers() throws Exception {
    awaitAll();
    links.delay(3, 1, 2 * TIMEOUT_MILLIS);
    double late = metric("helenus_internode_late_total");
    Held before = held();
    Held first = before;
    long start = System.nanoTime();
    long length = TimeUnit.SECONDS.toNanos(SECONDS + TIMEOUT_MILLIS * 3 / 1_000);
    int answers = 0;
    try (Pipeline writes = new Pipeline()) {
      long nextLook = start + length / 10;
      for (int i = 0; System.nanoTime() - start < length; i++) {
        writes.send("INSERT INTO k.t (id, v) VALUES (" + i % 1_000 + ", 1)", ConsistencyLevel.ALL);
        writes.send("SELECT v FROM k.t WHERE id = " + i % 1_000, ConsistencyLevel.ALL);
        writes.receiveUpTo(400);
        if (System.nanoTime() > nextLook) {
          Held now = held();
          System.out.println("late answers: " + now);
          now.assertWithin(first, "late answers");
          first = first == before ? now : first;
          nextLook += length / 10;
        }
      }
      writes.receiveUpTo(0);
      answers = writes.answers;
      int failures = writes.failures.values().stream().mapToInt(Integer::intValue).sum();
      // an answer may come before a busy node notices that its time is over
      assertTrue(failures > answers * 0.9, failures + " of " + answers);
      assertTrue(
          List.of(0x1100, 0x1200).containsAll(writes.failures.keySet()), writes.failures::toString);
    } finally {
      links.heal();
    }
    awaitAll();
    late = metric("helenus_internode_late_total") - late;
    System.out.println("late answers: " + answers + " requests, " + late + " late");
    assertTrue(late > answers / 2.0, late + " of " + answers);
    settled(before, "late answers");
  }

  // ---- the storage port

  private Socket dial(byte[]... parts) throws IOException {
    Socket socket = new Socket();
    socket.connect(new InetSocketAddress("127.0.0.1", cluster.storagePort()), 5_000);
    socket.setSoTimeout(5_000);
    try {
      for (byte[] each : parts) {
        socket.getOutputStream().write(each);
      }
    } catch (IOException e) {
      // it was closed before it was written
    }
    return socket;
  }

  private static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static byte[] header(int length) {
    return ByteBuffer.allocate(8).putInt(length).putInt(0).array();
  }

  @Test
  void whateverComesToTheStoragePort() throws Exception {
    awaitAll();
    Held before = held();
    int filesBefore = files();
    QuorumLoad load = new QuorumLoad(cluster);
    load.measure();
    List<Socket> sockets = new ArrayList<>();
    Random random = new Random(1);
    try {
      for (int i = 0; i < 50; i++) {
        byte[] garbage = new byte[1 + random.nextInt(100_000)];
        random.nextBytes(garbage);
        garbage[0] = (i % 2 == 0 ? 0x16 : garbage[0] == 0x48 ? 0 : garbage[0]);
        byte[] rest = new byte[1_000];
        random.nextBytes(rest);
        sockets.add(dial(garbage));
        sockets.add(
            dial(
                MAGIC,
                header(new int[] {-1, Integer.MAX_VALUE, Integer.MIN_VALUE, 5_000}[i % 4]),
                rest));
        sockets.add(dial(MAGIC, header(1_000), rest));
      }
      for (Socket each : sockets) {
        assertTrue(isClosed(each), "a stream of garbage stays open");
      }
      for (int i = 0; i < 20; i++) {
        sockets.add(dial(MAGIC, header(200), new byte[random.nextInt(200)]));
      }
      for (int i = 0; i < 1_000; i++) {
        sockets.add(dial());
      }
      assertTrue(files() < filesBefore + 400, files() + " files are open, before " + filesBefore);
      // who belongs to the cluster finds a place
      links.cut(1, 2);
      links.cut(1, 3);
      Thread.sleep(500);
      load.seen();
      links.heal();
      long millis = load.awaitAll();
      System.out.println("links are back after " + millis + " ms");
      assertTrue(millis < 5_000, millis + " ms");
    } finally {
      for (Socket each : sockets) {
        each.close();
      }
      load.stop();
    }
    int left = files();
    for (int i = 0; i < 50 && left > filesBefore + 5; i++) {
      Thread.sleep(100);
      left = files();
    }
    assertTrue(left <= filesBefore + 5, left + " files are open, before " + filesBefore);
    settled(before, "storage port");
    for (int i = 1; i <= ClusterProcesses.COUNT; i++) {
      assertInstanceOf(
          Response.Rows.class,
          cluster.query(i, ConsistencyLevel.QUORUM, "SELECT v FROM k.t WHERE id = 1"));
    }
  }
}
