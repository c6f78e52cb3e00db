package io.helenus.server.conformance;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the notations of the native protocol, big endian, from a message body. Not for several
 * threads.
 */
final class Body {
  private final ByteBuffer bytes;

  Body(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  int remaining() {
    return bytes.remaining();
  }

  int readByte() {
    return bytes.get() & 0xFF;
  }

  int readShort() {
    return bytes.getShort() & 0xFFFF;
  }

  int readInt() {
    return bytes.getInt();
  }

  UUID readUuid() {
    long high = bytes.getLong();
    return new UUID(high, bytes.getLong());
  }

  byte[] readRaw(int length) {
    byte[] value = new byte[length];
    bytes.get(value);
    return value;
  }

  String readString() {
    return new String(readRaw(readShort()), StandardCharsets.UTF_8);
  }

  List<String> readStringList() {
    List<String> strings = new ArrayList<>();
    int count = readShort();
    for (int i = 0; i < count; i++) {
      strings.add(readString());
    }
    return strings;
  }

  byte[] readShortBytes() {
    return readRaw(readShort());
  }

  /** [bytes]: null for a negative length. */
  byte @Nullable [] readBytes() {
    int length = readInt();
    return length < 0 ? null : readRaw(length);
  }
}
