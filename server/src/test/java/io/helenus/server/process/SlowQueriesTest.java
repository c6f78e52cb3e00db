package io.helenus.server.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.config.Setting;
import io.helenus.server.config.TestSettings;
import io.helenus.server.query.select.SlowQueryLog;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The log of slow queries, for a node to which every query is slow. */
class SlowQueriesTest {
  private static final String SELECT = "SELECT * FROM k.t WHERE a = ? AND b IN (?, ?)";

  @TempDir private Path data;
  private final Logger logger = (Logger) LoggerFactory.getLogger(SlowQueryLog.class);
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(event.getFormattedMessage());
        }
      };

  @BeforeEach
  void listen() {
    appender.start();
    logger.setLevel(Level.INFO); // the tests' own configuration shows errors only
    logger.addAppender(appender);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(appender);
    logger.setLevel(null);
  }

  private static Response run(CqlClient client, String statement) {
    Response response = client.query(statement);
    assertFalse(response instanceof Response.Failure, response.toString());
    return response;
  }

  private static void define(CqlClient client) {
    run(
        client,
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    run(client, "CREATE TABLE k.t (a int, b text, PRIMARY KEY (a, b))");
    run(client, "INSERT INTO k.t (a, b) VALUES (1, 'one')");
    run(client, "INSERT INTO k.t (a, b) VALUES (1, 'two')");
    run(client, "DELETE FROM k.t WHERE a = 1 AND b = 'two'");
  }

  private static CqlClient connect(Server server) {
    return CqlClient.connect(InetAddress.getLoopbackAddress(), server.port());
  }

  private static byte[] bytes(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private String nextLine() throws InterruptedException {
    return Objects.requireNonNull(lines.poll(1, TimeUnit.MINUTES), "no line");
  }

  @Test
  void slowQueriesAreSummedUp() throws Exception {
    try (Server server =
            Server.start(
                TestSettings.in(data).with(Setting.SLOW_QUERY_LOG_TIMEOUT, "1ns").build());
        CqlClient client = connect(server)) {
      define(client);
      Response.Prepared prepared =
          assertInstanceOf(Response.Prepared.class, client.prepare(SELECT));
      QueryOptions values =
          QueryOptions.NONE.withValues(
              List.of(bytes(1), "one".getBytes(UTF_8), "three".getBytes(UTF_8)));
      for (int i = 0; i < 3; i++) {
        assertInstanceOf(Response.Rows.class, client.execute(prepared, values));
      }
      run(client, "SELECT  a\nFROM k.t WHERE a = 1");
      Response traced = client.query("SELECT b FROM k.t", QueryOptions.NONE.withTracing());
      String trace = assertInstanceOf(Response.Rows.class, traced).extras().tracingId() + "";
      String executed = nextLine();
      assertTrue(
          executed.matches(
              "Slow query <"
                  + java.util.regex.Pattern.quote(SELECT)
                  + ">, was slow 3 times: avg/min/max \\d+/\\d+/\\d+ msec - slow timeout 0 msec;"
                  + " the slowest: values of 4 B, 3 B, 5 B; 1 read of 1 rows and 0 tombstones"),
          executed);
      String queried = nextLine();
      assertTrue(
          queried.matches(
              "Slow query <SELECT a FROM k\\.t WHERE a = 1>, time \\d+ msec - slow timeout 0 msec;"
                  + " no values; 1 read of 1 rows and 1 tombstones"),
          queried);
      String last = nextLine();
      assertTrue(last.startsWith("Slow query <SELECT b FROM k.t>"), last);
      assertTrue(last.endsWith("; trace " + trace), last);
      assertEquals(0, lines.size());
    }
  }

  @Test
  void statementsAreLimitedInNumberAndLength() throws Exception {
    try (Server server =
            Server.start(
                TestSettings.in(data).with(Setting.SLOW_QUERY_LOG_TIMEOUT, "1ns").build());
        CqlClient client = connect(server)) {
      define(client);
      for (int i = 0; i < 60; i++) {
        run(
            client,
            "SELECT * FROM k.t WHERE a = "
                + i
                + " AND b = '"
                + "x".repeat(i == 0 ? 5000 : 1)
                + "'");
      }
    }
    List<String> all = new ArrayList<>(lines);
    assertEquals(51, all.size(), "a node that stops writes what it has");
    assertEquals("10 more queries were slow, of statements beyond the 50 above", all.get(50));
    assertTrue(all.getFirst().length() < 1300, all.getFirst());
    assertTrue(all.getFirst().contains("xxx...>, time "), all.getFirst());
  }

  @Test
  void fastQueriesAreNotLogged() throws Exception {
    try (Server server =
            Server.start(TestSettings.in(data).with(Setting.SLOW_QUERY_LOG_TIMEOUT, "1h").build());
        CqlClient client = connect(server)) {
      define(client);
      run(client, "SELECT * FROM k.t");
    }
    try (Server server =
            Server.start(
                TestSettings.in(data).with(Setting.SLOW_QUERY_LOG_TIMEOUT, "0ms").build());
        CqlClient client = connect(server)) {
      run(client, "SELECT * FROM k.t");
    }
    assertEquals(0, lines.size());
  }
}
