package io.helenus.server.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node never takes more than its {@code memory}: it refuses with clear errors instead, and gives
 * back what a burst took. The size is {@code -Dmemory.mebibytes} (256), each of the eight readers
 * reads {@code -Dmemory.cells} (8) cells of 10 MB, the load is multiplied by {@code -Dmemory.load}
 * (1). 24 cells make the 240 MB of docs/performance.md.
 */
class MemoryIT {
  private static final int MEBIBYTES = Integer.getInteger("memory.mebibytes", 256);
  private static final int LOAD = Integer.getInteger("memory.load", 1);
  private static final int READERS = 8;
  private static final int CELLS = Integer.getInteger("memory.cells", 8);
  private static final int CELL_BYTES = 10_000_000;
  private static final int WRITES = 1000;
  private static final int VALUE_BYTES = 4000;
  private static final int READ_FAILURE = 0x1300;

  /** Overloaded, and timeouts of writes and reads. */
  private static final Set<Integer> OVERLOADS = Set.of(0x1001, 0x1100, 0x1200);

  /** What an idle node holds that has compiled its code, besides its caches. */
  private static final int IDLE_MEBIBYTES = 140;

  @TempDir Path folder;

  private static int mebibytes(ServerProcess server, String field) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + server.pid() + "/status"))) {
        if (line.startsWith(field)) {
          return Integer.parseInt(line.replaceAll("\\D", "")) / 1024;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new AssertionError("no " + field);
  }

  private static void assertWithin(ServerProcess server, String what) {
    int highest = mebibytes(server, "VmHWM");
    assertTrue(highest <= MEBIBYTES, what + " took " + highest + " MiB of " + MEBIBYTES);
  }

  private static void inParallel(int threads, Callable<Void> work) throws Exception {
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
  void burstsStayWithinTheMemoryAndAreGivenBack() throws Exception {
    List<String> options = List.of("-D", "memory=" + MEBIBYTES + "MiB");
    try (ServerProcess server =
        ServerProcess.start(folder.resolve("data"), ServerProcess.freePort(), options)) {
      try (CqlClient client = server.connect();
          SkimmingClient writer = new SkimmingClient(server)) {
        DataFolder.run(
            client,
            "CREATE KEYSPACE ks WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
        DataFolder.run(client, "CREATE TABLE ks.wide (k int, c int, v text, PRIMARY KEY (k, c))");
        DataFolder.run(client, "CREATE TABLE ks.rows (k int, c int, v text, PRIMARY KEY (k, c))");
        for (int c = 0; c < CELLS; c++) {
          write(
              writer,
              "INSERT INTO ks.wide (k, c, v) VALUES (0, " + c + ", ?)",
              new byte[CELL_BYTES]);
        }
      }
      assertWithin(server, "cells of 10 MB");
      inParallel(READERS, () -> readUnpaged(server));
      assertWithin(server, "unpaged large reads");
      inParallel(READERS, () -> readPaged(server));
      assertWithin(server, "paged large reads");
      inParallel(READERS, () -> flood(server));
      assertWithin(server, "a flood of writes");
      inParallel(READERS, () -> filter(server));
      assertWithin(server, "scans that filter");
      assertGivenBack(server);
      try (CqlClient client = server.connect()) {
        assertEquals(
            CELLS,
            client.queryAllPages("SELECT c FROM ks.wide WHERE k = 0", 100).size(),
            "acknowledged cells");
      }
      assertEquals(0, server.terminate(), server.log());
    }
  }

  /** Writes until the node takes it: it may refuse while it is busy with others. */
  private static void write(SkimmingClient client, String statement, byte[] value) {
    for (int attempt = 0; attempt < 100; attempt++) {
      SkimmingClient.Skimmed response = client.query(statement, 0, null, value);
      if (!response.isError()) {
        return;
      }
      assertTrue(isOverload(response), response.error());
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
    throw new AssertionError("the node does not take writes any more");
  }

  private static boolean isOverload(SkimmingClient.Skimmed response) {
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

  private static Void filter(ServerProcess server) {
    for (int round = 0; round < LOAD; round++) {
      assertTrue(readPages(server, "SELECT k FROM ks.rows WHERE v = 'none' ALLOW FILTERING") > 0);
    }
    return null;
  }

  private static void assertGivenBack(ServerProcess server) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    int allowed = IDLE_MEBIBYTES + cacheMebibytes(server);
    while (mebibytes(server, "VmRSS") > allowed && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
    }
    int left = mebibytes(server, "VmRSS");
    assertTrue(left <= allowed, left + " MiB after a minute, more than " + allowed);
  }

  /** What the block cache and memtables hold, which they may keep. */
  private static int cacheMebibytes(ServerProcess server) {
    try (CqlClient client = server.connect()) {
      Response.Rows rows =
          (Response.Rows)
              client.query(
                  "SELECT used_bytes FROM system_views.memory WHERE name IN ('block_cache',"
                      + " 'memtables', 'filters_and_indexes')");
      long bytes = 0;
      for (List<byte[]> row : rows.rows()) {
        bytes += ByteBuffer.wrap(row.getFirst()).getLong();
      }
      return (int) (bytes >> 20);
    }
  }
}
