package io.helenus.cql.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Nesting depth is bounded: deeply nested brackets, signs or types yield an error, not a stack
 * overflow.
 */
class NestingTest {
  private static final int FAR_TOO_DEEP = 100_000;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          INSERT INTO t (a) VALUES ( | [       | 1)
          INSERT INTO t (a) VALUES ( | (       | 1)
          INSERT INTO t (a) VALUES ( | {       | 1)
          INSERT INTO t (a) VALUES ( | {1:     | 1)
          INSERT INTO t (a) VALUES ( | {a:     | 1)
          INSERT INTO t (a) VALUES ( | f(      | 1)
          INSERT INTO t (a) VALUES ( | (int)   | 1)
          INSERT INTO t (a) VALUES ( | 1 +     | 1)
          INSERT INTO t (a) VALUES ( | CAST(   | 1)
          SELECT                     | (       | a FROM t
          SELECT                     | [       | a FROM t
          SELECT                     | {       | a FROM t
          SELECT                     | f(      | a FROM t
          SELECT                     | - -     | a FROM t
          SELECT                     | (int)   | a FROM t
          SELECT                     | (a)[    | a FROM t
          SELECT                     | a *     | a FROM t
          SELECT                     | a - -   | a FROM t
          SELECT a                   | .b      | FROM t
          SELECT a                   | [0]     | FROM t
          SELECT * FROM t WHERE      | (       | a = 1
          CREATE TABLE t (a          | list<   | int)
          CREATE TABLE t (a          | frozen< | int)
          """)
  void aTextThatNestsTooDeeplyIsRefused(String head, String repeated, String tail) {
    String text = head + " " + (repeated + " ").repeat(FAR_TOO_DEEP) + tail;
    CqlSyntaxException error =
        assertThrows(
            CqlSyntaxException.class, () -> assertFalse(CqlParser.parse(text).feature().isEmpty()));
    assertEquals(CqlSyntaxException.Code.SYNTAX, error.code());
    assertTrue(error.getMessage().length() < 1000, error::getMessage);
  }

  @Test
  void realisticStatementsAreNotTooDeep() {
    assertEquals(
        "INSERT",
        CqlParser.parse("INSERT INTO t (a) VALUES (" + "[".repeat(100) + "]".repeat(100) + ")")
            .feature());
    assertEquals("SELECT", CqlParser.parse("SELECT a" + " + a".repeat(300) + " FROM t").feature());
    assertEquals(
        "CREATE TABLE",
        CqlParser.parse("CREATE TABLE t (a " + "list<".repeat(200) + "int" + ">".repeat(200) + ")")
            .feature());
  }

  @Test
  void lengthAloneIsNotDepth() {
    assertEquals(
        "SELECT",
        CqlParser.parse(
                "SELECT a"
                    + ", a".repeat(20_000)
                    + " FROM t WHERE k IN (1"
                    + ", 1".repeat(20_000)
                    + ")")
            .feature());
    assertEquals(
        "BATCH",
        CqlParser.parse(
                "BEGIN BATCH " + "INSERT INTO t (a) VALUES (1 + 2);".repeat(2_000) + " APPLY BATCH")
            .feature());
  }
}
