package io.helenus.server.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a node keeps for each connection, prepared statement, table and text stays within its {@code
 * memory}: {@code -Dmemory.connections} (500), {@code -Dmemory.statements} (5,000), {@code
 * -Dmemory.tables} (300), with {@code -Dmemory.mebibytes} (256).
 */
class HeldMemoryIT {
  private static final int CONNECTIONS = Integer.getInteger("memory.connections", 500);
  private static final int STATEMENTS = Integer.getInteger("memory.statements", 5_000);
  private static final int TABLES = Integer.getInteger("memory.tables", 300);

  /**
   * What the objects of a table take: its schema, and on each of two shards a memtable with a row
   * and metrics. 6.8 KiB were measured with 10,000 tables.
   */
  private static final long TABLE_BYTES = 7 << 10;

  private static final String KEYSPACE =
      "CREATE KEYSPACE ks WITH replication ="
          + " {'class': 'SimpleStrategy', 'replication_factor': 1}";

  @TempDir Path folder;

  @Test
  void connections(TestReporter reporter) {
    try (ServerProcess server = ResidentMemory.start(folder.resolve("data"))) {
      ResidentMemory memory = new ResidentMemory(server);
      List<SkimmingClient> clients = new ArrayList<>();
      try {
        for (int i = 0; i < CONNECTIONS; i++) {
          clients.add(new SkimmingClient(server));
        }
        for (SkimmingClient client : clients) {
          assertEquals("", client.query("SELECT * FROM system.local", 100, null).error());
        }
        reporter.publishEntry(CONNECTIONS + " connections", memory.toString());
        memory.assertWithin("connections");
      } finally {
        clients.forEach(SkimmingClient::close);
      }
      memory.assertGivenBack();
      assertEquals(0, server.terminate(), server.log());
    }
  }

  @Test
  void preparedStatements(TestReporter reporter) {
    try (ServerProcess server = ResidentMemory.start(folder.resolve("data"));
        CqlClient client = server.connect()) {
      ResidentMemory memory = new ResidentMemory(server);
      for (int i = 0; i < STATEMENTS; i++) {
        assertInstanceOf(
            Response.Prepared.class,
            client.prepare("SELECT * FROM system.local WHERE key = ? LIMIT " + (i + 1)));
      }
      reporter.publishEntry(STATEMENTS + " statements", memory.toString());
      memory.assertWithin("prepared statements");
      memory.assertGivenBack(memory.preparedBytes());
      reporter.publishEntry("afterwards", memory.toString());
      assertEquals(0, server.terminate(), server.log());
    }
  }

  /** Each with a row. A node without room for all of them refuses further ones with an error. */
  @Test
  void tables(TestReporter reporter) throws IOException {
    Path data = folder.resolve("data");
    try (ServerProcess server = ResidentMemory.start(data);
        CqlClient client = server.connect()) {
      ResidentMemory memory = new ResidentMemory(server);
      DataFolder.run(client, KEYSPACE);
      int made = 0;
      String refusal = "";
      while (made < TABLES && refusal.isEmpty()) {
        Response response =
            client.query(
                "CREATE TABLE ks.t" + made + " (k int, c int, v text, PRIMARY KEY (k, c))");
        if (response instanceof Response.Failure failure) {
          refusal = failure.message();
          assertTrue(refusal.contains("raise memory"), refusal);
        } else {
          DataFolder.run(client, "INSERT INTO ks.t" + made + " (k, c, v) VALUES (1, 1, 'row')");
          made++;
        }
      }
      reporter.publishEntry(made + " tables", memory + ", " + files(data) + " files" + refusal);
      memory.assertWithin("tables");
      assertTrue(made == TABLES || made > 16 * ResidentMemory.LIMIT_MEBIBYTES, refusal);
      for (int i = 0; i < made; i++) {
        Response.Rows rows = (Response.Rows) client.query("SELECT * FROM ks.t" + i);
        assertEquals(1, rows.rows().size());
      }
      memory.assertWithin("reads of all tables");
      memory.assertGivenBack(made * TABLE_BYTES);
      reporter.publishEntry("afterwards", memory.toString());
    }
  }

  /** From eight clients: a text of nearly the greatest size is run, a larger one refused. */
  @Test
  void textsOfManyTerms(TestReporter reporter) throws Exception {
    try (ServerProcess server = ResidentMemory.start(folder.resolve("data"));
        CqlClient client = server.connect()) {
      ResidentMemory memory = new ResidentMemory(server);
      DataFolder.run(client, KEYSPACE);
      DataFolder.run(client, "CREATE TABLE ks.sets (k int PRIMARY KEY, s set<int>)");
      MemoryIT.inParallel(
          8,
          () -> {
            assertEquals("", answer(server, insertOfTerms(15_000)));
            String refusal = answer(server, insertOfTerms(500_000));
            assertTrue(refusal.contains("tokens"), refusal);
            return null;
          });
      reporter.publishEntry("texts of many terms", memory.toString());
      memory.assertWithin("texts of many terms");
      Response.Rows rows = (Response.Rows) client.query("SELECT s FROM ks.sets WHERE k = 0");
      assertEquals(1, rows.rows().size());
    }
  }

  /** The error of a statement, empty if it has none; the node may ask for patience. */
  private static String answer(ServerProcess server, String statement) {
    try (SkimmingClient client = new SkimmingClient(server)) {
      SkimmingClient.Skimmed response;
      do {
        response = client.query(statement, 0, null);
      } while (MemoryIT.isOverload(response));
      return response.error();
    }
  }

  private static String insertOfTerms(int count) {
    return "INSERT INTO ks.sets (k, s) VALUES (0, {"
        + IntStream.range(0, count).mapToObj(Integer::toString).collect(Collectors.joining(","))
        + "})";
  }

  private static long files(Path data) throws IOException {
    try (Stream<Path> all = Files.walk(data)) {
      return all.filter(path -> path.toString().endsWith(".sst")).count();
    }
  }
}
