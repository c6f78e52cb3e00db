package io.helenus.server.protocol;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes segments (native protocol v5, section 2.1). All numbers are little-endian:
 *
 * <pre>
 * uncompressed  17 bits payload length, 1 bit self-contained, 6 bits zero, 24 bits CRC24 of the
 *               preceding bits; payload; 32 bits CRC32 of the payload
 * with LZ4      17 bits payload length, 17 bits uncompressed length (0: not compressed), 1 bit
 *               self-contained, 5 bits zero, 24 bits CRC24 of the preceding bits; payload;
 *               32 bits CRC32 of the payload
 * </pre>
 *
 * Not thread-safe.
 */
final class Segments {
  /** The largest payload, compressed or not. */
  static final int LARGEST_PAYLOAD_BYTES = (1 << 17) - 1;

  private static final int LENGTH_BITS = 17;
  private static final int TRAILER_BYTES = 4;

  private final Compression.@Nullable Lz4 lz4;
  private final Checksum checksum;
  private final int checkedHeaderBytes;

  private int payloadLength;
  private int plainLength;
  private boolean selfContained;

  Segments(Compression.@Nullable Lz4 lz4, Checksum checksum) {
    this.lz4 = lz4;
    this.checksum = checksum;
    this.checkedHeaderBytes = lz4 == null ? 3 : 5;
  }

  /** The length of a header, including its checksum. */
  int headerBytes() {
    return checkedHeaderBytes + 3;
  }

  /** The length of the segment whose header was read. */
  int segmentBytes() {
    return headerBytes() + payloadLength + TRAILER_BYTES;
  }

  /** Whether the segment whose header was read holds complete frames. */
  boolean isSelfContained() {
    return selfContained;
  }

  /** The uncompressed length of the payload. */
  int plainLength() {
    return plainLength == 0 ? payloadLength : plainLength;
  }

  /** Whether the payload is compressed. */
  boolean isCompressed() {
    return plainLength != 0;
  }

  /** Reads a header; false if its checksum does not match. */
  boolean readHeader(MemorySegment source, int offset) {
    long header = readLittle(source, offset, checkedHeaderBytes);
    payloadLength = (int) (header & LARGEST_PAYLOAD_BYTES);
    plainLength = lz4 == null ? 0 : (int) (header >>> LENGTH_BITS) & LARGEST_PAYLOAD_BYTES;
    selfContained = (header >>> (lz4 == null ? LENGTH_BITS : 2 * LENGTH_BITS) & 1) != 0;
    return Checksum.crc24(header, checkedHeaderBytes) == storedHeaderChecksum(source, offset);
  }

  int storedHeaderChecksum(MemorySegment source, int offset) {
    return (int) readLittle(source, offset + checkedHeaderBytes, 3);
  }

  int computedHeaderChecksum(MemorySegment source, int offset) {
    return Checksum.crc24(readLittle(source, offset, checkedHeaderBytes), checkedHeaderBytes);
  }

  int storedPayloadChecksum(MemorySegment source, int offset) {
    return (int) readLittle(source, offset + headerBytes() + payloadLength, TRAILER_BYTES);
  }

  int computedPayloadChecksum(MemorySegment source, int offset) {
    return checksum.crc32(source, offset + headerBytes(), payloadLength);
  }

  /** Appends the decompressed payload of the segment whose header was read. */
  void decompress(MemorySegment source, int offset, ByteWriter out) {
    if (lz4 == null) {
      throw new IllegalStateException("the connection is not compressed");
    }
    lz4.decompressBlock(source, offset + headerBytes(), payloadLength, out, plainLength);
  }

  /**
   * Completes the segment whose payload follows a reserved header: compresses the payload if that
   * makes it smaller, fills in the header, appends the trailer.
   */
  void seal(ByteWriter out, int headerOffset, boolean holdsWholeFrames, ByteWriter scratch) {
    // reserve the trailer first: if memory runs out, nothing has changed
    int end = out.reserve(TRAILER_BYTES);
    out.truncate(end);
    int payloadOffset = headerOffset + headerBytes();
    int plain = end - payloadOffset;
    long header = plain;
    if (lz4 != null) {
      scratch.clear();
      int size = lz4.compressBlock(out.segment(), payloadOffset, plain, scratch);
      if (size < plain) {
        out.truncate(payloadOffset).putBytes(scratch.segment(), 0, size);
        header = size | (long) plain << LENGTH_BITS;
      }
      header |= holdsWholeFrames ? 1L << 2 * LENGTH_BITS : 0;
    } else {
      header |= holdsWholeFrames ? 1L << LENGTH_BITS : 0;
    }
    writeLittle(out, headerOffset, header, checkedHeaderBytes);
    writeLittle(
        out, headerOffset + checkedHeaderBytes, Checksum.crc24(header, checkedHeaderBytes), 3);
    int crc = checksum.crc32(out.segment(), payloadOffset, out.size() - payloadOffset);
    writeLittle(out, out.reserve(TRAILER_BYTES), crc, TRAILER_BYTES);
  }

  private static long readLittle(MemorySegment source, int offset, int length) {
    long value = 0;
    for (int i = length - 1; i >= 0; i--) {
      value = value << 8 | Bytes.getUnsignedByte(source, offset + i);
    }
    return value;
  }

  private static void writeLittle(ByteWriter out, int offset, long value, int length) {
    for (int i = 0; i < length; i++) {
      out.setByte(offset + i, (int) (value >>> 8 * i));
    }
  }
}
