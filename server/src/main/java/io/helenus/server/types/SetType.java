package io.helenus.server.types;

import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** {@code set<element>}: values are a four-byte count, then each element with its length. */
public record SetType(CqlType element, boolean frozen) implements CollectionType {
  @Override
  public String toCql() {
    return Structures.frozen("set<" + element.toCql() + ">", frozen);
  }

  @Override
  public String className() {
    return Structures.className("SetType", frozen, element);
  }

  @Override
  public void putOption(ByteWriter out, int protocolVersion) {
    out.putShort(0x22);
    element.putOption(out, protocolVersion);
  }

  @Override
  public void validate(MemorySegment value, long offset, int length) {
    Structures.validateElements(this, element, value, offset, length);
  }

  @Override
  public CqlType mapUserTypes(UnaryOperator<CqlType> replacement) {
    return new SetType(element.mapUserTypes(replacement), frozen);
  }

  @Override
  public List<CqlType> parts() {
    return List.of(element);
  }

  /** Cassandra does not look for durations in elements, which can be in tuples and user types. */
  @Override
  public boolean referencesDuration() {
    return false;
  }

  @Override
  public CqlType freeze() {
    return new SetType(element.freeze(), true);
  }

  @Override
  public @Nullable KeyEncoding keyEncoding() {
    return frozen
        ? CompositeKeyEncoding.of(CompositeKeyEncoding.Shape.COLLECTION, parts(), 0)
        : null;
  }

  @Override
  public String toLiteral(byte @Nullable [] value) {
    return Structures.elementsLiteral(element, value, "{", "}");
  }
}
