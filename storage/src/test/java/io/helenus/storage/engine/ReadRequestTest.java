package io.helenus.storage.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.testing.Seeds;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The bytes of read requests: storage/docs/read-request.md. */
class ReadRequestTest {
  private static final HexFormat HEX = HexFormat.of();

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private static byte[] encoded(ReadRequest request) {
    ByteWriter out = new ByteWriter(64);
    request.encode(out);
    return out.toArray();
  }

  private static ReadRequest decoded(byte[] bytes) {
    // not at the start of the segment, and not at its end
    ByteWriter copy = new ByteWriter(64).putInt(-1).putBytes(bytes).putInt(-1);
    return new ReadRequest().decode(copy.segment(), 4, bytes.length);
  }

  private static String refusal(String hex) {
    byte[] bytes = HEX.parseHex(hex.replace(" ", ""));
    return String.valueOf(
        assertThrows(MalformedRequestException.class, () -> decoded(bytes)).getMessage());
  }

  private static ReadRequest all() {
    return new ReadRequest().reset(7, 5);
  }

  private static ByteWriter bytes(int... values) {
    ByteWriter out = new ByteWriter(values.length + 1);
    for (int value : values) {
      out.putByte(value);
    }
    return out;
  }

  @Test
  void hasTheDocumentedBytes() {
    assertEquals("01 07 0000000000000005 08 00 00 00 00 00 00 00".replace(" ", ""), hex(all()));

    ReadRequest request = all();
    MemorySegment lower = bytes(2, 0x40, 9, 0x20).segment();
    MemorySegment upper = bytes(2, 0x60).segment();
    request
        .partition(bytes(0xAA, 0xBB).segment(), 0, 2)
        .reversed(true)
        .wantsStatic(true)
        .columns(new int[] {3, 300})
        .rowLimits(1000, 10, true)
        .tombstoneLimit(0)
        .addRow(new byte[] {2, 0x40, 8, 0x38})
        .addSlice(lower, 0, 4, upper, 0, 2)
        .addElement(300, bytes(1).segment(), 0, 1)
        .addElements(300, bytes(4).segment(), 0, 1, bytes(5, 0).segment(), 0, 2);
    String keys = "0F 02AABB 02 04 02400838 00 04 02400920 02 0260";
    String columns = "01 02 03 A902 02 AC02 0101 00 AC02 0104 03 0500";
    String limits = "0F E807 0A 00";
    assertEquals(
        ("01 07 0000000000000005" + keys + columns + "00" + limits).replace(" ", "").toLowerCase(),
        hex(request));

    request = all().partitions(bytes(1).segment(), 0, 1, bytes(2).segment(), 0, 1);
    request.index(9, bytes(1).segment(), 0, 1, bytes(1).segment(), 0, 0);
    request.nearest(10, bytes(0, 0, 0, 0).segment(), 0, 4, 3);
    String lookup = "03 09 0101 00 0A 0400000000 03";
    assertEquals(
        ("01 07 0000000000000005 08 0101 0102 00 00 00" + lookup + "00")
            .replace(" ", "")
            .toLowerCase(),
        hex(request));
  }

  private static String hex(ReadRequest request) {
    return HEX.formatHex(encoded(request));
  }

  @Test
  void decodesWhatItEncodes() throws Exception {
    seeds.each(
        5,
        seed -> {
          RandomRequests requests = new RandomRequests(new Random(seed));
          ReadRequest reused = new ReadRequest();
          ReadRequest copied = new ReadRequest();
          for (int i = 0; i < 1000; i++) {
            ReadRequest request = requests.next();
            byte[] bytes = encoded(request);
            assertSame(request, decoded(bytes));
            ByteWriter copy = new ByteWriter(bytes.length).putBytes(bytes);
            assertSame(request, reused.decode(copy.segment(), 0, bytes.length));
            assertSame(request, copied.copy(request));
          }
        });
  }

  private static void assertSame(ReadRequest expected, ReadRequest actual) {
    assertEquals(described(expected), described(actual));
    assertArrayEquals(encoded(expected), encoded(actual));
  }

  /** All that a reader can ask a request. */
  private static String described(ReadRequest request) {
    StringBuilder text = new StringBuilder();
    KeyRanges keys = request.keys();
    text.append(request.tableId()).append(' ').append(request.nowSeconds());
    text.append(keys.isPartition()).append(keys.isReversed()).append(keys.isStaticWanted());
    text.append(keys.areRowsWanted()).append(keys.areDeadRowsWanted());
    append(text, request, 0, keys.lowerLength());
    append(text, request, keys.lowerLength(), keys.upperLength());
    for (int i = 0; i < keys.sliceCount(); i++) {
      int at = keys.sliceOffset(i);
      append(text, request, at, keys.sliceLowerLength(i));
      append(text, request, at + keys.sliceLowerLength(i), keys.sliceUpperLength(i));
    }
    ColumnSelection columns = request.columns();
    text.append(columns.areRestricted()).append(Arrays.toString(columns.ids()));
    for (int i = 0; i < columns.elementsCount(); i++) {
      int at = columns.elementsOffset(i);
      int upper = columns.elementsUpperLength(i);
      text.append(' ').append(columns.elementsColumn(i)).append(':').append(upper);
      append(text, request, at, columns.elementsLowerLength(i));
      append(text, request, at + columns.elementsLowerLength(i), Math.max(0, upper));
    }
    IndexLookup lookup = request.lookup();
    text.append(" terms ").append(lookup.indexId());
    if (lookup.indexId() != 0) {
      int at = lookup.termsOffset();
      append(text, request, at, lookup.termsLowerLength());
      append(text, request, at + lookup.termsLowerLength(), lookup.termsUpperLength());
    }
    text.append(" nearest ").append(lookup.vectorIndexId());
    if (lookup.vectorIndexId() != 0) {
      text.append(' ').append(lookup.nearestCount());
      append(text, request, lookup.vectorOffset(), lookup.vectorLength());
    }
    ReadLimits limits = request.limits();
    text.append(" limits ").append(limits.rows()).append(' ').append(limits.rowsPerPartition());
    text.append(' ').append(limits.doStaticRowsCount()).append(' ').append(limits.tombstones());
    return text.toString();
  }

