package io.helenus.server.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.error.CqlError;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.query.prepared.StatementCache;
import io.helenus.storage.testing.Seeds;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Statements that run by the plan of their shape give the answers of those that are parsed. */
class ConstantsAsValuesTest {
  private static final int ROUNDS = 2_000;
  private static final Pattern CONSTANT = Pattern.compile("#");

  private static final List<String> TYPES =
      List.of(
          "ascii",
          "bigint",
          "blob",
          "boolean",
          "date",
          "decimal",
          "double",
          "duration",
          "float",
          "inet",
          "int",
          "smallint",
          "text",
          "time",
          "timestamp",
          "timeuuid",
          "tinyint",
          "uuid",
          "varint");

  private static final List<String> STATEMENTS =
      List.of(
          "INSERT INTO # (k, c, v) VALUES (#, #, #)",
          "INSERT INTO # (k, c, v) VALUES (#, #, #)",
          "INSERT INTO # (k, c, v, s) VALUES (#, #, #, #) USING TTL # AND TIMESTAMP #",
          "INSERT INTO # (k, c, v) VALUES (#, #, null)",
          "INSERT INTO # (k, c, v, l) VALUES (#, #, (#), [#])",
          "UPDATE # USING TTL # SET v = #, m[#] = # WHERE k = # AND c = #",
          "UPDATE # USING TIMESTAMP # SET v = # WHERE k IN (#, #) AND c IN (#, #)",
          "UPDATE # SET v = # WHERE k = # AND (c) = (#)",
          "UPDATE # SET m = m - {#}, st = st + {#} WHERE k = # AND c = #",
          "DELETE FROM # USING TIMESTAMP # WHERE k = # AND c > #",
          "DELETE m[#], v FROM # WHERE k = # AND c = #",
          "INSERT INTO # (k, c, l, m, st) VALUES (#, #, [#, #], {#: #, #: #}, {#, #})",
          "INSERT INTO # (k, c, l, m, st) VALUES (#, #, [], {}, {#, null})",
          "INSERT INTO # (k, c, f, u) VALUES (#, #, {#: [#, #], #: []}, {a: #, b: {#}})",
          "UPDATE # SET l = l + [#], m += {#: #}, u = {b: {#, #}} WHERE k = # AND c = #",
          "UPDATE # SET l = [#] + l, m = m - {#}, st = {} WHERE k = # AND c = #",
          "UPDATE # SET l = l - [#, #] WHERE k = # AND c = #",
          "SELECT k, l, m, st, u, f FROM # WHERE k = # AND c = #",
          "SELECT k FROM # WHERE f = {#: [#]} AND f CONTAINS [#] ALLOW FILTERING",
          "BEGIN BATCH INSERT INTO # (k, c, v) VALUES (#, #, #); DELETE FROM # WHERE k = # AND c ="
              + " #; UPDATE # USING TTL # SET v = # WHERE k = # AND c = #; APPLY BATCH",
          "BEGIN UNLOGGED BATCH USING TIMESTAMP # UPDATE # SET v = #, l = [#] WHERE k = # AND c ="
              + " # INSERT INTO # (k, c) VALUES (#, #) USING TTL # APPLY BATCH",
          "SELECT * FROM # WHERE k = #",
          "SELECT v FROM # WHERE k = # AND c >= # AND c < # LIMIT #",
          "SELECT v FROM # WHERE k IN (#, #, #) AND (c) > (#) PER PARTITION LIMIT #",
          "SELECT k, v FROM # WHERE (c) IN ((#), (#)) AND k = #",
          "SELECT k, c FROM # WHERE token(k) > # AND token(k) <= #",
          "SELECT k FROM # WHERE v = # AND m[#] = # ALLOW FILTERING",
          "SELECT k FROM # WHERE st CONTAINS # AND m CONTAINS KEY # ALLOW FILTERING",
          "SELECT k, # FROM # WHERE k = #",
          "SELECT k, v + 1 AS more, m['a'], (text) 'x' FROM # WHERE k = #",
          "SELECT k, mask_inner(#, 1, null), l[0], from FROM # WHERE k = # AND c = # LIMIT #",
          "SELECT \"from\", k FROM # WHERE k = #",
          "SELECT JSON v, (int) 5 FROM # WHERE k = # AND c > #",
          "SELECT k FROM # WHERE k = # GROUP BY k LIMIT #",
          "SELECT k, tu FROM # WHERE k = # AND tu = (#, [#]) ALLOW FILTERING",
          "SELECT k, tu FROM # WHERE k = # AND tu IN ((#, [#]), (#, null)) ALLOW FILTERING",
          "SELECT k, tk FROM # WHERE k = # AND (c) IN ((#), ((#)))",
          "INSERT INTO # (k, c, tu) VALUES (#, #, (#, [#, #]))",
          "INSERT INTO # (k, c, tu) VALUES (#, #, (#))",
          "INSERT INTO # (k, c, tu, u) VALUES (#, #, (#, null), (#, {#}))",
          "INSERT INTO # (k, c, tu) VALUES (#, #, (#, [#], #))",
          "UPDATE # SET tu = (#, []), v = (#) WHERE k = # AND c = #",
          "UPDATE # SET v = # WHERE k = # AND c = # IF tu = (#, [#])",
          "DELETE FROM # WHERE k = # AND c IN ((#), #)",
          "INSERT INTO # JSON '{\"k\": #, \"c\": #, \"v\": #}'",
          "INSERT INTO # JSON '{\"k\": #, \"c\": #, \"l\": [#, #], \"tu\": [#, null]}' DEFAULT"
              + " UNSET",
          "INSERT INTO # JSON '{\"k\": #, \"c\": #, \"u\": {\"a\": #}, \"m\": {\"1\": #}}' USING"
              + " TTL #",
          "INSERT INTO # JSON '{\"k\": #, \"v\": #}' IF NOT EXISTS",
          "INSERT INTO # JSON '{\"k\": #, \"c\": #, \"nosuch\": #}'",
          "INSERT INTO # JSON '{\"k\": #, \"c\": #, \"s\": #' USING TIMESTAMP #",
          "INSERT INTO # JSON #",
          "BEGIN BATCH INSERT INTO # JSON '{\"k\": #, \"c\": #, \"v\": #}'; INSERT INTO # JSON"
              + " '{\"k\": #, \"c\": #}' DEFAULT UNSET USING TTL #; APPLY BATCH",
          "SELECT count(*) FROM # WHERE k = # AND c = # LIMIT #");

