package io.helenus.server.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.BodyWriter;
import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.conformance.NodeUnderTest;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.WireValues;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Traced requests over the wire and the resulting rows in {@code system_traces}. The expected
 * values come from Apache Cassandra 5.0.9.
 */
class TracingTest {
  private static final QueryOptions TRACED = QueryOptions.NONE.withTracing();
  private static final int PREPARE = 0x09;
  private static final int EXECUTE = 0x0A;
  private static final int TRACING_FLAG = 0x02;

  @TempDir static Path folder;
  private static final NodeUnderTest NODE = new NodeUnderTest();

  @BeforeAll
  static void start() throws IOException {
    NODE.start(folder, 2);
    try (CqlClient client = connect()) {
      assertDone(
          client.query(
              "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy',"
                  + " 'replication_factor': 1}"));
      assertDone(client.query("CREATE TABLE ks.t (k int PRIMARY KEY, v text, b blob)"));
    }
  }

  @AfterAll
  static void stop() {
    NODE.close();
  }

  private static CqlClient connect() throws IOException {
    return CqlClient.connect(
        CqlClient.Settings.of(InetAddress.getByName(NODE.host()), NODE.port()).withVersion(4));
  }

  private static void assertDone(Response answer) {
    assertFalse(answer instanceof Response.Failure, answer::toString);
  }

  /** The session of a request as text, without its duration and start time. */
  private static String session(Response answer) throws IOException {
    UUID id = assertNotNullId(answer);
    try (CqlClient reader = connect()) {
      List<byte @Nullable []> row =
          rows(
                  reader,
                  "SELECT client, command, coordinator, coordinator_port, request, parameters,"
                      + " duration, started_at FROM system_traces.sessions WHERE session_id = "
                      + id)
              .getFirst();
      assertEquals(ScalarType.INET.toLiteral(row.get(0)), ScalarType.INET.toLiteral(row.get(2)));
      assertEquals(7000, WireValues.toInt(Objects.requireNonNull(row.get(3))));
      assertTrue(WireValues.toInt(Objects.requireNonNull(row.get(6))) > 0);
      assertNotNull(row.get(7));
      return text(row.get(1))
          + ", "
          + text(row.get(4))
          + ", "
          + new MapType(ScalarType.TEXT, ScalarType.TEXT, true).toLiteral(row.get(5));
    }
  }

  private static UUID assertNotNullId(Response answer) {
    return Objects.requireNonNull(answer.extras().tracingId(), "no tracing id");
  }

  private static String text(byte @Nullable [] value) {
    return WireValues.toText(Objects.requireNonNull(value));
  }

  private static List<List<byte @Nullable []>> rows(CqlClient client, String select) {
    return assertInstanceOf(Response.Rows.class, client.query(select)).rows();
  }

  @Test
  void theTraceOfAQueryHasItsTextAndOptions() throws IOException {
    try (CqlClient client = connect()) {
      assertEquals(
          "QUERY, Execute CQL3 query, {'consistency_level': 'ONE', 'query': ' select v from ks.t;',"
              + " 'serial_consistency_level': 'SERIAL'}",
          session(client.query(" select v from ks.t;", TRACED)));
      QueryOptions options = TRACED.withPage(17, null).withConsistency(6).withSerialConsistency(9);
      assertEquals(
          "QUERY, Execute CQL3 query, {'consistency_level': 'LOCAL_QUORUM', 'page_size': '17',"
              + " 'query': 'SELECT * FROM ks.t', 'serial_consistency_level': 'LOCAL_SERIAL'}",
          session(client.query("SELECT * FROM ks.t", options)));
    }
  }

  @Test
  void failedRequestsAreTraced() throws IOException {
    try (CqlClient client = connect()) {
      for (String bad : List.of("selec", "SELECT * FROM ks.nope", "SELECT * FROM ks.t WHERE k=?")) {
        Response answer = client.query(bad, TRACED);
        assertInstanceOf(Response.Failure.class, answer);
        assertEquals(
            "QUERY, Execute CQL3 query, {'consistency_level': 'ONE', 'query': '"
                + bad
                + "', 'serial_consistency_level': 'SERIAL'}",
            session(answer));
      }
    }
  }

