package io.helenus.storage.bytes;

import java.lang.foreign.MemorySegment;

/**
 * The marks around a record of a log that is synced record by record. They distinguish two causes
 * of an invalid last record: either its write was interrupted, so it was never acknowledged, or it
 * was complete and has been damaged since, so that dropping it would lose an acknowledged change.
 * Stateless.
 *
 * <p>A record begins with {@link #BEGIN} and ends with {@link #END}. Neither contains a zero byte,
 * and the checksum does not cover them. After an interrupted write whole sectors are missing: the
 * file ends early, or contains zeros instead. No other cause is assumed to remove whole sectors.
 */
public final class RecordMarks {
  /** The first byte of a record. */
  public static final byte BEGIN = 0x52;

  /** The last eight bytes of a record. */
  public static final long END = 0x7E46_494E_4953_487EL; // ~FINISH~

  /** The length of the end mark. */
  public static final int END_BYTES = Long.BYTES;

  /** The unit that a disk writes atomically. */
  private static final int SECTOR_BYTES = 512;

  private RecordMarks() {}

  /**
   * Whether the bytes from an offset to the end of a file, which form no valid record, are the
   * remains of an interrupted write.
   *
   * @param file the whole file
   */
  public static boolean isTorn(MemorySegment file, long from, long size) {
    if (size - from < END_BYTES || Bytes.getLong(file, size - END_BYTES) != END) {
      return true;
    }
    long at = from;
    while (at < size) {
      long sectorEnd = Math.min(size, (at / SECTOR_BYTES + 1) * SECTOR_BYTES);
      if (isZero(file, at, sectorEnd)) {
        return true;
      }
      at = sectorEnd;
    }
    return false;
  }

  private static boolean isZero(MemorySegment file, long from, long to) {
    for (long at = from; at < to; at++) {
      if (Bytes.getByte(file, at) != 0) {
        return false;
      }
    }
    return true;
  }
}
