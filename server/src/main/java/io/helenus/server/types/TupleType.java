package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * {@code tuple<…>}, always frozen: each element with its length, -1 for null; trailing elements may
 * be missing.
 */
public record TupleType(List<CqlType> elements) implements CqlType {
  /** Keeps an immutable copy. */
  public TupleType {
    elements = List.copyOf(elements);
  }

  @Override
  public String toCql() {
    return Structures.frozen("tuple<" + Structures.join(elements) + ">", true);
  }

  @Override
  public String className() {
    return Structures.className("TupleType", false, elements.toArray(new CqlType[0]));
  }

  @Override
  public void putOption(ByteWriter out, int protocolVersion) {
    out.putShort(0x31).putShort(elements.size());
    for (CqlType element : elements) {
      element.putOption(out, protocolVersion);
    }
  }

  @Override
  public void validate(MemorySegment value, long offset, int length) {
    Structures.validateTuple(elements, "tuple", null, value, offset, length);
  }

  @Override
  public CqlType mapUserTypes(UnaryOperator<CqlType> replacement) {
    return new TupleType(elements.stream().map(each -> each.mapUserTypes(replacement)).toList());
  }

  /** As in Cassandra: the elements are, and there may be fewer of them. */
  @Override
  public boolean isValueCompatibleWith(CqlType other) {
    if (!(other instanceof TupleType(List<CqlType> others)) || others.size() > elements.size()) {
      return false;
    }
    for (int i = 0; i < others.size(); i++) {
      if (!elements.get(i).isValueCompatibleWith(others.get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public List<CqlType> parts() {
    return elements;
  }

  @Override
  public @Nullable KeyEncoding keyEncoding() {
    return CompositeKeyEncoding.of(CompositeKeyEncoding.Shape.TUPLE, elements, 0);
  }

  /**
   * Converts the text of a string constant: the elements separated by colons, {@code @} for null. A
   * backslash before a colon or an at sign makes it part of an element.
   *
   * @throws CqlException INVALID, with Cassandra's text
   */
  public byte[] fromString(String text) {
    return fromString(text, this, elements);
  }

  private static byte[] fromString(String text, CqlType type, List<CqlType> elements) {
    List<String> fields = List.of(text.split("(?<!\\\\):", -1));
    if (text.isEmpty()) {
      fields = List.of();
    }
    if (fields.size() > elements.size()) {
      throw CqlException.invalid(
          "Invalid tuple literal: too many elements. Type "
              + type.toCql()
              + " expects "
              + elements.size()
              + " but got "
              + fields.size());
    }
    List<byte @Nullable []> values = new ArrayList<>(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      String field = fields.get(i);
      values.add(field.equals("@") ? null : element(elements.get(i), field));
    }
    return WireValues.ofComponents(values);
  }

  private static byte[] element(CqlType type, String field) {
    String plain = field.replace("\\:", ":").replace("\\@", "@");
    return switch (type) {
      case ScalarType scalar -> scalar.fromString(plain);
      case TupleType tuple -> tuple.fromString(plain);
      case UserType user -> fromString(plain, user, user.fieldTypes());
      default -> Constants.hex(plain);
    };
  }

  @Override
  public String toLiteral(byte @Nullable [] value) {
    return Structures.tupleLiteral(elements, value);
  }
}
