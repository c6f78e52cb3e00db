package io.helenus.server.query.selection;

import io.helenus.cql.ast.Selectable;
import io.helenus.cql.ast.Term;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.CollectionFunctions;
import io.helenus.server.functions.ScalarFunction;
import io.helenus.server.query.selection.SelectableCompiler.Draft;
import io.helenus.server.query.selection.SelectableCompiler.Selected;
import io.helenus.server.query.statement.Columns;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.query.value.Expression;
import io.helenus.server.query.value.TermCompiler;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.query.value.ValueSource;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionType;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.server.types.UserType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compiles {@code collection[key]} and {@code collection[from..to]} of a select list, and their
 * timestamps and TTLs. Elements of a multi-cell column are read by path; those of other values are
 * searched for in the assembled collection. One per statement.
 */
final class ElementSelections {
  private final SelectableCompiler selectables;
  private final TableSchema table;
  private final TermCompiler terms;
  private final ValueSlots.Builder slots;
  private final SelectionInputs inputs;

  ElementSelections(
      SelectableCompiler selectables,
      TableSchema table,
      TermCompiler terms,
      ValueSlots.Builder slots,
      SelectionInputs inputs) {
    this.selectables = selectables;
    this.table = table;
    this.terms = terms;
    this.slots = slots;
    this.inputs = inputs;
  }

  /** A compiled key: as a slot for paths and checks, and as an expression. */
  private record Key(int slot, Expression expression) {}

  /**
   * The value that elements are selected from.
   *
   * @param column the multi-cell column that it is; null for any other value
   * @param type null if the value is refused
   * @param draft null for a multi-cell column, whose elements are read by path
   */
  private record Operand(
      String name, @Nullable CqlType type, @Nullable ColumnSchema column, @Nullable Draft draft) {
    Expression expression() {
      return Objects.requireNonNull(draft).completion().in(null).expression();
    }
  }

  private Operand operand(Selectable operand) {
    if (operand instanceof Selectable.Column(String name, boolean ignored)) {
      ColumnSchema column = Columns.require(table, name);
      if (column.multiCell() && column.type().isCollection()) {
        return new Operand(name, column.type(), column, null);
      }
    }
    Draft draft = selectables.draft(operand);
    if (draft.exact() != null || draft.isRefused()) {
      return new Operand(draft.text(), draft.exact(), null, draft);
    }
    Selected selected = draft.completion().in(null);
    String name = selected.name();
    CqlType type = selected.type();
    return new Operand(name, type, null, Draft.typed(name, type, () -> selected));
  }

  /** {@code collection[key]}. */
  Draft element(Selectable.Element element) {
    Operand operand = operand(element.operand());
    String name = operand.name() + "[" + element.index() + "]";
    if (operand.type() instanceof ListType) {
      // Cassandra takes it for the key of the element's cell
      return Draft.typed(name, ScalarType.TIMEUUID, () -> refused(operand, "element"));
    }
    if (!(operand.type() instanceof CollectionType type)) {
      return Draft.refused(name, () -> refusal(operand, "element"));
    }
    CqlType result = type instanceof MapType map ? map.value() : keyType(type);
    return Draft.typed(
        name,
        result,
        () -> {
          if (operand.column() != null) {
            Key key = key(element.index(), operand, type, false);
            return new Selected(inputs.element(operand.column(), key.slot(), result), name);
          }
          Expression whole = operand.expression();
          Key key = key(element.index(), operand, type, false);
          ScalarFunction function = CollectionFunctions.element(type, keyType(type), result);
          return new Selected(
              new Expression.Call(function, List.of(whole, key.expression())), name);
        });
  }

  /** {@code collection[from..to]}. */
  Draft slice(Selectable.Slice slice) {
    Operand operand = operand(slice.operand());
    String name = name(slice, operand);
    if (operand.type() instanceof ListType list) {
      return Draft.typed(name, list, () -> refused(operand, "slice"));
    }
    if (!(operand.type() instanceof CollectionType type)) {
      return Draft.refused(name, () -> refusal(operand, "slice"));
    }
    return Draft.typed(name, type, () -> slice(slice, operand, type, name));
  }

  private Selected slice(
      Selectable.Slice slice, Operand operand, CollectionType type, String name) {
    ColumnSchema column = operand.column();
    Expression whole = column == null ? operand.expression() : null;
    Key from = end(slice.from(), operand, type);
    Key to = end(slice.to(), operand, type);
    if (column != null) {
      ElementRange range = ElementRange.all(column).between(from.slot(), to.slot());
      return new Selected(inputs.slice(range), name);
    }
    ScalarFunction function = CollectionFunctions.slice(type, keyType(type));
    List<Expression> arguments =
        List.of(Objects.requireNonNull(whole), from.expression(), to.expression());
    return new Selected(new Expression.Call(function, arguments), name);
  }

  /** The type of the timestamp or TTL of a column or of a part of it. */
  CqlType factType(Selectable.CellFact fact, Selectable target) {
    return switch (target) {
      case Selectable.Column(String name, boolean ignored) ->
          SelectionInputs.factType(fact, Columns.require(table, name).multiCell());
      case Selectable.Slice slice -> factType(fact, slice.operand());
      default -> SelectionInputs.factType(fact, false);
    };
  }

  /** The timestamp or TTL of a column or of a part of it. */
  Selected fact(Selectable.CellFact fact, Selectable target) {
    return switch (target) {
      case Selectable.Column(String name, boolean ignored) ->
          new Selected(inputs.fact(fact, Columns.require(table, name)), name);
      case Selectable.Element element -> elementFact(fact, element);
      case Selectable.Slice slice -> sliceFact(fact, slice);
      case Selectable.Field field -> fieldFact(fact, field);
      default -> throw new IllegalStateException("not a part of a column: " + target);
    };
  }

