package io.helenus.server.conformance;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes the notations of the native protocol, big endian. Not for several threads. */
final class Outgoing {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  byte[] toByteArray() {
    return bytes.toByteArray();
  }

  Outgoing writeByte(int value) {
    bytes.write(value);
    return this;
  }

  Outgoing writeShort(int value) {
    return writeByte(value >>> 8).writeByte(value);
  }

  Outgoing writeInt(int value) {
    return writeShort(value >>> 16).writeShort(value);
  }

  Outgoing writeLong(long value) {
    return writeInt((int) (value >>> 32)).writeInt((int) value);
  }

  Outgoing writeRaw(byte[] value) {
    bytes.writeBytes(value);
    return this;
  }

  Outgoing writeString(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    return writeShort(utf8.length).writeRaw(utf8);
  }

  Outgoing writeLongString(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    return writeInt(utf8.length).writeRaw(utf8);
  }

  Outgoing writeShortBytes(byte[] value) {
    return writeShort(value.length).writeRaw(value);
  }

  /** [bytes], with length -1 for null. */
  Outgoing writeBytes(byte @Nullable [] value) {
    return value == null ? writeInt(-1) : writeInt(value.length).writeRaw(value);
  }
}
