package io.helenus.server.schema;

import io.helenus.cql.ast.NativeType;
import io.helenus.cql.ast.TypeName;
import io.helenus.server.error.CqlException;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.server.types.TupleType;
import io.helenus.server.types.VectorType;
import java.util.ArrayList;
import java.util.List;

/** Resolves type names in a keyspace. Stateless; any thread. */
public final class TypeResolver {
  private enum Place {
    LIST,
    SET,
    MAP_KEY,
    MAP_VALUE
  }

  private TypeResolver() {}

  /**
   * Resolves a type name.
   *
   * @param keyspace the keyspace of unqualified user types
   * @throws CqlException with Cassandra's text
   */
  public static CqlType resolve(TypeName name, String keyspace) {
    return switch (name) {
      case TypeName.Native(NativeType type) -> scalar(type);
      case TypeName.ListOf(TypeName element) ->
          new ListType(inner(element, Place.LIST, name, keyspace), false);
      case TypeName.SetOf(TypeName element) ->
          new SetType(inner(element, Place.SET, name, keyspace), false);
      case TypeName.MapOf(TypeName key, TypeName value) ->
          new MapType(
              inner(key, Place.MAP_KEY, name, keyspace),
              inner(value, Place.MAP_VALUE, name, keyspace),
              false);
      case TypeName.TupleOf(List<TypeName> elements) -> tuple(elements, keyspace);
      case TypeName.VectorOf(TypeName element, int dimension) ->
          vector(element, dimension, keyspace);
      case TypeName.Frozen(TypeName inner) -> frozen(inner, keyspace);
      case TypeName.UserDefined user -> throw unknown(user, keyspace);
      case TypeName.Custom(String className) -> custom(className);
    };
  }

  /** Rejects class names that are not types; Cassandra looks them up while parsing. */
  static void requireClasses(TypeName name) {
    switch (name) {
      case TypeName.Native ignored -> {}
      case TypeName.ListOf(TypeName element) -> requireClasses(element);
      case TypeName.SetOf(TypeName element) -> requireClasses(element);
      case TypeName.MapOf(TypeName key, TypeName value) -> {
        requireClasses(key);
        requireClasses(value);
      }
      case TypeName.TupleOf(List<TypeName> elements) ->
          elements.forEach(TypeResolver::requireClasses);
      case TypeName.VectorOf(TypeName element, int ignored) -> requireClasses(element);
      case TypeName.Frozen(TypeName inner) -> requireClasses(inner);
      case TypeName.UserDefined ignored -> {}
      case TypeName.Custom(String className) -> {
        CqlType ignored = custom(className);
      }
    }
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

  private static CqlType inner(TypeName name, Place place, TypeName whole, String keyspace) {
    if (name instanceof TypeName.UserDefined) {
      throw CqlException.invalid("Non-frozen UDTs are not allowed inside collections: " + whole);
    }
    CqlType type = resolve(name, keyspace);
    if (type.isCounter()) {
      throw CqlException.invalid("Counters are not allowed inside collections: " + whole);
    }
    if (type.isMultiCell()) {
      throw CqlException.invalid(
          "Non-frozen collections are not allowed inside collections: " + whole);
    }
    if (type.referencesDuration() && place == Place.SET) {
      throw CqlException.invalid("Durations are not allowed inside sets: " + whole);
    }
    if (type.referencesDuration() && place == Place.MAP_KEY) {
      throw CqlException.invalid("Durations are not allowed as map keys: " + whole);
    }
    return type;
  }

  private static CqlType tuple(List<TypeName> elements, String keyspace) {
    List<CqlType> types = new ArrayList<>(elements.size());
    for (TypeName element : elements) {
      CqlType type = resolve(element, keyspace);
      if (type.isCounter()) {
        throw CqlException.invalid("Counters are not allowed inside tuples");
      }
      types.add(type.freeze());
    }
    return new TupleType(types);
  }

  private static CqlType vector(TypeName element, int dimension, String keyspace) {
    CqlType type = resolve(element, keyspace);
    if (type.isCounter()) {
      throw CqlException.invalid("Counters are not allowed inside vectors");
    }
    if (dimension <= 0) {
      throw CqlException.invalid("vectors may only have positive dimensions; given " + dimension);
    }
    return new VectorType(type.freeze(), dimension);
  }

  private static CqlType frozen(TypeName inner, String keyspace) {
    return resolve(innermost(inner), keyspace).freeze();
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
      case TypeName.ListOf _, TypeName.SetOf _, TypeName.MapOf _ -> new TypeName.Frozen(name);
      case TypeName.Native _,
          TypeName.TupleOf _,
          TypeName.VectorOf _,
          TypeName.Frozen _,
          TypeName.UserDefined _,
          TypeName.Custom _ ->
          name;
    };
  }

  private static CqlException unknown(TypeName.UserDefined user, String keyspace) {
    String typeKeyspace = user.name().keyspace();
    if (typeKeyspace != null && !typeKeyspace.equals(keyspace)) {
      return CqlException.invalid(
          "Statement on keyspace "
              + keyspace
              + " cannot refer to a user type in keyspace "
              + typeKeyspace
              + "; user types can only be used in the keyspace they are defined in");
    }
    return CqlException.invalid("Unknown type " + keyspace + "." + user.name().name());
  }

  private static CqlType custom(String className) {
    String full = className.indexOf('.') < 0 ? ScalarType.CLASS_PREFIX + className : className;
    for (ScalarType type : ScalarType.values()) {
      if (type.className().equals(full)) {
        return type;
      }
    }
    throw CqlException.syntax(
        "Error setting type " + className + ": Unable to find abstract-type class '" + full + "'");
  }
}
