package io.helenus.server.query.explain;

import io.helenus.cql.ast.SelectStatement;
import io.helenus.server.query.restriction.IndexPlan;
import io.helenus.server.query.restriction.IndexRules;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.query.select.SelectPlan;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which index a SELECT uses, and why not another. Stateless; any thread. */
final class IndexExplainer {
  private IndexExplainer() {}

  static void explain(
      SelectPlan plan, SelectStatement statement, Surroundings around, ExplainNode read) {
    TableSchema table = plan.table();
    IndexPlan use = plan.where().index();
    IndexSchema chosen =
        plan.where().nearest() != null
            ? plan.where().nearest().index()
            : use == null ? null : use.index();
    IndexRules rules = new IndexRules(table);
    for (IndexSchema index : table.indexes()) {
      ColumnSchema column = table.columnOf(index);
      String condition = Clauses.on(List.of(column.name()), statement.where());
      boolean nearest =
          plan.where().nearest() != null && plan.where().nearest().column().equals(column);
      if (condition.isEmpty() && !nearest) {
        continue;
      }
      String name = index.name() + " on " + table.targetOf(index);
      if (index == chosen) {
        ExplainNode used =
            ExplainNode.of(
                "index",
                name
                    + (nearest
                        ? ": finds the nearest vectors of each shard"
                        : ": looked up for " + condition)
                    + (around.isIndexBuilt(table, index.id())
                        ? ""
                        : "; not built yet, so that the statement fails"));
        long entries = around.indexEntries(table, index.id());
        if (entries > 0) {
          used.estimate().with("entries", entries);
        }
        read.add(used);
      } else {
        read.add("index", name + ": not used, " + whyNot(plan, index, column, chosen, rules));
      }
    }
    if (use != null && chosen == null) {
      read.add(
          "index",
          "none is looked up, as the values are not known one by one: all rows are tested");
    }
  }

  private static String whyNot(
      SelectPlan plan,
      IndexSchema index,
      ColumnSchema column,
      @Nullable IndexSchema chosen,
      IndexRules rules) {
    List<Restriction> all = new ArrayList<>(plan.where().partitionKey());
    all.addAll(plan.where().clustering());
    all.addAll(plan.where().filters());
    boolean supported =
        all.stream().anyMatch(each -> each.covers(column) && rules.supports(index, each));
    if (!supported) {
      return "it does not serve this kind of comparison";
    }
    if (chosen == null) {
      return "the key leads to the rows without it";
    }
    if (chosen.kind() != index.kind()) {
      return "an index of another kind serves the statement";
    }
    return chosen.name() + " is expected to find fewer rows; those found are tested";
  }
}
