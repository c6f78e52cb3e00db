package io.helenus.server.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.conformance.Script;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class OrderOfMistakesTest {
  private static final String UNKNOWN = "! 2200 Undefined column name nosuch in table ks.t";
  private static final String CAST = "! 2200 c cannot be cast to inet";
  private static final String ORDER = "! 2200 ORDER BY is only supported when …";
  private static final String VALUE = "! 2200 Expected 4 or 0 byte int (1)";
  private static final String NULL = "! 2200 Invalid null value in condition for column c";

  private final List<String> sent = new ArrayList<>();

  /** Refuses a statement for the first of its mistakes, each of which is a part of its text. */
  private Function<Script.Statement, List<String>> server(SequencedMap<String, String> mistakes) {
    return statement -> {
      String text =
          String.join("\n", statement.directives()) + String.join("\n", statement.lines());
      sent.add(text);
      for (Map.Entry<String, String> each : mistakes.entrySet()) {
        boolean negated = each.getKey().startsWith("no ");
        if (text.contains(negated ? each.getKey().substring(3) : each.getKey()) != negated) {
          return List.of(each.getValue().split("\n"));
        }
      }
      return List.of("> done");
    };
  }

  private static OrderOfMistakes order(
      Function<Script.Statement, List<String>> reference,
      Function<Script.Statement, List<String>> subject) {
    return new OrderOfMistakes(
        statement -> new ServerPair.Answers(reference.apply(statement), subject.apply(statement)));
  }

  private static SequencedMap<String, String> mistakes(String... keysAndTexts) {
    SequencedMap<String, String> mistakes = new LinkedHashMap<>();
    for (int i = 0; i < keysAndTexts.length; i += 2) {
      mistakes.put(keysAndTexts[i], keysAndTexts[i + 1]);
    }
    return mistakes;
  }

  private static Script.Statement statement(String text, String... directives) {
    return new Script.Statement(1, List.of(directives), List.of(text.split("\n", -1)), List.of());
  }

  private boolean explains(
      Script.Statement statement,
      SequencedMap<String, String> reference,
      SequencedMap<String, String> subject)
      throws IOException {
    Function<Script.Statement, List<String>> expected = server(reference);
    Function<Script.Statement, List<String>> actual = server(subject);
    Difference difference =
        new Difference(statement, expected.apply(statement), actual.apply(statement));
    return order(expected, actual).explains(difference);
  }

  @Test
  void twoMistakesAreNamedInAnyOrder() throws IOException {
    Script.Statement select = statement("SELECT cast(c AS inet), nosuch FROM t ORDER BY d");
    SequencedMap<String, String> there = mistakes("cast", CAST, "nosuch", UNKNOWN);
    SequencedMap<String, String> here = mistakes("nosuch", UNKNOWN, "cast", CAST);
    assertTrue(explains(select, there, here));
    assertTrue(explains(select, here, there));
    assertTrue(
        explains(
            select,
            mistakes("cast", CAST, "ORDER", ORDER),
            mistakes("ORDER", ORDER, "cast", CAST)));
  }

  @Test
  void aMistakeThatOnlyOneServerKnowsIsADifference() throws IOException {
    Script.Statement select = statement("SELECT cast(c AS inet), nosuch FROM t");
    SequencedMap<String, String> both = mistakes("cast", CAST, "nosuch", UNKNOWN);
    assertFalse(explains(select, both, mistakes("nosuch", UNKNOWN)));
    assertFalse(
        explains(select, mistakes("cast", CAST), mistakes("nosuch", UNKNOWN, "cast", CAST)));
  }

  @Test
  void aWrongTextIsADifference() throws IOException {
    Script.Statement select = statement("SELECT cast(c AS inet), nosuch FROM t");
    SequencedMap<String, String> there = mistakes("cast", CAST, "nosuch", UNKNOWN);
    String other = "! 2200 Undefined column name \"nosuch\" in table ks.t";
    assertFalse(explains(select, there, mistakes("nosuch", other, "cast", CAST)));
    String code = UNKNOWN.replace("2200", "2300");
    assertFalse(explains(select, there, mistakes("nosuch", code, "cast", CAST)));
    assertFalse(explains(select, there, mistakes()));
  }

  @Test
  void eitherOfTwoConflictingColumnsIsNamed() throws IOException {
    Script.Statement select =
        statement("SELECT a FROM t WHERE a < 1 AND b < 2 AND (a, b) IN ((1, 2)) ALLOW FILTERING");
    String text =
        "! 2200 Column \"%s\" cannot be restricted by both an equality and an inequality relation";
    SequencedMap<String, String> there =
        mistakes("a <", text.formatted("a"), "b <", text.formatted("b"));
    assertTrue(explains(select, there, there.reversed()));
    assertFalse(explains(select, there, mistakes("b <", text.formatted("b"))));
  }

  @Test
  void aListIsReadBeforeLaterStatementsOfABatch() throws IOException {
    Script.Statement batch =
        statement(
            "BEGIN BATCH DELETE v[0] FROM t WHERE k = 1; INSERT INTO t (k) VALUES (f('')); APPLY"
                + " BATCH");
    String list = "! 2200 Attempted to delete an element from a list which is null";
    String function = "! 1400 failed [system.f[text]]";
    SequencedMap<String, String> there = mistakes("v[0]", list, "f('')", function);
    assertTrue(explains(batch, there, there.reversed()));
    assertFalse(explains(batch, there.reversed(), there));
    assertFalse(explains(batch, there, mistakes("f('')", function)));
  }

  @Test
  void aListThatCassandraReadsOnlyAloneIsTooShortEitherWay() throws IOException {
    Script.Statement batch =
        statement(
            "BEGIN BATCH DELETE v[0] FROM t WHERE k = 1; UPDATE t SET a = f('') WHERE k = 1 IF a ="
                + " 1; APPLY BATCH");
    String unread = "! 2200 Attempted to delete an element from a list which is null";
    String read = "! 2200 List index 0 out of bound, list has size 0";
    String function = "! 1400 failed [system.f[text]]";
    SequencedMap<String, String> there =
        mistakes("v[0] FROM t WHERE k = 1; UPDATE", unread, "v[0]", read, "f('')", function);
    assertTrue(explains(batch, there, mistakes("f('')", function, "v[0]", read)));
    assertFalse(explains(batch, there, mistakes("f('')", function, "v[0]", VALUE)));
    SequencedMap<String, String> tooShort =
        mistakes("v[0] FROM t WHERE k = 1; UPDATE", read, "v[0]", unread, "f('')", function);
    assertFalse(explains(batch, tooShort, mistakes("f('')", function, "v[0]", unread)));
  }

  @Test
  void aCalculationThatOnlyTheReferenceRefusesHidesAnotherMistake() throws IOException {
    Script.Statement delete = statement("DELETE v FROM t WHERE p0 <= 1 AND c1 = -1.0 + 1");
    String ambiguous =
        "! 2200 Ambiguous '+' operation with args -1.0 and 1: use type hint to disambiguate";
    String range = "! 2200 Only EQ and IN relation are supported on the partition key";
    SequencedMap<String, String> there = mistakes("+ 1", ambiguous, "<=", range);
    assertTrue(explains(delete, there, mistakes("<=", range)));
    assertFalse(explains(delete, mistakes("+ 1", ambiguous), mistakes("<=", range)));
    Script.Statement regular = statement("DELETE v FROM t WHERE p0 <= 1 AND v1 = -1.0 + 1");
    assertFalse(explains(regular, there, mistakes("<=", range)));
    Script.Statement rest =
        statement("DELETE v FROM t WHERE p = 1 AND c1 = -1.0 + 1 AND c2 = NULL");
    String none = "! 2200 Invalid null value in condition for column c2";
    SequencedMap<String, String> here = mistakes("NULL", none);
    assertTrue(explains(rest, mistakes("+ 1", ambiguous, "NULL", none), here));
    assertFalse(explains(rest, mistakes("+ 1", ambiguous), here));
  }

  @Test
  void aStatementOfABatchMayBeRefusedWhenItIsPrepared() throws IOException {
    Script.Statement batch =
        statement(
            "BATCH\n  DELETE FROM t WHERE k = 1 IF v = 1\n  UPDATE t SET v = ? WHERE k = 1 AND c1 ="
                + " 1 + 1 @bind 1",
            "batch logged");
    String ambiguous =
        "! 2200 Ambiguous '+' operation with args 1 and 1: use type hint to disambiguate";
    String rows = "! 2200 DELETE statements must restrict all PRIMARY KEY columns";
    SequencedMap<String, String> there =
        mistakes("+ 1", "> not prepared\n" + ambiguous, "DELETE", rows);
    assertTrue(explains(batch, there, mistakes("DELETE", rows)));
    assertFalse(explains(batch, mistakes("+ 1", ambiguous), mistakes("DELETE", rows)));
  }

  @Test
  void aMistakeInOneOfManySelectorsIsFound() throws IOException {
    Script.Statement select = statement("SELECT a, b, c, wrong, d FROM t ORDER BY c1");
    SequencedMap<String, String> there =
        mistakes("wrong", "! 2200 wrong", "ORDER", "! 2200 unordered");
    assertTrue(explains(select, there, there.reversed()));
  }

  @Test
  void aMistakeThatAReductionMakesIsNoProof() throws IOException {
    Script.Statement select =
        statement("SELECT cast(c AS inet), v FROM t WHERE p = 1 AND nosuch = 2");
    String missing = "! 2200 Some partition key parts are missing: p";
    SequencedMap<String, String> there = mistakes("cast", CAST, "no p =", missing);
    // the subject names the part although it is there
    assertFalse(explains(select, there, mistakes("t", missing)));
    SequencedMap<String, String> here =
        mistakes("WHERE p = 1 AND", missing, "no p =", missing, "cast", CAST);
    assertFalse(explains(select, there, here));
    Script.Statement filtering = statement("SELECT nosuch, v FROM t WHERE v = 1 ALLOW FILTERING");
    String needed = "! 2200 Cannot execute this query as it might involve data filtering";
    assertFalse(
        explains(
            filtering,
            mistakes("nosuch", UNKNOWN, "no FILTERING", needed),
            mistakes("v = 1 ALLOW", needed, "no FILTERING", needed, "nosuch", UNKNOWN)));
  }

  @Test
  void syntaxErrorsAndDefinitionsAreNotReduced() throws IOException {
    Script.Statement select = statement("SELECT a, nosuch FROM t");
    SequencedMap<String, String> syntax =
        mistakes("a,", "! 2000 line 1:7 no", "nosuch", "! 2000 line 1:10 no");
    assertFalse(explains(select, syntax, syntax.reversed()));
    Script.Statement create = statement("CREATE TABLE t (a int, a int, nosuch int)");
    SequencedMap<String, String> two = mistakes("a int", CAST, "nosuch", UNKNOWN);
    sent.clear();
    assertFalse(explains(create, two, two.reversed()));
    assertEquals(2, sent.size());
  }

  @Test
  void mistakesOfValuesAreFoundWithMarkersInTheirPlace() throws IOException {
    Script.Statement distinct =
        statement("SELECT DISTINCT p FROM t WHERE c IN (({f: [1]}))", "bind", "page 2");
    String statics = "! 2200 Cannot restrict clustering columns when …";
    SequencedMap<String, String> there = mistakes("{f", VALUE, "DISTINCT", statics);
    assertTrue(explains(distinct, there, there.reversed()));
    assertTrue(
        sent.stream().anyMatch(each -> each.matches("(?s).*prepare.*c IN \\?.*")), sent.toString());
  }

  @Test
  void theValuesOfOmittedMarkersAreOmitted() throws IOException {
    Script.Statement insert =
        statement("INSERT INTO t (a, nosuch, c) VALUES (?, :m2, ?)", "bind 1, [2, 'x, y'], (3, 4)");
    SequencedMap<String, String> there = mistakes("nosuch", UNKNOWN, "(3, 4)", NULL);
    assertTrue(explains(insert, there, there.reversed()));
    assertTrue(
        sent.stream()
            .anyMatch(each -> each.matches("(?s)bind 1, \\(3, 4\\)INSERT INTO t \\(a, c\\).*")),
        sent.toString());
  }

  @Test
  void membersOfAJsonDocumentAreOmitted() throws IOException {
    Script.Statement insert =
        statement("INSERT INTO t JSON '{\"k\": \"a, \\\"b\", \"v\": [1, {\"x\": 2}], \"w\": 3}'");
    SequencedMap<String, String> there = mistakes("\"v\"", VALUE, "\"w\"", UNKNOWN);
    assertTrue(explains(insert, there, there.reversed()));
    assertTrue(
        sent.contains("INSERT INTO t JSON '{\"k\": \"a, \\\"b\", \"w\": 3}'"), sent.toString());
    SequencedMap<String, String> ofOmittedKey = mistakes("no \"k\"", NULL, "\"w\"", UNKNOWN);
    Function<Script.Statement, List<String>> server = server(ofOmittedKey);
    Difference wrong = new Difference(insert, List.of(UNKNOWN), List.of(NULL));
    assertFalse(order(server, server).explains(wrong));
  }

  @Test
  void argumentsAndElementsOfSelectorsAreSimplified() {
    List<String> reduced =
        Reductions.of(statement("SELECT max(s[-1d]), f(a, b) FROM t")).stream()
            .map(each -> each.statement().text().replace("( ", "("))
            .toList();
    for (String selection :
        List.of("s[-1d], f(a, b)", "max(s[?]), f(a, b)", "max(s[-1d]), a", "max(s[-1d]), b")) {
      assertTrue(reduced.contains("SELECT " + selection + " FROM t"), reduced.toString());
    }
  }

  @Test
  void eachExecutionIsProvenByItself() throws IOException {
    Script.Statement update =
        statement("UPDATE t SET nosuch = ?, c = ? WHERE k = 1", "bind 1, 2", "bind 3, 9");
    Function<Script.Statement, List<String>> server =
        server(mistakes("bind 1", NULL, "bind 3", UNKNOWN, "bind 9", VALUE, "bind 2", VALUE));
    Difference difference =
        new Difference(
            update,
            List.of("> with 1, 2", NULL, "> with 3, 9", UNKNOWN),
            List.of("> with 1, 2", NULL, "> with 3, 9", VALUE));
    // c = ? alone has the mistake in both, but the other one disappears with it
    assertTrue(order(server, server).explains(difference));
    Difference ofOther =
        new Difference(
            update,
            List.of("> with 1, 2", VALUE, "> with 3, 9", UNKNOWN),
            List.of("> with 1, 2", VALUE, "> with 3, 9", NULL));
    assertFalse(order(server, server).explains(ofOther));
  }

  @Test
  void statementsOfABatchAreOmitted() throws IOException {
    Script.Statement message =
        statement(
            "BATCH\n"
                + "  DELETE v[1] FROM t WHERE k = 1\n"
                + "  UPDATE t SET v[?] = 1 WHERE k = ? @bind 5, 7",
            "batch logged");
    SequencedMap<String, String> there = mistakes("DELETE", NULL, "v[", VALUE);
    assertTrue(explains(message, there, mistakes("UPDATE", VALUE, "DELETE", NULL)));
    Script.Statement text =
        statement(
            "BEGIN BATCH DELETE v[1] FROM t WHERE k = 1; UPDATE t SET v[0] = 1 WHERE k = 2 APPLY"
                + " BATCH");
    assertTrue(explains(text, there, mistakes("UPDATE", VALUE, "DELETE", NULL)));
  }

  @Test
  void theFormOfJsonFunctionsIsIgnored() throws IOException {
    String list = "! 2200 Attempted to set an element on a list which is null";
    String there = "! 1400 no [system.fromjson[text]]";
    String here = "! 1400 no [system.from_json[text]]";
    Script.Statement update = statement("UPDATE t SET v[?] = 1, w = fromJson('') WHERE k = 1");
    assertTrue(
        explains(
            update,
            mistakes("v[", list, "fromJson", there),
            mistakes("fromJson", here, "v[", list)));
  }

  @Test
  void aMistakeThatOnlyTheReferenceSeesIsExcusedIfThatIsDeliberate() throws IOException {
    Script.Statement select = statement("SELECT cast(c AS inet), v FROM t ORDER BY d");
    SequencedMap<String, String> there = mistakes("cast", CAST, "ORDER", ORDER);
    // a DESC column of type inet: the subject casts it to its own type
    SequencedMap<String, String> here = mistakes("ORDER", ORDER, "cast", "> ks.t: c inet | v int");
    assertTrue(explains(select, there, here));
    SequencedMap<String, String> otherwise = mistakes("ORDER", ORDER, "cast", "> ks.t: c int");
    assertFalse(explains(select, there, otherwise));
  }

  @Test
  void aMistakeThatIsAnExceptionInTheReferenceIsExcusedToo() throws IOException {
    Script.Statement select = statement("SELECT nosuch, c FROM t LIMIT ?", "values int empty");
    String limit = "! 2200 Invalid null value of limit";
    assertTrue(
        explains(
            select,
            mistakes("nosuch", UNKNOWN, "LIMIT ?", "! 0000 java.lang.NullPointerException"),
            mistakes("LIMIT ?", limit, "nosuch", UNKNOWN)));
    assertFalse(
        explains(
            select, mistakes("nosuch", UNKNOWN), mistakes("LIMIT ?", limit, "nosuch", UNKNOWN)));
  }

  @Test
  void anAcceptedReductionOfAModificationIsReported() throws IOException {
    SequencedMap<String, String> there = mistakes("nosuch", UNKNOWN, "cast", CAST);
    Function<Script.Statement, List<String>> server = server(there);
    OrderOfMistakes order = order(server, server);
    Script.Statement select = statement("SELECT nosuch, v FROM t");
    assertFalse(order.explains(new Difference(select, List.of(UNKNOWN), List.of(CAST))));
    assertFalse(order.takeRowsWritten());
    Script.Statement update = statement("UPDATE t SET nosuch = 1, v = 1 WHERE k = 1");
    assertFalse(order.explains(new Difference(update, List.of(UNKNOWN), List.of(CAST))));
    assertTrue(order.takeRowsWritten());
    assertFalse(order.takeRowsWritten());
  }

  @Test
  void everyPartOfAStatementIsOmitted() {
    List<String> reduced =
        Reductions.of(
                statement(
                    "SELECT JSON a, max(b, c) AS d FROM t WHERE (p, c) > (1, 2) AND v IN (1, 2)"
                        + " GROUP BY a PER PARTITION LIMIT 1 LIMIT 2 ALLOW FILTERING",
                    "consistency TWO"))
            .stream()
            .map(each -> String.join(" ", each.statement().lines()).replaceAll("\\s+", " "))
            .toList();
    for (String part :
        List.of(
            "SELECT a, max(b, c) AS d FROM",
            "SELECT JSON a FROM",
            "SELECT JSON max(b, c) AS d FROM",
            "FROM t GROUP",
            "WHERE (p, c) > (1, 2) GROUP",
            "WHERE v IN (1, 2) GROUP",
            "WHERE p > 1 AND",
            "WHERE c > 2 AND",
            "WHERE (p, c) > ? AND",
            "v IN (2 ) GROUP",
            "v IN ? GROUP",
            "(1, 2) PER PARTITION",
            "GROUP BY a LIMIT 2",
            "LIMIT 1 ALLOW")) {
      assertTrue(
          reduced.stream().anyMatch(each -> normal(each).contains(normal(part))),
          part.toLowerCase(Locale.ROOT) + " is not in " + String.join("\n", reduced));
    }
  }

  private static String normal(String text) {
    return text.replaceAll("\\s+(?=[,)])|(?<=\\()\\s+", "").replaceAll("\\s+", " ");
  }
}
