package io.helenus.server.query.explain;

import io.helenus.cql.ast.Operator;
import io.helenus.cql.ast.Relation;
import io.helenus.cql.ast.SelectStatement;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which columns a SELECT restricts in which way, whether or not it can be run. Built by {@link
 * #of}; then immutable.
 */
final class QueryShape {
  private final Set<ColumnSchema> equal = new LinkedHashSet<>();
  private final Set<ColumnSchema> ranges = new LinkedHashSet<>();
  private final Set<ColumnSchema> elements = new LinkedHashSet<>();
  private final Map<ColumnSchema, Boolean> order = new LinkedHashMap<>();

  private QueryShape() {}

  /** The shape; null if a column does not exist, or rows are ordered by vectors. */
  static @Nullable QueryShape of(TableSchema table, SelectStatement select) {
    QueryShape shape = new QueryShape();
    for (Relation relation : select.where()) {
      if (relation instanceof Relation.TokenRelation) {
        continue;
      }
      for (String name : Clauses.columns(relation)) {
        ColumnSchema column = table.column(name);
        if (column == null) {
          return null;
        }
        shape.add(relation, column);
      }
    }
    for (SelectStatement.Ordering each : select.orderBy()) {
      ColumnSchema column = table.column(each.column());
      if (column == null || each.annOf() != null) {
        return null;
      }
      shape.order.put(column, each.descending());
    }
    return shape;
  }

  private void add(Relation relation, ColumnSchema column) {
    switch (relation) {
      case Relation.ColumnRelation each -> add(each.operator(), column);
      case Relation.TupleRelation each -> add(each.operator(), column);
      case Relation.ColumnIn _, Relation.TupleIn _ -> equal.add(column);
      case Relation.ElementRelation _ -> elements.add(column);
      case Relation.TokenRelation _, Relation.IsNotNull _, Relation.IndexExpression _ -> {}
    }
  }

  private void add(Operator operator, ColumnSchema column) {
    switch (operator) {
      case EQ -> equal.add(column);
      case LT, LTE, GT, GTE -> ranges.add(column);
      case CONTAINS, CONTAINS_KEY, LIKE, NEQ -> elements.add(column);
    }
  }

  /** The columns restricted by = and IN. */
  Set<ColumnSchema> equal() {
    return equal;
  }

  /** The columns restricted to a range. */
  Set<ColumnSchema> ranges() {
    return ranges;
  }

  /** The columns of which a part is restricted. */
  Set<ColumnSchema> elements() {
    return elements;
  }

  /** The columns of ORDER BY, and whether their order is descending. */
  Map<ColumnSchema, Boolean> order() {
    return order;
  }

  /** Whether a column is restricted in any way. */
  boolean restricts(ColumnSchema column) {
    return equal.contains(column) || ranges.contains(column) || elements.contains(column);
  }
}
