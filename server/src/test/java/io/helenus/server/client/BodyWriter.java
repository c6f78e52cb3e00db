package io.helenus.server.client;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Encodes the data types of the native protocol, named as in its specification. */
public final class BodyWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  public BodyWriter putByte(int value) {
    out.write(value);
    return this;
  }

  public BodyWriter putShort(int value) {
    return putByte(value >> 8).putByte(value);
  }

  public BodyWriter putInt(int value) {
    return putShort(value >> 16).putShort(value);
  }

  public BodyWriter putLong(long value) {
    return putInt((int) (value >> 32)).putInt((int) value);
  }

  /** Raw bytes. */
  public BodyWriter putRaw(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  public BodyWriter putString(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return putShort(bytes.length).putRaw(bytes);
  }

  public BodyWriter putLongString(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return putInt(bytes.length).putRaw(bytes);
  }

  public BodyWriter putShortBytes(byte[] bytes) {
    return putShort(bytes.length).putRaw(bytes);
  }

  /** [bytes]; null is encoded as length -1. */
  public BodyWriter putBytes(byte @Nullable [] bytes) {
    return bytes == null ? putInt(-1) : putInt(bytes.length).putRaw(bytes);
  }

  public BodyWriter putStringMap(Map<String, String> map) {
    putShort(map.size());
    map.forEach((key, value) -> putString(key).putString(value));
    return this;
  }

  public BodyWriter putStringList(List<String> texts) {
    putShort(texts.size());
    texts.forEach(this::putString);
    return this;
  }

  public byte[] toArray() {
    return out.toByteArray();
  }
}