  @Test
  void theTraceOfAnExecuteHasTheBoundValues() throws IOException {
    try (CqlClient client = connect()) {
      Response.Prepared insert =
          assertInstanceOf(
              Response.Prepared.class,
              client.prepare("INSERT INTO ks.t (k, v, b) VALUES (?, ?, ?)"));
      QueryOptions options =
          TRACED.withValues(
              Arrays.asList(WireValues.ofInt(1), WireValues.ofText("it's"), new byte[] {1, 2}));
      String tail =
          ", 'consistency_level': 'ONE', 'query': 'INSERT INTO ks.t (k, v, b) VALUES (?, ?, ?)',"
              + " 'serial_consistency_level': 'SERIAL'}";
      assertEquals(
          "QUERY, Execute CQL3 prepared query, {'bound_var_0_k': '1', 'bound_var_1_v':"
              + " '''it''''s''', 'bound_var_2_b': '0x0102'"
              + tail,
          session(client.execute(insert, options)));
      options =
          TRACED.withValues(
              Arrays.asList(WireValues.ofInt(1), QueryOptions.UNSET, (byte @Nullable []) null));
      assertEquals(
          "QUERY, Execute CQL3 prepared query, {'bound_var_0_k': '1', 'bound_var_1_v': '<unset>',"
              + " 'bound_var_2_b': 'null'"
              + tail,
          session(client.execute(insert, options)));
    }
  }

  @Test
  void theTraceOfAnUnknownStatementHasOnlyItsDuration() throws IOException {
    byte[][] ids = {new byte[16], {1, 2, 3}};
    try (CqlClient client = connect()) {
      for (byte[] id : ids) {
        byte[] body =
            new BodyWriter().putShortBytes(id).putShort(1).putByte(0x04).putInt(17).toArray();
        Response answer = client.call(EXECUTE, TRACING_FLAG, body);
        assertEquals(0x2500, assertInstanceOf(Response.Failure.class, answer).code());
        UUID session = assertNotNullId(answer);
        Response.Rows sessions =
            assertInstanceOf(
                Response.Rows.class,
                client.query("SELECT * FROM system_traces.sessions WHERE session_id = " + session));
        for (int i = 0; i < sessions.columns().size(); i++) {
          String column = sessions.columns().get(i).name();
          boolean isKnown = column.equals("session_id") || column.equals("duration");
          assertEquals(isKnown, sessions.rows().getFirst().get(i) != null, column);
        }
        assertEquals(
            List.of(),
            rows(client, "SELECT * FROM system_traces.events WHERE session_id = " + session));
      }
    }
  }

  @Test
  void aBatchOfAnUnknownStatementIsTraced() throws IOException {
    try (CqlClient client = connect()) {
      CqlClient.BatchEntry unknown = new CqlClient.BatchEntry(null, new byte[16], List.of());
      Response answer = client.batch(1, List.of(unknown), TRACED);
      assertEquals(0x2500, assertInstanceOf(Response.Failure.class, answer).code());
      assertEquals(
          "QUERY, Execute batch of CQL3 queries, {'consistency_level': 'ONE',"
              + " 'serial_consistency_level': 'SERIAL'}",
          session(answer));
    }
  }

  @Test
  void longValuesAreTruncated() throws IOException {
    try (CqlClient client = connect()) {
      Response.Prepared insert =
          assertInstanceOf(
              Response.Prepared.class, client.prepare("INSERT INTO ks.t (k, v) VALUES (?, ?)"));
      String[] whole = new String[2];
      for (int i = 0; i < 2; i++) {
        byte[] value = WireValues.ofText("y".repeat(998 + i));
        whole[i] =
            session(client.execute(insert, TRACED.withValues(List.of(WireValues.ofInt(1), value))));
      }
      assertTrue(whole[0].contains("'''" + "y".repeat(998) + "'''"), whole[0]);
      assertTrue(whole[1].contains("'''" + "y".repeat(999) + "...''"), whole[1]);
    }
  }

