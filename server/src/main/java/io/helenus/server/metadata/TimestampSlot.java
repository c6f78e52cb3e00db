package io.helenus.server.metadata;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import java.lang.foreign.MemorySegment;

/**
 * One of the two slots of the file of docs/timestamps.md. Immutable.
 *
 * @param offset of the slot in the file
 * @param sequence the number of the record; 0 unless the slot is valid
 * @param reservedMicros timestamps below it may have been used; 0 unless the slot is valid
 */
public record TimestampSlot(long offset, State state, long sequence, long reservedMicros) {
  static final int BYTES = 512;
  static final int CHECKSUM_OFFSET = 28;
  static final long MAGIC = 0x484C_4E54_494D_4500L;
  static final int VERSION = 1;

  /** What a slot holds. */
  public enum State {
    /** A record. */
    VALID,
    /** Zeros: nothing was written to it. */
    BLANK,
    /** Anything else: a torn write, or damage. */
    INVALID
  }

  /**
   * Reads a slot.
   *
   * @param path of the file, for errors
   * @param bytes the whole file
   * @throws MetadataException when the record has an unknown format version
   */
  static TimestampSlot read(String path, MemorySegment bytes, long offset, Crc32c checksum) {
    if (Bytes.getLong(bytes, offset) != MAGIC
        || Bytes.getInt(bytes, offset + CHECKSUM_OFFSET)
            != checksum.of(bytes, offset, CHECKSUM_OFFSET)) {
      return new TimestampSlot(offset, isBlank(bytes, offset) ? State.BLANK : State.INVALID, 0, 0);
    }
    int version = Bytes.getInt(bytes, offset + 8);
    if (version != VERSION) {
      throw new MetadataException(
          "the file " + path + " has the unknown format version " + version);
    }
    return new TimestampSlot(
        offset, State.VALID, Bytes.getLong(bytes, offset + 12), Bytes.getLong(bytes, offset + 20));
  }

  private static boolean isBlank(MemorySegment bytes, long offset) {
    for (int i = 0; i < BYTES; i++) {
      if (Bytes.getByte(bytes, offset + i) != 0) {
        return false;
      }
    }
    return true;
  }
}