  private static final List<String> CONSTANTS =
      List.of(
          "0",
          "1",
          "-1",
          "007",
          "-0",
          "127",
          "128",
          "-129",
          "32768",
          "2147483647",
          "2147483648",
          "-2147483649",
          "999999999999999999",
          "9223372036854775807",
          "9223372036854775808",
          "123456789012345678901234567890",
          "1.5",
          "-0.0",
          "1.25e3",
          "1.5e-45",
          "'a'",
          "''",
          "'b'",
          "'it''s'",
          "'\u00e9\u20ac'",
          "'\ud83d\ude00'",
          "'2024-02-29'",
          "'2023-02-29'",
          "'12:34:56.789'",
          "'2024-02-29T12:00:00Z'",
          "'now'",
          "'NOW'",
          "'127.0.0.1'",
          "'::1'",
          "'localhost'",
          "'1'",
          "0x",
          "0xab",
          "0xABC",
          "0x0102",
          "1d",
          "3h20m",
          "-2mo",
          "1y2us",
          "true",
          "FALSE",
          "null",
          "NaN",
          "-NaN",
          "Infinity",
          "50554d6e-29bb-11e5-b345-feff819cdc9f",
          "50554D6E-29BB-11E5-B345-FEFF819CDC9F",
          "12345678-1234-4234-8234-123456789abc",
          "P1Y2M",
          "(int)1",
          "1 + 1",
          "$$a$$");

