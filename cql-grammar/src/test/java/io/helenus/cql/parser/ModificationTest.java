package io.helenus.cql.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.cql.ast.Assignment;
import io.helenus.cql.ast.BatchStatement;
import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.Conditions;
import io.helenus.cql.ast.Deletion;
import io.helenus.cql.ast.InValues;
import io.helenus.cql.ast.JsonValue;
import io.helenus.cql.ast.ModificationStatement.Delete;
import io.helenus.cql.ast.ModificationStatement.Insert;
import io.helenus.cql.ast.ModificationStatement.InsertJson;
import io.helenus.cql.ast.ModificationStatement.Update;
import io.helenus.cql.ast.Operator;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.Relation;
import io.helenus.cql.ast.Term;
import io.helenus.cql.ast.UpdateParameters;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModificationTest {
  private static final List<Relation> K_IS_ONE =
      List.of(new Relation.ColumnRelation("k", Operator.EQ, integer("1")));

  private static Term integer(String text) {
    return new Term.Literal(Term.LiteralKind.INTEGER, text);
  }

  private static Update update(String text) {
    return (Update) CqlParser.parse(text);
  }

  private static Delete delete(String text) {
    return (Delete) CqlParser.parse(text);
  }

  @Test
  void insertHasColumnsAndValues() {
    Insert insert =
        (Insert)
            CqlParser.parse(
                "INSERT INTO ks.t (a, \"B\", a) VALUES (1, ?)"
                    + " IF NOT EXISTS USING TIMESTAMP :ts AND TTL 5");
    assertEquals(new QualifiedName("ks", "t"), insert.table());
    assertEquals(List.of("a", "B", "a"), insert.columns());
    assertEquals(List.of(integer("1"), new BindMarker(0, null)), insert.values());
    assertEquals(new Conditions.NotExists(), insert.conditions());
    assertEquals(new UpdateParameters(new BindMarker(1, "ts"), integer("5")), insert.parameters());
    assertEquals(2, insert.bindMarkers().size());
  }

  @Test
  void insertOfJson() {
    InsertJson insert = (InsertJson) CqlParser.parse("INSERT INTO t JSON '{}' DEFAULT UNSET");
    assertEquals(new JsonValue.Text("{}"), insert.json());
    assertTrue(insert.defaultUnset());
    InsertJson bound = (InsertJson) CqlParser.parse("INSERT INTO t JSON :j DEFAULT NULL");
    assertEquals(new BindMarker(0, "j"), bound.json());
    assertEquals(new Conditions.None(), bound.conditions());
  }

  @Test
  void assignments() {
    Update update =
        update(
            "UPDATE t SET a = 1, b = b + 2, c = c - 3, d = 4 + d, e += 5, f -= 6, g[7] = 8,"
                + " h.X = 9, i = i -10 WHERE k = 1");
    assertEquals(
        List.of(
            new Assignment.SetValue("a", integer("1")),
            new Assignment.Add("b", integer("2")),
            new Assignment.Subtract("c", integer("3")),
            new Assignment.Prepend("d", integer("4")),
            new Assignment.Add("e", integer("5")),
            new Assignment.Subtract("f", integer("6")),
            new Assignment.SetElement("g", integer("7"), integer("8")),
            new Assignment.SetField("h", "x", integer("9")),
            new Assignment.Add("i", integer("-10"))),
        update.assignments());
    assertEquals(K_IS_ONE, update.where());
    assertEquals(UpdateParameters.NONE, update.parameters());
  }

  @Test
  void conditions() {
    assertEquals(
        new Conditions.Exists(), update("UPDATE t SET a = 1 WHERE k = 1 IF EXISTS").conditions());
    assertEquals(
        new Conditions.OnColumns(
            List.of(
                new Conditions.Condition.Comparison(
                    new Conditions.Target.Column("a"), Operator.EQ, integer("1")),
                new Conditions.Condition.Comparison(
                    new Conditions.Target.Element("b", integer("2")), Operator.GT, integer("3")),
                new Conditions.Condition.In(
                    new Conditions.Target.Field("c", "f"), new BindMarker(0, null)),
                new Conditions.Condition.In(
                    new Conditions.Target.Column("d"),
                    new InValues.Values(List.of(new BindMarker(1, null), integer("4")))),
                new Conditions.Condition.Comparison(
                    new Conditions.Target.Column("e"), Operator.CONTAINS_KEY, integer("5")))),
        delete(
                "DELETE a FROM t WHERE k = 1"
                    + " IF a = 1 AND b[2] > 3 AND c.f IN ? AND d IN (?, 4) AND e CONTAINS KEY 5")
            .conditions());
  }

  @Test
  void deletions() {
    assertEquals(
        List.of(
            new Deletion.Column("a"),
            new Deletion.Element("b", integer("1")),
            new Deletion.Field("c", "f")),
        delete("DELETE a, b[1], c.f FROM t WHERE k = 1").deletions());
    assertEquals(List.of(), delete("DELETE FROM t WHERE k = 1").deletions());
    assertEquals(
        new UpdateParameters(integer("7"), null),
        delete("DELETE FROM t USING TIMESTAMP 7 WHERE k = 1").parameters());
  }

  @Test
  void aBatchNumbersTheMarkersOfAllItsStatements() {
    BatchStatement batch =
        (BatchStatement)
            CqlParser.parse(
                "BEGIN UNLOGGED BATCH USING TIMESTAMP ?"
                    + " INSERT INTO t (a) VALUES (?); UPDATE t SET a = :x WHERE k = 1"
                    + " DELETE FROM t WHERE k = ?; APPLY BATCH;");
    assertEquals(BatchStatement.Kind.UNLOGGED, batch.kind());
    assertEquals(3, batch.statements().size());
    assertEquals(
        List.of(
            new BindMarker(0, null),
            new BindMarker(1, null),
            new BindMarker(2, "x"),
            new BindMarker(3, null)),
        batch.bindMarkers());
    assertEquals(List.of(), batch.statements().getFirst().bindMarkers());
    assertEquals(
        List.of(new BindMarker(1, null)), ((Insert) batch.statements().getFirst()).values());
    assertEquals(
        List.of("UNLOGGED BATCH", "COUNTER BATCH", "BATCH"),
        List.of(
            batch.feature(),
            CqlParser.parse("BEGIN COUNTER BATCH APPLY BATCH").feature(),
            CqlParser.parse("BEGIN BATCH APPLY BATCH").feature()));
  }
}
