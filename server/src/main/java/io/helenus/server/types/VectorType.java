package io.helenus.server.types;

import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * {@code vector<element, dimension>}: a custom type in the protocol. Values are the elements in
 * order; {@link VectorValues} describes their bytes.
 *
 * @param element as declared: freezing it has no effect but on its name
 */
public record VectorType(CqlType element, int dimension) implements CqlType {
  @Override
  public String toCql() {
    return "vector<" + element.toCql() + ", " + dimension + ">";
  }

  @Override
  public String className() {
    return ScalarType.CLASS_PREFIX + "VectorType(" + element.className() + " , " + dimension + ")";
  }

  @Override
  public void putOption(ByteWriter out, int protocolVersion) {
    CustomType.putCustomOption(shownClassName(), out);
  }

  @Override
  public int fixedBytes() {
    int bytes = element.fixedBytes();
    return bytes < 0 ? -1 : bytes * dimension;
  }

  @Override
  public void validate(MemorySegment value, long offset, int length) {
    VectorValues.validate(this, value, offset, length);
  }

  @Override
  public CqlType mapUserTypes(UnaryOperator<CqlType> replacement) {
    return new VectorType(element.mapUserTypes(replacement), dimension);
  }

  @Override
  public List<CqlType> parts() {
    return List.of(element);
  }

  /** Cassandra does not look for durations in vectors, so that they can be keys. */
  @Override
  public boolean referencesDuration() {
    return false;
  }

  @Override
  public @Nullable KeyEncoding keyEncoding() {
    return CompositeKeyEncoding.of(CompositeKeyEncoding.Shape.VECTOR, parts(), dimension);
  }

  @Override
  public String toLiteral(byte @Nullable [] value) {
    return VectorValues.literal(this, value);
  }
}
