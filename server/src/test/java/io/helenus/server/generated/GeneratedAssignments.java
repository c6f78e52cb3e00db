package io.helenus.server.generated;

import io.helenus.server.conformance.DataType;
import io.helenus.server.generated.GeneratedTable.Column;
import java.util.List;

/** Random assignments to, and deletions of, columns and their elements and fields. */
final class GeneratedAssignments {
  private final Choices choices;
  private final GeneratedJson json;

  GeneratedAssignments(Choices choices) {
    this.choices = choices;
    json = new GeneratedJson(choices);
  }

  /** Adds an assignment of UPDATE. */
  void assign(StatementDraft draft, GeneratedTable table, Column column) {
    if (column.type() == DataType.Scalar.COUNTER) {
      increment(draft, column.name());
    } else if (table.hasChosenTimestamps() && choices.chance(2)) {
      draft.add(odd(column.name()));
    } else if (column.isMultiCell() && choices.chance(70)) {
      ofElements(draft, column);
    } else if (mayAdd(table, column) && choices.chance(3)) {
      draft.add(column.name() + " = " + column.name() + " + ").value(column.type());
    } else {
      draft.add(column.name() + " = ");
      nullable(draft, column.type());
    }
  }

  /**
   * Whether a value may be added to the column. Cassandra does not add in some conditional writes
   * of tables with static columns.
   */
  private static boolean mayAdd(GeneratedTable table, Column column) {
    return table.hasChosenTimestamps()
        || table.of(GeneratedTable.Role.STATIC).isEmpty()
            && column.type() instanceof DataType.Scalar;
  }

  /** A value, or null with a probability of a tenth. */
  void nullable(StatementDraft draft, DataType type) {
    if (choices.chance(10)) {
      draft.add("null");
    } else if (choices.chance(4)) {
      json.call(draft, type);
    } else {
      draft.value(type);
    }
  }

  private void increment(StatementDraft draft, String name) {
    draft.add(
        choices.oneOf(
            name + " = " + name + " + ",
            name + " = " + name + " + ",
            name + " = " + name + " - ",
            name + " += ",
            name + " -= ",
            name + " = "));
    draft.number("bigint", "1", "2", "10", "-1", "9223372036854775807");
    if (choices.chance(3)) {
      draft.add(" + " + name);
    }
  }

  private void ofElements(StatementDraft draft, Column column) {
    String name = column.name();
    switch (column.type()) {
      case DataType.ListOf list -> ofList(draft, name, list);
      case DataType.SetOf set -> addOrRemove(draft, name, set, set);
      case DataType.MapOf map -> {
        if (choices.chance(40)) {
          draft.add(name + "[").value(map.key()).add("] = ");
          nullable(draft, map.value());
        } else {
          addOrRemove(draft, name, map, new DataType.SetOf(map.key()));
        }
      }
      case DataType.UserType user -> {
        int field = choices.below(user.fields().size());
        draft.add(name + "." + user.fields().get(field) + " = ");
        nullable(draft, user.types().get(field));
      }
      default -> throw new IllegalStateException(column + " is not multi-cell");
    }
  }

  private void ofList(StatementDraft draft, String name, DataType.ListOf list) {
    switch (choices.below(5)) {
      case 0 -> draft.add(name + " = ").value(list).add(" + " + name);
      case 1 -> {
        draft.add(name + "[").number("int", "0", "1", "2", odd("0", "-1", "100")).add("] = ");
        nullable(draft, list.element());
      }
      default -> addOrRemove(draft, name, list, list);
    }
  }

  private String odd(String usual, String... unusual) {
    return choices.chance(15) ? choices.oneOf(unusual) : usual;
  }

  private void addOrRemove(StatementDraft draft, String name, DataType added, DataType removed) {
    if (choices.chance(60)) {
      draft.add(choices.oneOf(name + " = " + name + " + ", name + " += ")).value(added);
    } else {
      draft.add(choices.oneOf(name + " = " + name + " - ", name + " -= ")).value(removed);
    }
  }

  private String odd(String name) {
    return choices.oneOf(
        name + " = " + name + " + 1",
        name + " = " + name + " - 1",
        name + " = 1 + " + name,
        name + " = [1] + " + name,
        name + " = " + name + " - {1: 2}",
        name + " = " + name + " + (1, 2)",
        name + "[0] = 1",
        name + "['a'] = null",
        name + ".f = 1",
        name + ".f0 = null",
        name + " += 1",
        name + " += null",
        name + " -= {1}",
        "nosuch = 1",
        name + " = " + name);
  }

  /** Adds what DELETE names: columns, elements and fields. */
  void delete(StatementDraft draft, List<Column> columns) {
    for (int i = 0; i < columns.size(); i++) {
      draft.add(i == 0 ? "" : ", ").add(columns.get(i).name());
      if (choices.chance(columns.get(i).isMultiCell() ? 50 : 1)) {
        deleteElement(draft, columns.get(i));
      }
    }
    draft.add(" ");
  }

  private void deleteElement(StatementDraft draft, Column column) {
    switch (column.type()) {
      case DataType.SetOf set -> draft.add("[").value(set.element()).add("]");
      case DataType.MapOf map -> draft.add("[").value(map.key()).add("]");
      case DataType.UserType user -> draft.add("." + choices.oneOf(user.fields()));
      default -> draft.add("[").number("int", "0", "1", "2", odd("0", "-1", "100")).add("]");
    }
  }
}
