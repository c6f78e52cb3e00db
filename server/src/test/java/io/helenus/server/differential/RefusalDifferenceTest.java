package io.helenus.server.differential;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalDifferenceTest {
  @Test
  void indexesOfADroppedColumnAreNamedInAnyOrder() {
    String head = "! 2200 Cannot drop column v because it has dependent secondary indexes ";
    String drop = "ALTER TABLE t DROP v";
    assertTrue(
        new RefusalDifference(drop, List.of(head + "(a, b)"), List.of(head + "(b, a)"))
            .isAllowed());
    assertFalse(
        new RefusalDifference(drop, List.of(head + "(a, b)"), List.of(head + "(b, c)"))
            .isAllowed());
    assertFalse(
        new RefusalDifference(drop, List.of(head + "(a)"), List.of(head + "(a, b)")).isAllowed());
  }

  @Test
  void aVectorInACollectionIsAlreadySoughtInVainWhenPrepared() {
    String select = "SELECT * FROM t WHERE v CONTAINS ?";
    String needed =
        "! 2200 Use of ANN OF in an ORDER BY clause requires a LIMIT that is not greater than 1000."
            + " LIMIT was 2147483647";
    List<String> executed = List.of("> prepared ks.t: value(v)", "> with 0x01", needed);
    List<String> row = List.of("> prepared ks.t: value(v)", "> ks.t: k int", "> 1", needed);
    assertTrue(isAllowed(select, executed, List.of(needed)));
    assertTrue(isAllowed(select, "! 2200 Unsupported null value for column v", needed));
    assertFalse(isAllowed(select, row, List.of(needed)));
    assertFalse(isAllowed(select, executed, List.of("! 2200 no")));
    assertFalse(isAllowed("DELETE FROM t WHERE k = ?", executed, List.of(needed)));
  }

  @Test
  void columnsThatAViewMustNotRestrictAreNamedInAnyOrder() {
    String refused =
        "! 2200 Non-primary key columns can only be restricted with 'IS NOT NULL' (got: %s"
            + " restricted illegally)";
    String create = "CREATE MATERIALIZED VIEW m AS SELECT p FROM t WHERE b = 1 AND a = 1";
    assertTrue(isAllowed(create, refused.formatted("b,a"), refused.formatted("a,b")));
    assertFalse(isAllowed(create, refused.formatted("b,a"), refused.formatted("a,c")));
    assertFalse(isAllowed(create, refused.formatted("b"), refused.formatted("a,b")));
  }

  private static boolean isAllowed(String statement, List<String> reference, List<String> subject) {
    return new RefusalDifference(statement, reference, subject).isAllowed();
  }

  private static boolean isAllowed(String statement, String reference, String subject) {
    return isAllowed(statement, List.of(reference), List.of(subject));
  }

  @Test
  void theLevelOfAReadThatFindsNothingMayBeUnchecked() {
    String select = "SELECT c1 FROM t0 WHERE p0 = ?";
    List<String> level =
        List.of("> prepared ks.t0: c1 int", "! 1000 Cannot achieve consistency level TWO [TWO]");
    List<String> nothing = List.of("> prepared ks.t0: c1 int", "> ks.t0: c1 int");
    List<String> row = List.of("> prepared ks.t0: c1 int", "> ks.t0: c1 int", "> 1");
    assertTrue(isAllowed(select, nothing, level));
    assertTrue(isAllowed(select, List.of("> ks.t0: count bigint | sum(v) int", "> 0 | 0"), level));
    assertFalse(isAllowed(select, level, nothing));
    assertFalse(isAllowed("SELECT c1 FROM t0 WHERE c1 IN ? ALLOW FILTERING", nothing, level));
    assertFalse(isAllowed(select, row, level));
    assertFalse(isAllowed("DELETE FROM t0 WHERE p = 1", nothing, level));
    assertFalse(isAllowed(select, nothing, List.of("! 2200 no")));
  }

  @Test
  void aVectorInACollectionMayBeNamed() {
    String list = "! 2200 Not enough bytes to read a list";
    String vector = "! 2200 Not enough bytes to read a vector<tinyint, 2>";
    assertTrue(isAllowed("SELECT", list, vector));
    assertFalse(isAllowed("SELECT", vector, list));
    assertFalse(isAllowed("SELECT", "! 2200 Not enough bytes to read a tuple", vector));
    assertFalse(isAllowed("SELECT", list, "> done"));
  }

  @Test
  void aSemicolonAfterASelectionMayBeNamed() {
    String there = "! 2000 line 1:8 mismatched input '[' expecting K_FROM (SELECT v[[]1]...)";
    String here = "! 2000 line 1:11 mismatched input ';' expecting K_FROM (SELECT v[1][;])";
    assertTrue(isAllowed("SELECT v[1];", there, here));
    assertFalse(isAllowed("SELECT v[1];", here, there));
    assertFalse(isAllowed("SELECT v[1];", there, here.replace("';'", "'x'")));
  }

  @Test
  void ofAMistakeOfSyntaxAndANumberEitherMayBeNamed() {
    String syntax = "! 2000 line 1:12 no viable alternative at input 'cast' (SELECT [cast]...)";
    String number =
        "! 2000 Failed parsing statement: [SELECT] reason: NumberFormatException Character I";
    assertTrue(isAllowed("SELECT", syntax, number));
    assertFalse(isAllowed("SELECT", number, syntax));
    assertFalse(isAllowed("SELECT", "! 2200 no", number));
    assertFalse(isAllowed("SELECT", syntax, number.replace("NumberFormat", "NullPointer")));
  }

  @Test
  void theDigitsOfATinyintInAKeyAreCountedInConditionalWritesToo() {
    String insert = "INSERT INTO t (p, q) VALUES (0x0102, 'a') IF NOT EXISTS";
    String refused = "! 2200 Expected 1 byte for a tinyint (2)";
    assertTrue(isAllowed(insert, "> True", refused));
    assertTrue(isAllowed("UPDATE t SET v = 1 WHERE p =0x IF v = 1", "> True", refused));
    assertTrue(isAllowed("UPDATE t SET v = 1 WHERE p IN (0x01, 0x0102)", "> done", refused));
    assertFalse(isAllowed("UPDATE t SET v = 1 WHERE p IN (1, 2)", "> done", refused));
    assertFalse(isAllowed(insert, "! 2200 no", refused));
    assertFalse(isAllowed(insert, refused, "> True"));
    assertFalse(isAllowed("INSERT INTO t (p) VALUES (0x0102)", "> done", refused));
    assertFalse(isAllowed("INSERT INTO t (p) VALUES (1) IF NOT EXISTS", "> True", refused));
  }

  @Test
  void aMapInBracesMayBeOfColumnsThatAreNotStatic() {
    String select = "SELECT mask_replace(s, {1: v}) FROM t WHERE p = 1 AND c = 1";
    String refused = "! 2200 Cannot restrict clustering columns when selecting only static columns";
    assertTrue(isAllowed(select, refused, "> ks.t: system.mask_replace(s, {1: v}) map<int, int>"));
    assertFalse(isAllowed(select, "> ks.t: s int", refused));
    assertFalse(isAllowed(select, refused, "! 2200 no"));
    assertFalse(isAllowed("SELECT s FROM t WHERE c = {1: 1}", refused, "> ks.t: s int"));
  }

  @Test
  void whatAViewSelectsBesidesColumnsIsNamedOtherwise() {
    String names = "! 2200 Can only select columns by name when defining a materialized view (got ";
    String aliases = "! 2200 Cannot use aliases when defining a materialized view (got ";
    String there = "org.apache.cassandra.cql3.selection.Selectable$WithFunction$Raw@1f6e863)";
    String create = "CREATE MATERIALIZED VIEW m AS SELECT count(*) FROM t PRIMARY KEY (p)";
    assertTrue(isAllowed(create, names + there, names + "CountRows)"));
    assertTrue(isAllowed(create, aliases + there, aliases + "CountRows)"));
    assertFalse(isAllowed(create, names + there, aliases + "CountRows)"));
    assertFalse(isAllowed(create, names + "v[0])", names + "v[1])"));
    assertFalse(isAllowed(create, names + there, "> CREATED TABLE ks.m"));
  }

  @Test
  void anEmptyValueInTuplesIsUnsetInCassandra() {
    String select = "SELECT * FROM t WHERE p = 1 AND (a, b) IN (('x', 'y'), ('x', '')) AND c = 1";
    String unset = "! 2200 Invalid unset value for column c";
    assertTrue(isAllowed(select, unset, "> ks.t: p int"));
    assertFalse(isAllowed(select, "> ks.t: p int", unset));
    assertFalse(isAllowed(select, unset, "! 2200 no"));
    assertFalse(isAllowed(select, "> ks.t: p int", "> ks.t: p text"));
    assertFalse(isAllowed("SELECT * FROM t WHERE p IN (1, 2)", unset, "> ks.t: p int"));
    String bound = "SELECT * FROM t WHERE p = 1 AND (a, b) IN ((?, ?)) AND c = ?";
    List<String> here = List.of("> with 'x', unset, 1", "> ks.t: p int");
    List<String> there = List.of("> with 'x', unset, 1", unset);
    assertFalse(new RefusalDifference(bound, there, here).isAllowed());
  }
}
