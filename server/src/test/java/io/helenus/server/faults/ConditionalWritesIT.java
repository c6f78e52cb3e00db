package io.helenus.server.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.process.ServerProcess;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * 64 clients of the real process race for one row with conditional writes: one wins each time, and
 * no increment is lost or made twice, across {@code kill -9}.
 */
class ConditionalWritesIT {
  private static final int CLIENTS = 64;
  private static final int RACES = 20;
  private static final int KILLS = 2;
  private static final int INCREMENTS = 300;
  private static final long HUNG_MINUTES = 10;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"periodic", "batch", "group"})
  void oneClientWinsEachTime(String syncMode) throws Exception {
    List<String> options = List.of("-Dcommitlog_sync=" + syncMode, "-Dcas_contention_timeout=60s");
    Path data = folder.resolve("data");
    int port = ServerProcess.freePort();
    Increments increments = new Increments();
    for (int round = 0; round <= KILLS; round++) {
      try (ServerProcess server = ServerProcess.start(data, port, options)) {
        if (round == 0) {
          prepare(server);
        }
        race(server, round);
        increments.verify(server);
        if (round < KILLS) {
          increments.runUntilKilled(server);
        } else {
          assertEquals(0, server.terminate());
        }
      }
    }
  }

  private static void prepare(ServerProcess server) {
    try (CqlClient client = server.connect()) {
      run(
          client,
          "CREATE KEYSPACE lwt WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      run(client, "CREATE TABLE lwt.races (k int, c int, owner int, PRIMARY KEY (k, c))");
      run(client, "CREATE TABLE lwt.counters (k int PRIMARY KEY, n int)");
      run(client, "INSERT INTO lwt.counters (k, n) VALUES (0, 0)");
    }
  }

  private static void run(CqlClient client, String cql) {
    Response response = client.query(cql);
    if (response instanceof Response.Failure failure) {
      throw new AssertionError(cql + " → " + failure.code() + " " + failure.message());
    }
  }

  private static Response.Rows rows(CqlClient client, String cql) {
    Response response = client.query(cql);
    if (response instanceof Response.Rows rows) {
      return rows;
    }
    throw new AssertionError(cql + " → " + response);
  }

  private static boolean isApplied(Response.Rows rows) {
    byte[] applied = rows.rows().getFirst().getFirst();
    return applied != null && applied[0] == 1;
  }

  private static int number(Response.Rows rows, String column) {
    for (int i = 0; i < rows.columns().size(); i++) {
      if (rows.columns().get(i).name().equals(column)) {
        byte[] value = rows.rows().getFirst().get(i);
        assertTrue(value != null, "a null where a number was written");
        return ByteBuffer.wrap(value).getInt();
      }
    }
    throw new AssertionError("no column " + column);
  }

  /** All clients insert the same row at once; the losers see the winner. */
  private static void race(ServerProcess server, int round) throws Exception {
    int[][] owners = new int[CLIENTS][RACES];
    AtomicInteger[] wins = new AtomicInteger[RACES];
    for (int i = 0; i < RACES; i++) {
      wins[i] = new AtomicInteger();
    }
    CyclicBarrier start = new CyclicBarrier(CLIENTS);
    inThreads(
        client -> {
          try (CqlClient connection = server.connect()) {
            for (int race = 0; race < RACES; race++) {
              start.await(HUNG_MINUTES, TimeUnit.MINUTES);
              Response.Rows rows =
                  rows(
                      connection,
                      "INSERT INTO lwt.races (k, c, owner) VALUES (%d, %d, %d) IF NOT EXISTS"
                          .formatted(round, race, client));
              boolean won = isApplied(rows);
              owners[client][race] = won ? client : number(rows, "owner");
              wins[race].addAndGet(won ? 1 : 0);
            }
          }
        });
    try (CqlClient client = server.connect()) {
      for (int race = 0; race < RACES; race++) {
        assertEquals(1, wins[race].get(), "winners of race " + race);
        int owner =
            number(
                rows(client, "SELECT owner FROM lwt.races WHERE k = " + round + " AND c = " + race),
                "owner");
        for (int[] seen : owners) {
          assertEquals(owner, seen[race]);
        }
      }
    }
  }

  /** Increments of one number by compare and swap. */
  private static final class Increments {
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();

    void verify(ServerProcess server) {
      try (CqlClient client = server.connect()) {
        int n = number(rows(client, "SELECT n FROM lwt.counters WHERE k = 0"), "n");
        assertTrue(n >= acknowledged.get(), acknowledged + " increments acknowledged, found " + n);
        int most = acknowledged.get() + unanswered.get();
        assertTrue(n <= most, most + " increments sent, found " + n);
        acknowledged.set(n);
        unanswered.set(0);
      }
    }

    void runUntilKilled(ServerProcess server) throws Exception {
      CountDownLatch enough = new CountDownLatch(INCREMENTS);
      Thread killer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      boolean ignored = enough.await(HUNG_MINUTES, TimeUnit.MINUTES);
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                    server.kill();
                  });
      inThreads(client -> incrementUntilKilled(server, enough));
      killer.join();
      assertEquals(0, enough.getCount(), "the server hung: " + server.log());
    }

    private void incrementUntilKilled(ServerProcess server, CountDownLatch enough) {
      int seen = acknowledged.get();
      boolean sent = false;
      try (CqlClient client = server.connect()) {
        while (true) {
          sent = true;
          Response.Rows rows =
              rows(
                  client,
                  "UPDATE lwt.counters SET n = " + (seen + 1) + " WHERE k = 0 IF n = " + seen);
          sent = false;
          if (isApplied(rows)) {
            acknowledged.incrementAndGet();
            enough.countDown();
            seen++;
          } else {
            seen = number(rows, "n");
          }
        }
      } catch (RuntimeException e) {
        if (enough.getCount() > 0) {
          throw e;
        }
        // killed: the request in flight is neither acknowledged nor rejected
        unanswered.addAndGet(sent ? 1 : 0);
      }
    }
  }

  private interface Work {
    void run(int client) throws Exception;
  }

  private static void inThreads(Work work) throws Exception {
    AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      int client = i;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      work.run(client);
                    } catch (Throwable e) {
                      boolean ignored = failed.compareAndSet(null, e);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (failed.get() != null) {
      throw new AssertionError(failed.get());
    }
  }
}
