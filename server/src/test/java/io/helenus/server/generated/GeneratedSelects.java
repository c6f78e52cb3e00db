package io.helenus.server.generated;

import io.helenus.server.conformance.DataType;
import io.helenus.server.conformance.Script;
import io.helenus.server.generated.GeneratedTable.Column;
import io.helenus.server.generated.GeneratedTable.Role;
import java.util.ArrayList;
import java.util.List;

/** Random SELECT statements of every form. */
public final class GeneratedSelects {
  private static final int RARELY = 8;
  private static final int MOSTLY = 85;

  private final Choices choices;
  private final GeneratedSelectors selectors;

  public GeneratedSelects(Choices choices) {
    this.choices = choices;
    selectors = new GeneratedSelectors(choices);
  }

  public Script.Statement select(GeneratedTable table) {
    StatementDraft draft =
        new StatementDraft(choices, StatementDraft.anyStyle(choices), choices.chance(20) ? 12 : 0);
    direct(draft, table);
    draft.add(choices.chance(8) ? "SELECT JSON " : "SELECT ");
    projection(draft, table);
    draft.add(" FROM " + table.name());
    int filteringPercent = where(draft, table);
    groupBy(draft, table);
    orderBy(draft, table);
    if (choices.chance(15)) {
      draft.add(" PER PARTITION LIMIT ").number("int", "1", "2", "3", odd("1", "0", "-1"));
    }
    if (choices.chance(25)) {
      draft.add(" LIMIT ");
      draft.number("int", "1", "2", "3", "5", "10", odd("1", "0", "-1", "99999999999", "1.5"));
    }
    if (choices.chance(filteringPercent)) {
      draft.add(" ALLOW FILTERING");
    }
    if (choices.chance(2)) {
      draft.add(";");
    }
    return draft.build();
  }

  private String odd(String... candidates) {
    return choices.chance(15) ? choices.oneOf(candidates) : candidates[0];
  }

  /** Entries of Cassandra's legacy indexes expire by its clock, not by the time that is sent. */
  private void direct(StatementDraft draft, GeneratedTable table) {
    draft.direct("mask-text (?<=> )ttl-masked");
    if (choices.chance(40)) {
      draft.direct("page " + choices.oneOf("1", "2", "3", "5", "7", "100", odd("2", "0", "-1")));
    }
    if (choices.chance(20)) {
      draft.direct("protocol " + choices.oneOf("3", "4"));
    } else if (choices.chance(8) && table.indexes().isEmpty()) {
      draft.direct("now " + choices.oneOf("1990000000", "1990100000", "2091000000"));
    }
    if (choices.chance(3)) {
      draft.direct(
          "consistency "
              + choices.oneOf(
                  "ANY",
                  "TWO",
                  "QUORUM",
                  "ALL",
                  "SERIAL",
                  "LOCAL_SERIAL",
                  "LOCAL_ONE",
                  "EACH_QUORUM",
                  "LOCAL_QUORUM"));
    }
  }

  /** Adds the select list. */
  private void projection(StatementDraft draft, GeneratedTable table) {
    switch (choices.below(12)) {
      case 0, 1, 2, 3 -> draft.add("*");
      case 4 -> draft.add(choices.oneOf("count(*)", "COUNT(1)", "count(*) AS n", "count(*), *"));
      case 5 -> {
        List<Column> columns =
            choices.chance(70) ? table.partition() : choices.someOf(table.columns(), 4);
        if (choices.chance(30) && !table.of(Role.STATIC).isEmpty()) {
          columns = new ArrayList<>(columns);
          columns.addAll(table.of(Role.STATIC));
        }
        draft.add("DISTINCT " + (choices.chance(5) ? "*" : GeneratedTable.names(columns)));
      }
      default -> {
        int count = 1 + choices.below(4);
        for (int i = 0; i < count; i++) {
          draft.add(i == 0 ? "" : ", ");
          selectors.add(draft, table);
        }
      }
    }
  }

  /** Adds a WHERE clause or none; returns the probability in percent that filtering is allowed. */
  private int where(StatementDraft draft, GeneratedTable table) {
    int kind = choices.below(20);
    if (kind < 4) {
      return RARELY;
    }
    draft.add(" WHERE ");
    GeneratedWhere where = new GeneratedWhere(choices, draft, table);
    if (!table.indexes().isEmpty() && choices.chance(60)) {
      where.indexed();
      return 30;
    }
    if (kind < 12) {
      where.fullPartitionKey();
      where.clusteringPrefix(choices.below(table.clustering().size() + 1));
    } else if (kind < 14) {
      where.token();
      if (choices.chance(20)) {
        where.anything(1);
      }
    } else if (kind < 16) {
      where.fullPartitionKey();
      where.anything(2);
      return MOSTLY;
    } else {
      where.anything(3);
      return MOSTLY;
    }
    return RARELY;
  }

  private void groupBy(StatementDraft draft, GeneratedTable table) {
    if (!choices.chance(6)) {
      return;
    }
    draft.add(" GROUP BY ");
    List<Column> keys = table.columns().stream().filter(Column::isKey).toList();
    int count = 1 + choices.below(keys.size());
    if (choices.chance(15)) {
      draft.add(GeneratedTable.names(choices.someOf(table.columns(), 2)));
      return;
    }
    List<String> names =
        new ArrayList<>(keys.subList(0, count).stream().map(Column::name).toList());
    if (choices.chance(isTime(keys.get(count - 1)) ? 60 : 2)) {
      names.set(
          count - 1,
          "floor(" + names.getLast() + ", " + choices.oneOf("1d", "5h", "1mo", "10m", "0d") + ")");
    }
    draft.add(String.join(", ", names));
  }

  private static boolean isTime(Column column) {
    return column.type() == DataType.Scalar.TIMESTAMP
        || column.type() == DataType.Scalar.TIMEUUID
        || column.type() == DataType.Scalar.DATE
        || column.type() == DataType.Scalar.TIME;
  }

  private void orderBy(StatementDraft draft, GeneratedTable table) {
    List<Column> clustering = table.clustering();
    if (!choices.chance(clustering.isEmpty() ? 2 : 25)) {
      return;
    }
    draft.add(" ORDER BY ");
    if (clustering.isEmpty() || choices.chance(8)) {
      draft.add(GeneratedTable.names(choices.someOf(table.columns(), 2)));
      draft.add(choices.oneOf("", " DESC", " ASC"));
      return;
    }
    boolean reversed = choices.chance(50);
    int count = 1 + choices.below(clustering.size());
    for (int i = 0; i < count; i++) {
      Column column = clustering.get(i);
      boolean descending = column.descending() != reversed;
      if (choices.chance(3)) {
        descending = !descending;
      }
      draft.add(i == 0 ? "" : ", ").add(column.name());
      draft.add(descending ? choices.oneOf(" DESC", " desc") : choices.oneOf("", " ASC"));
    }
  }
}
