package io.helenus.server.generated;

import io.helenus.server.conformance.DataType;
import io.helenus.server.conformance.Script;
import io.helenus.server.generated.GeneratedTable.Column;
import io.helenus.server.generated.GeneratedTable.Role;
import java.util.ArrayList;
import java.util.List;

/** Random INSERT, UPDATE, DELETE and BATCH statements. */
public final class GeneratedWrites {
  private final Choices choices;
  private final GeneratedAssignments assignments;
  private final GeneratedConditions conditions;
  private final GeneratedJson json;
  private long timestampMicros = 1_000_000;

  public GeneratedWrites(Choices choices) {
    this.choices = choices;
    assignments = new GeneratedAssignments(choices);
    conditions = new GeneratedConditions(choices);
    json = new GeneratedJson(choices);
  }

  /** One modification. The tester sets the timestamps, so that WRITETIME can be compared. */
  public Script.Statement modification(GeneratedTable table) {
    StatementDraft draft = draft(table.kind());
    clock(draft, table);
    if (choices.chance(20)) {
      draft.direct("protocol " + choices.oneOf("3", "4"));
    } else if (choices.chance(5)) {
      draft.direct("now 1990000000");
    }
    if (choices.chance(4)) {
      boolean plain = table.hasChosenTimestamps();
      draft.direct(
          "consistency "
              + choices.oneOf(
                  "ANY", "QUORUM", "ALL", "SERIAL", "EACH_QUORUM", plain ? "TWO" : "QUORUM"));
    }
    write(draft, table);
    return draft.build();
  }

  /** A batch, as a statement or as a message. */
  public Script.Statement batch(List<GeneratedTable> tables) {
    GeneratedTable.Kind kind = choices.oneOf(tables).kind();
    List<GeneratedTable> ofKind = tables.stream().filter(each -> each.kind() == kind).toList();
    if (kind == GeneratedTable.Kind.CONDITIONAL && choices.chance(60)) {
      return conditions.batch(choices.oneOf(ofKind), assignments);
    }
    int size = choices.chance(5) ? 0 : 1 + choices.below(4);
    return choices.chance(50) ? batchMessage(ofKind, size) : batchStatement(ofKind, size);
  }

  /** Tables of one kind: counters cannot be written together with others. */
  private Script.Statement batchStatement(List<GeneratedTable> tables, int size) {
    GeneratedTable.Kind kind = tables.getFirst().kind();
    StatementDraft draft = draft(kind);
    clock(draft, tables.getFirst());
    draft.add(
        choices.chance(kind == GeneratedTable.Kind.COUNTER ? 80 : 3)
            ? "BEGIN COUNTER BATCH "
            : choices.oneOf("BEGIN BATCH ", "BEGIN UNLOGGED BATCH ", "begin batch "));
    if (choices.chance(2)) {
      draft.add("USING TTL 5 ");
    } else if (choices.chance(15)) {
      draft.add("USING TIMESTAMP ").number("bigint", "1000010", "1000020", "5");
      draft.add(" ");
    }
    for (int i = 0; i < size; i++) {
      write(draft, choices.oneOf(tables));
      draft.add(choices.oneOf("; ", " ", ";"));
    }
    draft.add(choices.chance(90) ? "APPLY BATCH" : "APPLY BATCH;");
    return draft.build();
  }

  private Script.Statement batchMessage(List<GeneratedTable> tables, int size) {
    List<String> directives = new ArrayList<>();
    GeneratedTable.Kind kind = tables.getFirst().kind();
    directives.add(
        "batch "
            + (choices.chance(kind == GeneratedTable.Kind.COUNTER ? 80 : 10)
                ? "counter"
                : choices.oneOf("logged", "unlogged")));
    if (kind != GeneratedTable.Kind.CONDITIONAL) {
      directives.add("timestamp " + nextTimestamp(kind));
    }
    if (choices.chance(20)) {
      directives.add("protocol " + choices.oneOf("3", "4"));
    }
    List<String> lines = new ArrayList<>();
    lines.add("BATCH");
    for (int i = 0; i < size; i++) {
      StatementDraft draft = draft(kind);
      write(draft, choices.oneOf(tables));
      lines.add("  " + draft.batchLine());
    }
    return new Script.Statement(0, directives, lines, List.of());
  }

  private void clock(StatementDraft draft, GeneratedTable table) {
    if (table.kind() != GeneratedTable.Kind.CONDITIONAL) {
      draft.direct("timestamp " + nextTimestamp(table.kind()));
    }
  }

  private StatementDraft draft(GeneratedTable.Kind kind) {
    StatementDraft.Style style = StatementDraft.anyStyle(choices);
    int oddPercent = choices.chance(25) ? 12 : 0;
    return kind == GeneratedTable.Kind.COUNTER
        ? StatementDraft.executedOnce(choices, style, oddPercent)
        : new StatementDraft(choices, style, oddPercent);
  }

  /** A timestamp; increments of counters need a later one to get the same in both servers. */
  private long nextTimestamp(GeneratedTable.Kind kind) {
    if (kind == GeneratedTable.Kind.COUNTER || choices.chance(80)) {
      timestampMicros++;
    }
    return timestampMicros;
  }

  private void write(StatementDraft draft, GeneratedTable table) {
    if (table.kind() == GeneratedTable.Kind.COUNTER && choices.chance(98)) {
      update(draft, table);
      return;
    }
    switch (choices.below(10)) {
      case 0 -> {
        json.insert(draft, table);
        conditionalInsert(draft, table);
        using(draft, table, true);
      }
      case 1, 2, 3, 4 -> insert(draft, table);
      case 5, 6, 7 -> update(draft, table);
      default -> delete(draft, table);
    }
  }

