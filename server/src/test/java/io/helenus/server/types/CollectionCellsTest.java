package io.helenus.server.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CollectionCellsTest {
  private static final CqlType TEXT_TO_INT = new MapType(ScalarType.TEXT, ScalarType.INT, false);
  private static final CqlType DECIMALS = new SetType(ScalarType.DECIMAL, false);
  private static final CqlType DECIMAL_TO_TEXT =
      new MapType(ScalarType.DECIMAL, ScalarType.TEXT, false);
  private static final CqlType NUMBERS = new ListType(ScalarType.INT, false);

  private final CountedPaths paths = new CountedPaths();

  private static byte[] text(String value) {
    return WireValues.ofText(value);
  }

  private static byte[] number(int value) {
    return WireValues.ofInt(value);
  }

  /** A decimal with its exact scale. */
  private static byte[] decimal(String value) {
    return WireValues.ofDecimal(new java.math.BigDecimal(value));
  }

  private CollectionElements split(CqlType type, byte[] wire) {
    ByteWriter copy = new ByteWriter(wire.length).putBytes(wire);
    CollectionElements elements = new CollectionElements();
    elements.begin(CollectionCells.of(type));
    elements.add(copy.segment(), 0, paths);
    elements.end();
    return elements;
  }

  private static final class CountedPaths implements CollectionElements.ListPaths {
    private long last = 1 << 20;
    private long first = 1 << 20;

    @Override
    public void putNext(ByteWriter out) {
      putPreceding(++last, out);
    }

    @Override
    public long reservePreceding(int count) {
      first -= count;
      return first;
    }

    @Override
    public void putPreceding(long time, ByteWriter out) {
      out.putLong(0x1000L | time << 32).putLong(Long.MIN_VALUE);
    }
  }

  /** The value assembled from the cells of these elements. */
  private static byte[] joined(CqlType type, CollectionElements elements) {
    ByteWriter row = new ByteWriter(64).putByte(0).putLong(1);
    for (int i = 0; i < elements.count(); i++) {
      row.putVarint(1).putByte(RowFormat.CELL_PATH).putVarint(elements.pathLength(i));
      row.putBytes(elements.segment(), elements.pathOffset(i), elements.pathLength(i));
      row.putVarint(elements.valueLength(i));
      row.putBytes(elements.segment(), elements.valueOffset(i), elements.valueLength(i));
    }
    ByteWriter out = new ByteWriter(64).putInt(elements.count());
    RowView view = new RowView().wrap(row.segment(), 0, row.size());
    while (view.nextCell()) {
      CollectionCells.of(type).read(view, out);
    }
    return out.toArray();
  }

  private byte[] stored(CqlType type, byte[] wire) {
    return joined(type, split(type, wire));
  }

  private static List<String> paths(CollectionElements elements) {
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < elements.count(); i++) {
      byte[] path =
          Bytes.toArray(elements.segment(), elements.pathOffset(i), elements.pathLength(i));
      paths.add(HexFormat.of().formatHex(path));
    }
    return paths;
  }

  @Test
  void aMapIsReturnedInKeyOrder() {
    byte[] given =
        WireValues.ofEntries(
            List.of(text("z"), number(1), text(""), number(2), text("Ä"), number(3)));
    byte[] expected =
        WireValues.ofEntries(
            List.of(text(""), number(2), text("z"), number(1), text("Ä"), number(3)));
    assertArrayEquals(expected, stored(TEXT_TO_INT, given));
  }

  @Test
  void theLastValueOfADuplicateKeyWins() {
    byte[] given =
        WireValues.ofEntries(
            List.of(text("b"), number(1), text("a"), number(2), text("b"), number(3)));
    byte[] expected = WireValues.ofEntries(List.of(text("a"), number(2), text("b"), number(3)));
    assertArrayEquals(expected, stored(TEXT_TO_INT, given));
  }

  @Test
  void valuesThatCompareEqualShareAPathAndKeepTheirBytes() {
    CollectionElements short1 = split(DECIMALS, WireValues.ofElements(List.of(decimal("1"))));
    CollectionElements long1 = split(DECIMALS, WireValues.ofElements(List.of(decimal("1.000"))));
    assertEquals(paths(short1), paths(long1));
    assertArrayEquals(WireValues.ofElements(List.of(decimal("1.000"))), joined(DECIMALS, long1));
    byte[] map =
        WireValues.ofEntries(
            List.of(
                decimal("-7.50"), text("x"), decimal("0.0"), text(""), decimal("2"), text("y")));
    assertArrayEquals(map, stored(DECIMAL_TO_TEXT, map));
  }

  @Test
  void aListKeepsItsOrderAndDuplicates() {
    byte[] list = WireValues.ofElements(List.of(number(3), number(1), number(3), number(-2)));
    CollectionElements elements = split(NUMBERS, list);
    assertEquals(paths(elements).stream().sorted().toList(), paths(elements));
    assertArrayEquals(list, joined(NUMBERS, elements));
  }

  @Test
  void anEmptyCollectionHasNoCells() {
    assertEquals(0, split(TEXT_TO_INT, WireValues.ofEntries(List.of())).count());
    assertEquals(0, split(NUMBERS, WireValues.ofElements(List.of())).count());
  }

  @Test
  void elementLengthIsLimited() {
    CqlType blobs = new SetType(ScalarType.BLOB, false);
    byte[] longest = WireValues.ofElements(List.of(new byte[CollectionCells.ELEMENT_LIMIT_BYTES]));
    CollectionElements elements = split(blobs, longest);
    assertEquals(RowFormat.PATH_LIMIT_BYTES, elements.pathLength(0));
    assertArrayEquals(longest, joined(blobs, elements));
    byte[] longer =
        WireValues.ofElements(List.of(new byte[CollectionCells.ELEMENT_LIMIT_BYTES + 1]));
    assertThrows(CqlException.class, () -> split(blobs, longer));
  }

  @Test
  void elementsOfAllTypesRoundTrip() {
    CqlType uuids = new SetType(ScalarType.TIMEUUID, false);
    byte[] sorted =
        WireValues.ofElements(
            List.of(
                WireValues.ofUuid(UUID.fromString("00000001-0000-1000-8000-000000000000")),
                WireValues.ofUuid(UUID.fromString("00000000-0001-1000-8000-000000000000"))));
    assertArrayEquals(sorted, stored(uuids, sorted));
    CqlType booleans = new SetType(ScalarType.BOOLEAN, false);
    byte[] both = WireValues.ofElements(List.of(new byte[] {0}, new byte[] {1}));
    assertArrayEquals(both, stored(booleans, both));
  }

  @Test
  void onlyCollectionsOfOrderedElementsHaveCells() {
    assertThrows(IllegalArgumentException.class, () -> CollectionCells.of(ScalarType.INT));
    CqlType durations = new SetType(ScalarType.DURATION, false);
    assertThrows(NullPointerException.class, () -> CollectionCells.of(durations));
  }
}
