package io.helenus.server.query.selection;

import io.helenus.cql.ast.Selectable;
import io.helenus.server.query.value.Expression;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.UserType;
import java.util.ArrayList;
import java.util.List;

/** Collects the inputs that a selection reads from each row. One per statement. */
public final class SelectionInputs {
  private final List<InputColumn> inputs = new ArrayList<>();

  private final List<ElementRange> ranges = new ArrayList<>();
  private final List<ElementKey> keys = new ArrayList<>();

  /**
   * An input of a column.
   *
   * @param part the number of the range of elements, or the index of the field; -1 for the column
   */
  private record InputColumn(SelectionInput.Kind kind, ColumnSchema column, int part) {}

  /** Adds a value that must not be null when the selection runs. */
  void requireKey(ElementKey key) {
    keys.add(key);
  }

  /** One element of a multi-cell set or map. */
  Expression.Input element(ColumnSchema column, int slot, CqlType type) {
    ElementRange range = ElementRange.all(column).between(slot, slot);
    return ofRange(SelectionInput.Kind.ELEMENT, range, type);
  }

  /** A slice of a multi-cell set or map. */
  Expression.Input slice(ElementRange range) {
    return ofRange(SelectionInput.Kind.SLICE, range, range.column().type());
  }

  /** The timestamp or TTL of one element of a multi-cell set or map. */
  Expression.Input elementFact(Selectable.CellFact fact, ColumnSchema column, int slot) {
    ElementRange range = ElementRange.all(column).between(slot, slot);
    return switch (fact) {
      case TIME_TO_LIVE -> ofRange(SelectionInput.Kind.ELEMENT_TIME_TO_LIVE, range, ScalarType.INT);
      case WRITE_TIME, MAX_WRITE_TIME ->
          ofRange(SelectionInput.Kind.ELEMENT_WRITE_TIME, range, ScalarType.BIGINT);
    };
  }

  /** The timestamps or TTLs of a slice of a multi-cell set or map, or the latest timestamp. */
  Expression.Input sliceFact(Selectable.CellFact fact, ElementRange range) {
    return switch (fact) {
      case TIME_TO_LIVE ->
          ofRange(
              SelectionInput.Kind.SLICE_TIMES_TO_LIVE, range, new ListType(ScalarType.INT, false));
      case WRITE_TIME ->
          ofRange(
              SelectionInput.Kind.SLICE_WRITE_TIMES, range, new ListType(ScalarType.BIGINT, false));
      case MAX_WRITE_TIME ->
          ofRange(SelectionInput.Kind.SLICE_LATEST_WRITE_TIME, range, ScalarType.BIGINT);
    };
  }

  private Expression.Input ofRange(SelectionInput.Kind kind, ElementRange range, CqlType type) {
    ranges.add(range);
    inputs.add(new InputColumn(kind, range.column(), ranges.size() - 1));
    return new Expression.Input(inputs.size() - 1, type);
  }

  /** A field of a user type that is not frozen. */
  Expression.Input field(ColumnSchema column, int field) {
    CqlType type = ((UserType) column.type()).fieldTypes().get(field);
    return new Expression.Input(index(SelectionInput.Kind.CELL, column, field), type);
  }

  /** The timestamp or TTL of a field of a user type that is not frozen. */
  Expression.Input fieldFact(Selectable.CellFact fact, ColumnSchema column, int field) {
    return ofCell(fact, column, field);
  }

  private Expression.Input ofCell(Selectable.CellFact fact, ColumnSchema column, int part) {
    return switch (fact) {
      case TIME_TO_LIVE ->
          new Expression.Input(
              index(SelectionInput.Kind.TIME_TO_LIVE, column, part), ScalarType.INT);
      case WRITE_TIME, MAX_WRITE_TIME ->
          new Expression.Input(
              index(SelectionInput.Kind.WRITE_TIME, column, part), ScalarType.BIGINT);
    };
  }

  /** The value of a column. */
  public Expression.Input value(ColumnSchema column) {
    SelectionInput.Kind kind = kind(column);
    return new Expression.Input(index(kind, column, -1), column.type());
  }

  /** The timestamp or TTL of a column's cell. */
  Expression.Input fact(Selectable.CellFact fact, ColumnSchema column) {
    if (column.multiCell()) {
      return factOfCells(fact, column);
    }
    return ofCell(fact, column, -1);
  }

