package io.helenus.server.protocol;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32;

/** The checksums of segments (native protocol v5, section 2.1). Not thread-safe. */
final class Checksum {
  private static final int CRC24_INITIAL = 0x875060;
  private static final int CRC24_POLYNOMIAL = 0x1974F0B;
  private static final byte[] CRC32_PREFIX = {(byte) 0xFA, 0x2D, 0x55, (byte) 0xCA};

  private final CRC32 crc32 = new CRC32();

  /** CRC24 of up to eight bytes, given as a little-endian number. */
  static int crc24(long bytes, int length) {
    int crc = CRC24_INITIAL;
    long rest = bytes;
    for (int i = 0; i < length; i++) {
      crc ^= (int) (rest & 0xFF) << 16;
      rest >>>= 8;
      for (int bit = 0; bit < 8; bit++) {
        crc <<= 1;
        crc ^= (crc & 0x1000000) != 0 ? CRC24_POLYNOMIAL : 0;
      }
    }
    return crc;
  }

  /** CRC32 of a payload. */
  int crc32(MemorySegment segment, int offset, int length) {
    crc32.reset();
    crc32.update(CRC32_PREFIX);
    crc32.update(segment.asSlice(offset, length).asByteBuffer());
    return (int) crc32.getValue();
  }
}
