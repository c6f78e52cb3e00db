package io.helenus.server.query.restriction;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.InValues;
import io.helenus.cql.ast.Operator;
import io.helenus.cql.ast.Relation;
import io.helenus.cql.ast.Term;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.statement.Columns;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.query.value.TermCompiler;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.query.value.ValueSource;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionType;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.TupleType;
import io.helenus.server.types.UserType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Compiles relations to restrictions: looks up columns and assigns slots to values. One per
 * statement.
 */
public final class RelationCompiler {
  private final TableSchema table;
  private final TermCompiler terms;
  private final ValueSlots.Builder slots;

  /** Creates a compiler for relations on a table, which adds their values to the slots. */
  public RelationCompiler(TableSchema table, TermCompiler terms, ValueSlots.Builder slots) {
    this.table = table;
    this.terms = terms;
    this.slots = slots;
  }

  Restriction compile(Relation.ColumnRelation relation) {
    Operator operator = relation.operator();
    String text = CqlNames.quoted(relation.column()) + " " + operator + " " + relation.value();
    if (operator == Operator.NEQ) {
      throw notEqual(text);
    }
    ColumnSchema column = Columns.require(table, relation.column());
    CqlType type = column.type();
    if (operator == Operator.CONTAINS_KEY && !(type instanceof MapType)) {
      throw CqlException.invalid("Cannot use CONTAINS KEY on non-map column " + column.name());
    }
    if (operator == Operator.CONTAINS && !type.isCollection()) {
      throw CqlException.invalid("Cannot use CONTAINS on non-collection column " + column.name());
    }
    requireNoSliceOfDurations(operator, type);
    if (type.isMultiCell() && !isContains(operator)) {
      throw multiCell(column, operator.toString());
    }
    if (isContains(operator)) {
      return contains(column, operator == Operator.CONTAINS_KEY, relation.value());
    }
    TupleSource value = TupleSource.of(slot(relation.value(), Receiver.of(table, column)));
    if (operator == Operator.LIKE) {
      throw CqlException.invalid(
          "LIKE restriction is only supported on properly indexed columns. "
              + text
              + " is not valid.");
    }
    return restriction(List.of(column), false, operator, value);
  }

  /** Durations have no order. */
  private static void requireNoSliceOfDurations(Operator operator, CqlType type) {
    if (!isSlice(operator) || !type.referencesDuration()) {
      return;
    }
    String unordered =
        switch (type) {
          case CollectionType ignored -> "collections containing durations";
          case TupleType ignored -> "tuples containing durations";
          case UserType ignored -> "UDTs containing durations";
          default -> "duration columns";
        };
    throw CqlException.invalid("Slice restrictions are not supported on " + unordered);
  }

  private Restriction contains(ColumnSchema column, boolean key, Term value) {
    int slot = key ? keySlot(column, value) : valueSlot(column, value);
    Restriction.Contains.Part part =
        key ? new Restriction.Contains.Part(slot, -1) : new Restriction.Contains.Part(-1, slot);
    return new Restriction.Contains(List.of(column), List.of(part));
  }

  private int keySlot(ColumnSchema column, Term key) {
    CqlType type = column.type().parts().getFirst();
    return slot(key, Receiver.of(table, "key(" + column.name() + ")", type));
  }

  private int valueSlot(ColumnSchema column, Term value) {
    CqlType type = column.type().parts().getLast();
    return slot(value, Receiver.of(table, "value(" + column.name() + ")", type));
  }

  Restriction compile(Relation.ElementRelation relation) {
    if (relation.operator() == Operator.NEQ) {
      throw notEqual(
          CqlNames.quoted(relation.column()) + "[" + relation.key() + "] != " + relation.value());
    }
    ColumnSchema column = Columns.require(table, relation.column());
    if (column.type() instanceof ListType) {
      throw CqlException.invalid(
          "Indexes on list entries ("
              + column.name()
              + "[index] = value) are not currently supported.");
    }
    requireNoSliceOfDurations(relation.operator(), column.type());
    if (!(column.type() instanceof MapType)) {
      throw CqlException.invalid("Column " + column.name() + " cannot be used as a map");
    }
    if (!column.type().isMultiCell()) {
      throw CqlException.invalid(
          "Map-entry equality predicates on frozen map column "
              + column.name()
              + " are not supported");
    }
    if (relation.operator() != Operator.EQ) {
      throw CqlException.invalid("Only EQ relations are supported on map entries");
    }
    int key = keySlot(column, relation.key());
    int value = valueSlot(column, relation.value());
    return new Restriction.Contains(
        List.of(column), List.of(new Restriction.Contains.Part(key, value)));
  }

