package io.helenus.server.generated;

import io.helenus.server.conformance.DataType;
import io.helenus.server.conformance.Script;
import io.helenus.server.generated.GeneratedTable.Column;
import java.util.List;

/** Random conditions of conditional writes: the IF clauses of INSERT, UPDATE and DELETE. */
final class GeneratedConditions {
  private static final String[] OPERATORS = {" = ", " = ", " != ", " < ", " <= ", " > ", " >= "};

  private final Choices choices;

  GeneratedConditions(Choices choices) {
    this.choices = choices;
  }

  /** Adds an IF clause that is valid for most UPDATE and DELETE statements of the table. */
  void add(StatementDraft draft, GeneratedTable table) {
    if (table.values().isEmpty() || choices.chance(25)) {
      draft.add(choices.chance(97) ? " IF EXISTS" : " IF NOT EXISTS");
      return;
    }
    draft.add(" IF ");
    int count = choices.chance(70) ? 1 : 2 + choices.below(2);
    for (int i = 0; i < count; i++) {
      draft.add(i == 0 ? "" : " AND ");
      Column column = choices.oneOf(choices.chance(97) ? table.values() : table.columns());
      if (choices.chance(column.type() instanceof DataType.Scalar ? 2 : 45)) {
        onElement(draft, column);
      } else {
        compared(draft, column.name(), column.type());
      }
    }
  }

  private void compared(StatementDraft draft, String name, DataType type) {
    draft.add(name);
    if (choices.chance(15)) {
      draft.add(" IN ").listOf(type);
    } else if (choices.chance(25)) {
      draft.add(choices.oneOf(" = null", " != null", " = null", " > null", " IN (null)"));
    } else {
      draft.add(choices.oneOf(OPERATORS)).value(type);
    }
  }

  private void onElement(StatementDraft draft, Column column) {
    String name = column.name();
    switch (column.type()) {
      case DataType.ListOf list when choices.chance(60) -> {
        draft.add(name + "[").number("int", "0", "1", "5");
        compared(draft, "]", list.element());
      }
      case DataType.ListOf list -> draft.add(name + " CONTAINS ").value(list.element());
      case DataType.SetOf set -> draft.add(name + " CONTAINS ").value(set.element());
      case DataType.MapOf map when map.key() != DataType.Scalar.BOOLEAN && choices.chance(60) -> {
        // Cassandra compares the values of a map like its keys
        draft.add(name + "[").value(map.key());
        draft.add(choices.oneOf("] = ", "] != ")).value(map.value());
      }
      case DataType.MapOf map when choices.chance(50) ->
          draft.add(name + " CONTAINS KEY ").value(map.key());
      case DataType.MapOf map -> draft.add(name + " CONTAINS ").value(map.value());
      case DataType.UserType user -> {
        int field = choices.below(user.fields().size());
        compared(draft, name + "." + user.fields().get(field), user.types().get(field));
      }
      default -> draft.add(name + choices.oneOf("[0] = 1", ".f = 1", " CONTAINS 1", " LIKE 'a'"));
    }
  }

  /** A conditional batch of one partition: some of its statements have conditions. */
  Script.Statement batch(GeneratedTable table, GeneratedAssignments assignments) {
    StatementDraft draft =
        new StatementDraft(choices, StatementDraft.anyStyle(choices), choices.chance(10) ? 8 : 0);
    List<String> key =
        table.partition().stream()
            .map(each -> each.name() + " = " + GeneratedValue.of(each.type(), choices).term())
            .toList();
    draft.add("BEGIN " + choices.oneOf("", "", "UNLOGGED ") + "BATCH ");
    for (int i = 1 + choices.below(3); i >= 0; i--) {
      // Cassandra does not read the static lists of statements without conditions
      List<Column> values = GeneratedWrites.withoutStaticLists(table.values());
      if (!values.isEmpty() && choices.chance(65)) {
        Column column = choices.oneOf(values);
        draft.add("UPDATE " + table.name() + " SET ");
        assignments.assign(draft, table, column);
        row(draft, table, key, column.role() == GeneratedTable.Role.STATIC && choices.chance(70));
      } else {
        draft.add("DELETE FROM " + table.name());
        row(draft, table, key, false);
      }
      if (choices.chance(i == 0 ? 90 : 45)) {
        add(draft, table);
      }
      draft.add("; ");
    }
    return draft.add("APPLY BATCH").build();
  }

  private void row(
      StatementDraft draft, GeneratedTable table, List<String> key, boolean partitionOnly) {
    draft.add(" WHERE " + String.join(" AND ", key));
    if (!partitionOnly) {
      for (Column column : table.clustering()) {
        draft.add(" AND " + column.name() + " = ").value(column.type());
      }
    }
  }
}
