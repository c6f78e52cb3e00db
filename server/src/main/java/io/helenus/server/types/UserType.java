package io.helenus.server.types;

import io.helenus.cql.ast.CqlNames;
import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A type created by CREATE TYPE; its values are encoded as tuples of its fields. */
public record UserType(
    String keyspace, String name, List<String> fieldNames, List<CqlType> fieldTypes, boolean frozen)
    implements CqlType {
  /** Keeps immutable copies. */
  public UserType {
    fieldNames = List.copyOf(fieldNames);
    fieldTypes = List.copyOf(fieldTypes);
    if (fieldNames.size() != fieldTypes.size()) {
      throw new IllegalArgumentException(
          "the numbers of field names and types differ: " + fieldNames);
    }
  }

  @Override
  public String toCql() {
    return Structures.frozen(CqlNames.quoted(name), frozen);
  }

  @Override
  public String className() {
    return Structures.userTypeClassName(this);
  }

  @Override
  public void putOption(ByteWriter out, int protocolVersion) {
    out.putShort(0x30);
    CustomType.putString(keyspace, out);
    CustomType.putString(name, out);
    out.putShort(fieldNames.size());
    for (int i = 0; i < fieldNames.size(); i++) {
      CustomType.putString(fieldNames.get(i), out);
      fieldTypes.get(i).putOption(out, protocolVersion);
    }
  }

  @Override
  public void validate(MemorySegment value, long offset, int length) {
    Structures.validateTuple(fieldTypes, "UDT", fieldNames, value, offset, length);
  }

  @Override
  public boolean isMultiCell() {
    return !frozen;
  }

  /** Whether another type is this one, perhaps in another version or frozen. */
  public boolean isSame(UserType other) {
    return keyspace.equals(other.keyspace) && name.equals(other.name);
  }

  /** {@code keyspace.name}, unquoted. */
  public String fullName() {
    return keyspace + "." + name;
  }

  @Override
  public boolean references(UserType type) {
    return isSame(type) || CqlType.super.references(type);
  }

  @Override
  public boolean hasUserTypes() {
    return true;
  }

  @Override
  public CqlType mapUserTypes(UnaryOperator<CqlType> replacement) {
    return replacement.apply(
        new UserType(
            keyspace,
            name,
            fieldNames,
            fieldTypes.stream().map(each -> each.mapUserTypes(replacement)).toList(),
            frozen));
  }

  @Override
  public List<CqlType> parts() {
    return fieldTypes;
  }

  @Override
  public CqlType freeze() {
    return new UserType(keyspace, name, fieldNames, fieldTypes, true);
  }

  @Override
  public @Nullable KeyEncoding keyEncoding() {
    return frozen
        ? CompositeKeyEncoding.of(CompositeKeyEncoding.Shape.USER_TYPE, fieldTypes, 0)
        : null;
  }

  @Override
  public String toLiteral(byte @Nullable [] value) {
    return Structures.userTypeLiteral(this, value);
  }
}