  private static final List<List<String>> VALUES =
      List.of(
          List.of("'a'", "'b'", "''", "'it''s'", "'\u00e9'"),
          List.of("0", "1", "-1", "007", "9223372036854775807", "9223372036854775808"),
          List.of("0x", "0xab", "0xABCD", "0xABC"),
          List.of("true", "false"),
          List.of("'2024-02-29'", "'1970-01-01'", "0", "2147483648", "'2023-02-29'"),
          List.of("0", "1.50", "-1.5e3", "123456789012345678901234567890", "1.5"),
          List.of("0", "1.5", "-0.0", "NaN", "1.25e3", "-Infinity", "3"),
          List.of("1d", "3h20m", "-2mo", "P1Y2M", "0"),
          List.of("0", "1.5", "-0.0", "NaN", "1.25e3", "16777217"),
          List.of("'127.0.0.1'", "'::1'", "'localhost'", "''", "'x'"),
          List.of("0", "1", "-1", "2147483647", "2147483648", "-2147483648"),
          List.of("0", "1", "-32768", "32767", "32768"),
          List.of("'a'", "'b'", "''", "'it''s'", "'\u00e9\u20ac'", "'\ud83d\ude00'"),
          List.of("'12:34:56.789'", "0", "'25:00:00'", "86399999999999"),
          List.of("0", "-1", "'2024-02-29T12:00:00Z'", "'2024-02-29'", "'now'", "'x'"),
          List.of(
              "50554d6e-29bb-11e5-b345-feff819cdc9f",
              "50554D6E-29BB-11E5-B345-FEFF819CDC9F",
              "12345678-1234-4234-8234-123456789abc"),
          List.of("0", "1", "-128", "127", "128", "0x01", "0x0102"),
          List.of(
              "12345678-1234-4234-8234-123456789abc",
              "50554d6e-29bb-11e5-b345-feff819cdc9f",
              "DEADBEEF-1234-4234-8234-123456789ABC"),
          List.of("0", "1", "-1", "123456789012345678901234567890"));

  @RegisterExtension final Seeds seeds = Seeds.from(20);

  private final QueryFixture parsed = new QueryFixture();
  private final QueryFixture shaped =
      new QueryFixture(new StatementCache(false, new StatementPlanner(Guardrails.NONE)));

  private void define(String definition) {
    parsed.run(definition);
    shaped.run(definition);
  }

  private void createTables() {
    define(
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    define("USE ks");
    for (String type : TYPES) {
      String key = type.equals("duration") ? "text" : type;
      define("CREATE TYPE u_%s (a %s, b frozen<set<%s>>)".formatted(type, type, key));
      define(
          "CREATE TABLE t_%s (k %s, c %s, v %s, s %s static, l list<%s>, m map<%s, %s>, st set<%s>, f frozen<map<%s, list<%s>>>, u frozen<u_%s>, tu tuple<%s, frozen<list<%s>>>, PRIMARY KEY (k, c))"
              .formatted(
                  type, key, key, type, type, type, key, type, key, key, type, type, type, type));
    }
  }

  @Test
  void answersAreTheSame() {
    createTables();
    Random random = seeds.random();
    int asValues = 0;
    int succeeded = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String text = statement(random);
      int pageSize = random.nextInt(4) == 0 ? 1 : -1;
      String expected = answer(parsed, text, pageSize);
      assertEquals(expected, answer(shaped, text, pageSize), text);
      asValues += shaped.ranWithConstantsAsValues() ? 1 : 0;
      succeeded += expected.startsWith("ok") ? 1 : 0;
    }
    assertTrue(asValues > ROUNDS / 4, asValues + " statements ran with constants as values");
    assertTrue(succeeded > ROUNDS / 4, succeeded + " statements succeeded");
  }

  private static String statement(Random random) {
    int type = random.nextInt(TYPES.size());
    String text = STATEMENTS.get(random.nextInt(STATEMENTS.size()));
    boolean wild = random.nextInt(4) == 0;
    return CONSTANT
        .matcher(text)
        .replaceAll(
            match -> {
              String before = text.substring(0, match.start());
              if (before.endsWith("INTO ")
                  || before.endsWith("UPDATE ")
                  || before.endsWith("FROM ")) {
                return "t_" + TYPES.get(type);
              }
              List<String> constants =
                  wild && random.nextInt(4) == 0
                      ? CONSTANTS
                      : before.endsWith("TTL ")
                              || before.endsWith("TIMESTAMP ")
                              || before.endsWith("LIMIT ")
                              || before.contains("token")
                          ? List.of("1", "2", "1000", "0", "-5", "3000000000")
                          : VALUES.get(type);
              String constant = constants.get(random.nextInt(constants.size()));
              return Matcher.quoteReplacement(
                  text.lastIndexOf(" JSON '", match.start()) >= 0
                          && text.indexOf("'", match.start()) >= 0
                      ? json(constant, random)
                      : constant);
            });
  }

