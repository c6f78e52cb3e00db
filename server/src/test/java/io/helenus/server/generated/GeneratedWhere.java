package io.helenus.server.generated;

import io.helenus.server.conformance.DataType;
import io.helenus.server.generated.GeneratedTable.Column;
import io.helenus.server.generated.GeneratedTable.Index;
import io.helenus.server.generated.GeneratedTable.Role;
import java.util.ArrayList;
import java.util.List;

/** Generates the relations of one WHERE clause. */
final class GeneratedWhere {
  private final Choices choices;
  private final StatementDraft draft;
  private final GeneratedTable table;
  private boolean begun;

  GeneratedWhere(Choices choices, StatementDraft draft, GeneratedTable table) {
    this.choices = choices;
    this.draft = draft;
    this.table = table;
  }

  private StatementDraft next(String name) {
    draft.add(begun ? " AND " : "").add(name);
    begun = true;
    return draft;
  }

  /** Restricts every column of the partition key by = or IN. */
  void fullPartitionKey() {
    for (Column column :
        choices.chance(80) ? table.partition() : choices.shuffled(table.partition())) {
      equalOrIn(column, 20);
    }
  }

  private void equalOrIn(Column column, int inPercent) {
    if (choices.chance(inPercent)) {
      next(column.name()).add(" IN ").listOf(column.type());
    } else {
      next(column.name()).add(" = ").value(column.type());
    }
  }

  /**
   * Restricts the first clustering columns by = and IN.
   *
   * @param length the number of columns, sometimes followed by a range of the next one; −1 for all
   *     columns without a range
   */
  void clusteringPrefix(int length) {
    List<Column> clustering = table.clustering();
    int fixed = length < 0 ? clustering.size() : Math.min(length, clustering.size());
    int first = 0;
    if (fixed > 1 && choices.chance(15)) {
      tuple(clustering.subList(0, fixed), true);
      first = fixed;
    }
    for (int i = first; i < fixed; i++) {
      equalOrIn(clustering.get(i), 15);
    }
    if (length >= 0 && fixed < clustering.size() && choices.chance(60)) {
      range(clustering, fixed);
    }
  }

  private void range(List<Column> clustering, int from) {
    Column column = clustering.get(from);
    if (choices.chance(25)) {
      int to = from + 1 + choices.below(clustering.size() - from);
      int start = choices.chance(70) ? from : 0;
      List<Column> columns = clustering.subList(start, to);
      tuple(columns, false);
      if (choices.chance(25)) {
        tuple(columns, false);
      }
      return;
    }
    next(column.name()).add(choices.oneOf(" > ", " >= ", " < ", " <= ")).value(column.type());
    if (choices.chance(30)) {
      next(column.name()).add(choices.oneOf(" > ", " >= ", " < ", " <= ")).value(column.type());
    }
  }

  private void tuple(List<Column> columns, boolean equal) {
    next("(" + GeneratedTable.names(columns) + ")");
    if (equal && choices.chance(40)) {
      draft.add(" IN (");
      int size = 1 + choices.below(3);
      for (int i = 0; i < size; i++) {
        draft.add(i == 0 ? "" : ", ");
        tupleOf(columns);
      }
      draft.add(")");
      return;
    }
    draft.add(equal ? " = " : choices.oneOf(" > ", " >= ", " < ", " <= "));
    tupleOf(columns);
  }

  private void tupleOf(List<Column> columns) {
    draft.add("(");
    for (int i = 0; i < columns.size(); i++) {
      draft.add(i == 0 ? "" : ", ").value(columns.get(i).type());
    }
    draft.add(choices.chance(1) ? ", 1)" : ")");
  }

  /** A relation on the token of the partition key, or a range of two. */
  void token() {
    String call = "token(" + GeneratedTable.names(table.partition()) + ")";
    for (int i = choices.chance(40) ? 2 : 1; i > 0; i--) {
      next(call).add(choices.oneOf(" > ", " >= ", " < ", " <= ", " = "));
      if (choices.chance(60)) {
        draft.number(
            "bigint",
            "0",
            "-4611686018427387904",
            "4611686018427387904",
            "-9223372036854775808",
            "9223372036854775807");
      } else {
        draft.add("token(");
        for (int each = 0; each < table.partition().size(); each++) {
          draft.add(each == 0 ? "" : ", ").add(draft.term(table.partition().get(each).type()));
        }
        draft.add(")");
      }
    }
  }

  /** Any relations on any columns, in any order. */
  void anything(int atMost) {
    for (int i = 1 + choices.below(atMost); i > 0; i--) {
      Column column = choices.oneOf(table.columns());
      if (mayBeFilteredByElement(column) && choices.chance(60)) {
        element(column);
        continue;
      }
      switch (choices.below(14)) {
        case 0, 1, 2, 3 -> next(column.name()).add(" = ").value(column.type());
        case 4, 5 -> next(column.name()).add(" IN ").listOf(column.type());
        case 6, 7, 8, 9 ->
            next(column.name())
                .add(choices.oneOf(" > ", " >= ", " < ", " <= "))
                .value(column.type());
        case 10 -> tuple(choices.someOf(keyColumns(), 3), choices.chance(40));
        case 11 -> token();
        case 12 -> oddRelation(column);
        default -> {
          for (Column clustering : choices.shuffled(table.clustering())) {
            equalOrIn(clustering, 20);
          }
          next(column.name()).add(" = ").value(column.type());
        }
      }
    }
  }

