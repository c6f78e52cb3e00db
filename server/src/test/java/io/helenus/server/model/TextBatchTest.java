package io.helenus.server.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.conformance.NodeUnderTest;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** BATCH messages whose statements are texts with constants, which all share a plan. */
class TextBatchTest {
  private static final int UNLOGGED = 1;
  private static final int STATEMENTS = 100;

  @TempDir Path folder;
  private final NodeUnderTest node = new NodeUnderTest();

  @BeforeEach
  void start() throws IOException {
    node.start(folder, 2);
    try (CqlClient client = connect()) {
      assertDone(
          client.query(
              "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy',"
                  + " 'replication_factor': 1}"));
      assertDone(
          client.query("CREATE TABLE ks.t (k int, c int, v text, s set<int>, PRIMARY KEY (k, c))"));
    }
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private CqlClient connect() throws IOException {
    return CqlClient.connect(InetAddress.getByName(node.host()), node.port());
  }

  private static void assertDone(Response answer) {
    assertFalse(answer instanceof Response.Failure, answer::toString);
  }

  private static CqlClient.BatchEntry text(String cql, byte @Nullable []... values) {
    return new CqlClient.BatchEntry(cql, null, List.of(values));
  }

  private static String value(int c) {
    return Integer.toString(c).repeat(c * 5);
  }

  @Test
  void everyStatementHasItsOwnConstants() throws IOException {
    List<CqlClient.BatchEntry> entries = new ArrayList<>();
    for (int c = 0; c < STATEMENTS; c++) {
      String set = "{" + c + ", " + -c + "}";
      entries.add(
          c % 10 == 9
              ? text("INSERT INTO ks.t (k, c, v, s) VALUES (1, " + c + ", ?, " + set + ")", utf8(c))
              : text(
                  "INSERT INTO ks.t (k, c, v, s) VALUES (1, %d, '%s', %s)"
                      .formatted(c, value(c), set)));
    }
    try (CqlClient client = connect()) {
      assertDone(client.batch(UNLOGGED, entries, QueryOptions.NONE));
      Response.Rows rows =
          assertInstanceOf(
              Response.Rows.class, client.query("SELECT c, v, s FROM ks.t WHERE k = 1"));
      assertEquals(STATEMENTS, rows.rows().size());
      for (int c = 0; c < STATEMENTS; c++) {
        List<byte @Nullable []> row = rows.rows().get(c);
        assertEquals(value(c), new String(present(row.get(1)), StandardCharsets.UTF_8));
        assertEquals(c == 0 ? 4 + 8 : 4 + 16, present(row.get(2)).length);
      }
    }
  }

  private static byte[] utf8(int c) {
    return value(c).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] present(byte @Nullable [] value) {
    if (value == null) {
      throw new AssertionError("null");
    }
    return value;
  }

  @Test
  void oneWrongConstantFailsTheBatch() throws IOException {
    try (CqlClient client = connect()) {
      Response.Failure failure =
          assertInstanceOf(
              Response.Failure.class,
              client.batch(
                  UNLOGGED,
                  List.of(
                      text("INSERT INTO ks.t (k, c) VALUES (1, 1)"),
                      text("INSERT INTO ks.t (k, c) VALUES (1, 2)"),
                      text("INSERT INTO ks.t (k, c) VALUES (1, 3)"),
                      text("INSERT INTO ks.t (k, c) VALUES (1, 3000000000)")),
                  QueryOptions.NONE));
      assertEquals("Unable to make int from '3000000000'", failure.message());
      Response.Rows rows =
          assertInstanceOf(Response.Rows.class, client.query("SELECT c FROM ks.t WHERE k = 1"));
      assertEquals(0, rows.rows().size());
    }
  }
}
