package io.helenus.server.protocol;

import io.helenus.storage.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Writes the notations of the native protocol (v5, section 3). Stateless. Methods that take Java
 * objects are not for the hot path.
 */
public final class WireWriter {
  private static final int LARGEST_SHORT = 0xFFFF;
  private static final byte[] LEFT_OUT = " ... ".getBytes(StandardCharsets.UTF_8);
  private static final int KEPT_END_BYTES = 4096;

  private WireWriter() {}

  /** [string]: a two-byte length and UTF-8. A text that is too long is truncated. */
  public static void string(ByteWriter out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length =
        bytes.length > LARGEST_SHORT ? startOfCharacter(bytes, LARGEST_SHORT) : bytes.length;
    out.putShort(length).putBytes(bytes, 0, length);
  }

  /** [string] with a human-readable message: the middle of a text that is too long is omitted. */
  public static void message(ByteWriter out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= LARGEST_SHORT) {
      out.putShort(bytes.length).putBytes(bytes);
      return;
    }
    int end = startOfCharacter(bytes, bytes.length - KEPT_END_BYTES);
    int endLength = bytes.length - end;
    int start = startOfCharacter(bytes, LARGEST_SHORT - LEFT_OUT.length - endLength);
    out.putShort(start + LEFT_OUT.length + endLength);
    out.putBytes(bytes, 0, start).putBytes(LEFT_OUT).putBytes(bytes, end, endLength);
  }

  /** The offset of the first byte of the character at an offset. */
  private static int startOfCharacter(byte[] utf8, int at) {
    int start = at;
    while ((utf8[start] & 0xC0) == 0x80) {
      start--;
    }
    return start;
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

  /** [bytes], not null. */
  public static void bytes(ByteWriter out, byte[] bytes) {
    out.putInt(bytes.length).putBytes(bytes);
  }

  /** [inet]: a one-byte length, the address, a four-byte port. */
  public static void inet(ByteWriter out, byte[] address, int port) {
    out.putByte(address.length).putBytes(address).putInt(port);
  }
}
