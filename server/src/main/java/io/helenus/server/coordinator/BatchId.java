package io.helenus.server.coordinator;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;

/**
 * Identifies an entry of the batch log.
 *
 * @param token a token that is stored with the batch's first partition
 * @param high a random number of the batch log that made the id
 * @param low which of its ids this is, counted from another random number
 */
public record BatchId(long token, long high, long low) {
  private static final int ID_BYTES = 16;

  /**
   * Decodes the id from the key prefix of an entry.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static BatchId ofPrefix(MemorySegment prefix, long offset) {
    ByteWriter id = new ByteWriter(ID_BYTES);
    KeyFormat.readPartitionKey(prefix, offset, id);
    if (id.size() != ID_BYTES) {
      throw new IllegalArgumentException("malformed batch id of " + id.size() + " bytes");
    }
    return new BatchId(
        KeyFormat.token(prefix, offset),
        Bytes.getLong(id.segment(), 0),
        Bytes.getLong(id.segment(), Long.BYTES));
  }

  /** Encodes the key prefix of the entry. */
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
