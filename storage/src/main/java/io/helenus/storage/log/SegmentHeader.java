package io.helenus.storage.log;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.engine.StorageException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The first 64 bytes of a segment: storage/docs/commitlog.md. Immutable.
 *
 * @param bootId identifies the boot of the machine that wrote the segment; 16 bytes, all zeros if
 *     unknown
 */
record SegmentHeader(
    long logId, int segmentId, int generation, int sequence, int sizeBytes, byte[] bootId) {
  static final int BYTES = 64;
  private static final long MAGIC = 0x48454C454E4C4F47L; // HELENLOG
  private static final int FORMAT = 1;
  private static final int VERSION = 0;
  private static final int BOOT_ID_BYTES = 16;

  SegmentHeader {
    bootId = Arrays.copyOf(bootId, BOOT_ID_BYTES);
  }

  void write(ByteWriter out) {
    int start = out.size();
    out.putLong(MAGIC).putShort(FORMAT).putShort(VERSION).putInt(BYTES);
    out.putLong(logId).putInt(segmentId).putInt(generation).putInt(sequence).putInt(sizeBytes);
    out.putBytes(bootId).putInt(0);
    out.putInt(new Crc32c().of(out.segment(), start, BYTES - 4));
  }

  /**
   * Decodes the header at the start of a segment.
   *
   * @throws StorageException if it is damaged or of an unknown format; names the file
   */
  static SegmentHeader read(MemorySegment bytes, long available, String path) {
    if (available < BYTES || Bytes.getLong(bytes, 0) != MAGIC) {
      throw new StorageException(path + " is damaged at offset 0: not a commit log segment");
    }
    int format = Bytes.getUnsignedShort(bytes, 8);
    if (format != FORMAT) {
      throw new StorageException(
          path + " has commit log format " + format + ", which this version does not support");
    }
    if (Bytes.getInt(bytes, 12) != BYTES
        || new Crc32c().of(bytes, 0, BYTES - 4) != Bytes.getInt(bytes, BYTES - 4)) {
      throw new StorageException(path + " is damaged at offset 0: wrong header checksum");
    }
    return new SegmentHeader(
        Bytes.getLong(bytes, 16),
        Bytes.getInt(bytes, 24),
        Bytes.getInt(bytes, 28),
        Bytes.getInt(bytes, 32),
        Bytes.getInt(bytes, 36),
        Bytes.toArray(bytes, 40, BOOT_ID_BYTES));
  }

  /**
   * Whether all bytes written to this segment must still be there: the machine has not rebooted
   * since, or it is unknown whether it has.
   */
  boolean nothingLost(byte[] currentBootId) {
    byte[] unknown = new byte[BOOT_ID_BYTES];
    byte[] current = Arrays.copyOf(currentBootId, BOOT_ID_BYTES);
    return Arrays.equals(bootId, current)
        || Arrays.equals(bootId, unknown)
        || Arrays.equals(current, unknown);
  }
}
