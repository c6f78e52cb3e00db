package io.helenus.server.generated;

import io.helenus.server.conformance.DataType;
import io.helenus.server.generated.GeneratedTable.Column;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Random data types of the differential tester, and the user types of its keyspace. Not
 * thread-safe.
 */
public final class GeneratedTypes {
  public static final List<DataType.Scalar> SCALARS =
      List.of(DataType.Scalar.values()).stream()
          .filter(each -> each != DataType.Scalar.COUNTER)
          .toList();

  private static final int DEPTH = 2;

  private final Choices choices;
  private final List<DataType.UserType> userTypes = new ArrayList<>();
  private final Set<String> inVectors = new HashSet<>();
  private int nextField;

  public GeneratedTypes(Choices choices) {
    this.choices = choices;
  }

  /** The user types that exist. */
  List<DataType.UserType> userTypes() {
    return userTypes;
  }

  /** A new user type; it exists once {@link #put} has been called with it. */
  public DataType.UserType newUserType() {
    List<String> fields = new ArrayList<>();
    List<DataType> types = new ArrayList<>();
    for (int i = 1 + choices.below(4); i > 0; i--) {
      fields.add(newField());
      types.add(choices.chance(70) ? scalar() : composite(DEPTH - 1));
    }
    return new DataType.UserType("u" + userTypes.size(), fields, types);
  }

  /** The user types that may be altered: Cassandra overlooks vectors of a type that is altered. */
  List<DataType.UserType> alterable() {
    return userTypes.stream().filter(each -> !inVectors.contains(each.name())).toList();
  }

  private void addInVector(DataType type) {
    switch (type) {
      case DataType.Scalar _, DataType.Custom _ -> {}
      case DataType.ListOf list -> addInVector(list.element());
      case DataType.SetOf set -> addInVector(set.element());
      case DataType.MapOf map -> {
        addInVector(map.key());
        addInVector(map.value());
      }
      case DataType.VectorOf vector -> addInVector(vector.element());
      case DataType.TupleOf tuple -> tuple.elements().forEach(this::addInVector);
      case DataType.UserType user -> {
        inVectors.add(user.name());
        user.types().forEach(this::addInVector);
      }
    }
  }

  String newField() {
    return choices.chance(94) ? "f" + nextField++ : "\"F " + nextField++ + "\"";
  }

  /** Adds a user type, or replaces the one with this name. */
  public void put(DataType.UserType type) {
    userTypes.removeIf(each -> each.name().equals(type.name()));
    userTypes.add(type);
    for (int i = 0; i < userTypes.size(); i++) {
      DataType.UserType other = userTypes.get(i);
      if (!other.name().equals(type.name())) {
        userTypes.set(i, (DataType.UserType) replaced(other, type));
      }
    }
  }

  /** The columns with a newer version of a user type in their types. */
  static List<Column> replaced(List<Column> columns, DataType.UserType type) {
    return columns.stream().map(each -> each.withType(replaced(each.type(), type))).toList();
  }

  /** Whether values of a type can be equal as clustering values and have different bytes. */
  static boolean hasForms(DataType type) {
    return switch (type) {
      case DataType.Scalar scalar ->
          switch (scalar) {
            case BOOLEAN, DECIMAL, DOUBLE, FLOAT, VARINT -> true;
            default -> false;
          };
      case DataType.Custom _ -> false;
      case DataType.ListOf list -> hasForms(list.element());
      case DataType.SetOf set -> hasForms(set.element());
      case DataType.MapOf map -> hasForms(map.key()) || hasForms(map.value());
      case DataType.VectorOf vector -> hasForms(vector.element());
      case DataType.TupleOf _, DataType.UserType _ -> true;
    };
  }

  /** Whether a type is a user type or contains it. */
  static boolean uses(DataType in, DataType.UserType type) {
    DataType.UserType other = new DataType.UserType(type.name(), List.of(), List.of());
    return !replaced(in, other).equals(in);
  }

  private static DataType replaced(DataType in, DataType.UserType by) {
    return switch (in) {
      case DataType.Scalar _, DataType.Custom _ -> in;
      case DataType.VectorOf vector ->
          new DataType.VectorOf(replaced(vector.element(), by), vector.dimension());
      case DataType.ListOf list -> new DataType.ListOf(replaced(list.element(), by));
      case DataType.SetOf set -> new DataType.SetOf(replaced(set.element(), by));
      case DataType.MapOf map ->
          new DataType.MapOf(replaced(map.key(), by), replaced(map.value(), by));
      case DataType.TupleOf tuple ->
          new DataType.TupleOf(tuple.elements().stream().map(each -> replaced(each, by)).toList());
      case DataType.UserType user ->
          user.name().equals(by.name())
              ? by
              : new DataType.UserType(
                  user.name(),
                  user.fields(),
                  user.types().stream().map(each -> replaced(each, by)).toList());
    };
  }

