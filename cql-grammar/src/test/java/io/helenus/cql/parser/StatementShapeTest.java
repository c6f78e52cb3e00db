package io.helenus.cql.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.cql.ast.ModificationStatement;
import io.helenus.cql.ast.Term.LiteralKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.antlr.v4.runtime.Token;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatementShapeTest {
  private static final Map<LiteralKind, String> SAMPLES =
      Map.of(
          LiteralKind.STRING, "'x'",
          LiteralKind.INTEGER, "1",
          LiteralKind.FLOAT, "1.5",
          LiteralKind.DURATION, "3h",
          LiteralKind.UUID, "00000000-0000-0000-0000-000000000000",
          LiteralKind.HEX, "0xab");

  private static final String[] PIECES = {
    "a",
    "d",
    "e",
    "E",
    "f",
    "P",
    "T",
    "x",
    "0x",
    "s",
    "mo",
    "ms",
    "us",
    "µs",
    "n",
    "ns",
    "h",
    "y",
    "1",
    "0",
    "12",
    "1234",
    "12345678",
    "deadbeef",
    "1e23",
    "-",
    "--",
    "+",
    ".",
    "..",
    "'",
    "''",
    "'a'",
    "\"",
    "\"q1\"",
    " ",
    " ",
    " ",
    ",",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "=",
    "<",
    ">",
    "!=",
    "/",
    "*",
    "//",
    "/*",
    "%",
    ";",
    "$",
    "$$",
    "?",
    ":",
    "_",
    "null",
    "NaN",
    "-NaN",
    "-infinity",
    "true",
    "expr(",
    "\n",
    "\t",
    "\u0001",
    "é",
    "-5",
    "1.5e10",
    "-1.25",
    "1.5e-100",
    "1d2h",
    "12345678-1234-1234-1234-123456789abc",
    "0xcafe",
    "P1Y",
    "P0001-02-03T04:05:06",
    "-P1W",
    "k"
  };

  private final StatementShape shape = new StatementShape();

  private List<String> constants(String text) {
    assertTrue(shape.scan(text), text);
    List<String> found = new ArrayList<>();
    for (int i = 0; i < shape.count(); i++) {
      found.add((shape.isComposite(i) ? "" : shape.kind(i) + " ") + shape.constant(i));
    }
    return found;
  }

  @Test
  void findsEveryKindOfConstant() {
    assertEquals(
        List.of(
            "STRING it's",
            "INTEGER -7",
            "FLOAT 1.5e-3",
            "UUID deadbeef-0000-0000-0000-00000000000A",
            "UUID 12345678-0000-0000-0000-000000000000",
            "HEX 0xCAFE",
            "DURATION -1d2h",
            "STRING ",
            "INTEGER 10"),
        constants(
            "INSERT INTO t1 (a) VALUES ('it''s', -7, 1.5e-3, deadbeef-0000-0000-0000-00000000000A,"
                + " 12345678-0000-0000-0000-000000000000, 0xCAFE, -1d2h, '', true, null) USING TTL"
                + " 10"));
    assertEquals(
        "INSERT INTO t1 (a) VALUES (?, ?, ?, ?, ?, ?, ?, ?, true, null) USING TTL ?",
        shape.markers());
  }

  @Test
  void aLiteralInBracketsOrBracesIsOneConstant() {
    assertEquals(
        List.of("[1, (2, 'a]')]", "{'it''s': {1, -2}}", "INTEGER 3", "[]", "STRING k"),
        constants(
            "UPDATE t SET a = [1, (2, 'a]')], b = b + {'it''s': {1, -2}}, c[3] = [] WHERE"
                + " k='k'"));
    assertEquals("UPDATE t SET a = ?, b = b + ?, c[?] = ? WHERE k=?", shape.markers());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "[ 1 , -2 ]",
        "{}",
        "{1}",
        "{'a', 'it''s', null, true}",
        "{'a': 1, 'b': [0xab, 1d]}",
        "{a: 1, Bc: {x: 12345678-1234-1234-1234-123456789abc}}",
        "[(1, 'a', (2))]",
        "[1.5, 2.25]",
      })
  void compositeConstantsAreWhatTheGrammarReturns(String literal) {
    String text = "INSERT INTO t (a) VALUES (" + literal + ")";
    assertTrue(shape.scan(text));
    assertEquals(1, shape.count());
    assertEquals(
        ((ModificationStatement.Insert) CqlParser.parse(text)).values().getFirst(), shape.term(0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[1", "[1)", "[1,]", "[,]", "{1: 2, 3}", "{1, 2: 3}", "{a: 1, 2: 3}", "{a}", "{select: 1}",
        "{1 2}", "[:a]", "[f(1)]", "[(int)1]", "[1 + 1]", "[-  1]", "()", "[1.5e400]", "['a]",
        "[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]", "[] []", "[1;]", "[NaN]"
      })
  void otherCompositeConstantsAreLeftToTheGrammar(String literal) {
    String text = "INSERT INTO t (a) VALUES (" + literal + ")";
    assertTrue(
        !shape.scan(text) || shape.count() != 1 || shape.term(0) == null, () -> shape.term(0) + "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM t WHERE k = ?",
        "SELECT * FROM t WHERE k = :k",
        "SELECT * FROM t WHERE k = $$a$$",
        "SELECT * FROM t -- comment\n WHERE k = 1",
        "SELECT * FROM t /* comment */ WHERE k = 1",
        "SELECT * FROM t WHERE k = 'a",
        "SELECT * FROM t WHERE k = 1a",
        "SELECT * FROM t WHERE k = 5-3",
        "SELECT * FROM t WHERE k = 1.5e100",
        "SELECT * FROM t WHERE k = P0001-02-03T04:05:06",
        "SELECT * FROM t WHERE k = \u0001",
        "CREATE TABLE t (k int PRIMARY KEY)",
        "",
      })
  void otherTextsHaveNoShape(String text) {
    assertFalse(shape.scan(text));
  }

  @Test
  void matchesOnlyTheSameShape() {
    String text = "SELECT a FROM t WHERE k = 'x' AND c = 1";
    assertTrue(shape.scan(text));
    String kept = shape.placeholders();
    long hash = shape.hash();
    assertTrue(shape.matches(kept));
    assertTrue(shape.scan("SELECT a FROM t WHERE k = 'it''s' AND c = -123"));
    assertTrue(shape.matches(kept));
    assertEquals(hash, shape.hash());
    for (String other :
        List.of(
            "SELECT a FROM t WHERE k = 'x' AND c = 1.5",
            "SELECT a FROM t WHERE k = 'x' AND c = 1 ",
            "SELECT b FROM t WHERE k = 'x' AND c = 1",
            "SELECT a FROM t WHERE k = 'x' AND d = 1",
            "SELECT a FROM t WHERE k = 'x' AND c > 1",
            "SELECT a FROM t WHERE k = 1 AND c = 'x'",
            "SELECT a FROM t WHERE k = 'x' AND c = true")) {
      assertTrue(shape.scan(other));
      assertFalse(shape.matches(kept), other);
      assertNotEquals(hash, shape.hash(), other);
    }
  }

  @Test
  void constantsOfASelectionArePartOfTheShape() {
    assertEquals(
        List.of("INTEGER 1"), constants("SELECT a, 1, 'from', m[2], [3] FROM t WHERE k = 1"));
    String kept = shape.placeholders();
    assertTrue(shape.scan("SELECT a, 1, 'from', m[2], [3] FROM t WHERE k = 23"));
    assertTrue(shape.matches(kept));
    assertTrue(shape.scan("SELECT a, 2, 'from', m[2], [3] FROM t WHERE k = 23"));
    assertFalse(shape.matches(kept));
    assertEquals(List.of("INTEGER 1"), constants("select \"from\", 'a' From t where k = 1"));
    assertEquals(List.of("STRING a", "STRING b"), constants("UPDATE t SET a = 'a' WHERE k = 'b'"));
  }

  /** Texts of the same shape must have the same tokens: it replaces each constant by another. */
  @Test
  void textsOfTheSameShapeHaveTheSameTokens() {
    Random random = new Random(20);
    int compared = 0;
    for (int round = 0; round < 300_000; round++) {
      StringBuilder text = new StringBuilder(random.nextInt(9) == 0 ? "SELECT " : "UPDATE ");
      for (int i = random.nextInt(8); i >= 0; i--) {
        text.append(PIECES[random.nextInt(PIECES.length)]);
      }
      if (shape.scan(text.toString()) && shape.count() > 0) {
        compared++;
        assertSameTokens(text.toString());
      }
    }
    assertTrue(compared > 20_000, compared + " texts had a shape with constants");
  }

  private void assertSameTokens(String written) {
    String markers = shape.placeholders().replace("\b", "[1]");
    String text = written;
    for (int i = shape.count() - 1; i >= 0; i--) {
      if (shape.isComposite(i)) {
        text = text.substring(0, shape.start(i)) + "[1]" + text.substring(shape.end(i));
      }
    }
    for (LiteralKind kind : SAMPLES.keySet()) {
      markers = markers.replace(Character.toString((char) (kind.ordinal() + 1)), SAMPLES.get(kind));
    }
    assertEquals(tokens(markers), tokens(text), written);
  }

  private static List<Integer> tokens(String text) {
    List<Integer> types = new ArrayList<>();
    CqlLexer lexer = new CqlLexer(text);
    try {
      for (Token token = lexer.nextToken(); token.getType() != Token.EOF; ) {
        types.add(token.getType());
        token = lexer.nextToken();
      }
    } catch (CqlSyntaxException e) {
      types.add(Token.MIN_USER_TOKEN_TYPE - 1);
    }
    return types;
  }
}
