package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.helenus.server.advice.AdvicePages;
import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.config.Setting;
import io.helenus.server.config.TestSettings;
import io.helenus.server.query.statement.DefinitionLog;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** Advice about primary keys over the wire, in the log, and silenced. */
class KeyAdviceTest {
  private static final Set<String> RULES =
      Set.of(
          "low-cardinality-partition-key",
          "date-partition-key",
          "time-series-without-bucket",
          "over-partitioned-key",
          "under-partitioned-key",
          "timestamp-without-tie-breaker",
          "ascending-order",
          "unreachable-range-column");

  private static final String DATE = "date-partition-key";

  /** Raises {@link #DATE} and nothing else. */
  private static final String BY_DAY =
      "CREATE TABLE %s (day date, at timestamp, id uuid, v int, PRIMARY KEY (day, at, id))";

  private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(DefinitionLog.class);
  private static final BlockingQueue<String> LINES = new LinkedBlockingQueue<>();
  private static final AppenderBase<ILoggingEvent> APPENDER =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          LINES.add(event.getFormattedMessage());
        }
      };

  @TempDir private static Path data;
  private static Server server;
  private static CqlClient client;

  @BeforeAll
  static void start() throws IOException {
    APPENDER.start();
    LOGGER.setLevel(Level.WARN); // the tests' own configuration shows errors only
    LOGGER.setAdditive(false);
    LOGGER.addAppender(APPENDER);
    server =
        Server.start(
            TestSettings.in(data)
                .with(Setting.SCHEMA_ADVICE, "on")
                .with(Setting.SCHEMA_ADVICE_SILENT_KEYSPACES, "quiet, silent")
                .with(Setting.SHARDS, "2")
                .build());
    client = CqlClient.connect(InetAddress.getLoopbackAddress(), server.port());
    for (String keyspace : List.of("k", "quiet")) {
      createKeyspace(client, keyspace);
    }
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
    LOGGER.detachAppender(APPENDER);
    LOGGER.setAdditive(true);
    LOGGER.setLevel(null);
  }

  private static void createKeyspace(CqlClient at, String name) {
    warnings(
        at,
        "CREATE KEYSPACE %s WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
            .formatted(name));
  }

  private static List<String> warnings(CqlClient at, String statement) {
    Response response = at.query(statement);
    if (response instanceof Response.Failure failure) {
      throw new AssertionError(statement + ": " + failure.message());
    }
    return response.warnings();
  }

  private static List<String> warnings(String statement) {
    return warnings(client, statement);
  }

  private static List<String> rules(String statement) {
    return warnings(statement).stream().map(each -> each.substring(0, each.indexOf(':'))).toList();
  }

  /** Creates an example's table, of any name, in the keyspace k, where it does not exist yet. */
  private static List<String> create(String example) {
    warnings("USE k");
    warnings("DROP TABLE IF EXISTS " + example.split("[ (]", -1)[2]);
    return warnings(example);
  }

  static List<AdvicePages.Page> pages() throws IOException {
    return AdvicePages.all().stream().filter(each -> RULES.contains(each.rule())).toList();
  }

  @Test
  void eachRuleHasAtLeastThreeExamplesOfBothKinds() throws IOException {
    assertEquals(RULES.size(), pages().size());
    for (AdvicePages.Page page : pages()) {
      assertTrue(page.bad().size() >= 3 && page.good().size() >= 3, page.rule());
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void aBadExampleIsAnsweredWithAStatementThatIsBetter(AdvicePages.Page page) {
    for (String bad : page.bad()) {
      LINES.clear();
      String warning =
          create(bad).stream()
              .filter(each -> each.startsWith(page.rule() + ": "))
              .findFirst()
              .orElseThrow(() -> new AssertionError("silent about " + bad));
      assertTrue(LINES.contains("Advice: " + warning), () -> "log: " + LINES);
      String end = "; (docs/advice/" + page.rule() + ".md)";
      assertTrue(warning.endsWith(end), warning);
      String instead =
          warning.substring(warning.indexOf("CREATE TABLE "), warning.length() - end.length());
      assertFalse(create(instead).stream().anyMatch(each -> each.startsWith(page.rule())), instead);
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void aGoodExampleIsNot(AdvicePages.Page page) {
    for (String good : page.good()) {
      List<String> warnings = create(good);
      assertFalse(
          warnings.stream().anyMatch(each -> each.startsWith(page.rule() + ": ")),
          warnings::toString);
    }
  }

  @Test
  void anAlterationThatMakesATableWorseIsAnsweredToo() {
    warnings(
        "CREATE TABLE k.altered (sensor uuid, at timestamp, value double, PRIMARY KEY (sensor, at))"
            + " WITH default_time_to_live = 86400 AND compaction = {'class':"
            + " 'TimeWindowCompactionStrategy'}");
    assertEquals(
        List.of("time-series-without-bucket"),
        rules("ALTER TABLE k.altered WITH default_time_to_live = 0"));
    warnings("CREATE TABLE k.renamed (k text, id uuid, v int, PRIMARY KEY (k, id))");
    assertEquals(
        List.of("low-cardinality-partition-key"),
        rules("ALTER TABLE k.renamed RENAME k TO status"));
  }

  @Test
  void anExtensionSilencesATable() {
    assertEquals(List.of(DATE), rules(BY_DAY.formatted("k.loud")));
    LINES.clear();
    // the bytes of "ascending-order,date-partition-key"
    String names = "0x617363656e64696e672d6f726465722c646174652d706172746974696f6e2d6b6579";
    for (String value : List.of("0x6f6666", "'off'", names, "'" + DATE + "'")) {
      warnings("DROP TABLE IF EXISTS k.still");
      assertEquals(
          List.of(),
          warnings(
              BY_DAY.formatted("k.still") + " WITH extensions = {'schema_advice': " + value + "}"),
          value);
    }
    assertEquals(List.of(), List.copyOf(LINES));
    assertEquals(List.of(DATE), rules("ALTER TABLE k.still WITH extensions = {}"));
    assertEquals(
        List.of(), warnings("ALTER TABLE k.still WITH extensions = {'schema_advice': 0x6f6666}"));
    warnings("DROP TABLE k.still");
    assertEquals(
        List.of(DATE),
        rules(
            BY_DAY.formatted("k.still")
                + " WITH extensions = {'schema_advice': 'ascending-order'}"));
  }

  @Test
  void aKeyspaceIsSilenced() {
    LINES.clear();
    assertEquals(List.of(), warnings(BY_DAY.formatted("quiet.t")));
    assertEquals(List.of(), List.copyOf(LINES));
  }

  @Test
  void theConfigurationSilencesRules(@TempDir Path other) throws IOException {
    String orders =
        "CREATE TABLE k.recent_orders (day date, ordered timestamp, id uuid, PRIMARY KEY (day,"
            + " ordered, id))";
    try (Server one =
            Server.start(
                TestSettings.in(other.resolve("one"))
                    .with(Setting.SCHEMA_ADVICE, "ascending-order, over-partitioned-key")
                    .build());
        CqlClient at = CqlClient.connect(InetAddress.getLoopbackAddress(), one.port())) {
      createKeyspace(at, "k");
      List<String> warnings = warnings(at, orders);
      assertEquals(1, warnings.size(), warnings::toString);
      assertTrue(warnings.getFirst().startsWith("ascending-order: "), warnings::toString);
    }
    try (Server off =
            Server.start(
                TestSettings.in(other.resolve("off")).with(Setting.SCHEMA_ADVICE, "off").build());
        CqlClient at = CqlClient.connect(InetAddress.getLoopbackAddress(), off.port())) {
      createKeyspace(at, "k");
      assertEquals(List.of(), warnings(at, orders));
    }
  }

  @Test
  void aRuleThatDoesNotExistKeepsTheNodeFromStarting(@TempDir Path other) {
    IOException refused =
        assertThrows(
            IOException.class,
            () ->
                Server.start(
                    TestSettings.in(other)
                        .with(Setting.SCHEMA_ADVICE, "date-partition-keys")
                        .build()));
    assertTrue(
        refused
            .getMessage()
            .startsWith(
                "schema_advice: neither on, off nor the name of a rule: date-partition-keys; rules"
                    + " are low-cardinality-partition-key, "),
        refused.getMessage());
  }
}