  /** A type for a column outside the primary key. */
  DataType any() {
    return choices.chance(45) ? scalar() : composite(DEPTH);
  }

  /**
   * A type for a column of the primary key, which is frozen there: neither a set nor a map, as
   * Cassandra does not always sort their elements when they are bound.
   */
  DataType key() {
    DataType type = choices.chance(85) ? scalar() : composite(DEPTH);
    while (!isKey(type)) {
      type = scalar();
    }
    return type;
  }

  /** Whether {@link #key} may be this type. */
  public static boolean isKey(DataType type) {
    return !holdsDuration(type) && !holdsSorted(type);
  }

  private static boolean holdsSorted(DataType type) {
    return switch (type) {
      case DataType.SetOf _, DataType.MapOf _ -> true;
      case DataType.ListOf list -> holdsSorted(list.element());
      case DataType.VectorOf vector -> holdsSorted(vector.element());
      case DataType.TupleOf tuple ->
          tuple.elements().stream().anyMatch(GeneratedTypes::holdsSorted);
      case DataType.UserType user -> user.types().stream().anyMatch(GeneratedTypes::holdsSorted);
      case DataType.Scalar _, DataType.Custom _ -> false;
    };
  }

  DataType.Scalar scalar() {
    return choices.oneOf(SCALARS);
  }

  private DataType composite(int depth) {
    return switch (choices.below(userTypes.isEmpty() ? 10 : 14)) {
      case 0, 1, 2 -> new DataType.ListOf(element(depth));
      case 3, 4 -> new DataType.SetOf(ordered(depth));
      case 5, 6, 7 -> new DataType.MapOf(ordered(depth), element(depth));
      case 8 -> {
        List<DataType> elements = new ArrayList<>();
        for (int i = 1 + choices.below(3); i > 0; i--) {
          elements.add(element(depth));
        }
        yield new DataType.TupleOf(elements);
      }
      case 9 -> choices.chance(60) ? GeneratedVectors.type(choices) : vector(element(depth));
      default -> choices.oneOf(userTypes);
    };
  }

  private DataType vector(DataType element) {
    addInVector(element);
    return GeneratedVectors.of(element, choices);
  }

  private DataType element(int depth) {
    return depth <= 1 || choices.chance(75) ? scalar() : composite(depth - 1);
  }

  /** A type of set elements and map keys: without durations. */
  private DataType ordered(int depth) {
    DataType type = element(depth);
    while (holdsDuration(type)) {
      type = scalar();
    }
    return type;
  }

  private static boolean holdsDuration(DataType type) {
    return switch (type) {
      case DataType.Scalar scalar -> scalar == DataType.Scalar.DURATION;
      case DataType.ListOf list -> holdsDuration(list.element());
      case DataType.VectorOf vector -> holdsDuration(vector.element());
      case DataType.SetOf set -> holdsDuration(set.element());
      case DataType.MapOf map -> holdsDuration(map.key()) || holdsDuration(map.value());
      case DataType.TupleOf tuple ->
          tuple.elements().stream().anyMatch(each -> holdsDuration(each));
      case DataType.UserType user -> user.types().stream().anyMatch(each -> holdsDuration(each));
      case DataType.Custom _ -> false;
    };
  }

  /** The type as written in CQL, frozen or not; the types in it are frozen. */
  static String cql(DataType type, boolean frozen) {
    String text =
        switch (type) {
          case DataType.Scalar scalar -> scalar.toString();
          case DataType.Custom custom -> custom.className();
          case DataType.VectorOf vector ->
              "vector<" + cql(vector.element(), true) + ", " + vector.dimension() + ">";
          case DataType.ListOf list -> "list<" + cql(list.element(), true) + ">";
          case DataType.SetOf set -> "set<" + cql(set.element(), true) + ">";
          case DataType.MapOf map ->
              "map<" + cql(map.key(), true) + ", " + cql(map.value(), true) + ">";
          case DataType.TupleOf tuple ->
              "tuple<"
                  + String.join(
                      ", ", tuple.elements().stream().map(each -> cql(each, true)).toList())
                  + ">";
          case DataType.UserType user -> user.name();
        };
    return frozen && mayBeMultiCell(type) ? "frozen<" + text + ">" : text;
  }

  /** Whether a column of this type has several cells unless it is frozen. */
  static boolean mayBeMultiCell(DataType type) {
    return type instanceof DataType.ListOf
        || type instanceof DataType.SetOf
        || type instanceof DataType.MapOf
        || type instanceof DataType.UserType;
  }
}
