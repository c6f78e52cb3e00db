package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.config.TestSettings;
import io.helenus.server.types.WireValues;
import io.helenus.storage.env.DiskFileSystem;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads whose client disconnects, whose deadline passes, or whose node stops. A pausable file
 * system blocks a read halfway; the number of blocks read after it resumes shows whether the read
 * was stopped.
 */
class CancelledReadsTest {
  private static final int ROWS = 20_000;

  /** Out of more than 50 blocks that each read needs. */
  private static final int READ_BEFORE = 5;

  /** The block loads in flight when the read was cancelled. */
  private static final int READ_AFTER = 4;

  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final int EXECUTE = 0x0A;
  private static final int OVERLOADED = 0x1001;
  private static final int READ_TIMEOUT = 0x1200;

  /** The token of 1 belongs to the first of two shards, that of 3 to the second. */
  private static final int[] PARTITIONS = {1, 3};

  private static final List<String> SCANS =
      List.of(
          "SELECT c FROM g.t WHERE v = -1 ALLOW FILTERING",
          "SELECT c FROM g.t WHERE k = 1 AND v = -1 ALLOW FILTERING",
          "SELECT c FROM g.t WHERE k = 3 AND v = -1 ALLOW FILTERING",
          "SELECT c FROM g.t WHERE k IN (1, 3) AND v = -1 ALLOW FILTERING",
          "SELECT count(v), max(v) FROM g.t",
          "SELECT k, count(v) FROM g.t GROUP BY k");

  @TempDir private Path data;
  private final List<CqlClient> clients = new ArrayList<>();
  private PausableFileSystem files;
  private Server server;
  private CqlClient observer;
  private @Nullable CompletableFuture<Void> stopped;

  private void start(String timeout) throws IOException {
    Settings settings =
        TestSettings.in(data)
            .with(Setting.SHARDS, "2")
            .with(Setting.BLOCK_CACHE_SIZE, "0B")
            .with(Setting.READ_REQUEST_TIMEOUT, timeout)
            .with(Setting.RANGE_REQUEST_TIMEOUT, timeout)
            .build();
    files = new PausableFileSystem(new DiskFileSystem(data));
    server = Server.start(settings, files);
    observer = connect();
    done(
        "CREATE KEYSPACE g WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    done("CREATE TABLE g.t (k int, c int, v int, PRIMARY KEY (k, c))");
    done("CREATE TABLE g.small (k int PRIMARY KEY)");
    fill();
    server.node().flushAll().orTimeout(60, TimeUnit.SECONDS).join();
  }

  private CqlClient connect() {
    CqlClient client = CqlClient.connect(InetAddress.getLoopbackAddress(), server.port());
    clients.add(client);
    return client;
  }

  private void fill() {
    Response.Prepared insert =
        assertInstanceOf(
            Response.Prepared.class,
            observer.prepare("INSERT INTO g.t (k, c, v) VALUES (?, ?, ?)"));
    for (int k : PARTITIONS) {
      for (int c = 0; c < ROWS; c += 500) {
        List<CqlClient.BatchEntry> entries = new ArrayList<>();
        for (int i = c; i < c + 500; i++) {
          entries.add(
              new CqlClient.BatchEntry(
                  null,
                  insert.id(),
                  List.of(WireValues.ofInt(k), WireValues.ofInt(i), WireValues.ofInt(i))));
        }
        assertInstanceOf(Response.Done.class, observer.batch(1, entries, QueryOptions.NONE));
      }
    }
  }

  @AfterEach
  void stop() {
    files.allowReads(Long.MAX_VALUE);
    clients.forEach(CqlClient::close);
    if (stopped == null) {
      server.close();
    } else {
      stopped.orTimeout(60, TimeUnit.SECONDS).join();
    }
  }

  private Response done(String statement) {
    Response response = observer.query(statement);
    if (response instanceof Response.Failure failure) {
      throw new AssertionError(statement + ": " + failure.message());
    }
    return response;
  }

  private static void await(String failure, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TIMEOUT_NANOS;
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - deadline < 0, failure);
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** The number of running reads besides the query that lists them. */
  private int running() {
    return assertInstanceOf(Response.Rows.class, done("SELECT task FROM system_views.queries"))
            .rows()
            .size()
        - 1;
  }

  /** Sends a read and waits until it is blocked halfway; returns its stream. */
  private int begin(CqlClient client, String select) {
    Response.Prepared prepared = assertInstanceOf(Response.Prepared.class, client.prepare(select));
    files.allowReads(READ_BEFORE);
    int stream = client.send(EXECUTE, 0, client.executeBody(prepared, QueryOptions.NONE));
    await(select + " does not read any file", () -> files.blockedReads() > 0);
    return stream;
  }

  /** Resumes all file reads; a query that was not stopped would read block after block. */
  private void assertStopped(String select) {
    await(select + " is still running", () -> running() == 0);
    long before = files.reads();
    files.allowReads(Long.MAX_VALUE);
    await("block loads are still in progress", () -> files.blockedReads() == 0);
    for (int i = 0; i < 100; i++) {
      for (int k : PARTITIONS) {
        done("SELECT k FROM g.small WHERE k = " + k);
      }
    }
    long after = files.reads() - before;
    assertTrue(after <= READ_AFTER, select + " has read " + after + " more blocks");
  }

  @Test
  void readsStopWhenTheirClientDisconnects() throws IOException {
    start("60s");
    for (String select : SCANS) {
      // Connections are assigned to the shards round-robin.
      for (int shard = 0; shard < 2; shard++) {
        CqlClient client = connect();
        int ignored = begin(client, select);
        assertEquals(1, running(), select);
        client.close();
        assertStopped(select);
      }
    }
  }

  @Test
  void readsStopAtTheirDeadline() throws IOException {
    start("2s"); // by then a read must have reached a file, even on a busy machine
    for (String select : SCANS) {
      CqlClient client = connect();
      int stream = begin(client, select);
      Response.Failure failure =
          assertInstanceOf(Response.Failure.class, client.receive(stream), select);
      assertEquals(READ_TIMEOUT, failure.code(), failure.message());
      assertStopped(select);
      // The connection remains usable.
      assertInstanceOf(Response.Rows.class, client.query("SELECT k FROM g.small WHERE k = 1"));
    }
  }

  @Test
  void readsStopWhenTheNodeStops() throws IOException {
    start("60s");
    CqlClient client = connect();
    int stream = begin(client, SCANS.getFirst());
    stopped = CompletableFuture.runAsync(server::close);
    Response.Failure failure = assertInstanceOf(Response.Failure.class, client.receive(stream));
    assertEquals(OVERLOADED, failure.code(), failure.message());
    long before = files.reads();
    files.allowReads(Long.MAX_VALUE);
    stopped.orTimeout(60, TimeUnit.SECONDS).join();
    long after = files.reads() - before;
    assertTrue(after <= READ_AFTER, after + " blocks were read after the stop");
  }
}
