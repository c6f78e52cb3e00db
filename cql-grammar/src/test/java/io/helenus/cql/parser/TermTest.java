package io.helenus.cql.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.cql.ast.ArithmeticOperator;
import io.helenus.cql.ast.ModificationStatement;
import io.helenus.cql.ast.NativeType;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.Term;
import io.helenus.cql.ast.TypeName;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TermTest {
  /** The value of {@code INSERT INTO t (a) VALUES (text)}. */
  private static Term term(String text) {
    return ((ModificationStatement.Insert)
            CqlParser.parse("INSERT INTO t (a) VALUES (" + text + ")"))
        .values()
        .getFirst();
  }

  private static Term integer(String text) {
    return new Term.Literal(Term.LiteralKind.INTEGER, text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          'abc'                                | STRING   | abc
          'it''s'                              | STRING   | it's
          $$it's $1$$                          | STRING   | it's $1
          12                                   | INTEGER  | 12
          -12                                  | INTEGER  | -12
          007                                  | INTEGER  | 007
          1.5                                  | FLOAT    | 1.5
          1.                                   | FLOAT    | 1.
          1e5                                  | FLOAT    | 1e5
          -1.5E-3                              | FLOAT    | -1.5E-3
          NaN                                  | FLOAT    | NaN
          -nan                                 | FLOAT    | NaN
          INFINITY                             | FLOAT    | Infinity
          -Infinity                            | FLOAT    | -Infinity
          True                                 | BOOLEAN  | True
          FALSE                                | BOOLEAN  | FALSE
          0xCaFe                               | HEX      | 0xCaFe
          0X                                   | HEX      | 0X
          123e4567-e89b-12d3-a456-426614174000 | UUID     | 123e4567-e89b-12d3-a456-426614174000
          ABCDEF01-E89B-12D3-A456-426614174000 | UUID     | ABCDEF01-E89B-12D3-A456-426614174000
          1y2mo3w4d5h6m7s8ms9us10ns            | DURATION | 1y2mo3w4d5h6m7s8ms9us10ns
          -2D                                  | DURATION | -2D
          P1Y2M3DT4H5M6S                       | DURATION | P1Y2M3DT4H5M6S
          PT5M                                 | DURATION | PT5M
          P3W                                  | DURATION | P3W
          -P1D                                 | DURATION | -P1D
          P0001-02-03T04:05:06                 | DURATION | P0001-02-03T04:05:06
          """)
  void literals(String text, Term.LiteralKind kind, String value) {
    assertEquals(new Term.Literal(kind, value), term(text));
  }

  @Test
  void anEmptyString() {
    assertEquals(new Term.Literal(Term.LiteralKind.STRING, ""), term("''"));
    assertEquals(new Term.Literal(Term.LiteralKind.STRING, ""), term("$$$$"));
  }

  @Test
  void collections() {
    assertEquals(new Term.ListLiteral(List.of(integer("1"), integer("2"))), term("[1, 2]"));
    assertEquals(new Term.SetLiteral(List.of(integer("1"), integer("2"))), term("{1, 2}"));
    assertEquals(new Term.SetLiteral(List.of()), term("{}"));
    assertEquals(
        new Term.MapLiteral(List.of(new Term.MapLiteral.Entry(integer("1"), integer("2")))),
        term("{1: 2}"));
    assertEquals(
        new Term.UserTypeLiteral(
            List.of(
                new Term.UserTypeLiteral.Field("a", integer("1")),
                new Term.UserTypeLiteral.Field("B", new Term.Null()))),
        term("{A: 1, \"B\": NULL}"));
    assertEquals(new Term.TupleLiteral(List.of(integer("1"))), term("(1)"));
  }

  @Test
  void callsHintsAndCasts() {
    assertEquals(new Term.FunctionCall(QualifiedName.of("now"), List.of()), term("NOW()"));
    assertEquals(
        new Term.FunctionCall(new QualifiedName("ks", "f"), List.of(integer("1"))),
        term("ks.f(1)"));
    assertEquals(
        new Term.TypeHint(new TypeName.Native(NativeType.BIGINT), integer("1")), term("(bigint)1"));
    assertEquals(
        new Term.TypeHint(
            new TypeName.MapOf(
                new TypeName.Native(NativeType.TEXT),
                new TypeName.Frozen(new TypeName.UserDefined(new QualifiedName("ks", "u")))),
            new Term.SetLiteral(List.of())),
        term("(map<text, frozen<ks.u>>){}"));
    assertEquals(new Term.Cast(integer("1"), NativeType.TEXT), term("CAST(1 AS text)"));
  }

  @Test
  void arithmetic() {
    assertEquals(
        new Term.Operation(
            ArithmeticOperator.ADD,
            integer("1"),
            new Term.Operation(ArithmeticOperator.MULTIPLY, integer("2"), integer("3"))),
        term("1 + 2 * 3"));
    assertEquals(
        new Term.Operation(ArithmeticOperator.SUBTRACT, integer("1"), integer("2")), term("1 - 2"));
    assertEquals(
        new Term.Negation(new Term.FunctionCall(QualifiedName.of("f"), List.of())), term("-f()"));
  }

  @Test
  void termsAreFormattedAsInCassandra() {
    assertEquals("[1, 'a', {1: NULL}, (?, 0xAB)]", term("[1,'a',{1:null},(:x,0xAB)]").toString());
    assertEquals("system.\"_add\"(1, system.\"_negate\"(f(2)))", term("1 + -f(2)").toString());
    assertEquals("(map<int, text>){}", term("(map<int,text>){}").toString());
  }
}
