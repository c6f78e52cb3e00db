package io.helenus.server.types;

import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.List;
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
    Structures.validateTuple(elements, "tuple", value, offset, length);
  }

  @Override
  public List<CqlType> parts() {
    return elements;
  }

  @Override
  public @Nullable KeyEncoding keyEncoding() {
    return CompositeKeyEncoding.of(CompositeKeyEncoding.Shape.TUPLE, elements, 0);
  }

  @Override
  public String toLiteral(byte @Nullable [] value) {
    return Structures.tupleLiteral(elements, value);
  }
}
