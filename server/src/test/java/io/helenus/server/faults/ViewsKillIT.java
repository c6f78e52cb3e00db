package io.helenus.server.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.process.ServerProcess;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of the real process under writes of every shape to a table with materialized
 * views, of which one is dropped, created and built again all the time. After each start every view
 * shows what its definition selects from the table, write times and TTLs included.
 *
 * <p>{@code -Dkill.views.rounds=200} for the long run, {@code -Dseed=N} to choose the moments.
 */
class ViewsKillIT {
  private static final int ROUNDS = Integer.getInteger("kill.views.rounds", 5);
  private static final int WRITERS = 3;
  private static final int LEAST_STEPS = 400;
  private static final int MORE_STEPS = 800;
  private static final int PAGE = 500;
  private static final long HUNG_MINUTES = 10;

  /** In which each round the log is synced. */
  private static final List<String> SYNC_MODES = List.of("periodic", "batch", "group");

  private static final String FILLER = "x".repeat(300);
  private static final String KEY = "p IS NOT NULL AND c IS NOT NULL";

  /** The name of each view, and what follows SELECT and FROM in its definition. */
  private static final Map<String, View> VIEWS =
      new TreeMap<>(
          Map.of(
              "by_v", new View("v", "p, c, w, s, m", " AND v IS NOT NULL PRIMARY KEY (v, p, c)"),
              "by_c", new View("c", "p, v, s", " PRIMARY KEY (c, p)"),
              "by_w", new View("w", "p, c, m", " AND w IS NOT NULL PRIMARY KEY ((w, p), c)"),
              "same", new View("v", "p, c, s", " AND v IS NOT NULL PRIMARY KEY (p, v, c)"),
              "late", new View("v", "p, c, w, m", " AND v IS NOT NULL PRIMARY KEY (c, v, p)")));

  @RegisterExtension final Seeds seeds = Seeds.from(20261124);

  @TempDir private Path folder;

  /**
   * A view.
   *
   * @param first the column that is null in rows that it does not show
   */
  private record View(String first, String others, String rest) {
    String definition(String name) {
      return "CREATE MATERIALIZED VIEW IF NOT EXISTS k."
          + name
          + " AS SELECT "
          + first
          + ", "
          + others
          + " FROM k.t WHERE "
          + KEY
          + rest;
    }

    /** What is compared: the write time and TTL of what is in no key, too. */
    String columns() {
      StringBuilder columns = new StringBuilder(first);
      for (String column : others.split(", ")) {
        columns.append(", ").append(column);
        if (!column.equals("p") && !column.equals("c")) {
          columns.append(", writetime(" + column + "), ttl(" + column + ")");
        }
      }
      return columns.toString();
    }
  }

  @Test
  void viewsEqualTheirTableAfterAKill() {
    Random random = seeds.random();
    Path data = folder.resolve("data");
    int port = ServerProcess.freePort();
    int rows = 0;
    for (int round = 0; round <= ROUNDS; round++) {
      try (ServerProcess server = ServerProcess.start(data, port, options(round))) {
        try (CqlClient client = server.connect()) {
          if (round == 0) {
            prepare(client);
          }
          rows += verify(client, "round " + round);
        }
        if (round < ROUNDS) {
          runUntilKilled(server, random);
        } else {
          assertEquals(0, server.terminate());
        }
      }
    }
    assertTrue(rows > 0, "no view had any row");
  }

  private static List<String> options(int round) {
    List<String> options = new ArrayList<>();
    options.add("-Dmaterialized_views_enabled=true");
    options.add("-Dmemtable_offheap_space=1MiB");
    options.add("-Dcommitlog_segment_size=1MiB");
    options.add("-Dcommitlog_sync=" + SYNC_MODES.get(round % SYNC_MODES.size()));
    for (String kind : List.of("read", "range", "write", "truncate")) {
      options.add("-D" + kind + "_request_timeout=300s");
    }
    return options;
  }

  private static void prepare(CqlClient client) {
    run(
        client,
        "CREATE KEYSPACE k WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    run(
        client,
        "CREATE TABLE k.t (p int, c int, v int, w int, s text, m map<int, int>, PRIMARY KEY (p,"
            + " c))");
    VIEWS.forEach((name, view) -> run(client, view.definition(name)));
  }

  /** Waits until all views are built and compares them; returns how many rows they have. */
  private static int verify(CqlClient client, String text) {
    String existing = "SELECT view_name FROM system_schema.views WHERE keyspace_name = 'k'";
    String built = "SELECT view_name FROM system.built_views WHERE keyspace_name = 'k'";
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(HUNG_MINUTES);
    List<String> views = rows(client, existing, 0);
    while (!rows(client, built, 0).equals(views)) {
      assertTrue(System.nanoTime() < end, text + ": views are not built");
    }
    int found = 0;
    int now = Math.toIntExact(System.currentTimeMillis() / 1000);
    for (String hex : views) {
      String name =
          new String(HexFormat.of().parseHex(hex), java.nio.charset.StandardCharsets.UTF_8);
      View view = VIEWS.get(name);
      assertTrue(view != null, name);
      String read = "SELECT " + view.columns() + " FROM k.";
      List<String> expected = rows(client, read + "t", now);
      expected.removeIf(row -> row.startsWith("null "));
      assertEquals(
          String.join("\n", expected),
          String.join("\n", rows(client, read + name, now)),
          text + ", " + name);
      found += expected.size();
    }
    return found;
  }

