package io.helenus.server.faults;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.process.ClusterProcesses;
import io.helenus.server.ring.ConsistencyLevel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads at QUORUM through every node, one after the other through each, of keys that
 * only one of them writes: what is read is at least what was acknowledged or read before, at most
 * what was attempted. Errors are the timeouts and UNAVAILABLE, and every answer comes within the
 * timeout and a margin. {@code k.t (id int PRIMARY KEY, v int)} must be there.
 */
final class QuorumLoad {
  /** {@code write_request_timeout} and {@code read_request_timeout} of the nodes. */
  static final int TIMEOUT_MILLIS = 1_000;

  /** For the machine's other work. */
  private static final int MARGIN_MILLIS = Integer.getInteger("faults.margin", 2_500);

  private static final int GIVE_UP_MILLIS = 60_000;
  private static final int UNAVAILABLE = 0x1000;
  private static final int WRITE_TIMEOUT = 0x1100;
  private static final int READ_TIMEOUT = 0x1200;
  private static final int KEYS = 100;
  private static final QueryOptions QUORUM =
      QueryOptions.NONE.withConsistency(ConsistencyLevel.QUORUM.code());
  private static final AtomicInteger LOADS = new AtomicInteger();

  private final ClusterProcesses cluster;
  private final int firstKey = LOADS.getAndIncrement() * 1_000;
  private final List<Worker> workers = new ArrayList<>();

  /** Begins; answers may be late until {@link #measure}. */
  QuorumLoad(ClusterProcesses cluster) {
    this.cluster = cluster;
    for (int i = 1; i <= ClusterProcesses.COUNT; i++) {
      workers.add(new Worker(i));
    }
  }

  /** What is known of a key. */
  private static final class Register {
    int known;
    int attempted;
  }

  /** What a worker has seen since it was last asked. */
  record Seen(int writes, int reads, Map<Integer, Integer> failures, long slowestMillis) {}

  private final class Worker implements Runnable {
    private final int node;
    private final Map<Integer, Register> keys = new HashMap<>();
    private final Random random;
    private final Thread thread;
    private volatile boolean stopped;
    private volatile boolean paused = true;
    private volatile @Nullable Throwable error;
    private Map<Integer, Integer> failures = new HashMap<>();
    private int writes;
    private int reads;
    private long slowestMillis;
    private int value;

    Worker(int node) {
      this.node = node;
      random = new Random(node);
      thread = new Thread(this, "load-" + node);
      thread.start();
    }

    @Override
    public void run() {
      try (CqlClient client = cluster.connect(node)) {
        while (!stopped) {
          int key = firstKey + node * 100_000 + random.nextInt(KEYS);
          Register register = keys.computeIfAbsent(key, id -> new Register());
          write(client, key, register);
          read(client, key, register);
        }
      } catch (Throwable e) {
        error = e;
      }
    }

    private void write(CqlClient client, int key, Register register) {
      register.attempted = ++value;
      String insert = "INSERT INTO k.t (id, v) VALUES (" + key + ", " + value + ")";
      if (answer(client, insert, WRITE_TIMEOUT) != null) {
        register.known = value;
        count(true);
      }
    }

    private void read(CqlClient client, int key, Register register) {
      Response response = answer(client, "SELECT v FROM k.t WHERE id = " + key, READ_TIMEOUT);
      if (response != null) {
        QuorumLoad.check(key, register, valueOf(response));
        count(false);
      }
    }

    private synchronized void count(boolean write) {
      if (write) {
        writes++;
      } else {
        reads++;
      }
    }

    /** The answer of a request; null if it is a failure that may be. */
    private @Nullable Response answer(CqlClient client, String cql, int timeout) {
      boolean excused = paused;
      long start = System.nanoTime();
      Response response = client.query(cql, QUORUM);
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      excused |= paused;
      assertTrue(
          excused || millis <= TIMEOUT_MILLIS + MARGIN_MILLIS,
          () -> cql + " through node " + node + " took " + millis + " ms: " + response);
      synchronized (this) {
        slowestMillis = Math.max(slowestMillis, excused ? 0 : millis);
        if (response instanceof Response.Failure failure) {
          assertTrue(
              failure.code() == timeout || failure.code() == UNAVAILABLE,
              () -> cql + " through node " + node + ": " + failure);
          failures.merge(failure.code(), 1, Integer::sum);
          return null;
        }
      }
      return response;
    }

    private synchronized Seen seen() {
      Seen seen = new Seen(writes, reads, failures, slowestMillis);
      writes = 0;
      reads = 0;
      failures = new HashMap<>();
      slowestMillis = 0;
      return seen;
    }

    void check() {
      if (error != null) {
        throw new AssertionError("load through node " + node, error);
      }
    }
  }

  private static int valueOf(Response response) {
    var rows = assertInstanceOf(Response.Rows.class, response, response::toString).rows();
    byte[] bytes = rows.isEmpty() ? null : rows.getFirst().getFirst();
    return bytes == null ? 0 : ByteBuffer.wrap(bytes).getInt();
  }

  private static void check(int key, Register register, int read) {
    assertTrue(
        read >= register.known && read <= register.attempted,
        () ->
            "key %d is %d, known was %d, attempted %d"
                .formatted(key, read, register.known, register.attempted));
    register.known = read;
  }

  /** Answers through a node that does not run may be late. */
  void pause(int node, boolean paused) {
    workers.get(node - 1).paused = paused;
  }

  /** Waits until all nodes answer; from now on they must in time. */
  void measure() throws InterruptedException {
    awaitAll();
    seen();
    workers.forEach(each -> each.paused = false);
  }

  /** What was done through each node since the last call, in the order of their numbers. */
  List<Seen> seen() {
    workers.forEach(Worker::check);
    return workers.stream().map(Worker::seen).toList();
  }

  /**
   * Waits until a read that needs all nodes succeeds through each; returns the milliseconds that
   * this took.
   */
  long awaitAll() throws InterruptedException {
    long start = System.nanoTime();
    String select = "SELECT v FROM k.t WHERE id = " + (firstKey + 100_000);
    for (int i = 1; i <= ClusterProcesses.COUNT; i++) {
      Response response = cluster.query(i, ConsistencyLevel.ALL, select);
      while (response instanceof Response.Failure failure) {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(millis < GIVE_UP_MILLIS, () -> failure.message() + "\n" + cluster.logs());
        Thread.sleep(50);
        response = cluster.query(i, ConsistencyLevel.ALL, select);
      }
    }
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  /** Ends, and reads every key at QUORUM through each node. */
  void stop() throws InterruptedException {
    for (Worker each : workers) {
      each.stopped = true;
    }
    for (Worker each : workers) {
      each.thread.join();
      each.check();
    }
    for (int node = 1; node <= ClusterProcesses.COUNT; node++) {
      try (CqlClient client = cluster.connect(node)) {
        for (Worker each : workers) {
          each.keys.forEach(
              (key, register) ->
                  check(
                      key,
                      register,
                      valueOf(client.query("SELECT v FROM k.t WHERE id = " + key, QUORUM))));
        }
      }
    }
  }
}
