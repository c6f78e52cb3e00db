package io.helenus.server.query.select;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The position at which a page ended, as sent to the client. It contains keys but no references to
 * shards, files or nodes, so it is valid on every node and after a restart. Layout:
 *
 * <pre>
 * version u8 = 1
 * flags u8: 01 the partition continues after the row | 00 the partition is finished
 * storage id of the table i32
 * rows remaining until LIMIT i32
 * rows returned of the partition i32
 * key prefix of the partition: length i32, bytes
 * clustering key of the last row, with its closing tag: length i32, bytes (empty unless 01)
 * crc32c of all preceding bytes i32
 * </pre>
 *
 * @param remaining rows remaining until LIMIT, at least 1
 * @param givenInPartition rows returned of the partition so far
 * @param prefix the key prefix of the last row's partition
 * @param clustering the last row's clustering key; null if the partition is finished
 */
record PagingState(
    int remaining, int givenInPartition, byte[] prefix, byte @Nullable [] clustering) {
  private static final int VERSION = 1;
  private static final int GOES_ON = 1;
  private static final int FIXED_BYTES = 26;

  /** Encodes a state. */
  void write(int tableId, ByteWriter out) {
    int start = out.size();
    out.putByte(VERSION)
        .putByte(clustering == null ? 0 : GOES_ON)
        .putInt(tableId)
        .putInt(remaining)
        .putInt(givenInPartition)
        .putInt(prefix.length)
        .putBytes(prefix)
        .putInt(clustering == null ? 0 : clustering.length);
    if (clustering != null) {
      out.putBytes(clustering);
    }
    out.putInt(new Crc32c().of(out.segment(), start, out.size() - start));
  }

  /** Decodes a state sent by a client; rejects anything that {@link #write} cannot have written. */
  static PagingState read(MemorySegment segment, long offset, int length, int tableId) {
    if (length < FIXED_BYTES
        || Bytes.getByte(segment, offset) != VERSION
        || Bytes.getInt(segment, offset + 2) != tableId
        || Bytes.getInt(segment, offset + length - 4)
            != new Crc32c().of(segment, offset, length - 4)) {
      throw invalid();
    }
    int flags = Bytes.getUnsignedByte(segment, offset + 1);
    int remaining = Bytes.getInt(segment, offset + 6);
    int given = Bytes.getInt(segment, offset + 10);
    int prefixLength = Bytes.getInt(segment, offset + 14);
    if (prefixLength <= 0 || prefixLength > length - FIXED_BYTES) {
      throw invalid();
    }
    long clusteringAt = offset + 18 + prefixLength;
    int clusteringLength = Bytes.getInt(segment, clusteringAt);
    boolean goesOn = flags == GOES_ON;
    if (clusteringLength != length - FIXED_BYTES - prefixLength
        || flags > GOES_ON
        || goesOn != clusteringLength > 0
        || remaining <= 0
        || given < 0) {
      throw invalid();
    }
    return new PagingState(
        remaining,
        given,
        Bytes.toArray(segment, offset + 18, prefixLength),
        goesOn ? Bytes.toArray(segment, clusteringAt + 4, clusteringLength) : null);
  }

  /** The error for a malformed state, or for the state of another statement. */
  static CqlException invalid() {
    return CqlException.protocol("Invalid value for the paging state");
  }
}