  /** A field of a frozen value has the timestamp of the value's cell, if it is not null. */
  private Selected fieldFact(Selectable.CellFact fact, Selectable.Field field) {
    Selected value = selectables.compile(field);
    if (field.operand() instanceof Selectable.Column(String name, boolean ignored)) {
      ColumnSchema column = Columns.require(table, name);
      if (column.multiCell() && column.type() instanceof UserType type) {
        int index = type.fieldNames().indexOf(field.field());
        return new Selected(inputs.fieldFact(fact, column, index), value.name());
      }
    }
    return factOfPart(fact, field, field.operand());
  }

  private Selected elementFact(Selectable.CellFact fact, Selectable.Element element) {
    Operand operand = operand(element.operand());
    CollectionType type = requireSetOrMap(operand, "element");
    if (operand.column() != null) {
      Key key = key(element.index(), operand, type, false);
      return new Selected(
          inputs.elementFact(fact, operand.column(), key.slot()),
          operand.name() + "[" + element.index() + "]");
    }
    ElementRange whole = cells(element.operand());
    if (whole != null) {
      Key key = key(element.index(), operand, type, false);
      return ifPresent(element, inputs.elementFact(fact, whole.column(), key.slot()));
    }
    return factOfPart(fact, element, element.operand());
  }

  private Selected sliceFact(Selectable.CellFact fact, Selectable.Slice slice) {
    Operand operand = operand(slice.operand());
    CollectionType ignored = requireSetOrMap(operand, "slice");
    ElementRange cells = cells(slice);
    if (cells == null) {
      return factOfPart(fact, slice, slice.operand());
    }
    return new Selected(inputs.sliceFact(fact, cells), name(slice, operand));
  }

  /** The cells of a multi-cell column, or of a slice of them; null for any other value. */
  private @Nullable ElementRange cells(Selectable part) {
    if (!(part instanceof Selectable.Slice slice)) {
      Operand operand = operand(part);
      return operand.column() == null ? null : ElementRange.all(operand.column());
    }
    ElementRange whole = cells(slice.operand());
    if (whole == null) {
      return null;
    }
    Operand operand = operand(slice.operand());
    CollectionType type = requireSetOrMap(operand, "slice");
    Key from = end(slice.from(), operand, type);
    Key to = end(slice.to(), operand, type);
    return whole.between(from.slot(), to.slot());
  }

  /** A part of a frozen value has the timestamp of the value's cell, if the part exists. */
  private Selected factOfPart(Selectable.CellFact fact, Selectable part, Selectable whole) {
    return ifPresent(part, fact(fact, whole).expression());
  }

  private Selected ifPresent(Selectable part, Expression fact) {
    Selected value = selectables.compile(part);
    ScalarFunction function =
        CollectionFunctions.ifPresent(
            value.expression().type(), fact.type(), part instanceof Selectable.Slice);
    List<Expression> arguments = List.of(value.expression(), fact);
    return new Selected(new Expression.Call(function, arguments), value.name());
  }

  private static CollectionType requireSetOrMap(Operand operand, String selection) {
    if (operand.type() instanceof CollectionType type && !(type instanceof ListType)) {
      return type;
    }
    throw refusal(operand, selection);
  }

  private static Selected refused(Operand operand, String selection) {
    throw refusal(operand, selection);
  }

  /** The error of a selection from a value that is neither a set nor a map. */
  private static CqlException refusal(Operand operand, String selection) {
    if (operand.draft() != null) {
      Expression ignored = operand.expression();
    }
    CqlType type = Objects.requireNonNull(operand.type());
    if (type instanceof ListType) {
      return CqlException.invalid(
          (selection.equals("element") ? "Element" : "Slice")
              + " selection is only allowed on sets and maps, but "
              + operand.name()
              + " is a list");
    }
    return CqlException.invalid(
        "Invalid "
            + selection
            + " selection: "
            + operand.name()
            + (selection.equals("element") ? " is of type " : " of type ")
            + type.toCql()
            + " is not a collection");
  }

  private static CqlType keyType(CollectionType type) {
    return switch (type) {
      case MapType map -> map.key();
      case SetType set -> set.element();
      case ListType list -> list.element();
    };
  }

  private Key end(@Nullable Term term, Operand operand, CollectionType type) {
    return term == null
        ? new Key(-1, new Expression.Constant(null, keyType(type)))
        : key(term, operand, type, true);
  }

  private Key key(Term term, Operand operand, CollectionType type, boolean ofSlice) {
    String name = (type instanceof MapType ? "key(" : "value(") + operand.name() + ")";
    Receiver receiver = Receiver.of(table, name, keyType(type));
    ValueSource source = terms.compile(term, receiver);
    int slot = slots.add(source, receiver.type());
    inputs.requireKey(new ElementKey(slot, operand.name(), ofSlice));
    return new Key(slot, expression(source, receiver.type()));
  }

  private static Expression expression(ValueSource source, CqlType type) {
    return switch (source) {
      case ValueSource.Marker(int index) -> new Expression.Marker(index, type, null);
      case ValueSource.Constant(byte[] value) -> new Expression.Constant(value, type);
      case ValueSource.Computed(Expression expression) -> expression;
      case ValueSource.Unset ignored -> throw new IllegalStateException("not of a term: " + source);
      case ValueSource.JsonField ignored ->
          throw new IllegalStateException("not of a term: " + source);
    };
  }

  private static String name(Selectable.Slice slice, Operand operand) {
    return operand.name() + "[" + text(slice.from()) + ".." + text(slice.to()) + "]";
  }

  private static String text(@Nullable Term term) {
    return term == null ? "" : term.toString();
  }
}