  private void insert(StatementDraft draft, GeneratedTable table) {
    List<Column> columns = new ArrayList<>(table.partition());
    boolean staticsOnly = choices.chance(15) && !table.of(Role.STATIC).isEmpty();
    if (!staticsOnly) {
      columns.addAll(table.clustering());
    }
    List<Column> values = staticsOnly ? table.of(Role.STATIC) : table.values();
    if (!values.isEmpty() && choices.chance(90)) {
      columns.addAll(choices.someOf(values, values.size()));
    }
    spoil(columns, table);
    draft.add("INSERT INTO " + table.name() + " (" + GeneratedTable.names(columns) + ") VALUES (");
    int count = columns.size() + (choices.chance(1) ? 1 : 0) - (choices.chance(1) ? 1 : 0);
    for (int i = 0; i < count; i++) {
      draft.add(i == 0 ? "" : ", ");
      Column column = columns.get(Math.min(i, columns.size() - 1));
      if (column.isKey()) {
        draft.value(column.type());
      } else {
        assignments.nullable(draft, column.type());
      }
    }
    draft.add(")");
    conditionalInsert(draft, table);
    using(draft, table, true);
  }

  private void conditionalInsert(StatementDraft draft, GeneratedTable table) {
    if (table.kind() == GeneratedTable.Kind.CONDITIONAL && choices.chance(50)) {
      draft.add(choices.chance(97) ? " IF NOT EXISTS" : " IF EXISTS");
    }
  }

  private void conditional(StatementDraft draft, GeneratedTable table) {
    if (table.kind() == GeneratedTable.Kind.CONDITIONAL && choices.chance(65)) {
      conditions.add(draft, table);
    }
  }

  /** Occasionally omits one, duplicates one, or names an unknown one. */
  private void spoil(List<Column> columns, GeneratedTable table) {
    if (choices.chance(4)) {
      columns.remove(choices.below(columns.size()));
    }
    if (choices.chance(2)) {
      columns.add(choices.oneOf(table.columns()));
    }
    if (choices.chance(2) || columns.isEmpty()) {
      columns.add(new Column("nosuch", DataType.Scalar.INT, Role.REGULAR, false, false));
    }
  }

  private void using(StatementDraft draft, GeneratedTable table, boolean withTtl) {
    if (choices.chance(table.hasChosenTimestamps() ? 80 : 96)) {
      return;
    }
    draft.add(" USING ");
    if (withTtl && choices.chance(40)) {
      draft.add("TTL ");
      draft.number("int", "100000000", "200000", "0", "1000000");
      if (choices.chance(50)) {
        return;
      }
      draft.add(" AND ");
    }
    draft.add("TIMESTAMP ");
    draft.number("bigint", "1000001", "1000030", "7", "1000100");
    if (choices.chance(3)) {
      draft.add(choices.oneOf(" AND TIMESTAMP 5", " AND TTL -1", " AND TTL 630720001"));
    }
  }

  private void update(StatementDraft draft, GeneratedTable table) {
    draft.add("UPDATE " + table.name());
    using(draft, table, true);
    draft.add(" SET ");
    boolean staticsOnly = choices.chance(15) && !table.of(Role.STATIC).isEmpty();
    // Cassandra writes the elements of a static list once for each row of an IN
    List<Column> values = staticsOnly ? table.of(Role.STATIC) : withoutStaticLists(table.values());
    List<Column> set = new ArrayList<>();
    if (!values.isEmpty()) {
      set.addAll(choices.someOf(values, 3));
    }
    if (choices.chance(3) || set.isEmpty()) {
      set.add(choices.oneOf(withoutStaticLists(table.columns())));
    }
    if (choices.chance(2)) {
      set.add(set.getFirst());
    }
    for (int i = 0; i < set.size(); i++) {
      draft.add(i == 0 ? "" : ", ");
      assignments.assign(draft, table, set.get(i));
    }
    draft.add(" WHERE ");
    where(draft, table, staticsOnly, false);
    conditional(draft, table);
  }

  /** The columns without static lists. */
  static List<Column> withoutStaticLists(List<Column> columns) {
    return columns.stream()
        .filter(each -> each.role() != Role.STATIC || !(each.type() instanceof DataType.ListOf))
        .toList();
  }

  private void delete(StatementDraft draft, GeneratedTable table) {
    draft.add("DELETE ");
    boolean staticsOnly = choices.chance(10) && !table.of(Role.STATIC).isEmpty();
    List<Column> values = staticsOnly ? table.of(Role.STATIC) : table.values();
    boolean cells = choices.chance(40) && !values.isEmpty();
    if (cells) {
      List<Column> deleted = new ArrayList<>(choices.someOf(values, 2));
      if (choices.chance(3)) {
        deleted.add(choices.oneOf(table.columns()));
      }
      assignments.delete(draft, deleted);
    }
    draft.add("FROM " + table.name());
    using(draft, table, choices.chance(2));
    draft.add(" WHERE ");
    where(draft, table, staticsOnly && cells, !cells);
    conditional(draft, table);
  }

  private void where(
      StatementDraft draft, GeneratedTable table, boolean partitionOnly, boolean ranges) {
    GeneratedWhere where = new GeneratedWhere(choices, draft, table);
    if (choices.chance(6)) {
      where.anything(4);
    } else {
      where.fullPartitionKey();
      if (!partitionOnly || choices.chance(10)) {
        where.clusteringPrefix(ranges ? choices.below(table.clustering().size() + 1) : -1);
      }
    }
  }
}
