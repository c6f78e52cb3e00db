package io.helenus.server.types;

import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** {@code list<element>}: values are a four-byte count, then each element with its length. */
public record ListType(CqlType element, boolean frozen) implements CqlType {
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
  public boolean isMultiCell() {
    return !frozen;
  }

  @Override
  public boolean isCollection() {
    return true;
  }

  @Override
  public boolean referencesDuration() {
    return element.referencesDuration();
  }

  @Override
  public boolean referencesUserType(String keyspace, String name) {
    return element.referencesUserType(keyspace, name);
  }

  @Override
  public CqlType freeze() {
    return new ListType(element.freeze(), true);
  }

  @Override
  public String toLiteral(byte @Nullable [] value) {
    return Structures.elementsLiteral(element, value, "[", "]");
  }
}
