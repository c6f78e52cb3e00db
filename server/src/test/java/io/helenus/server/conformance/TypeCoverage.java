package io.helenus.server.conformance;

import io.helenus.cql.ast.Assignment;
import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.ModificationStatement.Insert;
import io.helenus.cql.ast.ModificationStatement.Update;
import io.helenus.cql.ast.SchemaStatement.ColumnDefinition;
import io.helenus.cql.ast.Statement;
import io.helenus.cql.ast.TableStatement.CreateTable;
import io.helenus.cql.ast.Term;
import io.helenus.cql.ast.TypeName;
import io.helenus.cql.ast.TypeStatement.CreateType;
import io.helenus.cql.ast.TypeStatement.FieldDefinition;
import io.helenus.cql.parser.CqlParser;
import io.helenus.cql.parser.CqlSyntaxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which types stand where in the scripts, and how their values are written. A refused statement
 * counts: the refusal is the answer. Tables and types are looked up by name within their script.
 * Not thread-safe.
 */
final class TypeCoverage {
  private static final Pattern EMPTY_BLOB = Pattern.compile("(?i)0x");
  private static final Set<String> EMPTY_VALUES = Set.of("empty", "''", "0x", "[]", "{}");

  private final Set<String> found = new TreeSet<>();
  private final Map<String, Map<String, Column>> tables = new HashMap<>();
  private final Map<String, Map<String, TypeName>> userTypes = new HashMap<>();
  private List<List<String>> binds = List.of();

  /** Where a value of a type stands. */
  enum Place {
    PARTITION_KEY,
    CLUSTERING_ASC,
    CLUSTERING_DESC,
    STATIC,
    REGULAR,
    LIST_ELEMENT,
    SET_ELEMENT,
    MAP_KEY,
    MAP_VALUE,
    TUPLE_ELEMENT,
    FIELD,
    FROZEN_FIELD,
    VECTOR_ELEMENT;

    public boolean isKey() {
      return this == PARTITION_KEY || this == CLUSTERING_ASC || this == CLUSTERING_DESC;
    }

    boolean isCell() {
      return this == STATIC || this == REGULAR;
    }
  }

  /** How a value is written. */
  enum Way {
    LITERAL,
    BOUND,
    NULL,
    UNSET,
    EMPTY
  }

  private record Column(TypeName type, Place place) {}

  /** Whether the definition of a type in a place is in the scripts. */
  boolean isDefined(String kind, Place place) {
    return found.contains(kind + " " + place);
  }

  /** Whether a write of a type in a place is in the scripts. */
  boolean isWritten(String kind, Place place, Way way) {
    return found.contains(kind + " " + place + " " + way);
  }

  /** Adds the statements of a script. */
  void add(Script script) {
    tables.clear();
    userTypes.clear();
    for (Script.Statement statement : script.statements()) {
      if (statement.directive("batch").isEmpty()) {
        try {
          binds = statement.directives("bind").stream().map(TypeCoverage::split).toList();
          addParsed(CqlParser.parse(statement.text()), !statement.isRefusal());
        } catch (CqlSyntaxException _) {
          // not a write
        }
      }
    }
  }

  private void addParsed(Statement statement, boolean accepted) {
    switch (statement) {
      case CreateType type -> addType(type, accepted);
      case CreateTable table -> addTable(table, accepted);
      case Insert insert -> {
        for (int i = 0; i < Math.min(insert.columns().size(), insert.values().size()); i++) {
          addWrite(insert.table().name(), insert.columns().get(i), insert.values().get(i));
        }
      }
      case Update update -> {
        for (Assignment assignment : update.assignments()) {
          addAssignment(update.table().name(), assignment);
        }
      }
      case null, default -> {}
    }
  }

  private void addType(CreateType type, boolean accepted) {
    Map<String, TypeName> fields = new HashMap<>();
    for (FieldDefinition field : type.fields()) {
      fields.put(field.name(), field.type());
      define(field.type(), Place.FIELD, false);
      define(field.type(), Place.FROZEN_FIELD, false);
    }
    if (accepted) {
      userTypes.put(type.type().name(), fields);
    }
  }

  private void addTable(CreateTable table, boolean accepted) {
    Map<String, Column> columns = new HashMap<>();
    for (ColumnDefinition column : table.columns()) {
      Place place = place(table, column);
      columns.put(column.name(), new Column(column.type(), place));
      define(column.type(), place, false);
    }
    if (accepted) {
      tables.put(table.table().name(), columns);
    }
  }

  private static Place place(CreateTable table, ColumnDefinition column) {
    if (table.partitionKey().contains(column.name())) {
      return Place.PARTITION_KEY;
    }
    if (table.clusteringColumns().contains(column.name())) {
      boolean descending =
          table.clusteringOrder().stream()
              .anyMatch(order -> order.column().equals(column.name()) && order.descending());
      return descending ? Place.CLUSTERING_DESC : Place.CLUSTERING_ASC;
    }
    return column.isStatic() ? Place.STATIC : Place.REGULAR;
  }