  /** The timestamps or TTLs of the cells of a multi-cell column, or the latest timestamp. */
  private Expression.Input factOfCells(Selectable.CellFact fact, ColumnSchema column) {
    boolean ofFields = column.type() instanceof UserType;
    SelectionInput.Kind kind =
        switch (fact) {
          case TIME_TO_LIVE ->
              ofFields
                  ? SelectionInput.Kind.FIELD_TIMES_TO_LIVE
                  : SelectionInput.Kind.TIMES_TO_LIVE;
          case WRITE_TIME ->
              ofFields ? SelectionInput.Kind.FIELD_WRITE_TIMES : SelectionInput.Kind.WRITE_TIMES;
          case MAX_WRITE_TIME ->
              ofFields
                  ? SelectionInput.Kind.LATEST_FIELD_WRITE_TIME
                  : SelectionInput.Kind.LATEST_WRITE_TIME;
        };
    return new Expression.Input(index(kind, column, -1), factType(fact, true));
  }

  /** The type of the timestamp or TTL of one cell, or of those of several. */
  static CqlType factType(Selectable.CellFact fact, boolean ofCells) {
    return switch (fact) {
      case TIME_TO_LIVE -> ofCells ? new ListType(ScalarType.INT, false) : ScalarType.INT;
      case WRITE_TIME -> ofCells ? new ListType(ScalarType.BIGINT, false) : ScalarType.BIGINT;
      case MAX_WRITE_TIME -> ScalarType.BIGINT;
    };
  }

  private int index(SelectionInput.Kind kind, ColumnSchema column, int part) {
    for (int i = 0; i < inputs.size(); i++) {
      InputColumn known = inputs.get(i);
      if (known.kind() == kind
          && known.part() == part
          && known.column().name().equals(column.name())) {
        return i;
      }
    }
    inputs.add(new InputColumn(kind, column, part));
    return inputs.size() - 1;
  }

  /** The columns to read, in the order in which they were found. */
  List<ColumnSchema> columns() {
    return inputs.stream().map(InputColumn::column).distinct().toList();
  }

  /** The columns of which more than ranges of elements are read. */
  List<ColumnSchema> wholeColumns() {
    return inputs.stream()
        .filter(each -> !each.kind().isOfRange())
        .map(InputColumn::column)
        .distinct()
        .toList();
  }

  /** The column of an input. */
  ColumnSchema column(int index) {
    return inputs.get(index).column();
  }

  /** The ranges of elements, by number. */
  List<ElementRange> ranges() {
    return ranges;
  }

  /** The values that must not be null. */
  List<ElementKey> keys() {
    return keys;
  }

  /** The inputs; call once all columns to read have slots. */
  List<SelectionInput> resolve(ReadColumns read) {
    List<SelectionInput> resolved = new ArrayList<>(inputs.size());
    for (InputColumn input : inputs) {
      resolved.add(
          input.kind().isOfRange()
              ? new SelectionInput(input.kind(), input.part(), input.column().type())
              : input(input.kind(), input.column(), input.part(), read));
    }
    return resolved;
  }

  /** The location of a column's value. */
  public static SelectionInput value(ColumnSchema column, ReadColumns read) {
    return input(kind(column), column, -1, read);
  }

  private static SelectionInput input(
      SelectionInput.Kind kind, ColumnSchema column, int field, ReadColumns read) {
    int index = column.isPrimaryKey() ? column.position() : read.slot(column.id());
    return new SelectionInput(kind, index + Math.max(field, 0), column.type());
  }

  private static SelectionInput.Kind kind(ColumnSchema column) {
    return switch (column.kind()) {
      case PARTITION_KEY -> SelectionInput.Kind.PARTITION_KEY;
      case CLUSTERING -> SelectionInput.Kind.CLUSTERING;
      case STATIC, REGULAR -> {
        if (column.type().isCounter()) {
          yield SelectionInput.Kind.COUNTER;
        }
        if (!column.multiCell()) {
          yield SelectionInput.Kind.CELL;
        }
        yield column.type() instanceof UserType
            ? SelectionInput.Kind.FIELDS
            : SelectionInput.Kind.CELLS;
      }
    };
  }
}
