package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The bytes of a partition key that are hashed to its token, as Cassandra lays them out: one column
 * as it is; several as two-byte length, bytes and a zero byte each. Stateless; any thread.
 */
public final class PartitionKeys {
  /**
   * The most bytes that a partition key may have, and the most that the clustering columns of a row
   * may have together; always of the values as clients send them.
   */
  public static final int LIMIT_BYTES = 65_535;

  private PartitionKeys() {}

  /** Appends one column of a composite key. */
  public static void putComponent(
      MemorySegment value, long offset, int length, ByteWriter composite) {
    composite.putShort(length).putBytes(value, offset, length).putByte(0);
  }

  /** Where the bytes of the column after the one that starts at an offset start. */
  public static long nextComponent(MemorySegment composite, long componentOffset) {
    return componentOffset + 2 + Bytes.getUnsignedShort(composite, componentOffset) + 1;
  }

  /** Bytes of the column that starts at an offset; they begin two bytes later. */
  public static int componentLength(MemorySegment composite, long componentOffset) {
    return Bytes.getUnsignedShort(composite, componentOffset);
  }

  /** Refuses keys that are empty or too long, with Cassandra's texts. */
  public static void validate(long lengthBytes) {
    if (lengthBytes == 0) {
      throw CqlException.invalid("Key may not be empty");
    }
    validateLength(lengthBytes);
  }

  /**
   * Refuses what is too long, with Cassandra's text. Of a composite partition key Cassandra checks
   * first the sum of its columns, then the whole with its length prefixes.
   */
  public static void validateLength(long lengthBytes) {
    if (lengthBytes > LIMIT_BYTES) {
      throw CqlException.invalid(
          "Key length of " + lengthBytes + " is longer than maximum of " + LIMIT_BYTES);
    }
  }

  /** The key of columns given as arrays; for cold paths. */
  public static byte[] of(List<byte[]> columns) {
    if (columns.size() == 1) {
      return columns.get(0);
    }
    ByteWriter out = new ByteWriter(64);
    for (byte[] column : columns) {
      out.putShort(column.length).putBytes(column).putByte(0);
    }
    return out.toArray();
  }
}
