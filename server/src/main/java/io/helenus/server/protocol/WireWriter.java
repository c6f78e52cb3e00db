package io.helenus.server.protocol;

import io.helenus.storage.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Writes the notations of the native protocol (v5, section 3). Stateless; not for the hot path
 * where it takes Java objects.
 */
public final class WireWriter {
  private static final int LARGEST_SHORT = 0xFFFF;

  private WireWriter() {}

  /** [string]: two bytes of length, UTF-8. One longer than fits is cut. */
  public static void string(ByteWriter out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = bytes.length;
    if (length > LARGEST_SHORT) {
      length = LARGEST_SHORT;
      while ((bytes[length] & 0xC0) == 0x80) {
        length--;
      }
    }
    out.putShort(length).putBytes(bytes, 0, length);
  }

  /** [string list]. */
  public static void stringList(ByteWriter out, List<String> texts) {
    out.putShort(texts.size());
    for (String text : texts) {
      string(out, text);
    }
  }

  /** [string multimap]. */
  public static void stringMultimap(ByteWriter out, Map<String, List<String>> map) {
    out.putShort(map.size());
    for (Map.Entry<String, List<String>> entry : map.entrySet()) {
      string(out, entry.getKey());
      stringList(out, entry.getValue());
    }
  }

  /** [short bytes]. */
  public static void shortBytes(ByteWriter out, byte[] bytes) {
    out.putShort(bytes.length).putBytes(bytes);
  }

  /** [bytes] that are not null. */
  public static void bytes(ByteWriter out, byte[] bytes) {
    out.putInt(bytes.length).putBytes(bytes);
  }

  /** [inet]: one byte of length, the address, four bytes of port. */
  public static void inet(ByteWriter out, byte[] address, int port) {
    out.putByte(address.length).putBytes(address).putInt(port);
  }
}