  private void define(TypeName type, Place place, boolean frozen) {
    found.add(kind(type, frozen) + " " + place);
    switch (type) {
      case TypeName.Frozen(TypeName inner) -> define(inner, place, true);
      case TypeName.ListOf(TypeName element) -> define(element, Place.LIST_ELEMENT, frozen);
      case TypeName.SetOf(TypeName element) -> define(element, Place.SET_ELEMENT, frozen);
      case TypeName.MapOf(TypeName key, TypeName value) -> {
        define(key, Place.MAP_KEY, frozen);
        define(value, Place.MAP_VALUE, frozen);
      }
      case TypeName.TupleOf(List<TypeName> elements) ->
          elements.forEach(element -> define(element, Place.TUPLE_ELEMENT, frozen));
      case TypeName.VectorOf(TypeName element, _) -> define(element, Place.VECTOR_ELEMENT, frozen);
      default -> {}
    }
  }

  private void addAssignment(String table, Assignment assignment) {
    switch (assignment) {
      case Assignment.SetElement element -> {
        TypeName type = columnType(table, element.column());
        if (type instanceof TypeName.MapOf(TypeName key, TypeName value)) {
          addValue(key, Place.MAP_KEY, element.key(), true);
          addValue(value, Place.MAP_VALUE, element.value(), true);
        } else if (type instanceof TypeName.ListOf(TypeName value)) {
          addValue(value, Place.LIST_ELEMENT, element.value(), true);
        }
      }
      case Assignment.SetField field -> {
        if (columnType(table, field.column()) instanceof TypeName.UserDefined(var name)) {
          addField(name.name(), field.field(), Place.FIELD, field.value());
        }
      }
      case Assignment.SetValue(String column, Term value) -> addWrite(table, column, value);
      case Assignment.Add(String column, Term value) -> addWrite(table, column, value);
      case Assignment.Subtract(String column, Term value) -> addWrite(table, column, value);
      case Assignment.Prepend(String column, Term value) -> addWrite(table, column, value);
    }
  }

  private @Nullable TypeName columnType(String table, String name) {
    Column column = tables.getOrDefault(table, Map.of()).get(name);
    return column == null ? null : column.type();
  }

  private void addWrite(String table, String name, Term term) {
    Column column = tables.getOrDefault(table, Map.of()).get(name);
    if (column != null) {
      addValue(column.type(), column.place(), term, false);
    }
  }

  private void addField(String userType, String name, Place place, Term value) {
    TypeName type = userTypes.getOrDefault(userType, Map.of()).get(name);
    if (type != null) {
      addValue(type, place, value, true);
    }
  }

  /**
   * Adds a term and those within it; within another type, a type is frozen even if not called so.
   */
  private void addValue(TypeName type, Place place, Term term, boolean frozen) {
    if (type instanceof TypeName.Frozen(TypeName inner)) {
      addValue(inner, place, term, true);
      return;
    }
    for (Way way : ways(term)) {
      found.add(kind(type, frozen) + " " + place + " " + way);
    }
    if (term instanceof BindMarker marker) {
      binds.stream()
          .filter(values -> marker.index() < values.size())
          .forEach(values -> addBound(type, values.get(marker.index()), frozen));
    }
    switch (type) {
      case TypeName.ListOf(TypeName element) -> addElements(element, Place.LIST_ELEMENT, term);
      case TypeName.VectorOf(TypeName element, _) ->
          addElements(element, Place.VECTOR_ELEMENT, term);
      case TypeName.SetOf(TypeName element) -> addElements(element, Place.SET_ELEMENT, term);
      case TypeName.MapOf(TypeName key, TypeName value) -> {
        if (term instanceof Term.MapLiteral(List<Term.MapLiteral.Entry> entries)) {
          entries.forEach(entry -> addValue(key, Place.MAP_KEY, entry.key(), true));
          entries.forEach(entry -> addValue(value, Place.MAP_VALUE, entry.value(), true));
        }
      }
      case TypeName.TupleOf(List<TypeName> elements) -> {
        if (term instanceof Term.TupleLiteral(List<Term> terms)) {
          for (int i = 0; i < Math.min(elements.size(), terms.size()); i++) {
            addValue(elements.get(i), Place.TUPLE_ELEMENT, terms.get(i), true);
          }
        }
      }
      case TypeName.UserDefined(var name) -> {
        if (term instanceof Term.UserTypeLiteral(List<Term.UserTypeLiteral.Field> fields)) {
          Place within = frozen ? Place.FROZEN_FIELD : Place.FIELD;
          fields.forEach(field -> addField(name.name(), field.name(), within, field.value()));
        }
      }
      default -> {}
    }
  }

