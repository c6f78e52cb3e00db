package io.helenus.server.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.process.ServerProcess;
import io.helenus.storage.testing.Seeds;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code kill -9} of the real process at random moments, under writes, deletions, DDL and TRUNCATE,
 * with memtables so small that every round flushes and compacts. Every acknowledged row must be
 * present, and nothing deleted, dropped or truncated may reappear. A moment is a number of
 * operations, so that a round does the same work on a busy machine as on an idle one.
 *
 * <p>{@code -Dkill.rounds=20} for the long run, {@code -Dseed=N} to choose the moments.
 */
class KillIT {
  @RegisterExtension final Seeds seeds = Seeds.from(20261121);

  private static final int ROUNDS = Integer.getInteger("kill.rounds", 3);
  private static final int WRITERS = 3;
  private static final int PARTITIONS = 40;

  /**
   * Operations of a round before its kill; with rows of {@link #FILLER}, they fill several
   * memtables.
   */
  private static final int LEAST_STEPS = 3_000;

  private static final int MORE_STEPS = 5_000;

  /** A timeout for a hanging server, long enough for a slow one. */
  private static final long HUNG_MINUTES = 10;

  private static final String FILLER = "x".repeat(900);

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"periodic", "batch", "group"})
  void whatWasAcknowledgedIsThereAfterAKill(String syncMode) {
    Random random = seeds.random();
    List<String> options =
        List.of(
            "-Dmemtable_offheap_space=1MiB",
            "-Dcommitlog_segment_size=1MiB",
            "-Dcommitlog_sync=" + syncMode);
    Path data = folder.resolve("data");
    int port = ServerProcess.freePort();
    List<Load> loads = loads();
    for (int round = 0; round <= ROUNDS; round++) {
      try (ServerProcess server = ServerProcess.start(data, port, options)) {
        if (round == 0) {
          prepare(server);
        }
        for (Load load : loads) {
          try (CqlClient client = server.connect()) {
            load.verify(client);
          }
        }
        if (round < ROUNDS) {
          runUntilKilled(server, loads, LEAST_STEPS + random.nextInt(MORE_STEPS));
        } else {
          assertEquals(0, server.terminate());
        }
      }
    }
  }

  private static List<Load> loads() {
    List<Load> loads = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      loads.add(new Writes(writer));
    }
    loads.add(new Deletes());
    loads.add(new Counts());
    loads.add(new Truncations());
    loads.add(new Definitions());
    return loads;
  }

  private static void prepare(ServerProcess server) {
    try (CqlClient client = server.connect()) {
      run(
          client,
          "CREATE KEYSPACE kill WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      for (int writer = 0; writer < WRITERS; writer++) {
        run(
            client,
            "CREATE TABLE kill.w"
                + writer
                + " (k int, c int, v text, PRIMARY KEY (k, c)) WITH"
                + " CLUSTERING ORDER BY (c DESC)");
      }
      run(client, "CREATE TABLE kill.d (k int, c int, v int, PRIMARY KEY (k, c))");
      run(client, "CREATE TABLE kill.n (k int PRIMARY KEY, n counter, other counter)");
      run(client, "CREATE TABLE kill.t (k int PRIMARY KEY, generation int, v text)");
    }
  }

  private static void runUntilKilled(ServerProcess server, List<Load> loads, int steps) {
    Round round = new Round(loads, steps);
    List<Thread> threads = new ArrayList<>();
    for (Load load : loads) {
      threads.add(Thread.ofPlatform().start(() -> work(server, load, round)));
    }
    boolean worked = round.await();
    round.killed = true;
    server.kill();
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    for (Load load : loads) {
      load.rethrow();
    }
    assertTrue(worked, () -> "the server hung: " + round + "\n" + server.log());
  }

  private static void work(ServerProcess server, Load load, Round round) {
    try (CqlClient client = server.connect()) {
      while (true) {
        load.step(client);
        round.stepped(load);
      }
    } catch (RuntimeException | AssertionError e) {
      // once the server is killed, requests in flight are neither acknowledged nor rejected
      if (!round.killed || !isConnectionLoss(e)) {
        load.failed = e;
        round.failed();
      }
    }
  }

  /** Counts the operations of one round. Any thread. */
  private static final class Round {
    private final Map<Load, Integer> steps = new LinkedHashMap<>();
    private int stepsLeft;
    private boolean failed;
    private volatile boolean killed;

    Round(List<Load> loads, int steps) {
      stepsLeft = steps;
      loads.forEach(load -> this.steps.put(load, 0));
    }

    synchronized void stepped(Load load) {
      steps.merge(load, 1, Integer::sum);
      stepsLeft--;
      notifyAll();
    }

    synchronized void failed() {
      failed = true;
      notifyAll();
    }

    private boolean isDone() {
      return failed
          || stepsLeft <= 0
              && steps.entrySet().stream()
                  .allMatch(each -> each.getValue() >= each.getKey().least());
    }

    /** Waits until each load has done its minimum and all together the steps of the round. */
    synchronized boolean await() {
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(HUNG_MINUTES);
      try {
        while (!isDone() && System.nanoTime() < end) {
          TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return isDone();
    }

    @Override
    public synchronized String toString() {
      return stepsLeft + " steps left after " + steps;
    }
  }

  private static boolean isConnectionLoss(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof java.io.IOException) {
        return true;
      }
    }
    return false;
  }

  private static Response run(CqlClient client, String cql) {
    Response response = client.query(cql);
    if (response instanceof Response.Failure failure) {
      throw new AssertionError(cql + " → " + failure.code() + " " + failure.message());
    }
    return response;
  }

  private static List<List<byte @Nullable []>> rows(CqlClient client, String cql) {
    run(client, cql);
    return client.queryAllPages(cql, 500);
  }

  private static int intAt(List<byte @Nullable []> row, int column) {
    byte[] value = row.get(column);
    assertTrue(value != null, "a null where a number was written");
    return ByteBuffer.wrap(value).getInt();
  }

  /** One client's operations, and the invariants checked after a kill. */
  private abstract static class Load {
    private volatile @Nullable Throwable failed;

    abstract void step(CqlClient client);

    abstract void verify(CqlClient client);

    /** The minimum number of steps for a meaningful round. */
    abstract int least();

    void rethrow() {
      Throwable cause = failed;
      if (cause != null) {
        throw new AssertionError(this + " failed before the kill", cause);
      }
    }

    @Override
    public String toString() {
      return getClass().getSimpleName();
    }
  }

  /** Inserts numbered rows; all up to the last acknowledged one must be present. */
  private static final class Writes extends Load {
    private final int writer;
    private volatile int next;

    Writes(int writer) {
      this.writer = writer;
    }

    @Override
    void step(CqlClient client) {
      int n = next;
      run(
          client,
          "INSERT INTO kill.w"
              + writer
              + " (k, c, v) VALUES ("
              + n % PARTITIONS
              + ", "
              + n
              + ", '"
              + n
              + FILLER
              + "')");
      next = n + 1;
    }

    @Override
    void verify(CqlClient client) {
      int acknowledged = next;
      boolean[] there = new boolean[acknowledged + 1];
      for (List<byte @Nullable []> row : rows(client, "SELECT k, c, v FROM kill.w" + writer)) {
        int n = intAt(row, 1);
        assertEquals(n % PARTITIONS, intAt(row, 0));
        assertEquals(n + FILLER, new String(row.get(2), java.nio.charset.StandardCharsets.UTF_8));
        assertTrue(n <= acknowledged, "row " + n + " was never written");
        assertTrue(!there[n], "row " + n + " is there twice");
        there[n] = true;
      }
      for (int n = 0; n < acknowledged; n++) {
        assertTrue(there[n], "acknowledged row " + n + " of " + acknowledged + " is lost");
      }
      next = there[acknowledged] ? acknowledged + 1 : acknowledged;
    }

    @Override
    int least() {
      return 100;
    }
  }

  /**
   * Inserts a row and deletes the previous one in varying ways: at most the last two are present.
   */
  private static final class Deletes extends Load {
    private volatile int inserted;
    private volatile int deleted;

    @Override
    void step(CqlClient client) {
      int n = inserted;
      run(client, "INSERT INTO kill.d (k, c, v) VALUES (" + n % 5 + ", " + n + ", " + n + ")");
      inserted = n + 1;
      if (n > deleted) {
        int gone = n - 1;
        String where = " WHERE k = " + gone % 5;
        switch (gone % 3) {
          case 0 -> run(client, "DELETE FROM kill.d" + where + " AND c = " + gone);
          case 1 -> run(client, "DELETE FROM kill.d" + where + " AND c <= " + gone);
          default -> run(client, "DELETE FROM kill.d" + where);
        }
        deleted = n;
      }
    }

    @Override
    void verify(CqlClient client) {
      boolean last = false;
      for (List<byte @Nullable []> row : rows(client, "SELECT k, c, v FROM kill.d")) {
        int n = intAt(row, 1);
        assertTrue(n >= deleted, "deleted row " + n + " came back; deleted up to " + deleted);
        assertTrue(n <= inserted, "row " + n + " was never written");
        last |= n == inserted - 1;
      }
      assertTrue(inserted == deleted || last, "acknowledged row " + (inserted - 1) + " is lost");
      for (int k = 0; k < 5; k++) {
        run(client, "DELETE FROM kill.d WHERE k = " + k);
      }
      inserted = inserted + 1;
      deleted = inserted;
    }

    @Override
    int least() {
      return 20;
    }
  }

  /**
   * Increments counters: all acknowledged increments must be there once; the last one, which was
   * not acknowledged, once or not at all.
   */
  private static final class Counts extends Load {
    private static final int COUNTERS = 5;

    private final long[] acknowledged = new long[COUNTERS];
    private volatile int steps;

    @Override
    void step(CqlClient client) {
      int k = steps % COUNTERS;
      String where = " WHERE k = " + k;
      if (steps % 3 == 0) {
        String other = "UPDATE kill.n SET other = other - 1" + where;
        String update = "UPDATE kill.n SET n = n + " + delta(steps) + where;
        run(client, "BEGIN COUNTER BATCH " + update + "; " + other + "; APPLY BATCH");
      } else {
        run(client, "UPDATE kill.n SET n = n + " + delta(steps) + where);
      }
      acknowledged[k] += delta(steps);
      steps = steps + 1;
    }

    private static long delta(int step) {
      return 1_000_003L * step + 1;
    }

    @Override
    void verify(CqlClient client) {
      long[] seen = new long[COUNTERS];
      for (List<byte @Nullable []> row : rows(client, "SELECT k, n FROM kill.n")) {
        byte[] value = row.get(1);
        assertTrue(value != null, "a counter without a value");
        seen[intAt(row, 0)] = ByteBuffer.wrap(value).getLong();
      }
      int last = steps % COUNTERS;
      if (seen[last] == acknowledged[last] + delta(steps)) {
        acknowledged[last] = seen[last];
        steps = steps + 1;
      }
      for (int k = 0; k < COUNTERS; k++) {
        assertEquals(acknowledged[k], seen[k], "counter " + k + " after " + steps + " increments");
      }
    }

    @Override
    int least() {
      return 100;
    }
  }

  /**
   * Fills a table, truncates it and fills it again: rows of a truncated generation must not
   * reappear.
   */
  private static final class Truncations extends Load {
    private static final int ROWS = 200;

    private volatile int generation;
    private volatile int truncated = -1;
    private volatile int written;

    @Override
    void step(CqlClient client) {
      int n = written;
      run(
          client,
          "INSERT INTO kill.t (k, generation, v) VALUES ("
              + n
              + ", "
              + generation
              + ", '"
              + FILLER
              + "')");
      written = n + 1;
      if (written == ROWS) {
        int ending = generation;
        generation = ending + 1;
        written = 0;
        run(client, "TRUNCATE kill.t");
        truncated = ending;
      }
    }

    @Override
    void verify(CqlClient client) {
      int seen = 0;
      for (List<byte @Nullable []> row : rows(client, "SELECT k, generation FROM kill.t")) {
        int of = intAt(row, 1);
        assertTrue(of > truncated, "a row of generation " + of + " came back after TRUNCATE");
        if (of == generation) {
          seen++;
        }
      }
      assertTrue(seen >= written, written + " rows acknowledged, " + seen + " there");
      generation = generation + 1;
      written = 0;
      run(client, "TRUNCATE kill.t");
      truncated = generation - 1;
    }

    @Override
    int least() {
      return ROWS + 1;
    }
  }

  /**
   * Creates a table with a row and drops the previous one, alternating two names: there must be no
   * stale rows and no incomplete table.
   */
  private static final class Definitions extends Load {
    private volatile int created;

    @Override
    void step(CqlClient client) {
      int n = created;
      String name = "kill.s" + n % 2;
      run(client, "DROP TABLE IF EXISTS " + name);
      run(client, "CREATE TABLE " + name + " (k int PRIMARY KEY, v int)");
      run(client, "INSERT INTO " + name + " (k, v) VALUES (" + n + ", " + n + ")");
      created = n + 1;
    }

    @Override
    void verify(CqlClient client) {
      if (created > 0) {
        int n = created - 1;
        List<List<byte @Nullable []>> rows = rows(client, "SELECT k, v FROM kill.s" + n % 2);
        assertEquals(1, rows.size(), "table kill.s" + n % 2 + " holds its one row");
        assertEquals(n, intAt(rows.getFirst(), 0));
      }
      if (created > 1) {
        Response other = client.query("SELECT k FROM kill.s" + created % 2);
        if (other instanceof Response.Rows rows) {
          assertTrue(rows.rows().size() <= 1, "a stale row in a recreated table");
        }
      }
    }

    @Override
    int least() {
      return 3;
    }
  }
}
