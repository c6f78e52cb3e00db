package io.helenus.server.query.selection;

import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Selectable;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.restriction.WherePlan;
import io.helenus.server.query.statement.Columns;
import io.helenus.server.query.statement.Unsupported;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validates GROUP BY: primary key columns in their declared order. Stateless. */
public final class GroupByCompiler {
  private static final String ORDER =
      "Group by currently only support groups of columns following their declared order in the"
          + " PRIMARY KEY";

  private GroupByCompiler() {}

  /** Compiles GROUP BY; returns null if there is none. */
  public static @Nullable Grouping compile(
      TableSchema table, SelectStatement statement, WherePlan where) {
    if (statement.groupBy().isEmpty()) {
      return null;
    }
    List<ColumnSchema> key = new ArrayList<>(table.partitionKey());
    key.addAll(table.clusteringColumns());
    int next = 0;
    int prefix = 0;
    for (Selectable selectable : statement.groupBy()) {
      if (!(selectable instanceof Selectable.Column(String name, boolean ignored))) {
        throw Unsupported.feature("GROUP BY with a function");
      }
      ColumnSchema column = Columns.require(table, name);
      if (!column.isPrimaryKey()) {
        throw CqlException.invalid(
            "Group by is currently only supported on the columns of the PRIMARY KEY, got "
                + column.name());
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
    return new Grouping(prefix);
  }
}
