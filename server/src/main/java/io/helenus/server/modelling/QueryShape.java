package io.helenus.server.modelling;

import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.Operator;
import io.helenus.cql.ast.Relation;
import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Selectable;
import io.helenus.cql.ast.Selector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a SELECT asks of a key. Immutable once it is made.
 *
 * @param equal the columns compared by = or IN
 * @param ranges those compared by less or greater
 * @param order those of ORDER BY, with whether it is descending
 * @param read the columns of the select list, unless it is all
 * @param all whether all columns are read, or it is not known which
 * @param others the relations that no key serves, as in CQL
 */
record QueryShape(
    Set<String> equal,
    Set<String> ranges,
    Map<String, Boolean> order,
    Set<String> read,
    boolean all,
    List<String> others) {

  /** Takes a SELECT apart. */
  static QueryShape of(SelectStatement select) {
    QueryShape shape =
        new QueryShape(
            new LinkedHashSet<>(),
            new LinkedHashSet<>(),
            new LinkedHashMap<>(),
            new LinkedHashSet<>(),
            false,
            new ArrayList<>());
    select.where().forEach(shape::add);
    shape.ranges.removeAll(shape.equal);
    for (SelectStatement.Ordering each : select.orderBy()) {
      if (each.annOf() != null) {
        shape.others.add("ORDER BY " + CqlNames.quoted(each.column()) + " ANN OF");
      } else if (!shape.equal.contains(each.column())) {
        shape.order.put(each.column(), each.descending());
      }
    }
    boolean all = select.isWildcard();
    for (Selector each : select.selectors()) {
      all |= !shape.reads(each.selectable());
    }
    for (Selectable each : select.groupBy()) {
      all |= !shape.reads(each);
    }
    return new QueryShape(shape.equal, shape.ranges, shape.order, shape.read, all, shape.others);
  }

  private void add(Relation relation) {
    switch (relation) {
      case Relation.ColumnRelation(String column, Operator operator, var value) ->
          add(column, operator);
      case Relation.ColumnIn(String column, var values) -> equal.add(column);
      case Relation.TupleRelation tuple ->
          tuple.columns().forEach(column -> add(column, tuple.operator()));
      case Relation.TupleIn tuple -> equal.addAll(tuple.columns());
      case Relation.IsNotNull(String column) ->
          others.add(CqlNames.quoted(column) + " IS NOT NULL");
      case Relation.ElementRelation element ->
          others.add(CqlNames.quoted(element.column()) + "[...] " + element.operator());
      case Relation.TokenRelation token ->
          others.add("token(" + String.join(", ", token.columns()) + ") " + token.operator());
      case Relation.IndexExpression(String index, var value) -> others.add("expr(" + index + ")");
    }
  }

  private void add(String column, Operator operator) {
    switch (operator) {
      case EQ -> equal.add(column);
      case LT, LTE, GT, GTE -> ranges.add(column);
      default -> others.add(CqlNames.quoted(column) + " " + operator);
    }
  }

  /** Adds the columns of an element of the select list; false if they are not known. */
  private boolean reads(Selectable selectable) {
    return switch (selectable) {
      case Selectable.Column column -> {
        read.add(column.name());
        yield true;
      }
      case Selectable.Value ignored -> true;
      case Selectable.CountRows ignored -> true;
      case Selectable.Function function -> function.arguments().stream().allMatch(this::reads);
      case Selectable.CellFactOf fact -> reads(fact.column());
      case Selectable.Cast cast -> reads(cast.operand());
      case Selectable.Field field -> reads(field.operand());
      case Selectable.Element element -> reads(element.operand());
      default -> false;
    };
  }

  /** All columns that a key must have. */
  Set<String> keyed() {
    Set<String> keyed = new LinkedHashSet<>(equal);
    keyed.addAll(ranges);
    keyed.addAll(order.keySet());
    return keyed;
  }
}
