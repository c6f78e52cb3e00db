package io.helenus.cql.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.cql.ast.BatchStatement;
import io.helenus.cql.ast.ExplainStatement;
import io.helenus.cql.ast.ModificationStatement;
import io.helenus.cql.ast.SelectStatement;
import org.junit.jupiter.api.Test;

class ExplainTest {
  private static ExplainStatement parse(String text) {
    return (ExplainStatement) CqlParser.parse(text, true);
  }

  @Test
  void whatReadsAndWritesRowsCanBeExplained() {
    ExplainStatement select = parse("EXPLAIN SELECT * FROM t WHERE k = ? AND c = ?;");
    assertEquals(CqlParser.parse("SELECT * FROM t WHERE k = ? AND c = ?"), select.explained());
    assertEquals(2, select.bindMarkers().size());
    assertFalse(select.analyze() || select.json());
    assertInstanceOf(
        ModificationStatement.Insert.class,
        parse("explain INSERT INTO t (k) VALUES (1)").explained());
    assertInstanceOf(
        ModificationStatement.Update.class,
        parse("EXPLAIN UPDATE t SET v = 1 WHERE k = 1").explained());
    assertInstanceOf(
        ModificationStatement.Delete.class, parse("EXPLAIN DELETE FROM t WHERE k = 1").explained());
    assertInstanceOf(
        BatchStatement.class,
        parse("EXPLAIN BEGIN BATCH DELETE FROM t WHERE k = 1 APPLY BATCH").explained());
  }

  @Test
  void analyzeAndJsonMayBeGivenInAnyOrder() {
    assertTrue(parse("EXPLAIN ANALYZE SELECT * FROM t").analyze());
    assertTrue(parse("EXPLAIN JSON SELECT * FROM t").json());
    ExplainStatement both = parse("EXPLAIN JSON Analyze SELECT JSON * FROM t");
    assertTrue(both.analyze() && both.json());
    assertTrue(((SelectStatement) both.explained()).json());
  }

  @Test
  void itsWordsAreNames() {
    String text = "SELECT explain, analyze, json FROM explain.analyze WHERE explain = 1";
    assertEquals(CqlParser.parse(text), CqlParser.parse(text, true));
  }

  @Test
  void nothingElseIsExplainedAndNothingWithoutExtensions() {
    for (String wrong :
        new String[] {
          "EXPLAIN", "EXPLAIN TRUNCATE t", "EXPLAIN EXPLAIN SELECT * FROM t", "EXPLAIN USE k"
        }) {
      assertThrows(CqlSyntaxException.class, () -> CqlParser.parse(wrong, true), wrong);
    }
    assertThrows(CqlSyntaxException.class, () -> CqlParser.parse("EXPLAIN SELECT * FROM t"));
  }
}
