package io.helenus.server.client;

import java.util.zip.CRC32;

/** The two checksums of a v5 segment (native protocol v5, section 2.1). */
public final class Checksums {
  private Checksums() {}

  /** CRC24 of the first bytes of a header, passed as a little-endian number. */
  public static int crc24(long header, int length) {
    int crc = 0x875060;
    for (int i = 0; i < length; i++) {
      crc ^= (int) (header >>> 8 * i & 0xFF) << 16;
      for (int bit = 0; bit < 8; bit++) {
        crc <<= 1;
        if ((crc & 0x1000000) != 0) {
          crc ^= 0x1974F0B;
        }
      }
    }
    return crc;
  }

  /** CRC32 of a payload, preceded by four fixed bytes. */
  public static int crc32(byte[] payload) {
    CRC32 crc = new CRC32();
    crc.update(new byte[] {(byte) 0xFA, 0x2D, 0x55, (byte) 0xCA});
    crc.update(payload);
    return (int) crc.getValue();
  }
}
