package io.helenus.server.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.process.ServerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
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

  private static byte[] text(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  private static void fill(CqlClient client) {
    DataFolder.run(
        client,
        "CREATE KEYSPACE ks WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    DataFolder.run(client, "CREATE TABLE ks.t (k int PRIMARY KEY, v text)");
    DataFolder.run(client, "CREATE TABLE ks.lists (k int PRIMARY KEY, l frozen<list<text>>)");
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
    // less than any heap that the launcher gives a node: the value of a request does not fit in it
    String flags = "-Xms20m -Xmx20m -Xmn4m -XX:" + exitFlag + "ExitOnOutOfMemoryError";
    try (ServerProcess server = ServerProcess.start(data.path(), port, OPTIONS, flags)) {
      try (CqlClient client = server.connect()) {
        fill(client);
        QueryOptions large = QueryOptions.NONE.withValues(List.of(text("x".repeat(15_000_000))));
        String call = "INSERT INTO ks.t (k, v) VALUES (0, blob_as_text(text_as_blob(?)))";
        assertThrows(RuntimeException.class, () -> client.query(call, large));
      }
      assertEquals(3, server.awaitEnd(), server.log());
      assertTrue(server.log().contains(line), server.log());
    }
    try (ServerProcess server = ServerProcess.start(data.path(), port, OPTIONS);
        CqlClient client = server.connect()) {
      assertRows(client);
    }
  }

  private static String list(int elements, String element) {
    return "[" + element + ("," + element).repeat(elements - 1) + "]";
  }

  /** Each of these exhausted the smallest heap that the launcher gives, or came close. */
  @Test
  void oneRequestDoesNotExhaustTheHeap() {
    DataFolder data = new DataFolder(folder.resolve("data"));
    String flags = "-Xmx64m -Xmn16m";
    try (ServerProcess server =
            ServerProcess.start(data.path(), ServerProcess.freePort(), OPTIONS, flags);
        CqlClient client = server.connect()) {
      fill(client);
      String parts = "names and values, as the heap is limited";
      String wide = "{\"k\": 0, \"v\": " + list(1_700_000, "{}") + "}";
      assertRefused(client, parts, "INSERT INTO ks.t JSON '" + wide + "'");
      assertRefused(client, parts, "INSERT INTO ks.t JSON ?", text(wide));
      assertRefused(
          client,
          parts,
          "INSERT INTO ks.lists (k, l) VALUES (0, from_json(?))",
          text(list(1_700_000, "\"\"")));
      String longText = "x".repeat(15_000_000);
      assertRefused(
          client,
          parts,
          "INSERT INTO ks.t JSON ?",
          text("{\"k\": 0, \"v\": \"" + longText + "\"}"));
      assertRefused(
          client,
          "as the heap is limited",
          "INSERT INTO ks.t (k, v) VALUES (0, blob_as_text(text_as_blob(?)))",
          text(longText));
      assertRefused(
          client,
          "as the heap is limited",
          "INSERT INTO ks.t (k, v) VALUES (0, '€" + longText + "')");
      String one = "INSERT INTO ks.lists (k, l) VALUES (0, " + list(10_000, "''") + ");";
      assertRefused(client, "tokens", "BEGIN BATCH " + one.repeat(100) + " APPLY BATCH");
      List<CqlClient.BatchEntry> entries =
          Collections.nCopies(100, new CqlClient.BatchEntry(one, null, List.of()));
      assertRefused("tokens", client.batch(1, entries, QueryOptions.NONE));
      assertRows(client);
      assertEquals(0, server.terminate(), server.log());
    }
  }

  private static void assertRefused(CqlClient client, String reason, String cql, byte[]... values) {
    QueryOptions options = QueryOptions.NONE.withValues(List.of(values));
    assertRefused(reason, values.length == 0 ? client.query(cql) : client.query(cql, options));
  }

  private static void assertRefused(String reason, Response response) {
    Response.Failure failure = assertInstanceOf(Response.Failure.class, response);
    assertTrue(failure.message().contains(reason), failure.message());
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
