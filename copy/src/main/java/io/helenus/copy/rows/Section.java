package io.helenus.copy.rows;

import com.datastax.oss.driver.api.core.type.UserDefinedType;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * The columns that are written together: the static ones of a partition, or the others of a row.
 * Every value that a statement can set on its own is a slot: a column, or a field of a user type.
 * Lists have no slots. Immutable.
 */
final class Section {
  /** Positions in {@link Table#columns}. */
  private final List<Integer> columns = new ArrayList<>();

  private final List<Integer> firstSlots = new ArrayList<>();
  private final List<String> assignments = new ArrayList<>();
  private final List<Integer> simpleSlots = new ArrayList<>();
  private final Table table;
  private final boolean isStatic;

  Section(Table table, boolean isStatic) {
    this.table = table;
    this.isStatic = isStatic;
    for (int i = 0; i < table.columns().size(); i++) {
      Column column = table.columns().get(i);
      if (column.isStatic() == isStatic) {
        columns.add(i);
        firstSlots.add(assignments.size());
        addSlots(column);
      }
    }
  }

  private void addSlots(Column column) {
    String name = column.name();
    switch (column.form()) {
      case SIMPLE -> {
        simpleSlots.add(assignments.size());
        assignments.add(name + " = ?");
      }
      case FIELDS ->
          ((UserDefinedType) column.type())
              .getFieldNames()
              .forEach(field -> assignments.add(name + "." + field.asCql(true) + " = ?"));
      // added to what is there, because CQL does not tell when the whole collection was deleted
      case SET, MAP, COUNTER -> assignments.add(name + " = " + name + " + ?");
      case LIST -> {} // by statements of its own: Cassandra fails if a list to append is not set
    }
  }

  boolean isStatic() {
    return isStatic;
  }

  /** The positions of its columns in the table. */
  List<Integer> columns() {
    return columns;
  }

  /** The first slot of the n-th column of {@link #columns}. */
  int firstSlot(int n) {
    return firstSlots.get(n);
  }

  int slots() {
    return assignments.size();
  }

  /** The slots of columns with one cell, which an INSERT can set. */
  List<Integer> simpleSlots() {
    return simpleSlots;
  }

  /** Values: timestamp and TTL, then the slots, then the key. */
  String update() {
    return assignment(String.join(", ", assignments));
  }

  /** The same for counters, without timestamp and TTL. */
  String increment() {
    return "UPDATE "
        + table.name()
        + " SET "
        + String.join(", ", assignments)
        + " WHERE "
        + table.keyCondition(isStatic);
  }

  /** Values: timestamp and TTL, then elements to append to a list, then the key. */
  String append(int column) {
    String name = table.columns().get(column).name();
    return assignment(name + " = " + name + " + ?");
  }

  /** Values: timestamp and TTL, then the whole list, then the key. */
  String assign(int column) {
    return assignment(table.columns().get(column).name() + " = ?");
  }

  private String assignment(String assignment) {
    return "UPDATE "
        + table.name()
        + " USING TIMESTAMP ? AND TTL ? SET "
        + assignment
        + " WHERE "
        + table.keyCondition(isStatic);
  }

  /** Values: the key, then the simple slots, then timestamp and TTL. */
  String insert() {
    StringJoiner names = new StringJoiner(", ", "INSERT INTO " + table.name() + " (", ")");
    StringJoiner markers = new StringJoiner(", ", " VALUES (", ")");
    table.keys().forEach(names::add);
    table.keys().forEach(_ -> markers.add("?"));
    for (int column : columns) {
      if (table.columns().get(column).form() == Column.Form.SIMPLE) {
        names.add(table.columns().get(column).name());
        markers.add("?");
      }
    }
    return names.toString() + markers + " USING TIMESTAMP ? AND TTL ?";
  }
}
