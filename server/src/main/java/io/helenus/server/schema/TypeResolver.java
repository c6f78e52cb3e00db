package io.helenus.server.schema;

import io.helenus.cql.ast.NativeType;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.TypeName;
import io.helenus.server.error.CqlException;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.CustomType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.server.types.TupleType;
import io.helenus.server.types.TypeClassNames;
import io.helenus.server.types.TypeText.UserTypes;
import io.helenus.server.types.UserType;
import io.helenus.server.types.VectorType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Resolves type names in a keyspace. Stateless; any thread. */
public final class TypeResolver {
  private enum Place {
    LIST,
    SET,
    MAP_KEY,
    MAP_VALUE
  }

  private final String keyspace;
  private final UserTypes userTypes;

  private TypeResolver(String keyspace, UserTypes userTypes) {
    this.keyspace = keyspace;
    this.userTypes = userTypes;
  }

  /**
   * Resolves a type name.
   *
   * @param keyspace the keyspace of unqualified user types
   * @param userTypes finds user types
   * @throws CqlException with Cassandra's text
   */
  public static CqlType resolve(TypeName name, String keyspace, UserTypes userTypes) {
    return new TypeResolver(keyspace, userTypes).resolve(name, name);
  }

  /**
   * @param whole the type that errors show: the name, or a frozen type around it
   */
  private CqlType resolve(TypeName name, TypeName whole) {
    return switch (name) {
      case TypeName.Native(NativeType type) -> scalar(type);
      case TypeName.ListOf(TypeName element) ->
          new ListType(element(element, Place.LIST, whole), false);
      case TypeName.SetOf(TypeName element) ->
          new SetType(element(element, Place.SET, whole), false);
      case TypeName.MapOf(TypeName key, TypeName value) -> map(key, value, whole);
      case TypeName.TupleOf(List<TypeName> elements) -> tuple(elements);
      case TypeName.VectorOf(TypeName element, int dimension) -> vector(element, dimension);
      case TypeName.Frozen(TypeName inner) -> frozen(inner, name);
      case TypeName.UserDefined user -> userType(user);
      case TypeName.Custom(String className) -> ofClass(className, whole);
    };
  }

  private static CqlType scalar(NativeType type) {
    return switch (type) {
      case ASCII -> ScalarType.ASCII;
      case BIGINT -> ScalarType.BIGINT;
      case BLOB -> ScalarType.BLOB;
      case BOOLEAN -> ScalarType.BOOLEAN;
      case COUNTER -> ScalarType.COUNTER;
      case DATE -> ScalarType.DATE;
      case DECIMAL -> ScalarType.DECIMAL;
      case DOUBLE -> ScalarType.DOUBLE;
      case DURATION -> ScalarType.DURATION;
      case FLOAT -> ScalarType.FLOAT;
      case INET -> ScalarType.INET;
      case INT -> ScalarType.INT;
      case SMALLINT -> ScalarType.SMALLINT;
      case TEXT, VARCHAR -> ScalarType.TEXT;
      case TIME -> ScalarType.TIME;
      case TIMESTAMP -> ScalarType.TIMESTAMP;
      case TIMEUUID -> ScalarType.TIMEUUID;
      case TINYINT -> ScalarType.TINYINT;
      case UUID -> ScalarType.UUID;
      case VARINT -> ScalarType.VARINT;
    };
  }

  /**
   * As in Cassandra, the value counts before the key, and both names before what they stand for.
   */
  private CqlType map(TypeName key, TypeName value, TypeName whole) {
    requireInside(value, Place.MAP_VALUE, whole);
    requireInside(key, Place.MAP_KEY, whole);
    CqlType ofValues = element(value, Place.MAP_VALUE, whole);
    return new MapType(element(key, Place.MAP_KEY, whole), ofValues, false);
  }

  private CqlType element(TypeName name, Place place, TypeName whole) {
    requireInside(name, place, whole);
    // the collection of a class may lack FrozenType
    CqlType type =
        name instanceof TypeName.Custom ? resolve(name, name).freeze() : resolve(name, name);
    requireInside(type, place, whole);
    return type;
  }

  private static void requireInside(TypeName name, Place place, TypeName whole) {
    switch (name) {
      case TypeName.UserDefined _ ->
          throw CqlException.invalid(
              "Non-frozen UDTs are not allowed inside collections: " + qualified(whole, null));
      case TypeName.ListOf _, TypeName.SetOf _, TypeName.MapOf _ ->
          throw CqlException.invalid(
              "Non-frozen collections are not allowed inside collections: "
                  + qualified(whole, null));
      case TypeName.Native(NativeType type) -> requireInside(scalar(type), place, whole);
      case TypeName.TupleOf _, TypeName.VectorOf _, TypeName.Frozen _, TypeName.Custom _ -> {}
    }
  }

  private static void requireInside(CqlType type, Place place, TypeName whole) {
    if (type.isCounter()) {
      throw CqlException.invalid(
          "Counters are not allowed inside collections: " + qualified(whole, null));
    }
    if (type == ScalarType.DURATION && place == Place.SET) {
      throw CqlException.invalid(
          "Durations are not allowed inside sets: " + qualified(whole, null));
    }
    if (type == ScalarType.DURATION && place == Place.MAP_KEY) {
      throw CqlException.invalid(
          "Durations are not allowed as map keys: " + qualified(whole, null));
    }
  }

  private static void requireNoCounter(CqlType type, String place) {
    if (type.isCounter()) {
      throw CqlException.invalid("Counters are not allowed inside " + place);
    }
  }

