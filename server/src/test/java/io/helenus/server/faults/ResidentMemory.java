package io.helenus.server.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The resident memory of a node with a budget of {@code -Dmemory.mebibytes} (256). */
record ResidentMemory(ServerProcess server) {
  static final int LIMIT_MEBIBYTES = Integer.getInteger("memory.mebibytes", 256);

  /** What an idle node holds that has compiled its code, besides its caches. */
  private static final int IDLE_MEBIBYTES = 140;

  /** A collection leaves up to two fifths of the heap free: MaxHeapFreeRatio in jvm.options. */
  private static final double HEAP_PER_LIVE_BYTE = 5 / 3.0;

  /** The largest cache of prepared statements, which is an eighth of a small heap. */
  private static final long PREPARED_BYTES = 16 << 20;

  /** Starts a node with the budget. */
  static ServerProcess start(Path data) {
    return ServerProcess.start(
        data, ServerProcess.freePort(), List.of("-D", "memory=" + LIMIT_MEBIBYTES + "MiB"));
  }

  private int mebibytes(String field) {
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

  /** Requires that the process has never taken more than its budget. */
  void assertWithin(String what) {
    int highest = mebibytes("VmHWM");
    assertTrue(
        highest <= LIMIT_MEBIBYTES, what + " took " + highest + " MiB of " + LIMIT_MEBIBYTES);
  }

  /** Requires that within a minute only the memory of an idle node and its caches is left. */
  void assertGivenBack() {
    assertGivenBack(0);
  }

  /** The same of a node that holds so many bytes of live objects more than an idle one. */
  void assertGivenBack(long liveBytes) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    int allowed =
        IDLE_MEBIBYTES + cacheMebibytes() + (int) ((long) (liveBytes * HEAP_PER_LIVE_BYTE) >> 20);
    while (mebibytes("VmRSS") > allowed && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
    }
    int left = mebibytes("VmRSS");
    assertTrue(left <= allowed, left + " MiB after a minute, more than " + allowed);
  }

  /** What a full cache of prepared statements holds. */
  long preparedBytes() {
    return Math.min(PREPARED_BYTES, memory("('heap')", "limit_bytes") / 8);
  }

  /** What the block cache and memtables hold, which they may keep. */
  private int cacheMebibytes() {
    return (int)
        (memory("('block_cache', 'memtables', 'filters_and_indexes')", "used_bytes") >> 20);
  }

  private long memory(String names, String column) {
    try (CqlClient client = server.connect()) {
      Response.Rows rows =
          (Response.Rows)
              client.query("SELECT " + column + " FROM system_views.memory WHERE name IN " + names);
      long bytes = 0;
      for (List<byte[]> row : rows.rows()) {
        bytes += ByteBuffer.wrap(row.getFirst()).getLong();
      }
      return bytes;
    }
  }

  @Override
  public String toString() {
    return mebibytes("VmRSS") + " MiB, at most " + mebibytes("VmHWM");
  }
}
