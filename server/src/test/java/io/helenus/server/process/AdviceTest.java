package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.advice.AdvicePages;
import io.helenus.server.advice.Silence;
import io.helenus.server.advice.StatementAdvisor;
import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.config.Setting;
import io.helenus.server.config.TestSettings;
import io.helenus.server.modelling.ScriptStatement;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What clients are told about their tables and statements, over the wire. */
class AdviceTest {
  @TempDir private static Path data;
  private static Server server;
  private static CqlClient client;
  private static int keyspaces;

  @BeforeAll
  static void start() throws IOException {
    server =
        Server.start(
            TestSettings.in(data)
                .with(Setting.SCHEMA_ADVICE, "on")
                .with(Setting.MATERIALIZED_VIEWS_ENABLED, "true")
                .with(Setting.SHARDS, "2")
                .build());
    client = CqlClient.connect(InetAddress.getLoopbackAddress(), server.port());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @BeforeEach
  void useANewKeyspace() {
    String name = "k" + keyspaces++;
    query(
        "CREATE KEYSPACE %s WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
            .formatted(name));
    query("USE " + name);
  }

  private static Response succeeded(String statement, Response response) {
    if (response instanceof Response.Failure failure) {
      throw new AssertionError(statement + ": " + failure.message());
    }
    return response;
  }

  private static List<String> query(String statement) {
    return succeeded(statement, client.query(statement)).warnings();
  }

  /** The rules that warnings are of. */
  private static List<String> rules(List<String> warnings) {
    return warnings.stream()
        .map(each -> each.substring(0, Math.max(0, each.indexOf(':'))))
        .filter(Silence.ruleNames()::contains)
        .toList();
  }

  private static List<String> rulesOf(String statement) {
    return rules(query(statement));
  }

  private static byte[] value(Response.Column marker) {
    return switch (marker.type().toCql()) {
      case "text" -> new byte[] {'x'};
      case "int" -> new byte[4];
      case "bigint" -> new byte[8];
      case "decimal" -> new byte[5];
      case "uuid" -> new byte[16];
      default -> throw new AssertionError(marker);
    };
  }

  private static Response.Prepared prepared(String statement) {
    return assertInstanceOf(Response.Prepared.class, client.prepare(statement));
  }

  private static List<String> warningsOfExecutions(Response.Prepared prepared, int executions) {
    QueryOptions options =
        QueryOptions.NONE.withValues(prepared.markers().stream().map(AdviceTest::value).toList());
    List<String> warnings = new ArrayList<>();
    for (int i = 0; i < executions; i++) {
      warnings.addAll(succeeded("EXECUTE", client.execute(prepared, options)).warnings());
    }
    return warnings;
  }

  /** The rules that speak while a script runs, with each statement that has markers often. */
  private static List<String> rulesOfScript(String script) {
    List<String> warnings = new ArrayList<>();
    for (ScriptStatement statement : ScriptStatement.split(script)) {
      warnings.addAll(
          statement.text().contains("?")
              ? warningsOfExecutions(
                  prepared(statement.text()), StatementAdvisor.FILTERING_EXECUTIONS)
              : client.query(statement.text()).warnings());
    }
    return rules(warnings);
  }

  private static List<AdvicePages.Page> pages() throws IOException {
    return AdvicePages.all().stream()
        .filter(each -> !each.rule().contains("several-data-centers")) // this server has one
        .toList();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void aRuleSpeaksAboutTheBadExamplesOfItsPageOnly(AdvicePages.Page page) {
    for (String bad : page.bad()) {
      useANewKeyspace();
      assertTrue(rulesOfScript(bad).contains(page.rule()), () -> "silent about " + bad);
    }
    for (String good : page.good()) {
      useANewKeyspace();
      assertFalse(rulesOfScript(good).contains(page.rule()), () -> "speaks about " + good);
    }
  }

  @Test
  void onlyWhatAChangeGivesReasonForIsSaid() {
    assertEquals(
        List.of("low-cardinality-partition-key"),
        rulesOf("CREATE TABLE t (active boolean, id uuid, email text, PRIMARY KEY (active, id))"));
    assertEquals(List.of("index-on-unique-values"), rulesOf("CREATE INDEX ON t (email)"));
    assertEquals(List.of(), rulesOf("ALTER TABLE t ADD city text"));
    assertEquals(List.of(), rulesOf("CREATE INDEX ON t (city)"));
    assertEquals(List.of("growing-collection"), rulesOf("ALTER TABLE t ADD followers set<uuid>"));
    List<String> second = query("ALTER TABLE t ADD messages list<text>");
    assertEquals(List.of("growing-collection"), rules(second));
    assertTrue(second.getFirst().contains("messages"), second::toString);
  }

  @Test
  void aViewIsJudgedByItsOwnName() {
    query("CREATE TABLE tickets (id uuid PRIMARY KEY, status text, title text)");
    List<String> warnings =
        query(
            "CREATE MATERIALIZED VIEW by_status AS SELECT * FROM tickets WHERE status IS NOT NULL"
                + " AND id IS NOT NULL PRIMARY KEY (status, id)");
    assertTrue(rules(warnings).contains("view-or-index-instead-of-table"), warnings::toString);
    assertTrue(
        warnings.stream()
            .anyMatch(each -> each.contains("The view k") && each.contains(".by_status ")),
        warnings::toString);
  }

  @Test
  void aPreparedStatementThatFiltersIsSpokenAboutOnce() {
    query("CREATE TABLE users (id uuid PRIMARY KEY, city text, name text)");
    String select = "SELECT name FROM users WHERE city = ? ALLOW FILTERING";
    Response.Prepared prepared = prepared(select);
    assertEquals(List.of(), warningsOfExecutions(prepared, 500));
    Response.Prepared again = prepared(select);
    assertEquals(List.of(), warningsOfExecutions(again, 499));
    List<String> warnings = warningsOfExecutions(again, 1);
    assertEquals(List.of(StatementAdvisor.FILTERING), rules(warnings));
    assertTrue(warnings.getFirst().contains("PRIMARY KEY (city, id)"), warnings::toString);
    assertEquals(List.of(), warningsOfExecutions(again, 1_100));
  }

  @Test
  void aRefusedSelectIsRefusedAsEverAndServedByWhatIsProposed() {
    query("CREATE TABLE users (id int PRIMARY KEY, city text, name text)");
    String select = "SELECT name FROM users WHERE city = 'Oslo'";
    for (Response response : List.of(client.query(select), client.prepare(select))) {
      Response.Failure refused = assertInstanceOf(Response.Failure.class, response);
      assertTrue(refused.message().startsWith("Cannot execute this query as it might involve"));
      assertEquals(List.of(StatementAdvisor.REFUSED), rules(refused.warnings()));
      assertTrue(
          refused.warnings().getFirst().contains("PRIMARY KEY (city, id)"),
          () -> refused.warnings().toString());
    }
    query(Silence.statement("users", List.of(StatementAdvisor.REFUSED)).replace(";", ""));
    assertEquals(List.of(), client.query(select).warnings());
  }

  @Test
  void aSilentTableIsNotSpokenAbout() {
    query("CREATE TABLE users (id uuid PRIMARY KEY, city text)");
    query(Silence.statement("users", List.of(StatementAdvisor.FILTERING)).replace(";", ""));
    Response.Prepared prepared = prepared("SELECT id FROM users WHERE city = ? ALLOW FILTERING");
    assertEquals(List.of(), warningsOfExecutions(prepared, 1_000));
  }

  private static String batch(String kind, int partitions) {
    StringBuilder batch = new StringBuilder("BEGIN " + kind + " BATCH ");
    for (int i = 0; i < partitions; i++) {
      batch.append("INSERT INTO t (k, v) VALUES (").append(i).append(", 1); ");
    }
    return batch + "APPLY BATCH";
  }

  @Test
  void aBatchOverManyPartitionsIsSpokenAboutOnce() {
    query("CREATE TABLE t (k int PRIMARY KEY, v int)");
    assertEquals(List.of(), query(batch("", 10)));
    List<String> warnings = query(batch("UNLOGGED", 11));
    assertEquals(2, warnings.size(), warnings::toString);
    assertTrue(warnings.getFirst().startsWith("Unlogged batch covering 11 partitions"));
    assertEquals(List.of(StatementAdvisor.BATCH), rules(warnings));
    assertTrue(warnings.getLast().contains(" 11 partitions of k"), warnings::toString);
    assertEquals(1, query(batch("UNLOGGED", 11)).size());
    assertEquals(List.of(), query(batch("", 11)));
  }
}
