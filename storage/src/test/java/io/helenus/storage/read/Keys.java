package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.KeyFormat;
import java.nio.charset.StandardCharsets;

/** Test keys: a partition is a number, a clustering one or two numbers. */
final class Keys {
  private Keys() {}

  /** Partitions 2n and 2n+1 share a token. */
  static long token(int partition) {
    return (partition / 2) * 0x1234567890ABCDEFL - 77;
  }

  static ByteWriter prefix(int partition) {
    ByteWriter key = new ByteWriter(32);
    byte[] name = ("partition " + partition).getBytes(StandardCharsets.UTF_8);
    ByteWriter plain = new ByteWriter(32).putBytes(name);
    KeyFormat.putPartition(token(partition), plain.segment(), 0, plain.size(), key);
    return key;
  }

  static ByteWriter row(int a, int b) {
    return components(a, b).putByte(KeyFormat.TAG_END);
  }

  static ByteWriter staticRow() {
    return new ByteWriter(8).putByte(KeyFormat.SECTION_STATIC);
  }

  /** The bound before or after all rows that start with (a) or (a, b); b of -1 means (a). */
  static ByteWriter bound(int a, int b, boolean after) {
    ByteWriter key = b < 0 ? component(a) : components(a, b);
    return key.putByte(after ? KeyFormat.TAG_BOUND_AFTER : KeyFormat.TAG_BOUND_BEFORE);
  }

  /** The bound before or after all rows. */
  static ByteWriter edge(boolean after) {
    return new ByteWriter(8)
        .putByte(KeyFormat.SECTION_ROWS)
        .putByte(after ? KeyFormat.TAG_BOUND_AFTER : KeyFormat.TAG_BOUND_BEFORE);
  }

  private static ByteWriter component(int a) {
    return new ByteWriter(16)
        .putByte(KeyFormat.SECTION_ROWS)
        .putByte(KeyFormat.TAG_VALUE)
        .putInt(a ^ Integer.MIN_VALUE);
  }

  private static ByteWriter components(int a, int b) {
    return component(a).putByte(KeyFormat.TAG_VALUE).putInt(b ^ Integer.MIN_VALUE);
  }
}
