package io.helenus.server.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Decodes the data types of the native protocol, named as in its specification. */
public final class BodyReader {
  private final ByteBuffer in;

  public BodyReader(byte[] bytes) {
    in = ByteBuffer.wrap(bytes);
  }

  public int getByte() {
    return in.get() & 0xFF;
  }

  public int getShort() {
    return in.getShort() & 0xFFFF;
  }

  public int getInt() {
    return in.getInt();
  }

  public long getLong() {
    return in.getLong();
  }

  /** This many raw bytes. */
  public byte[] getRaw(int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  public String getString() {
    return new String(getRaw(getShort()), StandardCharsets.UTF_8);
  }

  public byte[] getShortBytes() {
    return getRaw(getShort());
  }

  /** [bytes]; null if the length is negative. */
  public byte @Nullable [] getBytes() {
    int length = getInt();
    return length < 0 ? null : getRaw(length);
  }

  public UUID getUuid() {
    return new UUID(getLong(), getLong());
  }

  public List<String> getStringList() {
    List<String> texts = new ArrayList<>();
    for (int left = getShort(); left > 0; left--) {
      texts.add(getString());
    }
    return texts;
  }

  public Map<String, List<String>> getStringMultimap() {
    Map<String, List<String>> map = new LinkedHashMap<>();
    for (int left = getShort(); left > 0; left--) {
      map.put(getString(), getStringList());
    }
    return map;
  }

  public Map<String, byte[]> getBytesMap() {
    Map<String, byte[]> map = new LinkedHashMap<>();
    for (int left = getShort(); left > 0; left--) {
      String key = getString();
      byte[] value = getBytes();
      map.put(key, value == null ? new byte[0] : value);
    }
    return map;
  }

  /** [inet], formatted as {@code 127.0.0.1:9042}. */
  public String getInet() {
    return getAddress() + ":" + getInt();
  }

  /** [inetaddr]. */
  public String getAddress() {
    byte[] bytes = getRaw(getByte());
    StringBuilder text = new StringBuilder();
    if (bytes.length == 4) {
      for (byte part : bytes) {
        text.append(text.isEmpty() ? "" : ".").append(part & 0xFF);
      }
    } else {
      for (int i = 0; i + 1 < bytes.length; i += 2) {
        int part = (bytes[i] & 0xFF) << 8 | (bytes[i + 1] & 0xFF);
        text.append(i == 0 ? "" : ":").append(Integer.toHexString(part));
      }
    }
    return text.toString();
  }

  /** The number of remaining bytes. */
  public int remaining() {
    return in.remaining();
  }
}
