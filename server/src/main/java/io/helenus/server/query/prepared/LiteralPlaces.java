package io.helenus.server.query.prepared;

import io.helenus.cql.ast.Assignment;
import io.helenus.cql.ast.BatchStatement;
import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.Conditions;
import io.helenus.cql.ast.Deletion;
import io.helenus.cql.ast.InValues;
import io.helenus.cql.ast.JsonValue;
import io.helenus.cql.ast.ModificationStatement;
import io.helenus.cql.ast.Relation;
import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Statement;
import io.helenus.cql.ast.Term;
import io.helenus.cql.ast.UpdateParameters;
import io.helenus.cql.parser.StatementShape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The places of a statement where a constant and a bound value mean the same: whole values of
 * columns, elements, keys and limits, elements of tuples and documents of JSON, but not the
 * operands of functions and casts or the selection. Immutable.
 */
final class LiteralPlaces {
  private final List<Term> literals;

  private LiteralPlaces(List<Term> literals) {
    this.literals = literals;
  }

  /**
   * Whether a statement with markers is another one whose constants all stand in such places: with
   * the constants put back, the statements are equal.
   *
   * @param shape of the statement with constants
   */
  static boolean fit(StatementShape shape, Statement withMarkers, Statement withConstants) {
    List<Term> literals = new ArrayList<>(shape.count());
    for (int i = 0; i < shape.count(); i++) {
      Term literal = shape.term(i);
      if (literal == null) {
        return false;
      }
      literals.add(literal);
    }
    Statement filled = new LiteralPlaces(literals).fill(withMarkers);
    return filled != null && filled.equals(withConstants);
  }

  private @Nullable Statement fill(Statement statement) {
    return switch (statement) {
      case SelectStatement select -> fill(select);
      case ModificationStatement modification -> fill(modification);
      case BatchStatement batch -> fill(batch);
      default -> null;
    };
  }

  private @Nullable Statement fill(BatchStatement batch) {
    List<ModificationStatement> statements = new ArrayList<>();
    for (ModificationStatement statement : batch.statements()) {
      ModificationStatement filled = fill(statement);
      if (filled == null) {
        return null;
      }
      statements.add(filled);
    }
    return new BatchStatement(batch.kind(), fill(batch.parameters()), statements, List.of());
  }

  private @Nullable ModificationStatement fill(ModificationStatement statement) {
    return switch (statement) {
      case ModificationStatement.Insert insert ->
          new ModificationStatement.Insert(
              insert.table(),
              insert.columns(),
              fill(insert.values()),
              fill(insert.parameters()),
              insert.conditions(),
              List.of());
      case ModificationStatement.Update update ->
          new ModificationStatement.Update(
              update.table(),
              fill(update.parameters()),
              update.assignments().stream().map(this::fill).toList(),
              update.where().stream().map(this::fill).toList(),
              fill(update.conditions()),
              List.of());
      case ModificationStatement.Delete delete ->
          new ModificationStatement.Delete(
              delete.table(),
              delete.deletions().stream().map(this::fill).toList(),
              fill(delete.parameters()),
              delete.where().stream().map(this::fill).toList(),
              fill(delete.conditions()),
              List.of());
      case ModificationStatement.InsertJson insert -> {
        JsonValue document = fill(insert.json());
        yield document == null
            ? null
            : new ModificationStatement.InsertJson(
                insert.table(),
                document,
                insert.defaultUnset(),
                fill(insert.parameters()),
                insert.conditions(),
                List.of());
      }
    };
  }

  private Statement fill(SelectStatement select) {
    return new SelectStatement(
        select.table(),
        select.json(),
        select.distinct(),
        select.selectors(),
        select.where().stream().map(this::fill).toList(),
        select.groupBy(),
        select.orderBy(),
        fillOptional(select.perPartitionLimit()),
        fillOptional(select.limit()),
        select.allowFiltering(),
        List.of());
  }

  private UpdateParameters fill(UpdateParameters parameters) {
    return new UpdateParameters(
        fillOptional(parameters.timestamp()), fillOptional(parameters.timeToLive()));
  }

