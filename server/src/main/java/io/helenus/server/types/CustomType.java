package io.helenus.server.types;

import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A type known only by its Java class name. It appears in schema metadata; values are never stored.
 */
public record CustomType(String className) implements CqlType {
  @Override
  public String toCql() {
    return "'" + className.replace("'", "''") + "'";
  }

  @Override
  public void putOption(ByteWriter out, int protocolVersion) {
    putCustomOption(className, out);
  }

  @Override
  public void validate(MemorySegment value, long offset, int length) {
    // The format of the bytes is unknown.
  }

  @Override
  public String toLiteral(byte @Nullable [] value) {
    return ScalarText.literal(ScalarType.BLOB, value);
  }

  static void putCustomOption(String className, ByteWriter out) {
    out.putShort(0);
    putString(className, out);
  }

  static void putString(String text, ByteWriter out) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putShort(bytes.length).putBytes(bytes);
  }
}