  /** Relations that one to three indexes can answer, in any order, sometimes beside others. */
  void indexed() {
    for (Index index : choices.someOf(table.indexes(), 3)) {
      Column column = table.column(index.column());
      if (column != null) {
        indexed(column, index.target());
      }
    }
    if (choices.chance(15)) {
      anything(1);
    } else if (choices.chance(15)) {
      fullPartitionKey();
      clusteringPrefix(choices.below(table.clustering().size() + 1));
    } else if (choices.chance(10)) {
      token();
    }
  }

  private void indexed(Column column, String target) {
    String name = column.name();
    if (column.isMultiCell() && choices.chance(95)) {
      switch (column.type()) {
        case DataType.MapOf map when target.equals("keys") ->
            next(name).add(" CONTAINS KEY ").value(map.key());
        case DataType.MapOf map when target.equals("entries") ->
            next(name + "[").value(map.key()).add("] = ").value(map.value());
        default -> element(column);
      }
    } else if (choices.chance(65)) {
      next(name).add(" = ").value(column.type());
    } else if (choices.chance(15)) {
      next(name).add(" IN ").listOf(column.type());
    } else {
      next(name).add(choices.oneOf(" > ", " >= ")).value(column.type());
      if (choices.chance(50)) {
        next(name).add(choices.oneOf(" < ", " <= ")).value(column.type());
      }
    }
  }

  /**
   * Whether elements or fields may be tested. In Cassandra CONTAINS finds nothing in a frozen
   * collection beside a storage-attached index.
   */
  private boolean mayBeFilteredByElement(Column column) {
    return !(column.type() instanceof DataType.Scalar)
        && (column.isMultiCell() || table.indexes().isEmpty());
  }

  /** A relation on an element of a collection, or a field. */
  private void element(Column column) {
    String name = column.name();
    switch (column.type()) {
      case DataType.ListOf list -> next(name).add(" CONTAINS ").value(list.element());
      case DataType.SetOf set -> next(name).add(" CONTAINS ").value(set.element());
      case DataType.MapOf map when choices.chance(40) ->
          next(name + "[")
              .value(map.key())
              .add("]" + choices.oneOf(" = ", " = ", " > ", " <= ", " != "))
              .value(map.value());
      case DataType.MapOf map when choices.chance(50) ->
          next(name).add(" CONTAINS KEY ").value(map.key());
      case DataType.MapOf map -> next(name).add(" CONTAINS ").value(map.value());
      case DataType.UserType user ->
          next(name + "." + user.fields().getFirst() + " = ").value(user.types().getFirst());
      default -> next(name).add(choices.oneOf(" = ", " != ", " > ")).value(column.type());
    }
  }

  private List<Column> keyColumns() {
    List<Column> columns = new ArrayList<>(table.clustering());
    if (columns.isEmpty() || choices.chance(15)) {
      columns.addAll(table.partition());
    }
    if (choices.chance(5)) {
      columns.addAll(table.of(Role.REGULAR));
    }
    return columns;
  }

  private void oddRelation(Column column) {
    String name = column.name();
    String term = draft.term(column.type());
    String other = choices.oneOf(table.columns()).name();
    next(
        choices.oneOf(
            name + " != " + term,
            name + " IS NOT NULL",
            name + " LIKE 'a%'",
            name + " CONTAINS " + term,
            name + " CONTAINS KEY " + term,
            name + "[0] = " + term,
            name + " = null",
            name + " > null",
            name + " IN (null)",
            name + " IN ()",
            name + " IN " + term,
            name + " = (" + term + ")",
            name + " IN ((" + term + "))",
            "(" + name + ") = (" + term + ")",
            "(" + name + ") IN ((" + term + "))",
            "(" + name + ") > (" + term + ")",
            "(" + name + ", " + other + ") = (" + term + ")",
            "(" + name + ", " + other + ") > (" + term + ", " + term + ")",
            "(" + name + ", " + name + ") = (" + term + ", " + term + ")",
            "token(" + name + ") > 0",
            "token(" + name + ", " + other + ") > 0",
            "token(" + name + ") IN (0)",
            "token(" + name + ") = token(" + other + ")",
            "nosuch = " + term,
            name + " BETWEEN " + term + " AND " + term,
            name + " NOT IN (" + term + ")",
            name + " = " + other,
            name + " = " + term + " OR " + other + " = 1",
            name + " = " + term + " + 1",
            name + " = -" + term));
  }
}