  Restriction compile(Relation.ColumnIn relation) {
    ColumnSchema column = Columns.require(table, relation.column());
    if (column.type().isMultiCell()) {
      throw multiCell(column, "IN");
    }
    return switch (relation.values()) {
      case BindMarker marker -> {
        Receiver receiver =
            Receiver.of(table, "in(" + column.name() + ")", new ListType(column.type(), false));
        yield new Restriction.In(List.of(column), false, List.of(), list(marker, receiver));
      }
      case InValues.Values(List<Term> list) -> {
        List<TupleSource> values = new ArrayList<>(list.size());
        for (Term term : list) {
          values.add(TupleSource.of(slot(term, Receiver.of(table, column))));
        }
        yield values.size() == 1
            ? new Restriction.Equal(List.of(column), false, values.getFirst())
            : new Restriction.In(List.of(column), false, values, -1);
      }
    };
  }

  Restriction compile(Relation.TupleRelation relation) {
    String text =
        tupleText(relation.columns()) + " " + relation.operator() + " " + relation.value();
    if (relation.operator() == Operator.NEQ) {
      throw notEqual(text);
    }
    List<ColumnSchema> columns = tupleColumns(relation.columns(), text);
    TupleSource value = tuple(relation.value(), columns);
    return restriction(columns, true, relation.operator(), value);
  }

  Restriction compile(Relation.TupleIn relation) {
    String text = tupleText(relation.columns()) + " IN " + relation.values();
    List<ColumnSchema> columns = tupleColumns(relation.columns(), text);
    return switch (relation.values()) {
      case BindMarker marker -> {
        Receiver receiver =
            Receiver.of(table, "in" + tupleName(columns), new ListType(tupleType(columns), false));
        yield new Restriction.In(columns, true, List.of(), list(marker, receiver));
      }
      case InValues.Values(List<Term> list) -> {
        List<TupleSource> values = new ArrayList<>(list.size());
        for (Term term : list) {
          values.add(tuple(term, columns));
        }
        yield values.size() == 1
            ? new Restriction.Equal(columns, true, values.getFirst())
            : new Restriction.In(columns, true, values, -1);
      }
    };
  }

  TokenRestriction compile(Relation.TokenRelation relation) {
    if (relation.operator() == Operator.NEQ) {
      throw notEqual(tokenText(relation));
    }
    List<ColumnSchema> columns = new ArrayList<>();
    for (String name : relation.columns()) {
      columns.add(Columns.require(table, name));
    }
    if (!columns.equals(table.partitionKey())) {
      if (!columns.containsAll(table.partitionKey())) {
        throw CqlException.invalid(
            "The token() function must be applied to all partition key components or none of"
                + " them");
      }
      if (new HashSet<>(columns).size() < columns.size()) {
        throw CqlException.invalid(
            "The token() function contains duplicate partition key components");
      }
      if (!table.partitionKey().containsAll(columns)) {
        throw CqlException.invalid(
            "The token() function must contains only partition key components");
      }
      throw CqlException.invalid(
          "The token function arguments must be in the partition key order: "
              + RestrictionSet.names(table.partitionKey()));
    }
    Receiver receiver = Receiver.of(table, "partition key token", ScalarType.BIGINT);
    int slot = slot(relation.value(), receiver);
    return switch (relation.operator()) {
      case EQ -> TokenRestriction.equal(slot);
      case GT -> TokenRestriction.lower(slot, false);
      case GTE -> TokenRestriction.lower(slot, true);
      case LT -> TokenRestriction.upper(slot, false);
      case LTE -> TokenRestriction.upper(slot, true);
      case NEQ, CONTAINS, CONTAINS_KEY, LIKE -> throw notEqual(tokenText(relation));
    };
  }

  private static String tokenText(Relation.TokenRelation relation) {
    return "token("
        + String.join(", ", relation.columns())
        + ") "
        + relation.operator()
        + " "
        + relation.value();
  }

