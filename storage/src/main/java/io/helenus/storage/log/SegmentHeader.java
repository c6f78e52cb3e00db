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
 * @param machineRun names the run of the machine that wrote it, 16 bytes; zeros: unknown
 */
record SegmentHeader(
    long logId, int segmentId, int generation, int sequence, int sizeBytes, byte[] machineRun) {
  static final int BYTES = 64;
  private static final long MAGIC = 0x48454C454E4C4F47L; // HELENLOG
  private static final int FORMAT = 1;
  private static final int VERSION = 0;
  private static final int MACHINE_RUN_BYTES = 16;

  SegmentHeader {
    machineRun = Arrays.copyOf(machineRun, MACHINE_RUN_BYTES);
  }

  void write(ByteWriter out) {
    int start = out.size();
    out.putLong(MAGIC).putShort(FORMAT).putShort(VERSION).putInt(BYTES);
    out.putLong(logId).putInt(segmentId).putInt(generation).putInt(sequence).putInt(sizeBytes);
    out.putBytes(machineRun).putInt(0);
    out.putInt(new Crc32c().of(out.segment(), start, BYTES - 4));
  }

  /** Reads it from the start of a segment's bytes; damage names the file. */
  static SegmentHeader read(MemorySegment bytes, long available, String path) {
    if (available < BYTES || Bytes.getLong(bytes, 0) != MAGIC) {
      throw new StorageException(path + " is damaged at offset 0: it is no commit log segment");
    }
    int format = Bytes.getUnsignedShort(bytes, 8);
    if (format != FORMAT) {
      throw new StorageException(
          path + " has commit log format " + format + ", which this version does not know");
    }
    if (Bytes.getInt(bytes, 12) != BYTES
        || new Crc32c().of(bytes, 0, BYTES - 4) != Bytes.getInt(bytes, BYTES - 4)) {
      throw new StorageException(path + " is damaged at offset 0: the header's checksum is wrong");
    }
    return new SegmentHeader(
        Bytes.getLong(bytes, 16),
        Bytes.getInt(bytes, 24),
        Bytes.getInt(bytes, 28),
        Bytes.getInt(bytes, 32),
        Bytes.getInt(bytes, 36),
        Bytes.toArray(bytes, 40, MACHINE_RUN_BYTES));
  }

  /**
   * Whether everything that was written to this segment must still be there: the machine has not
   * stopped since, or that cannot be known.
   */
  boolean nothingForgotten(byte[] currentRun) {
    byte[] unknown = new byte[MACHINE_RUN_BYTES];
    byte[] current = Arrays.copyOf(currentRun, MACHINE_RUN_BYTES);
    return Arrays.equals(machineRun, current)
        || Arrays.equals(machineRun, unknown)
        || Arrays.equals(current, unknown);
  }
}
