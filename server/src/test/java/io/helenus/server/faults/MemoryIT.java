package io.helenus.server.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.process.ServerProcess;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node never takes more than its {@code memory}: it refuses with clear errors instead, and
 * releases what a burst took. The size is {@code -Dmemory.mebibytes} (256), each of the eight
 * readers reads {@code -Dmemory.cells} (8) cells of 10 MB, the load is multiplied by {@code
 * -Dmemory.load} (1). 24 cells make 240 MB. It reports the 99th percentile of a light client, which
 * {@code -Dmemory.light.millis} limits.
 */
class MemoryIT {
  private static final int LOAD = Integer.getInteger("memory.load", 1);
  private static final int READERS = 8;
  private static final int CELLS = Integer.getInteger("memory.cells", 8);
  private static final int CELL_BYTES = 10_000_000;
  private static final int WRITES = 1000;
  private static final int VALUE_BYTES = 4000;

  private static final int VECTOR_WRITERS = 4;

  /** How many each of them writes: a memtable is flushed when it has 8192, or for its memory. */
  private static final int VECTORS = 2500;

  /** Different values of each indexed column in {@link #floodIndexed}. */
  private static final int INDEXED_VALUES = 10;

  private static final int READ_FAILURE = 0x1300;

  /** Overloaded, and timeouts of writes and reads. */
  private static final Set<Integer> OVERLOADS = Set.of(0x1001, 0x1100, 0x1200);

  /** How long one of a hundred reads of a light client may take; unlimited by default. */
  private static final long LIGHT_MILLIS = Long.getLong("memory.light.millis", Long.MAX_VALUE);

  @TempDir Path folder;

