package io.helenus.server.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.process.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A process that runs out of memory: heap exhaustion ends it, native memory exhaustion does not.
 */
class HaltIT {
  private static final int ROWS = 50;
  private static final List<String> OPTIONS = List.of("-Dshards=1");

  @TempDir private Path folder;

  private static String value(int k) {
    return "value-" + k;
  }

  private static void fill(CqlClient client) {
    DataFolder.run(
        client,
        "CREATE KEYSPACE ks WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    DataFolder.run(client, "CREATE TABLE ks.t (k int PRIMARY KEY, v text)");
    for (int k = 0; k < ROWS; k++) {
      DataFolder.run(client, "INSERT INTO ks.t (k, v) VALUES (" + k + ", '" + value(k) + "')");
    }
  }

  private static void assertRows(CqlClient client) {
    assertEquals(
        ROWS, client.queryAllPages("SELECT k, v FROM ks.t", 1000).size(), "acknowledged rows");
  }

  /** The JVM ends the process by itself; if that is disabled, the node does. */
  @ParameterizedTest
  @CsvSource({
    "+, Terminating due to java.lang.OutOfMemoryError: Java heap space",
    "-, Halting with exit code 3: the heap is exhausted (java.lang.OutOfMemoryError: Java heap"
  })
  void anExhaustedHeapEndsTheProcessAndNothingIsLost(String exitFlag, String line) {
    DataFolder data = new DataFolder(folder.resolve("data"));
    int port = ServerProcess.freePort();
    String flags = "-Xmx64m -XX:" + exitFlag + "ExitOnOutOfMemoryError";
    try (ServerProcess server = ServerProcess.start(data.path(), port, OPTIONS, flags)) {
      try (CqlClient client = server.connect()) {
        fill(client);
        // a document takes far more than its text if it has many small parts
        String huge =
            "INSERT INTO ks.t JSON '{\"k\": 0, \"v\": [{}" + ",{}".repeat(1_700_000) + "]}'";
        assertThrows(RuntimeException.class, () -> client.query(huge));
      }
      assertEquals(3, server.awaitEnd(), server.log());
      assertTrue(server.log().contains(line), server.log());
    }
    try (ServerProcess server = ServerProcess.start(data.path(), port, OPTIONS);
        CqlClient client = server.connect()) {
      assertRows(client);
    }
  }

  @Test
  void exhaustedNativeMemoryFailsOnlyTheRequest() {
    DataFolder data = new DataFolder(folder.resolve("data"));
    String flags = "-XX:MaxDirectMemorySize=24m";
    try (ServerProcess server =
            ServerProcess.start(data.path(), ServerProcess.freePort(), OPTIONS, flags);
        CqlClient client = server.connect()) {
      fill(client);
      String huge = "INSERT INTO ks.t (k, v) VALUES (0, '" + "x".repeat(15 << 20) + "')";
      try (CqlClient greedy = server.connect()) {
        assertInstanceOf(Response.Failure.class, greedy.query(huge));
      }
      assertRows(client);
      assertTrue(server.log().contains("native memory is exhausted"), server.log());
      assertEquals(0, server.terminate(), server.log());
    }
  }
}
