package io.helenus.storage.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Murmur3;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;

/** Test keys: one number for the partition and one for the clustering. */
final class TestKeys {
  private TestKeys() {}

  /** That of the partitioner, which files of indexes leave out, except for every fourth key. */
  static long token(int partitionKey) {
    if (partitionKey % 4 != 3) {
      ByteWriter key = new ByteWriter(8).putInt(partitionKey);
      return Murmur3.token(key.segment(), 0, key.size());
    }
    long z = (partitionKey + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    return z ^ (z >>> 31);
  }

  static ByteWriter prefix(int partitionKey) {
    ByteWriter key = new ByteWriter(8).putInt(partitionKey);
    ByteWriter prefix = new ByteWriter(32);
    KeyFormat.putPartition(token(partitionKey), key.segment(), 0, key.size(), prefix);
    return prefix;
  }

  static int partitionKey(MemorySegment prefix, long offset) {
    ByteWriter key = new ByteWriter(16);
    long end = KeyFormat.readPartitionKey(prefix, offset, key);
    assert end > offset;
    return Bytes.getInt(key.segment(), 0);
  }

  static ByteWriter suffix(int clustering, int closingTag) {
    return new ByteWriter(16)
        .putByte(KeyFormat.SECTION_ROWS)
        .putByte(KeyFormat.TAG_VALUE)
        .putInt(clustering ^ Integer.MIN_VALUE)
        .putByte(closingTag);
  }

  static ByteWriter staticSuffix() {
    return new ByteWriter(16).putByte(KeyFormat.SECTION_STATIC);
  }

  /** Decodes the clustering part of a key as passed to a sink: without the section byte. */
  static int clustering(MemorySegment clustering, long offset) {
    return Bytes.getInt(clustering, offset + 1) ^ Integer.MIN_VALUE;
  }
}