  private static void append(StringBuilder text, ReadRequest request, int at, int length) {
    text.append(' ').append(HEX.formatHex(array(request.segment().asSlice(at, length))));
  }

  private static byte[] array(MemorySegment segment) {
    return segment.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
  }

  @Test
  void takesNothingElse() throws Exception {
    int[] refused = new int[2];
    seeds.each(
        5,
        seed -> {
          Random random = new Random(seed);
          RandomRequests requests = new RandomRequests(random);
          for (int i = 0; i < 200; i++) {
            byte[] bytes = encoded(requests.next());
            for (int length = 0; length < bytes.length; length++) {
              byte[] cut = Arrays.copyOf(bytes, length);
              assertThrows(MalformedRequestException.class, () -> decoded(cut));
            }
            byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
            assertThrows(MalformedRequestException.class, () -> decoded(longer));
            for (int j = 0; j < 100; j++) {
              refused[takesOnlyWhatIsCanonical(damaged(bytes, random)) ? 1 : 0]++;
            }
          }
        });
    assertTrue(refused[0] > refused[1] / 10, Arrays.toString(refused));
  }

  private static byte[] damaged(byte[] bytes, Random random) {
    byte[] damaged = bytes.clone();
    for (int k = 1 + random.nextInt(3); k > 0; k--) {
      int at = random.nextInt(damaged.length);
      damaged[at] =
          (byte) (random.nextBoolean() ? random.nextInt() : damaged[at] ^ 1 << random.nextInt(8));
    }
    return damaged;
  }

  /** What is taken must be what would be written for it. */
  private static boolean takesOnlyWhatIsCanonical(byte[] bytes) {
    ReadRequest request;
    try {
      request = decoded(bytes);
    } catch (MalformedRequestException e) {
      return false;
    }
    assertArrayEquals(bytes, encoded(request));
    return true;
  }

  @Test
  void saysWhatIsWrong() {
    String start = "01 07 0000000000000005";
    String rest = "00 00 00 00 00";
    assertEquals("malformed read request at byte 0: version expected", refusal(""));
    assertEquals(
        "malformed read request at byte 1: version 2 is unknown to this release", refusal("02"));
    assertEquals(
        "malformed read request at byte 11: unknown flags of keys 20", refusal(start + "20"));
    assertEquals(
        "malformed read request at byte 3: table is not in its shortest form", refusal("01 87 00"));
    assertEquals(
        "malformed read request at byte 6: table is too large", refusal("01 FFFFFFFFFF01"));
    assertEquals(
        "malformed read request at byte 6: table 4294967295 is out of range",
        refusal("01 FFFFFFFF0F"));
    assertEquals("malformed read request at byte 12: no prefix", refusal(start + "01 00"));
    assertEquals(
        "malformed read request at byte 12: only a read of one partition can be reversed",
        refusal(start + "02 00 00"));
    assertEquals(
        "malformed read request at byte 12: prefix goes beyond the end", refusal(start + "01 01"));
    assertEquals(
        "malformed read request at byte 15: a range ends before its start",
        refusal(start + "08 0102 0101"));
    String partition = start + "09 01AA";
    assertEquals(
        "malformed read request at byte 14: number of slices 100 is out of range",
        refusal(partition + "64"));
    assertEquals(
        "malformed read request at byte 19: not a row", refusal(partition + "01 03 024020 00"));
    assertEquals(
        "malformed read request at byte 21: not the bounds of a slice",
        refusal(partition + "01 03 024020 02 0238"));
    assertEquals(
        "malformed read request at byte 20: a slice ends before its start",
        refusal(partition + "01 02 0260 02 0220"));
    assertEquals(
        "malformed read request at byte 22: slices overlap",
        refusal(partition + "02 02 0238 00 02 0238 00"));
    assertEquals(
        "malformed read request at byte 17: rows that do not exist, and not all columns",
        refusal(start + "18 00 00 00 01 00 00 00"));
    assertEquals(
        "malformed read request at byte 18: column 0 is out of range",
        refusal(start + "08 00 00 00 01 02 01 00"));
    assertEquals(
        "malformed read request at byte 22: selections of elements overlap",
        refusal(start + "08 00 00 00 00 02 01 00 01 01 00 00"));
    assertEquals(
        "malformed read request at byte 22: not a vector of floats",
        refusal(start + "08 00 00 00 00 00 02 01 03000000"));
    assertEquals(
        "malformed read request at byte 22: limits of rows with an index",
        refusal(start + "08 00 00 00 00 00 01 01 00 00 01 05"));
    assertEquals(
        "malformed read request at byte 18: 1 bytes too many",
        refusal(start + "08 00 00" + rest + "00"));
  }

  @Test
  void isForNothingAfterMalformedBytes() {
    ReadRequest request = all();
    byte[] bytes = HEX.parseHex("01070000000000000005");
    ByteWriter in = new ByteWriter(16).putBytes(bytes);
    assertThrows(
        MalformedRequestException.class, () -> request.decode(in.segment(), 0, bytes.length));
    assertEquals(0, request.tableId());
  }
}