  /** All rows of a SELECT, sorted. */
  private static List<String> rows(CqlClient client, String cql, int now) {
    QueryOptions options = now == 0 ? QueryOptions.NONE : QueryOptions.NONE.withNowInSeconds(now);
    List<String> rows = new ArrayList<>();
    byte[] state = null;
    do {
      Response.Rows page =
          assertInstanceOf(
              Response.Rows.class, client.query(cql, options.withPage(PAGE, state)), cql);
      for (List<byte @Nullable []> row : page.rows()) {
        List<String> texts = new ArrayList<>();
        for (byte[] value : row) {
          texts.add(value == null ? "null" : HexFormat.of().formatHex(value));
        }
        rows.add(String.join(" ", texts));
      }
      state = page.pagingState();
    } while (state != null);
    rows.sort(null);
    return rows;
  }

  private static void run(CqlClient client, String cql) {
    if (client.query(cql) instanceof Response.Failure failure) {
      throw new AssertionError(cql + " → " + failure.code() + " " + failure.message());
    }
  }

  private static void runUntilKilled(ServerProcess server, Random random) {
    int steps = LEAST_STEPS + random.nextInt(MORE_STEPS);
    Round round = new Round(steps);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i <= WRITERS; i++) {
      Random own = new Random(random.nextLong());
      boolean defines = i == WRITERS;
      threads.add(Thread.ofPlatform().start(() -> work(server, round, own, defines)));
    }
    try {
      assertTrue(
          round.over.await(HUNG_MINUTES, TimeUnit.MINUTES), () -> "it hangs\n" + server.log());
      round.killed = true;
      server.kill();
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    Throwable failure = round.failure;
    if (failure != null) {
      throw new AssertionError("failed before the kill", failure);
    }
  }

  /** What is left of the work before a kill. Any thread. */
  private static final class Round {
    private final AtomicInteger left;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean killed;
    private volatile @Nullable Throwable failure;

    Round(int steps) {
      left = new AtomicInteger(steps);
    }

    void stepped() {
      if (left.decrementAndGet() == 0) {
        over.countDown();
      }
    }
  }

  private static void work(ServerProcess server, Round round, Random random, boolean defines) {
    try (CqlClient client = server.connect()) {
      while (true) {
        if (defines) {
          run(client, "DROP MATERIALIZED VIEW IF EXISTS k.late");
          run(client, VIEWS.get("late").definition("late"));
        } else {
          run(client, write(random));
          round.stepped();
        }
      }
    } catch (RuntimeException | AssertionError e) {
      // once the server is killed, requests in flight are neither acknowledged nor rejected
      if (!round.killed || !isConnectionLoss(e)) {
        round.failure = e;
        round.over.countDown();
      }
    }
  }

  private static boolean isConnectionLoss(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException) {
        return true;
      }
    }
    return false;
  }

  private static String write(Random random) {
    int kind = random.nextInt(40);
    int p = random.nextInt(30);
    if (kind == 0) {
      return "DELETE FROM k.t" + at(random, "") + " WHERE p = " + p;
    }
    if (kind < 3) {
      return "DELETE FROM k.t" + at(random, "") + " WHERE p = " + p + " AND c > 10";
    }
    if (kind < 6) {
      StringBuilder batch = new StringBuilder("BEGIN BATCH ");
      for (int i = 0; i < 4; i++) {
        batch.append(single(random, random.nextInt(30), true)).append("; ");
      }
      return batch.append("APPLY BATCH").toString();
    }
    if (kind < 9) {
      // in partitions of their own, which have only timestamps of the server
      return single(random, 30 + random.nextInt(3), false) + " IF EXISTS";
    }
    if (kind < 11) {
      return "INSERT INTO k.t (p, c, v, w) VALUES (%d, %d, %d, 1) IF NOT EXISTS"
          .formatted(30 + random.nextInt(3), random.nextInt(20), random.nextInt(4));
    }
    return single(random, p, true);
  }

  private static String single(Random random, int p, boolean timed) {
    String where = " WHERE p = " + p + " AND c = " + random.nextInt(20);
    String ttl = random.nextInt(4) == 0 ? "TTL " + (2 + random.nextInt(60)) : "";
    String using = timed ? at(random, ttl) : ttl.isEmpty() ? "" : " USING " + ttl;
    return switch (random.nextInt(timed ? 10 : 5)) {
      case 0 -> "UPDATE k.t" + using + " SET v = null, w = " + random.nextInt(4) + where;
      case 1 -> "UPDATE k.t" + using + " SET m[" + random.nextInt(4) + "] = 1" + where;
      case 2 -> "UPDATE k.t" + using + " SET s = '" + FILLER + "'" + where;
      case 3, 4 -> "UPDATE k.t" + using + " SET v = " + random.nextInt(4) + where;
      case 5 -> "DELETE FROM k.t" + at(random, "") + where;
      case 6 -> "DELETE v, m FROM k.t" + at(random, "") + where;
      default ->
          "INSERT INTO k.t (p, c, v, w, s, m) VALUES (%d, %d, %d, %d, '%s', {1: 2})%s"
              .formatted(
                  p,
                  random.nextInt(20),
                  random.nextInt(4),
                  random.nextInt(4),
                  FILLER,
                  at(random, ttl));
    };
  }

  /** A timestamp of the last seconds, so that some writes are older than what is there. */
  private static String at(Random random, String ttl) {
    String and = ttl.isEmpty() ? "" : " AND " + ttl;
    long micros = System.currentTimeMillis() * 1000 - random.nextInt(3_000_000);
    return random.nextBoolean()
        ? " USING TIMESTAMP " + micros + and
        : ttl.isEmpty() ? "" : " USING " + ttl;
  }
}