  private static Restriction restriction(
      List<ColumnSchema> columns, boolean tuple, Operator operator, TupleSource value) {
    return switch (operator) {
      case EQ -> new Restriction.Equal(columns, tuple, value);
      case GT, GTE ->
          new Restriction.Slice(
              columns,
              tuple,
              new Restriction.Bound(columns, tuple, value, operator == Operator.GTE),
              null);
      case LT, LTE ->
          new Restriction.Slice(
              columns,
              tuple,
              null,
              new Restriction.Bound(columns, tuple, value, operator == Operator.LTE));
      case NEQ, CONTAINS, CONTAINS_KEY, LIKE ->
          throw new IllegalStateException("should have been rejected: " + operator);
    };
  }

  private int slot(Term term, Receiver receiver) {
    ValueSource value = terms.compile(term, receiver);
    ColumnSchema column = receiver.column();
    // Cassandra overlooks that the type of a DESC column is a collection
    return column != null && column.descending()
        ? slots.addUnsorted(value, receiver.type())
        : slots.add(value, receiver.type());
  }

  private int marker(BindMarker marker, Receiver receiver) {
    return slots.add(terms.marker(marker, receiver), receiver.type());
  }

  private int list(BindMarker marker, Receiver receiver) {
    return slots.addInList(terms.marker(marker, receiver), receiver.type());
  }

  private TupleSource tuple(Term term, List<ColumnSchema> columns) {
    if (term instanceof BindMarker marker) {
      Receiver receiver = Receiver.of(table, tupleName(columns), tupleType(columns));
      return TupleSource.tuple(marker(marker, receiver), columns);
    }
    if (!(term instanceof Term.TupleLiteral(List<Term> elements))) {
      throw new IllegalStateException("not a value of a multi-column relation: " + term);
    }
    if (elements.size() != columns.size()) {
      throw CqlException.invalid(
          "Expected "
              + columns.size()
              + " elements in value tuple, but got "
              + elements.size()
              + ": "
              + term);
    }
    int[] elementSlots = new int[elements.size()];
    for (int i = 0; i < elementSlots.length; i++) {
      elementSlots[i] = slot(elements.get(i), Receiver.of(table, columns.get(i)));
    }
    return TupleSource.of(elementSlots);
  }

  private List<ColumnSchema> tupleColumns(List<String> names, String text) {
    List<ColumnSchema> columns = new ArrayList<>(names.size());
    int previous = -1;
    for (String name : names) {
      ColumnSchema column = Columns.require(table, name);
      if (column.kind() != ColumnKind.CLUSTERING) {
        throw CqlException.invalid(
            "Multi-column relations can only be applied to clustering columns but was applied to: "
                + column.name());
      }
      if (columns.contains(column)) {
        throw CqlException.invalid(
            "Column \"" + column.name() + "\" appeared twice in a relation: " + text);
      }
      if (previous >= 0 && column.position() != previous + 1) {
        throw CqlException.invalid(
            "Clustering columns must appear in the PRIMARY KEY order in multi-column relations: "
                + text);
      }
      previous = column.position();
      columns.add(column);
    }
    return columns;
  }

  private static CqlType tupleType(List<ColumnSchema> columns) {
    return new TupleType(columns.stream().map(ColumnSchema::type).toList());
  }

  private static String tupleName(List<ColumnSchema> columns) {
    return columns.stream().map(ColumnSchema::name).collect(Collectors.joining(",", "(", ")"));
  }

  private static String tupleText(List<String> names) {
    return names.stream().map(CqlNames::quoted).collect(Collectors.joining(", ", "(", ")"));
  }

  private static CqlException notEqual(String text) {
    return CqlException.invalid("Unsupported \"!=\" relation: " + text);
  }

  private static CqlException multiCell(ColumnSchema column, String operator) {
    if (!column.type().isCollection()) {
      return CqlException.invalid(
          "Non-frozen UDT column '"
              + column.name()
              + "' ("
              + column.type().toCql()
              + ") cannot be restricted by any relation");
    }
    return CqlException.invalid(
        "Collection column '"
            + column.name()
            + "' ("
            + column.type().toCql()
            + ") cannot be restricted by a '"
            + operator
            + "' relation");
  }

  private static boolean isContains(Operator operator) {
    return operator == Operator.CONTAINS || operator == Operator.CONTAINS_KEY;
  }

  private static boolean isSlice(Operator operator) {
    return switch (operator) {
      case LT, LTE, GT, GTE -> true;
      case EQ, NEQ, CONTAINS, CONTAINS_KEY, LIKE -> false;
    };
  }
}