  private CqlType tuple(List<TypeName> elements) {
    List<CqlType> types = new ArrayList<>(elements.size());
    for (TypeName element : elements) {
      CqlType type = resolve(frozenInside(element), element);
      requireNoCounter(type, "tuples");
      types.add(type.freeze());
    }
    return new TupleType(types);
  }

  private CqlType vector(TypeName element, int dimension) {
    CqlType type = resolve(element, element);
    requireNoCounter(type, "vectors");
    if (dimension <= 0) {
      throw CqlException.invalid("vectors may only have positive dimensions; given " + dimension);
    }
    return new VectorType(type, dimension);
  }

  private CqlType frozen(TypeName inner, TypeName whole) {
    return resolve(innermost(inner), whole).freeze();
  }

  /** Everything inside a frozen type is frozen, so nested collections need no {@code frozen<>}. */
  private static TypeName innermost(TypeName name) {
    return switch (name) {
      case TypeName.ListOf(TypeName element) -> new TypeName.ListOf(frozenInside(element));
      case TypeName.SetOf(TypeName element) -> new TypeName.SetOf(frozenInside(element));
      case TypeName.MapOf(TypeName key, TypeName value) ->
          new TypeName.MapOf(frozenInside(key), frozenInside(value));
      case TypeName.Native _,
          TypeName.TupleOf _,
          TypeName.VectorOf _,
          TypeName.Frozen _,
          TypeName.UserDefined _,
          TypeName.Custom _ ->
          name;
    };
  }

  private static TypeName frozenInside(TypeName name) {
    return switch (name) {
      case TypeName.ListOf _, TypeName.SetOf _, TypeName.MapOf _, TypeName.UserDefined _ ->
          new TypeName.Frozen(name);
      case TypeName.Native _,
          TypeName.TupleOf _,
          TypeName.VectorOf _,
          TypeName.Frozen _,
          TypeName.Custom _ ->
          name;
    };
  }

  private UserType userType(TypeName.UserDefined user) {
    String typeKeyspace = user.name().keyspace();
    if (typeKeyspace != null && !typeKeyspace.equals(keyspace)) {
      throw CqlException.invalid(
          "Statement on keyspace "
              + keyspace
              + " cannot refer to a user type in keyspace "
              + typeKeyspace
              + "; user types can only be used in the keyspace they are defined in");
    }
    UserType type = userTypes.find(keyspace, user.name().name());
    if (type == null) {
      throw CqlException.invalid("Unknown type " + keyspace + "." + user.name().name());
    }
    return type;
  }

  /**
   * A type name whose user types have their keyspace and whose classes have their package, as
   * Cassandra's errors show it.
   *
   * @param keyspace that of user types; null if they are shown without one
   */
  public static TypeName qualified(TypeName name, @Nullable String keyspace) {
    return switch (name) {
      case TypeName.ListOf(TypeName element) -> new TypeName.ListOf(qualified(element, keyspace));
      case TypeName.SetOf(TypeName element) -> new TypeName.SetOf(qualified(element, keyspace));
      case TypeName.MapOf(TypeName key, TypeName value) ->
          new TypeName.MapOf(qualified(key, keyspace), qualified(value, keyspace));
      case TypeName.TupleOf(List<TypeName> elements) ->
          new TypeName.TupleOf(
              elements.stream().map(each -> frozenInside(qualified(each, keyspace))).toList());
      case TypeName.VectorOf(TypeName element, int dimension) ->
          new TypeName.VectorOf(qualified(element, keyspace), dimension);
      case TypeName.Frozen(TypeName inner) -> new TypeName.Frozen(qualified(inner, keyspace));
      case TypeName.UserDefined(QualifiedName user) ->
          new TypeName.UserDefined(
              user.keyspace() == null ? new QualifiedName(keyspace, user.name()) : user);
      case TypeName.Custom(String className) -> new TypeName.Custom(custom(className).className());
      case TypeName.Native _ -> name;
    };
  }

  /**
   * Checks that a class that is named as a type exists.
   *
   * @throws CqlException SYNTAX_ERROR, as in Cassandra, if it does not
   */
  public static void requireClass(String className) {
    CqlType ignored = custom(className);
  }

  private CqlType ofClass(String className, TypeName whole) {
    CqlType type =
        custom(className)
            .mapUserTypes(
                each -> {
                  UserType described = (UserType) each;
                  QualifiedName name = new QualifiedName(described.keyspace(), described.name());
                  UserType found = userType(new TypeName.UserDefined(name));
                  return described.frozen() ? found.freeze() : found;
                });
    requireParts(type, whole);
    return type;
  }

  /** Rejects the parts of a class that are rejected in the CQL name of a type. */
  private static void requireParts(CqlType type, TypeName whole) {
    switch (type) {
      case ListType list -> requireInside(list.element(), Place.LIST, whole);
      case SetType set -> requireInside(set.element(), Place.SET, whole);
      case MapType map -> {
        requireInside(map.key(), Place.MAP_KEY, whole);
        requireInside(map.value(), Place.MAP_VALUE, whole);
      }
      case TupleType tuple -> tuple.elements().forEach(each -> requireNoCounter(each, "tuples"));
      case VectorType vector -> requireNoCounter(vector.element(), "vectors");
      case UserType _, ScalarType _, CustomType _ -> {}
    }
    type.parts().forEach(part -> requireParts(part, whole));
  }

  /** The type of a class, as Cassandra finds it while parsing. */
  private static CqlType custom(String className) {
    try {
      return TypeClassNames.parse(className);
    } catch (CqlException e) {
      String message = String.valueOf(e.getMessage());
      throw CqlException.syntax(
          (message.startsWith("Syntax error") ? "Cannot parse" : "Error setting")
              + " type "
              + className
              + ": "
              + message);
    }
  }
}
