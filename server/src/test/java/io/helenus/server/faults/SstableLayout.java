package io.helenus.server.faults;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The layout of an SSTable, determined from its bytes according to storage/docs/sstable.md and
 * independently of the code under test: blocks are recognized by their checksums.
 */
record SstableLayout(List<Part> blocks, Map<String, Part> others) {
  private static final List<String> SECTIONS =
      List.of(
          "top index", "filter", "statistics", "log positions", "largest partition", "partitions");
  private static final int BLOCK_HEADER_BYTES = 5;
  private static final int SECTION_ENTRY_BYTES = 24;

  /** Bytes covered by one checksum. */
  record Part(long offset, int length) {}

  static SstableLayout read(ByteBuffer bytes) {
    int size = bytes.capacity();
    Map<String, Part> others = new TreeMap<>();
    int headerLength = bytes.getShort(10) & 0xFFFF;
    others.put("header", new Part(0, headerLength));
    int footerTail = size - 18;
    int footer = size - bytes.getInt(footerTail);
    others.put("footer", new Part(footer, size - footer));
    int sections = bytes.getShort(footer);
    for (int i = 0; i < sections; i++) {
      int entry = footer + 2 + i * SECTION_ENTRY_BYTES;
      String name = SECTIONS.get(bytes.getShort(entry) - 1);
      others.put(name, new Part(bytes.getLong(entry + 4), (int) bytes.getLong(entry + 12)));
    }
    long dataEnd = bytes.getLong(footerTail - 8);
    return new SstableLayout(blocks(bytes, headerLength, dataEnd), others);
  }

  private static List<Part> blocks(ByteBuffer bytes, int from, long end) {
    List<Part> blocks = new ArrayList<>();
    for (int at = from; at < end; ) {
      int length = blockLength(bytes, at, end);
      blocks.add(new Part(at, length));
      at += length;
    }
    return blocks;
  }

  private static int blockLength(ByteBuffer bytes, int start, long end) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(8).putLong(start).flip());
    for (int at = start; at + 4 <= end; at++) {
      if (at >= start + BLOCK_HEADER_BYTES && (int) crc.getValue() == bytes.getInt(at)) {
        return at + 4 - start;
      }
      crc.update(bytes.get(at));
    }
    throw new AssertionError("no block begins at " + start);
  }
}
