package io.helenus.server.query.definition;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.InValues;
import io.helenus.cql.ast.Operator;
import io.helenus.cql.ast.Relation;
import io.helenus.cql.ast.Term;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.query.restriction.RelationCompiler;
import io.helenus.server.query.restriction.WhereCompiler;
import io.helenus.server.query.statement.Columns;
import io.helenus.server.query.statement.PlanningScope;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.query.value.Expression;
import io.helenus.server.query.value.ExpressionEvaluator;
import io.helenus.server.query.value.TermCompiler;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.query.value.ValueSource;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.ViewSchema;
import io.helenus.server.schema.ViewSchema.Condition;
import io.helenus.server.schema.ViewWhere;
import java.util.ArrayList;
import java.util.List;

/**
 * Compiles the WHERE clauses of materialized views: values are computed when the view is created.
 * One thread at a time.
 */
public final class ViewWhereCompiler implements ViewWhere {
  private final ExpressionEvaluator evaluator;

  /**
   * Creates a compiler.
   *
   * @param context passed to the functions in clauses
   */
  public ViewWhereCompiler(FunctionContext context) {
    this.evaluator = new ExpressionEvaluator(context);
  }

  @Override
  public List<ColumnSchema> check(Schema schema, TableSchema base, List<Relation> where) {
    RelationCompiler relations =
        new RelationCompiler(base, terms(schema, base), new ValueSlots.Builder());
    return WhereCompiler.ofView(base, relations).checkView(where);
  }

  private static TermCompiler terms(Schema schema, TableSchema base) {
    return new TermCompiler(new PlanningScope(schema, base.keyspace(), List.of()));
  }

  @Override
  public List<Condition> compile(Schema schema, TableSchema base, List<Relation> where) {
    TermCompiler terms = terms(schema, base);
    return where.stream().map(each -> condition(base, terms, each)).toList();
  }

  private Condition condition(TableSchema base, TermCompiler terms, Relation relation) {
    return switch (relation) {
      case Relation.IsNotNull(String column) ->
          Condition.notNull(Columns.require(base, column).id());
      case Relation.ColumnRelation(String name, Operator operator, Term value) -> {
        ColumnSchema column = Columns.require(base, name);
        byte[] operand = value(terms, receiver(base, column, operator), column, value);
        yield new Condition(
            List.of(column.id()),
            false,
            operator(operator),
            List.of(List.of(operand)),
            value.toString());
      }
      case Relation.ColumnIn(String name, InValues in) -> {
        ColumnSchema column = Columns.require(base, name);
        yield new Condition(
            List.of(column.id()),
            false,
            ViewSchema.Operator.IN,
            values(in).stream().map(each -> List.of(value(base, terms, column, each))).toList(),
            in.toString());
      }
      case Relation.TupleRelation(List<String> names, Operator operator, Term value) ->
          new Condition(
              ids(base, names),
              true,
              operator(operator),
              List.of(tuple(base, terms, names, value)),
              value.toString());
      case Relation.TupleIn(List<String> names, InValues in) ->
          new Condition(
              ids(base, names),
              true,
              ViewSchema.Operator.IN,
              values(in).stream().map(each -> tuple(base, terms, names, each)).toList(),
              in.toString());
      case Relation.ElementRelation _, Relation.TokenRelation _, Relation.IndexExpression _ ->
          throw new IllegalStateException("should have been refused: " + relation);
    };
  }

  private static Receiver receiver(TableSchema base, ColumnSchema column, Operator operator) {
    return switch (operator) {
      case CONTAINS ->
          Receiver.of(base, "value(" + column.name() + ")", column.type().parts().getLast());
      case CONTAINS_KEY ->
          Receiver.of(base, "key(" + column.name() + ")", column.type().parts().getFirst());
      default -> Receiver.of(base, column);
    };
  }

  private static ViewSchema.Operator operator(Operator operator) {
    return switch (operator) {
      case EQ -> ViewSchema.Operator.EQ;
      case LT -> ViewSchema.Operator.LT;
      case LTE -> ViewSchema.Operator.LTE;
      case GT -> ViewSchema.Operator.GT;
      case GTE -> ViewSchema.Operator.GTE;
      case CONTAINS -> ViewSchema.Operator.CONTAINS;
      case CONTAINS_KEY -> ViewSchema.Operator.CONTAINS_KEY;
      case NEQ, LIKE -> throw new IllegalStateException("should have been refused: " + operator);
    };
  }

  private static List<Integer> ids(TableSchema base, List<String> names) {
    return names.stream().map(each -> Columns.require(base, each).id()).toList();
  }

  /** The values of IN; there are no markers in a view. */
  private static List<Term> values(InValues in) {
    return switch (in) {
      case InValues.Values(List<Term> terms) -> terms;
      case BindMarker _ -> throw new IllegalStateException("a marker in a view");
    };
  }

  private List<byte[]> tuple(TableSchema base, TermCompiler terms, List<String> names, Term tuple) {
    if (!(tuple instanceof Term.TupleLiteral(List<Term> elements))) {
      throw new IllegalStateException("not a tuple: " + tuple);
    }
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      values.add(value(base, terms, Columns.require(base, names.get(i)), elements.get(i)));
    }
    return values;
  }

  private byte[] value(TableSchema base, TermCompiler terms, ColumnSchema column, Term term) {
    return value(terms, Receiver.of(base, column), column, term);
  }

  private byte[] value(TermCompiler terms, Receiver receiver, ColumnSchema column, Term term) {
    byte[] value =
        switch (terms.compile(term, receiver)) {
          case ValueSource.Constant(byte[] constant) -> constant;
          case ValueSource.Computed(Expression expression) ->
              evaluator.evaluate(expression, new BoundValues());
          case ValueSource.Marker _, ValueSource.Unset _, ValueSource.JsonField _ ->
              throw new IllegalStateException("not a value of a view: " + term);
        };
    if (value == null) {
      throw CqlException.invalid("Invalid null value in condition for column " + column.name());
    }
    return value;
  }
}