  /** A constant in a document, itself in quotes. */
  private static String json(String constant, Random random) {
    String text =
        constant.startsWith("'") ? constant.substring(1, constant.length() - 1) : constant;
    boolean bare = text.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?|true|false|null");
    return bare && random.nextInt(4) > 0 ? text : "\"" + text + "\"";
  }

  private static String answer(QueryFixture cql, String text, int pageSize) {
    QueryFixture.Answer answer = cql.tryRun(text, pageSize, null);
    if (answer.error() != null) {
      return answer.error() + " " + answer.warnings();
    }
    List<String> rows = new ArrayList<>();
    answer.rows().forEach(row -> row.forEach(value -> rows.add(hex(value))));
    ResultColumns columns = cql.columns();
    return "ok "
        + rows
        + answer.warnings()
        + hex(answer.pagingState())
        + (columns == null ? "" : hex(columns.id()));
  }

  private static String hex(byte @Nullable [] value) {
    return value == null ? "null" : HexFormat.of().formatHex(value);
  }

  @Test
  void documentsTuplesAndSelectionsDoNotPreventIt() {
    define(
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    shaped.run("CREATE TABLE ks.t (k int PRIMARY KEY, v int, t tuple<int, text>)");
    for (String form :
        List.of(
            "INSERT INTO ks.t JSON '{\"k\": #, \"v\": 5}'",
            "INSERT INTO ks.t JSON '{\"k\": #, \"t\": [#, \"a\"]}' DEFAULT UNSET USING TTL #",
            "INSERT INTO ks.t (k, t) VALUES (#, (#, 'b'))",
            "SELECT v + 1 AS more, (int) 5, (text) 'a' FROM ks.t WHERE k = #",
            "BEGIN BATCH INSERT INTO ks.t JSON '{\"k\": #}'; DELETE FROM ks.t WHERE k = #; APPLY"
                + " BATCH")) {
      for (int i = 1; i <= 3; i++) {
        shaped.run(form.replace("#", Integer.toString(i)));
      }
      assertTrue(shaped.ranWithConstantsAsValues(), form);
    }
    shaped.run("INSERT INTO ks.t JSON '{\"k\": 4, \"t\": [6, \"c\"]}'");
    assertEquals("0000000400000006" + "0000000163", tupleOf(4));
    assertEquals(
        "Error decoding JSON value for v: Unable to make int from 'x'",
        error("INSERT INTO ks.t JSON '{\"k\": 1, \"v\": \"x\"}'"));
    assertFalse(shaped.ranWithConstantsAsValues());
    assertEquals(
        "Invalid null value in condition for column k",
        error("INSERT INTO ks.t JSON '{\"v\": 1}'"));
  }

  @Test
  void schemaChangesBetweenTwoRunsOfAShape() {
    define(
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    shaped.run("CREATE TABLE ks.t (k int PRIMARY KEY, v int)");
    shaped.run("INSERT INTO ks.t (k, v) VALUES (1, 10)");
    assertTrue(shaped.ranWithConstantsAsValues());
    shaped.run("ALTER TABLE ks.t ADD w text");
    assertEquals("1 10 null", shaped.run("SELECT * FROM ks.t WHERE k = 1").text());
    shaped.run("INSERT INTO ks.t (k, v) VALUES (1, 11)");
    assertEquals("1 11 null", shaped.run("SELECT * FROM ks.t WHERE k = 1").text());
    shaped.run("DROP TABLE ks.t");
    assertEquals("table t does not exist", error("SELECT * FROM ks.t WHERE k = 1"));
    shaped.run("CREATE TABLE ks.t (k text PRIMARY KEY, v text)");
    assertEquals(
        "Invalid INTEGER constant (11) for \"v\" of type text",
        error("INSERT INTO ks.t (k, v) VALUES (1, 11)"));
    assertFalse(shaped.ranWithConstantsAsValues());
  }

  private String tupleOf(int k) {
    QueryFixture.Answer answer = shaped.tryRun("SELECT t FROM ks.t WHERE k = " + k, -1, null);
    return hex(answer.rows().getFirst().getFirst());
  }

  private String error(String text) {
    CqlError error = shaped.tryRun(text, -1, null).error();
    return error == null ? "no error" : error.message();
  }
}
