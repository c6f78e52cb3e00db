package io.helenus.server.coordinator;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;

/**
 * Identifies an entry of the batch log.
 *
 * @param token of the batch's first partition, so that the entry lies in the same shard
 * @param high the upper half of a random id
 * @param low the lower half of it
 */
public record BatchId(long token, long high, long low) {
  private static final int ID_BYTES = 16;

  /** The id in the key prefix of an entry; an IllegalArgumentException if it is none. */
  static BatchId ofPrefix(MemorySegment prefix, long offset) {
    ByteWriter id = new ByteWriter(ID_BYTES);
    KeyFormat.readPartitionKey(prefix, offset, id);
    if (id.size() != ID_BYTES) {
      throw new IllegalArgumentException("a batch id of " + id.size() + " bytes");
    }
    return new BatchId(
        KeyFormat.token(prefix, offset),
        Bytes.getLong(id.segment(), 0),
        Bytes.getLong(id.segment(), Long.BYTES));
  }

  /** The key prefix of the entry. */
  ByteWriter prefix() {
    ByteWriter id = new ByteWriter(ID_BYTES).putLong(high).putLong(low);
    ByteWriter prefix = new ByteWriter(64);
    KeyFormat.putPartition(token, id.segment(), 0, id.size(), prefix);
    return prefix;
  }

  @Override
  public String toString() {
    return String.format("%016x%016x", high, low);
  }
}
