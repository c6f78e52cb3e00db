package io.helenus.cql.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.cql.ast.ArithmeticOperator;
import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.InValues;
import io.helenus.cql.ast.NativeType;
import io.helenus.cql.ast.Operator;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.Relation;
import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Selectable;
import io.helenus.cql.ast.Selector;
import io.helenus.cql.ast.Term;
import io.helenus.cql.ast.TypeName;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelectTest {
  private static final Selectable A = column("a");
  private static final Selectable B = column("b");
  private static final Selectable C = column("c");

  private static SelectStatement select(String text) {
    return (SelectStatement) CqlParser.parse(text);
  }

  /** The only selector of {@code SELECT text FROM t}. */
  private static Selectable selectable(String text) {
    List<Selector> selectors = select("SELECT " + text + " FROM t").selectors();
    assertEquals(1, selectors.size());
    return selectors.getFirst().selectable();
  }

  /** The relations of {@code SELECT * FROM t WHERE text}. */
  private static List<Relation> where(String text) {
    return select("SELECT * FROM t WHERE " + text).where();
  }

  private static Selectable column(String name) {
    return new Selectable.Column(name, false);
  }

  private static Term integer(String text) {
    return new Term.Literal(Term.LiteralKind.INTEGER, text);
  }

  private static Selectable function(String name, Selectable... arguments) {
    return new Selectable.Function(QualifiedName.of(name), List.of(arguments));
  }

  @Test
  void anAsteriskIsNotASelector() {
    SelectStatement select = select("SELECT * FROM ks.t");
    assertTrue(select.isWildcard());
    assertEquals(new QualifiedName("ks", "t"), select.table());
    assertFalse(select.json() || select.distinct() || select.allowFiltering());
    assertNull(select.limit());
    assertEquals("SELECT", select.feature());
  }

  @Test
  void aliasesKeepTheirCaseOnlyInQuotes() {
    assertEquals(
        List.of(new Selector(A, "x"), new Selector(B, "Y"), new Selector(C, null)),
        select("SELECT A AS X, b AS \"Y\", c FROM t").selectors());
  }

  @Test
  void jsonAndDistinctAreKeywordsOnlyWhereTheyCanBe() {
    assertTrue(select("SELECT JSON a FROM t").json());
    assertTrue(select("SELECT DISTINCT a FROM t").distinct());
    assertTrue(select("SELECT JSON DISTINCT a FROM t").distinct());
    assertEquals(column("json"), selectable("json"));
    assertEquals(column("distinct"), selectable("distinct"));
    assertTrue(select("SELECT JSON json FROM t").json());
    assertFalse(select("SELECT json, distinct FROM t").json());
    assertTrue(select("SELECT json - json FROM t").json());
  }

  @Test
  void functionNamesAreFolded() {
    assertEquals(function("f", A, function("g")), selectable("F(a, g())"));
    assertEquals(
        new Selectable.Function(new QualifiedName("ks", "F"), List.of()), selectable("ks.\"F\"()"));
    assertEquals(function("token", A, B), selectable("TOKEN(a, b)"));
    assertEquals(new Selectable.CountRows(), selectable("COUNT(*)"));
    assertEquals(function("count", new Selectable.Value(integer("1"))), selectable("count(1)"));
    assertEquals(function("count", A), selectable("count(a)"));
  }

  @Test
  void cellFactsHaveTheirColumnAndTarget() {
    Selectable.Column v = new Selectable.Column("v", false);
    assertEquals(
        new Selectable.CellFactOf(Selectable.CellFact.WRITE_TIME, v, v),
        selectable("WRITETIME(v)"));
    assertEquals(
        new Selectable.CellFactOf(
            Selectable.CellFact.TIME_TO_LIVE, v, new Selectable.Field(v, "f")),
        selectable("ttl(v.f)"));
    assertEquals(
        new Selectable.CellFactOf(
            Selectable.CellFact.MAX_WRITE_TIME,
            v,
            new Selectable.Slice(v, integer("1"), integer("2"))),
        selectable("maxwritetime(v[1..2])"));
  }

  @Test
  void elementsSlicesAndFieldsApplyFromLeftToRight() {
    assertEquals(
        new Selectable.Element(
            new Selectable.Field(new Selectable.Element(A, integer("0")), "f"), integer("1")),
        selectable("a[0].f[1]"));
    assertEquals(new Selectable.Slice(A, null, integer("2")), selectable("a[..2]"));
    assertEquals(new Selectable.Slice(A, integer("1"), null), selectable("a[1..]"));
  }

  @Test
  void multiplicationPrecedesAdditionAndBothAreLeftAssociative() {
    Selectable product = new Selectable.Operation(ArithmeticOperator.MULTIPLY, B, C);
    assertEquals(
        new Selectable.Operation(ArithmeticOperator.ADD, A, product), selectable("a + b * c"));
    assertEquals(
        new Selectable.Operation(
            ArithmeticOperator.SUBTRACT,
            new Selectable.Operation(ArithmeticOperator.SUBTRACT, A, B),
            C),
        selectable("a - b - c"));
    assertEquals(
        new Selectable.Operation(
            ArithmeticOperator.REMAINDER,
            new Selectable.Negation(A),
            new Selectable.Parenthesised(List.of(B))),
        selectable("-a % (b)"));
  }

  @Test
  void parenthesesBeforeASelectionAreATypeIfPossible() {
    TypeName integer = new TypeName.Native(NativeType.INT);
    assertEquals(new Selectable.TypeHint(integer, A), selectable("(int)a"));
    assertEquals(
        new Selectable.TypeHint(new TypeName.UserDefined(QualifiedName.of("b")), A),
        selectable("(b)a"));
    assertEquals(new Selectable.Parenthesised(List.of(column("int"))), selectable("(int)"));
    assertEquals(new Selectable.Parenthesised(List.of(A, B)), selectable("(a, b)"));
    assertEquals(
        new Selectable.Operation(
            ArithmeticOperator.SUBTRACT, new Selectable.Parenthesised(List.of(A)), B),
        selectable("(a) - b"));
  }

  @Test
  void collectionsOfSelections() {
    assertEquals(new Selectable.ListOf(List.of(A, B)), selectable("[a, b]"));
    assertEquals(new Selectable.SetOf(List.of(A, B)), selectable("{a, b}"));
    assertEquals(new Selectable.SetOf(List.of()), selectable("{}"));
    assertEquals(
        new Selectable.MapOrUserType(List.of(new Selectable.MapOrUserType.Entry(A, B))),
        selectable("{a: b}"));
    assertEquals(new Selectable.Cast(A, NativeType.TEXT), selectable("CAST(a AS text)"));
  }

  @Test
  void relationsOfOneColumn() {
    assertEquals(
        List.of(
            new Relation.ColumnRelation("a", Operator.EQ, integer("1")),
            new Relation.ColumnRelation("b", Operator.NEQ, new Term.Null()),
            new Relation.ColumnRelation("C", Operator.LIKE, string("x%")),
            new Relation.ColumnRelation("d", Operator.CONTAINS, integer("2")),
            new Relation.ColumnRelation("e", Operator.CONTAINS_KEY, integer("3")),
            new Relation.IsNotNull("f"),
            new Relation.ElementRelation("g", integer("4"), Operator.GTE, integer("5"))),
        where(
            "a = 1 AND b != null AND \"C\" LIKE 'x%' AND d CONTAINS 2 AND e CONTAINS KEY 3"
                + " AND f IS NOT NULL AND g[4] >= 5"));
  }

  private static Term string(String text) {
    return new Term.Literal(Term.LiteralKind.STRING, text);
  }

  @Test
  void inTakesValuesOrOneMarkerForAll() {
    assertEquals(
        List.of(
            new Relation.ColumnIn("a", new InValues.Values(List.of(integer("1"), marker(0, null)))),
            new Relation.ColumnIn("b", marker(1, "all")),
            new Relation.ColumnIn("c", new InValues.Values(List.of()))),
        where("a IN (1, ?) AND b IN :all AND c IN ()"));
  }

  private static BindMarker marker(int index, String name) {
    return new BindMarker(index, name);
  }

  @Test
  void relationsOfSeveralColumns() {
    Term pair = new Term.TupleLiteral(List.of(integer("1"), integer("2")));
    assertEquals(
        List.of(
            new Relation.TupleRelation(List.of("a", "b"), Operator.GT, pair),
            new Relation.TupleRelation(List.of("c"), Operator.EQ, marker(0, null)),
            new Relation.TupleIn(List.of("a", "b"), new InValues.Values(List.of(pair, pair))),
            new Relation.TupleIn(List.of("a", "b"), marker(1, null)),
            new Relation.TokenRelation(List.of("k", "l"), Operator.LTE, integer("-5")),
            new Relation.IndexExpression("i", string("q"))),
        where(
            "(a, b) > (1, 2) AND (c) = ? AND (a, b) IN ((1, 2), (1, 2)) AND (a, b) IN ?"
                + " AND TOKEN(k, l) <= -5 AND expr(I, 'q')"));
  }

  @Test
  void parenthesesAroundRelationsHaveNoEffect() {
    assertEquals(where("a = 1 AND b = 2"), where("(a = 1) AND ((b = 2))"));
  }

  @Test
  void clausesAfterWhere() {
    SelectStatement select =
        select(
            "SELECT a FROM t WHERE k = 1 GROUP BY k, floor(d) ORDER BY c DESC, d ASC, e"
                + " PER PARTITION LIMIT 3 LIMIT ? ALLOW FILTERING");
    assertEquals(List.of(column("k"), function("floor", column("d"))), select.groupBy());
    assertEquals(
        List.of(
            new SelectStatement.Ordering("c", null, true),
            new SelectStatement.Ordering("d", null, false),
            new SelectStatement.Ordering("e", null, false)),
        select.orderBy());
    assertEquals(integer("3"), select.perPartitionLimit());
    assertEquals(marker(0, null), select.limit());
    assertTrue(select.allowFiltering());
  }

  @Test
  void nearestNeighboursAreAnOrdering() {
    SelectStatement select = select("SELECT a FROM t ORDER BY v ANN OF [1, 2] LIMIT 3");
    assertEquals(
        List.of(
            new SelectStatement.Ordering(
                "v", new Term.ListLiteral(List.of(integer("1"), integer("2"))), false)),
        select.orderBy());
  }

  @Test
  void markersAreNumberedInTheOrderOfTheText() {
    SelectStatement select =
        select(
            "SELECT f(?, :A) FROM t WHERE k = :\"B\" AND c IN (?) PER PARTITION LIMIT ? LIMIT :n");
    assertEquals(
        List.of(
            marker(0, null),
            marker(1, "a"),
            marker(2, "B"),
            marker(3, null),
            marker(4, null),
            marker(5, "n")),
        select.bindMarkers());
  }

  @Test
  void backtrackingDiscardsMarkers() {
    SelectStatement slice = select("SELECT (a)[?..:x] FROM t LIMIT ?");
    assertEquals(List.of(marker(0, null), marker(1, "x"), marker(2, null)), slice.bindMarkers());
    assertEquals(
        new Selectable.Slice(
            new Selectable.Parenthesised(List.of(A)), marker(0, null), marker(1, "x")),
        slice.selectors().getFirst().selectable());
    SelectStatement json = select("SELECT json[?..?] AS x, ? FROM t");
    assertFalse(json.json());
    assertEquals(3, json.bindMarkers().size());
  }

  @Test
  void theEmptyNameOfOldTablesIsAllowedOnlyInWhere() {
    assertEquals(
        List.of(new Relation.ColumnRelation("", Operator.EQ, integer("1"))), where("\"\" = 1"));
  }
}
