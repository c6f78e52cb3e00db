package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A type of CQL. Immutable; two equal types are {@code equals}. Values are bytes as on the wire
 * (native protocol v5, section 6), without the length prefix; null is represented separately.
 */
public sealed interface CqlType
    permits ScalarType, CollectionType, TupleType, UserType, VectorType, CustomType {

  /** The type in CQL, as in schema tables and DESCRIBE: {@code frozen<map<text, int>>}. */
  String toCql();

  /**
   * Cassandra's class name for the type: {@code org.apache.cassandra.db.marshal.Int32Type}. It says
   * of each frozen part that it is frozen.
   */
  String className();

  /**
   * The class name as in metadata and errors: what is in a frozen type is not said to be frozen.
   */
  default String shownClassName() {
    return Structures.withoutInnerFrozen(className());
  }

  /** Appends the [option] of result and bind metadata (native protocol v5, section 4.2.5.2). */
  void putOption(ByteWriter out, int protocolVersion);

  /**
   * Checks the bytes of a value that is not null.
   *
   * @throws CqlException INVALID, with Cassandra's text
   */
  void validate(MemorySegment value, long offset, int length);

  /**
   * Checks the bytes of an element, field or other part of a value.
   *
   * @throws CqlException INVALID, with Cassandra's text, which can differ there
   */
  default void validatePart(MemorySegment value, long offset, int length) {
    validate(value, offset, length);
  }

  /** The encoding of this type in keys; null if keys of this type are not supported. */
  default @Nullable KeyEncoding keyEncoding() {
    return null;
  }

  /** Whether each element is stored as its own cell: a non-frozen collection or user type. */
  default boolean isMultiCell() {
    return false;
  }

  /** Whether a tuple literal can be a value: a tuple or a user type. */
  default boolean isTuple() {
    return this instanceof TupleType || this instanceof UserType;
  }

  /** Whether this is a list, set or map. */
  default boolean isCollection() {
    return false;
  }

  /**
   * The length of all values in bytes, where Cassandra stores them without a length; -1 for others,
   * some of which have one length too ({@code smallint}, {@code date}).
   */
  default int fixedBytes() {
    return -1;
  }

  /** Whether this is the counter type. */
  default boolean isCounter() {
    return false;
  }

  /** The component types in the order in which CQL lists them; empty for a scalar. */
  default List<CqlType> parts() {
    return List.of();
  }

  /** Whether this is duration or contains it. */
  default boolean referencesDuration() {
    for (CqlType part : parts()) {
      if (part.referencesDuration()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether values can be equal without being identical for Cassandra's frozen collections:
   * decimals (1.0 and 1.00), tuples and user types (with and without trailing nulls).
   */
  default boolean hasForms() {
    return this == ScalarType.DECIMAL || isTuple() || parts().stream().anyMatch(CqlType::hasForms);
  }

  /** Whether this is a user type or contains it, in any of its versions. */
  default boolean references(UserType type) {
    for (CqlType part : parts()) {
      if (part.references(type)) {
        return true;
      }
    }
    return false;
  }

  /** Whether this is or contains any user type. */
  default boolean hasUserTypes() {
    for (CqlType part : parts()) {
      if (part.hasUserTypes()) {
        return true;
      }
    }
    return false;
  }

  /** This type with every user type in it replaced, inner ones first. */
  default CqlType mapUserTypes(UnaryOperator<CqlType> replacement) {
    return this;
  }

  /** This type after a user type was altered. */
  default CqlType withAltered(UserType altered) {
    return mapUserTypes(
        each ->
            each instanceof UserType user && user.isSame(altered)
                ? new UserType(
                    user.keyspace(),
                    user.name(),
                    altered.fieldNames(),
                    altered.fieldTypes(),
                    user.frozen())
                : each);
  }

  /**
   * This type with tuples instead of user types, as the types of dropped columns are kept. Vectors
   * keep theirs, as in Cassandra.
   */
  default CqlType withoutUserTypes() {
    return switch (this) {
      case UserType user ->
          new TupleType(withoutUserTypes(user.fieldTypes()).stream().map(CqlType::freeze).toList());
      case TupleType tuple -> new TupleType(withoutUserTypes(tuple.elements()));
      case ListType list -> new ListType(list.element().withoutUserTypes(), list.frozen());
      case SetType set -> new SetType(set.element().withoutUserTypes(), set.frozen());
      case MapType map ->
          new MapType(map.key().withoutUserTypes(), map.value().withoutUserTypes(), map.frozen());
      case VectorType _, ScalarType _, CustomType _ -> this;
    };
  }

  private static List<CqlType> withoutUserTypes(List<CqlType> types) {
    return types.stream().map(CqlType::withoutUserTypes).toList();
  }

  /** The frozen form of this type; itself if freezing has no effect. */
  default CqlType freeze() {
    return this;
  }

  /**
   * Whether values of the other type are valid values of this one without conversion, so that a
   * cast or function result may be assigned.
   */
  default boolean isValueCompatibleWith(CqlType other) {
    return equals(other);
  }

  /** The first of these types that values of all of them have; null if there is none. */
  static @Nullable CqlType compatible(Collection<CqlType> types) {
    for (CqlType type : types) {
      if (types.stream().allMatch(type::isValueCompatibleWith)) {
        return type;
      }
    }
    return null;
  }

  /**
   * Formats a value as a CQL literal; the bytes must be valid. Null is formatted as {@code null}.
   */
  String toLiteral(byte @Nullable [] value);

  /** Compares two valid values in the order of keys; for cold paths and tests. */
  default int compare(byte[] a, byte[] b) {
    KeyEncoding encoding = keyEncoding();
    if (encoding == null) {
      throw CqlException.invalid(toCql() + " values have no order");
    }
    ByteWriter out = new ByteWriter(64 + 2 * (a.length + b.length));
    ByteWriter in = new ByteWriter(a.length + b.length).putBytes(a).putBytes(b);
    encoding.write(in.segment(), 0, a.length, false, out);
    int split = out.size();
    encoding.write(in.segment(), a.length, b.length, false, out);
    return Bytes.compare(out.segment(), 0, split, out.segment(), split, out.size() - split);
  }
}
