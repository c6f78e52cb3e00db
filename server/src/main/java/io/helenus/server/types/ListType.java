package io.helenus.server.types;

import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** {@code list<element>}: values are a four-byte count, then each element with its length. */
public record ListType(CqlType element, boolean frozen) implements CollectionType {
  @Override
  public String toCql() {
    return Structures.frozen("list<" + element.toCql() + ">", frozen);
  }

  @Override
  public String className() {
    return Structures.className("ListType", frozen, element);
  }

  @Override
  public void putOption(ByteWriter out, int protocolVersion) {
    out.putShort(0x20);
    element.putOption(out, protocolVersion);
  }

  @Override
  public void validate(MemorySegment value, long offset, int length) {
    Structures.validateElements(this, element, value, offset, length);
  }

  @Override
  public CqlType mapUserTypes(UnaryOperator<CqlType> replacement) {
    return new ListType(element.mapUserTypes(replacement), frozen);
  }

  @Override
  public List<CqlType> parts() {
    return List.of(element);
  }

  @Override
  public CqlType freeze() {
    return new ListType(element.freeze(), true);
  }

  @Override
  public @Nullable KeyEncoding keyEncoding() {
    return frozen
        ? CompositeKeyEncoding.of(CompositeKeyEncoding.Shape.COLLECTION, parts(), 0)
        : null;
  }

  @Override
  public String toLiteral(byte @Nullable [] value) {
    return Structures.elementsLiteral(element, value, "[", "]");
  }
}
