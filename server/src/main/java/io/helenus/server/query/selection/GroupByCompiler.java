package io.helenus.server.query.selection;

import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Selectable;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.ScalarFunction;
import io.helenus.server.query.restriction.WherePlan;
import io.helenus.server.query.statement.Columns;
import io.helenus.server.query.value.Expression;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compiles GROUP BY: primary key columns in their declared order, of which the last may be the
 * argument of a function. Stateless.
 */
public final class GroupByCompiler {
  /** The functions whose groups are rows that are next to each other. */
  private static final Set<String> MONOTONIC =
      Set.of(
          "floor",
          "to_date",
          "todate",
          "to_timestamp",
          "totimestamp",
          "to_unix_timestamp",
          "tounixtimestamp");

  private static final String ORDER =
      "Group by currently only support groups of columns following their declared order in the"
          + " PRIMARY KEY";

  private GroupByCompiler() {}

  /** Compiles GROUP BY; returns null if there is none. */
  public static @Nullable Grouping compile(
      TableSchema table, SelectStatement statement, WherePlan where, SelectionCompiler selection) {
    if (statement.groupBy().isEmpty()) {
      return null;
    }
    List<ColumnSchema> key = new ArrayList<>(table.partitionKey());
    key.addAll(table.clusteringColumns());
    int next = 0;
    int prefix = 0;
    Expression function = null;
    for (Selectable selectable : statement.groupBy()) {
      ColumnSchema column;
      if (selectable instanceof Selectable.Column(String name, boolean ignored)) {
        column = keyColumn(table, name, function);
      } else {
        SelectionCompiler.GroupingFunction compiled = selection.groupingFunction(selectable);
        function = compiled.expression();
        column = clusteringColumn(compiled.columns());
        requireMonotonic(function);
      }
      while (true) {
        if (next == key.size()) {
          throw CqlException.invalid(ORDER);
        }
        ColumnSchema passed = key.get(next++);
        prefix += passed.kind() == ColumnKind.CLUSTERING ? 1 : 0;
        if (passed.equals(column)) {
          break;
        }
        if (!where.isRestrictedByEqual(passed)) {
          throw CqlException.invalid(ORDER);
        }
      }
    }
    if (next < key.size() && key.get(next).kind() == ColumnKind.PARTITION_KEY) {
      throw CqlException.invalid("Group by is not supported on only a part of the partition key");
    }
    if (prefix > 0 && statement.distinct()) {
      throw CqlException.invalid(
          "Grouping on clustering columns is not allowed for SELECT DISTINCT queries");
    }
    return new Grouping(prefix, function);
  }

  private static ColumnSchema keyColumn(
      TableSchema table, String name, @Nullable Expression function) {
    ColumnSchema column = Columns.require(table, name);
    if (!column.isPrimaryKey()) {
      throw CqlException.invalid(
          "Group by is currently only supported on the columns of the PRIMARY KEY, got "
              + column.name());
    }
    if (function != null) {
      throw CqlException.invalid(
          "Functions are only supported on the last element of the GROUP BY clause");
    }
    return column;
  }

  private static void requireMonotonic(Expression expression) {
    if (!(expression instanceof Expression.Call(ScalarFunction function, var arguments))) {
      return;
    }
    arguments.forEach(GroupByCompiler::requireMonotonic);
    boolean monotonic =
        MONOTONIC.contains(function.name())
            && arguments.stream().skip(1).allMatch(GroupByCompiler::isConstant);
    if (!monotonic) {
      throw CqlException.invalid(
          "Only monotonic functions are supported in the GROUP BY clause. Got: "
              + signature(function, arguments));
    }
  }

  private static boolean isConstant(Expression expression) {
    return expression instanceof Expression.Constant || expression instanceof Expression.Marker;
  }

  private static String signature(ScalarFunction function, List<Expression> arguments) {
    StringJoiner types = new StringJoiner(", ", "(", ")");
    for (int i = 0; i < arguments.size(); i++) {
      String type = function.argumentTypes().get(i).toCql();
      types.add(arguments.get(i) instanceof Expression.Constant ? type + "(constant)" : type);
    }
    return function.displayName() + " : " + types + " -> " + function.returnType().toCql();
  }

  private static ColumnSchema clusteringColumn(List<ColumnSchema> columns) {
    if (columns.isEmpty()) {
      throw CqlException.invalid(
          "GROUP BY functions must have one clustering column name as parameter");
    }
    if (columns.size() > 1) {
      throw CqlException.invalid(
          columns.stream()
              .map(ColumnSchema::name)
              .collect(
                  Collectors.joining(
                      ",",
                      "GROUP BY functions accept only one clustering column as parameter, got: ",
                      "")));
    }
    ColumnSchema column = columns.getFirst();
    if (column.kind() != ColumnKind.CLUSTERING) {
      throw CqlException.invalid(
          "Group by functions are only supported on clustering columns, got " + column.name());
    }
    return column;
  }
}
