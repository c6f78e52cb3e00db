package io.helenus.server.types;

import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * {@code map<key, value>}: values are a four-byte count, then each key and value with its length.
 */
public record MapType(CqlType key, CqlType value, boolean frozen) implements CollectionType {
  @Override
  public String toCql() {
    return Structures.frozen("map<" + key.toCql() + ", " + value.toCql() + ">", frozen);
  }

  @Override
  public String className() {
    return Structures.className("MapType", frozen, key, value);
  }

  @Override
  public void putOption(ByteWriter out, int protocolVersion) {
    out.putShort(0x21);
    key.putOption(out, protocolVersion);
    value.putOption(out, protocolVersion);
  }

  @Override
  public void validate(MemorySegment bytes, long offset, int length) {
    Structures.validateEntries(this, bytes, offset, length);
  }

  @Override
  public CqlType mapUserTypes(UnaryOperator<CqlType> replacement) {
    return new MapType(key.mapUserTypes(replacement), value.mapUserTypes(replacement), frozen);
  }

  @Override
  public List<CqlType> parts() {
    return List.of(key, value);
  }

  /** Cassandra does not look for durations in keys, which can be in tuples and user types. */
  @Override
  public boolean referencesDuration() {
    return value.referencesDuration();
  }

  @Override
  public CqlType freeze() {
    return new MapType(key.freeze(), value.freeze(), true);
  }

  @Override
  public @Nullable KeyEncoding keyEncoding() {
    return frozen
        ? CompositeKeyEncoding.of(CompositeKeyEncoding.Shape.COLLECTION, parts(), 0)
        : null;
  }

  @Override
  public String toLiteral(byte @Nullable [] bytes) {
    return Structures.entriesLiteral(this, bytes);
  }
}