  private void addElements(TypeName element, Place place, Term term) {
    List<Term> elements =
        switch (term) {
          case Term.ListLiteral(List<Term> terms) -> terms;
          case Term.SetLiteral(List<Term> terms) -> terms;
          default -> List.of();
        };
    elements.forEach(each -> addValue(element, place, each, true));
  }

  /** Adds what is within a bound value. */
  private void addBound(TypeName type, String text, boolean frozen) {
    if (text.length() < 2 || "[({".indexOf(text.charAt(0)) < 0) {
      return;
    }
    List<String> parts = split(text.substring(1, text.length() - 1));
    for (int i = 0; i < parts.size(); i++) {
      String part = parts.get(i);
      String first = part.replaceFirst(": .*", "");
      String second = part.replaceFirst("^.*?: ", "");
      switch (type) {
        case TypeName.ListOf(TypeName element) -> addPart(element, Place.LIST_ELEMENT, part);
        case TypeName.SetOf(TypeName element) -> addPart(element, Place.SET_ELEMENT, part);
        case TypeName.MapOf(TypeName key, TypeName value) -> {
          addPart(key, Place.MAP_KEY, first);
          addPart(value, Place.MAP_VALUE, second);
        }
        case TypeName.TupleOf(List<TypeName> elements) ->
            addPart(elements.get(Math.min(i, elements.size() - 1)), Place.TUPLE_ELEMENT, part);
        case TypeName.UserDefined(var name)
            when userTypes.getOrDefault(name.name(), Map.of()).get(first)
                instanceof TypeName field ->
            addPart(field, frozen ? Place.FROZEN_FIELD : Place.FIELD, second);
        default -> {}
      }
    }
  }

  private void addPart(TypeName type, Place place, String text) {
    if (!text.isEmpty()) {
      found.add(kind(type, true) + " " + place + " " + way(text));
    }
  }

  private Set<Way> ways(Term term) {
    return switch (term) {
      case Term.Null _ -> Set.of(Way.NULL);
      case BindMarker marker -> {
        Set<Way> ways = new TreeSet<>();
        for (List<String> values : binds) {
          if (marker.index() < values.size()) {
            ways.add(way(values.get(marker.index())));
          }
        }
        yield ways;
      }
      case Term.Literal literal when literal.text().isEmpty() -> Set.of(Way.EMPTY);
      case Term.Literal literal when EMPTY_BLOB.matcher(literal.text()).matches() ->
          Set.of(Way.EMPTY);
      case Term.FunctionCall(var name, List<Term> arguments)
          when name.name().toLowerCase(Locale.ROOT).startsWith("blob") && arguments.size() == 1 ->
          ways(arguments.getFirst());
      case Term.ListLiteral(List<Term> terms) when terms.isEmpty() -> Set.of(Way.EMPTY);
      case Term.SetLiteral(List<Term> terms) when terms.isEmpty() -> Set.of(Way.EMPTY);
      case Term.MapLiteral(List<Term.MapLiteral.Entry> entries) when entries.isEmpty() ->
          Set.of(Way.EMPTY);
      default -> Set.of(Way.LITERAL);
    };
  }

  private static Way way(String value) {
    return switch (value) {
      case "null" -> Way.NULL;
      case "unset" -> Way.UNSET;
      default -> EMPTY_VALUES.contains(value) ? Way.EMPTY : Way.BOUND;
    };
  }

  /** The values of a line of {@code @bind}. */
  private static List<String> split(String line) {
    List<String> values = new ArrayList<>();
    boolean quoted = false;
    int depth = 0;
    int start = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      quoted ^= c == '\'';
      if (!quoted) {
        depth += "([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0;
        if (c == ',' && depth == 0) {
          values.add(line.substring(start, i).strip());
          start = i + 1;
        }
      }
    }
    values.add(line.substring(start).strip());
    return values;
  }

  /** The name of a type as {@link TypeCoverageTest} lists it: without elements and fields. */
  private static String kind(TypeName type, boolean frozen) {
    return switch (type) {
      case TypeName.Native scalar -> scalar.toString().replace("varchar", "text");
      case TypeName.Frozen(TypeName inner) -> kind(inner, true);
      case TypeName.ListOf _ -> frozen ? "frozen list" : "list";
      case TypeName.SetOf _ -> frozen ? "frozen set" : "set";
      case TypeName.MapOf _ -> frozen ? "frozen map" : "map";
      case TypeName.UserDefined _ -> frozen ? "frozen user type" : "user type";
      case TypeName.TupleOf _ -> "tuple";
      case TypeName.VectorOf _ -> "vector";
      case TypeName.Custom _ -> "custom";
    };
  }
}