  private Assignment fill(Assignment assignment) {
    return switch (assignment) {
      case Assignment.SetValue(String column, Term value) ->
          new Assignment.SetValue(column, fill(value));
      case Assignment.SetElement(String column, Term key, Term value) ->
          new Assignment.SetElement(column, fill(key), fill(value));
      case Assignment.SetField(String column, String field, Term value) ->
          new Assignment.SetField(column, field, fill(value));
      case Assignment.Add(String column, Term value) -> new Assignment.Add(column, fill(value));
      case Assignment.Subtract(String column, Term value) ->
          new Assignment.Subtract(column, fill(value));
      case Assignment.Prepend(String column, Term value) ->
          new Assignment.Prepend(column, fill(value));
    };
  }

  private Deletion fill(Deletion deletion) {
    return deletion instanceof Deletion.Element(String column, Term key)
        ? new Deletion.Element(column, fill(key))
        : deletion;
  }

  private Relation fill(Relation relation) {
    return switch (relation) {
      case Relation.ColumnRelation(var column, var operator, Term value) ->
          new Relation.ColumnRelation(column, operator, fill(value));
      case Relation.ColumnIn(var column, InValues values) ->
          new Relation.ColumnIn(column, fill(values));
      case Relation.ElementRelation(var column, Term key, var operator, Term value) ->
          new Relation.ElementRelation(column, fill(key), operator, fill(value));
      case Relation.TokenRelation(var columns, var operator, Term value) ->
          new Relation.TokenRelation(columns, operator, fill(value));
      case Relation.TupleRelation(var columns, var operator, Term value) ->
          new Relation.TupleRelation(columns, operator, fillTuple(value));
      case Relation.TupleIn(var columns, InValues.Values(List<Term> tuples)) ->
          new Relation.TupleIn(
              columns, new InValues.Values(tuples.stream().map(this::fillTuple).toList()));
      case Relation.TupleIn other -> other;
      case Relation.IsNotNull other -> other;
      case Relation.IndexExpression other -> other;
    };
  }

  private Conditions fill(Conditions conditions) {
    return conditions instanceof Conditions.OnColumns(List<Conditions.Condition> list)
        ? new Conditions.OnColumns(list.stream().map(this::fill).toList())
        : conditions;
  }

  private Conditions.Condition fill(Conditions.Condition condition) {
    return switch (condition) {
      case Conditions.Condition.Comparison(var target, var operator, Term value) ->
          new Conditions.Condition.Comparison(fill(target), operator, fill(value));
      case Conditions.Condition.In(var target, InValues values) ->
          new Conditions.Condition.In(fill(target), fill(values));
    };
  }

  private Conditions.Target fill(Conditions.Target target) {
    return target instanceof Conditions.Target.Element(String column, Term key)
        ? new Conditions.Target.Element(column, fill(key))
        : target;
  }

  private InValues fill(InValues values) {
    return values instanceof InValues.Values(List<Term> terms)
        ? new InValues.Values(fill(terms))
        : values;
  }

  private List<Term> fill(List<Term> terms) {
    return terms.stream().map(this::fill).toList();
  }

  private @Nullable JsonValue fill(JsonValue json) {
    return json instanceof BindMarker marker
            && literals.get(marker.index()) instanceof Term.Literal(var kind, String text)
            && kind == Term.LiteralKind.STRING
        ? new JsonValue.Text(text)
        : null;
  }

  /** The tuple that several columns are compared with; a marker for all of it is not a constant. */
  private Term fillTuple(Term term) {
    return term instanceof Term.TupleLiteral ? fill(term) : term;
  }

  private @Nullable Term fillOptional(@Nullable Term term) {
    return term == null ? null : fill(term);
  }

  private Term fill(Term term) {
    return switch (term) {
      case BindMarker marker -> literals.get(marker.index());
      case Term.TupleLiteral(List<Term> elements) -> new Term.TupleLiteral(fill(elements));
      default -> term;
    };
  }
}
