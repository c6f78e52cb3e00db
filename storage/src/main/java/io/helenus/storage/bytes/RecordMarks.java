package io.helenus.storage.bytes;

import java.lang.foreign.MemorySegment;

/**
 * The marks around a record of a log that is synced record by record, and what they tell of a last
 * record that does not hold: whether its write was broken off, so that nobody was told of it, or
 * whether it was whole and has been damaged since, so that to pass over it would lose what was
 * acknowledged. Stateless.
 *
 * <p>A record begins with {@link #BEGIN} and ends with {@link #END}; no byte of them is zero, and
 * its checksum does not cover them. Of a write that was broken off, sectors are missing: the file
 * ends early, or has zeros where they belong. Nothing else takes whole sectors away.
 */
public final class RecordMarks {
  /** The first byte of a record. */
  public static final byte BEGIN = 0x52;

  /** The last eight bytes of a record. */
  public static final long END = 0x7E46_494E_4953_487EL; // ~FINISH~

  /** How many bytes the end mark takes. */
  public static final int END_BYTES = Long.BYTES;

  /** What a disk writes whole or not at all. */
  private static final int SECTOR_BYTES = 512;

  private RecordMarks() {}

  /**
   * Whether the bytes of a file from one offset to its end, which are no record, are what a broken
   * off write left.
   *
   * @param file the file from its first byte on
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
