package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The bytes of a partition key as Cassandra serializes and hashes them: a single column unchanged;
 * for several columns, a two-byte length, the bytes and a zero byte for each. Stateless; any
 * thread.
 */
public final class PartitionKeys {
  /**
   * The maximum length of a partition key, and of all clustering values of a row together, in wire
   * bytes.
   */
  public static final int LIMIT_BYTES = 65_535;

  private PartitionKeys() {}

  /** Appends one column of a composite key. */
  public static void putComponent(
      MemorySegment value, long offset, int length, ByteWriter composite) {
    composite.putShort(length).putBytes(value, offset, length).putByte(0);
  }

  /** Returns the offset of the component after the one at an offset. */
  public static long nextComponent(MemorySegment composite, long componentOffset) {
    return componentOffset + 2 + Bytes.getUnsignedShort(composite, componentOffset) + 1;
  }

  /**
   * The length in bytes of the column whose component starts at an offset; its bytes start two
   * bytes later.
   */
  public static int componentLength(MemorySegment composite, long componentOffset) {
    return Bytes.getUnsignedShort(composite, componentOffset);
  }

  /** Rejects keys that are empty or too long, with Cassandra's texts. */
  public static void validate(long lengthBytes) {
    if (lengthBytes == 0) {
      throw CqlException.invalid("Key may not be empty");
    }
    validateLength(lengthBytes);
  }

  /**
   * Rejects keys that are too long, with Cassandra's text. For a composite partition key, Cassandra
   * checks the sum of the columns first, then the whole with its length prefixes.
   */
  public static void validateLength(long lengthBytes) {
    if (lengthBytes > LIMIT_BYTES) {
      throw CqlException.invalid(
          "Key length of " + lengthBytes + " is longer than maximum of " + LIMIT_BYTES);
    }
  }

  /** Builds the key from its columns; for cold paths. */
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