  @Test
  void overlongTextIsTruncatedBetweenCharacters() throws IOException {
    try (CqlClient client = connect()) {
      String query = "SELECT v FROM ks.t -- x" + "\uD83D\uDE00".repeat(40_000);
      String session = session(client.query(query, TRACED));
      assertTrue(session.contains("\uD83D\uDE00"), session.substring(0, 200));
      assertTrue(session.length() < query.length());
    }
  }

  @Test
  void aPrepareAndABatchAreTraced() throws IOException {
    try (CqlClient client = connect()) {
      byte[] body = new BodyWriter().putLongString("SELECT b FROM ks.t WHERE k = ?").toArray();
      assertEquals(
          "QUERY, Preparing CQL3 query, {'query': 'SELECT b FROM ks.t WHERE k = ?'}",
          session(client.call(PREPARE, TRACING_FLAG, body)));
      CqlClient.BatchEntry entry =
          new CqlClient.BatchEntry("INSERT INTO ks.t (k) VALUES (9)", null, List.of());
      String batch =
          "QUERY, Execute batch of CQL3 queries, {'consistency_level': 'ONE',"
              + " 'serial_consistency_level': 'SERIAL'}";
      assertEquals(batch, session(client.batch(1, List.of(entry), TRACED)));
      assertEquals(batch, session(client.batch(1, List.of(), TRACED)));
    }
  }

  @Test
  void definitionsAreTracedUntilTheirResponse() throws IOException {
    try (CqlClient client = connect()) {
      String use = session(client.query("USE ks", TRACED));
      assertTrue(use.contains("'query': 'USE ks'"), use);
      String define = session(client.query("ALTER TABLE ks.t WITH comment = 'x'", TRACED));
      assertTrue(define.contains("comment = ''x''"), define);
      assertFalse(session(client.query("DESCRIBE KEYSPACES", TRACED)).isEmpty());
      assertFalse(session(client.query("TRUNCATE ks.t", TRACED)).isEmpty());
    }
  }

  @Test
  void eventsAreOrderedByTime() throws IOException {
    try (CqlClient client = connect()) {
      UUID id = assertNotNullId(client.query("SELECT * FROM ks.t", TRACED));
      List<List<byte @Nullable []>> events =
          rows(
              client,
              "SELECT activity, source_elapsed FROM system_traces.events WHERE session_id = " + id);
      assertEquals("Parsing SELECT * FROM ks.t", text(events.getFirst().getFirst()));
      int last = 0;
      for (List<byte @Nullable []> event : events) {
        int elapsed = WireValues.toInt(Objects.requireNonNull(event.get(1)));
        assertTrue(elapsed >= last);
        last = elapsed;
      }
    }
  }

  @Test
  void theIndexThatIsLookedUpIsAnEvent() throws IOException {
    try (CqlClient client = connect()) {
      assertDone(client.query("CREATE TABLE ks.indexed (k int PRIMARY KEY, v int)"));
      assertDone(client.query("CREATE INDEX by_value ON ks.indexed (v)"));
      UUID id = assertNotNullId(client.query("SELECT k FROM ks.indexed WHERE v = 1", TRACED));
      List<String> events =
          rows(client, "SELECT activity FROM system_traces.events WHERE session_id = " + id)
              .stream()
              .map(event -> text(event.getFirst()))
              .toList();
      assertTrue(events.contains("Scanning with index by_value"), events::toString);
    }
  }

  @Test
  void untracedRequestsLeaveNoTrace() throws IOException {
    try (CqlClient client = connect()) {
      assertEquals(null, client.query("SELECT * FROM ks.t").extras().tracingId());
    }
  }
}