  static void inParallel(int threads, Callable<Void> work) throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<Void>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(pool.submit(work));
      }
      for (Future<Void> each : running) {
        try {
          each.get();
        } catch (ExecutionException e) {
          throw new AssertionError(e.getCause());
        }
      }
    }
  }

  @Test
  void burstsStayWithinTheMemoryAndAreGivenBack(TestReporter reporter) throws Exception {
    try (ServerProcess server = ResidentMemory.start(folder.resolve("data"))) {
      ResidentMemory memory = new ResidentMemory(server);
      try (CqlClient client = server.connect();
          SkimmingClient writer = new SkimmingClient(server)) {
        DataFolder.run(
            client,
            "CREATE KEYSPACE ks WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
        DataFolder.run(client, "CREATE TABLE ks.wide (k int, c int, v text, PRIMARY KEY (k, c))");
        DataFolder.run(client, "CREATE TABLE ks.rows (k int, c int, v text, PRIMARY KEY (k, c))");
        DataFolder.run(
            client,
            "CREATE TABLE ks.indexed (k int, c int, a int, b text, v text, PRIMARY KEY (k, c))");
        DataFolder.run(client, "CREATE INDEX ON ks.indexed (a) USING 'sai'");
        DataFolder.run(client, "CREATE INDEX ON ks.indexed (b) USING 'sai'");
        DataFolder.run(client, "CREATE INDEX ON ks.indexed (c)");
        DataFolder.run(client, "CREATE TABLE ks.light (k int PRIMARY KEY, v text)");
        DataFolder.run(client, "INSERT INTO ks.light (k, v) VALUES (0, 'light')");
        for (int c = 0; c < CELLS; c++) {
          write(
              writer,
              "INSERT INTO ks.wide (k, c, v) VALUES (0, " + c + ", ?)",
              new byte[CELL_BYTES]);
        }
      }
      memory.assertWithin("cells of 10 MB");
      whileReading(server, memory, reporter, "unpaged large reads", () -> readUnpaged(server));
      whileReading(server, memory, reporter, "paged large reads", () -> readPaged(server));
      whileReading(server, memory, reporter, "a flood of writes", () -> flood(server));
      whileReading(
          server, memory, reporter, "a flood with three indexes", () -> floodIndexed(server));
      whileReading(server, memory, reporter, "scans that filter", () -> filter(server));
      memory.assertGivenBack();
      try (CqlClient client = server.connect()) {
        assertEquals(
            CELLS,
            client.queryAllPages("SELECT c FROM ks.wide WHERE k = 0", 100).size(),
            "acknowledged cells");
        for (String indexed : List.of("a = 3", "b = 'text 3'")) {
          assertEquals(
              READERS * WRITES * LOAD / INDEXED_VALUES,
              client.queryAllPages("SELECT c FROM ks.indexed WHERE " + indexed, 100).size(),
              indexed);
        }
        String byKey = "SELECT c FROM ks.indexed WHERE c = 3";
        assertEquals(READERS, client.queryAllPages(byKey, 100).size(), byKey);
      }
      assertEquals(0, server.terminate(), server.log());
    }
  }

  /** Memtables are flushed and graphs built meanwhile; every acknowledged vector is there. */
  @Test
  void vectorsAreWrittenAndSearchedWithinTheMemory(TestReporter reporter) throws Exception {
    try (ServerProcess server = ResidentMemory.start(folder.resolve("data"))) {
      ResidentMemory memory = new ResidentMemory(server);
      try (CqlClient client = server.connect()) {
        DataFolder.run(
            client,
            "CREATE KEYSPACE ks WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
        DataFolder.run(
            client,
            "CREATE TABLE ks.vectors (k int, c int, v vector<float, 384>, PRIMARY KEY (k, c))");
        DataFolder.run(client, "CREATE INDEX ON ks.vectors (v) USING 'sai'");
        AtomicInteger searches = new AtomicInteger();
        AtomicInteger writers = new AtomicInteger();
        inParallel(
            VECTOR_WRITERS + 1,
            () -> {
              int writer = writers.getAndIncrement();
              if (writer < VECTOR_WRITERS) {
                writeVectors(server, writer);
                writers.getAndIncrement();
              } else {
                while (writers.get() <= 2 * VECTOR_WRITERS) {
                  searches.addAndGet(searchVectors(server));
                }
              }
              return null;
            });
        memory.assertWithin("vectors");
        reporter.publishEntry("vectors", searches + " searches; " + memory);
        assertTrue(searches.get() > 0, "no search was answered");
        try (Stream<Path> files = Files.walk(folder)) {
          assertTrue(files.anyMatch(file -> file.toString().endsWith(".idx")), "no flush");
        }
        assertEquals(
            VECTOR_WRITERS * VECTORS * LOAD,
            client.queryAllPages("SELECT c FROM ks.vectors", 1000).size(),
            "acknowledged vectors");
      }
      memory.assertWithin("reads of vectors");
      assertEquals(0, server.terminate(), server.log());
    }
  }

  private static byte[] vector(Random random) {
    ByteBuffer vector = ByteBuffer.allocate(384 * Float.BYTES);
    while (vector.hasRemaining()) {
      vector.putFloat((float) random.nextGaussian());
    }
    return vector.array();
  }

  private static void writeVectors(ServerProcess server, int writer) {
    Random random = new Random(writer);
    try (SkimmingClient client = new SkimmingClient(server)) {
      for (int c = 0; c < VECTORS * LOAD; c++) {
        write(
            client,
            "INSERT INTO ks.vectors (k, c, v) VALUES (%d, %d, ?)"
                .formatted(c % 100, VECTOR_WRITERS * c + writer),
            vector(random));
      }
    }
  }

  /** Searches once; returns 0 if the node asks for patience. */
  private static int searchVectors(ServerProcess server) {
    try (SkimmingClient client = new SkimmingClient(server)) {
      SkimmingClient.Skimmed response =
          client.query(
              "SELECT k FROM ks.vectors ORDER BY v ANN OF ? LIMIT 10",
              0,
              null,
              vector(new Random(99)));
      assertTrue(!response.isError() || isOverload(response), response.error());
      return response.isError() ? 0 : 1;
    }
  }

  /** Runs a load on eight connections while a light client reads. */
  private static void whileReading(
      ServerProcess server,
      ResidentMemory memory,
      TestReporter reporter,
      String what,
      Callable<Void> load)
      throws Exception {
    try (LightClient light = new LightClient(server, "SELECT v FROM ks.light WHERE k = 0")) {
      inParallel(READERS, load);
      long millis = light.endedPercentile();
      reporter.publishEntry(what, millis + " ms for a light client; " + memory);
      assertTrue(millis <= LIGHT_MILLIS, what + ": a light client waited " + millis + " ms");
    }
    memory.assertWithin(what);
  }

  /** Writes until the node takes it: it may refuse while it is busy with others. */
  private static void write(SkimmingClient client, String statement, byte[]... values) {
    for (int attempt = 0; attempt < 100; attempt++) {
      SkimmingClient.Skimmed response = client.query(statement, 0, null, values);
      if (!response.isError()) {
        return;
      }
      assertTrue(isOverload(response), response.error());
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
    throw new AssertionError("the node does not take writes any more");
  }

  static boolean isOverload(SkimmingClient.Skimmed response) {
    return OVERLOADS.contains(response.errorCode());
  }

  /** Larger than what answers may take together: whole, or refused with an error. */
  private static Void readUnpaged(ServerProcess server) {
    try (SkimmingClient client = new SkimmingClient(server)) {
      SkimmingClient.Skimmed response = client.query("SELECT * FROM ks.wide WHERE k = 0", 0, null);
      if (response.isError()) {
        assertTrue(isOverload(response) || response.errorCode() == READ_FAILURE, response.error());
      } else {
        assertTrue(response.bytes() > CELLS * CELL_BYTES, response.toString());
      }
    }
    return null;
  }

  private static Void readPaged(ServerProcess server) {
    for (int round = 0; round < LOAD; round++) {
      assertTrue(readPages(server, "SELECT * FROM ks.wide WHERE k = 0") > CELLS * CELL_BYTES);
    }
    return null;
  }

  /** Reads all pages; the node may ask for patience. Returns the size of all responses. */
  private static long readPages(ServerProcess server, String statement) {
    try (SkimmingClient client = new SkimmingClient(server)) {
      long bytes = 0;
      byte[] page = null;
      int patience = 1000;
      while (true) {
        SkimmingClient.Skimmed response = client.query(statement, 1000, page);
        if (response.isError()) {
          assertTrue(isOverload(response) && patience-- > 0, response.error());
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
          continue;
        }
        bytes += response.bytes();
        page = response.nextPage();
        if (page == null) {
          return bytes;
        }
      }
    }
  }

  private static Void flood(ServerProcess server) {
    byte[] value = new byte[VALUE_BYTES];
    try (SkimmingClient client = new SkimmingClient(server)) {
      int partition = System.identityHashCode(client);
      for (int c = 0; c < WRITES * LOAD; c++) {
        write(
            client,
            "INSERT INTO ks.rows (k, c, v) VALUES (" + partition + ", " + c + ", ?)",
            value);
      }
    }
    return null;
  }

  private static Void floodIndexed(ServerProcess server) {
    byte[] value = new byte[VALUE_BYTES];
    try (SkimmingClient client = new SkimmingClient(server)) {
      long partition = Thread.currentThread().threadId();
      for (int c = 0; c < WRITES * LOAD; c++) {
        int indexed = c % INDEXED_VALUES;
        write(
            client,
            "INSERT INTO ks.indexed (k, c, a, b, v) VALUES (%d, %d, %d, 'text %d', ?)"
                .formatted(partition, c, indexed, indexed),
            value);
      }
    }
    return null;
  }

  private static Void filter(ServerProcess server) {
    for (int round = 0; round < LOAD; round++) {
      assertTrue(readPages(server, "SELECT k FROM ks.rows WHERE v = 'none' ALLOW FILTERING") > 0);
    }
    return null;
  }
}
