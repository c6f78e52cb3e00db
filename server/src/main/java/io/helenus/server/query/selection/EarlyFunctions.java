package io.helenus.server.query.selection;

import io.helenus.cql.ast.Selector;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.statement.PlanningScope;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import java.util.List;

/**
 * Determines which error of a rejected SELECT is reported first. Cassandra resolves the functions
 * of the select list after the WHERE clause. If the table has static columns, however, it checks
 * each element in turn for static columns, up to the first one that decides the check, and thereby
 * resolves the functions and the types of hints of those elements early. The columns of compact
 * tables do not count as static here. One per statement.
 */
public final class EarlyFunctions {
  private final PlanningScope scope;
  private final TableSchema table;

  public EarlyFunctions(PlanningScope scope, TableSchema table) {
    this.scope = scope;
    this.table = table;
  }

  /** The kind of column to search an element for. */
  private interface Search {
    boolean finds(ColumnSchema column);
  }

  /** Rejects the first unknown function or type among those resolved early. */
  public void refuse(List<Selector> selectors) {
    if (table.isCompact() || table.columns().stream().noneMatch(ColumnSchema::isStatic)) {
      return;
    }
    boolean anyStatic = visit(selectors, ColumnSchema::isStatic);
    if (anyStatic) {
      boolean ignored =
          visit(
              selectors, column -> !column.isStatic() && column.kind() != ColumnKind.PARTITION_KEY);
    }
  }

  /** Resolves the functions of each element up to the first with such a column. */
  private boolean visit(List<Selector> selectors, Search search) {
    for (Selector selector : selectors) {
      List<ColumnSchema> columns = SelectedNames.of(table, List.of(selector));
      resolve(selector);
      for (ColumnSchema column : columns) {
        if (search.finds(column)) {
          return true;
        }
      }
    }
    return false;
  }

  private void resolve(Selector selector) {
    SelectableCompiler compiler =
        new SelectableCompiler(scope, table, new ValueSlots.Builder(), new SelectionInputs());
    try {
      SelectableCompiler.Selected ignored = compiler.compile(selector.selectable());
    } catch (CqlException e) {
      if (compiler.isUnresolved(e)) {
        throw e;
      }
    }
  }
}
