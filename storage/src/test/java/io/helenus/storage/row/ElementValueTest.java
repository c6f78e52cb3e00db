package io.helenus.storage.row;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import org.junit.jupiter.api.Test;

/** Which versions of elements are plain values, and which of them is the newest. */
class ElementValueTest {
  private static final int COLUMN = 300;

  private final ElementValue plain = new ElementValue();

  /** The value of an element's entry with the header of a row and a cell. */
  private static ByteWriter version(int rowFlags, long timestamp, int cellFlags, int valueLength) {
    ByteWriter bytes = new ByteWriter(64).putVarint(9).putByte(rowFlags).putLong(timestamp);
    bytes.putVarint(COLUMN).putByte(cellFlags).putVarint(valueLength);
    for (int i = 0; i < valueLength; i++) {
      bytes.putByte((int) timestamp + i);
    }
    return bytes;
  }

  private static ByteWriter version(long timestamp, int valueLength) {
    return version(0, timestamp, 0, valueLength);
  }

  private boolean take(ByteWriter version) {
    return plain.take(version.segment(), 0, version.size());
  }

  private boolean takeNewer(ByteWriter version) {
    return plain.takeNewer(version.segment(), 0, version.size());
  }

  private byte[] value() {
    return Bytes.toArray(plain.segment(), plain.valueOffset(), plain.valueLength());
  }

  @Test
  void takesValuesOfAnyLength() {
    for (int length : new int[] {0, 1, 127, 128, 20_000}) {
      assertTrue(take(version(7, length)));
      assertEquals(7, plain.timestamp());
      assertEquals(length, plain.valueLength());
    }
    assertTrue(take(version(7, 2)));
    assertArrayEquals(new byte[] {7, 8}, value());
  }

  @Test
  void refusesDeletedExpiringAndOtherCells() {
    for (int flag = 1; flag < 256; flag <<= 1) {
      assertFalse(take(version(0, 7, flag, 1)), "cell flag " + flag);
    }
    for (int flag = 1; flag < 8; flag <<= 1) {
      assertFalse(take(version(flag, 7, 0, 1)), "row flag " + flag);
    }
  }

  @Test
  void refusesARowWithMoreCells() {
    assertFalse(take(version(7, 1).putVarint(COLUMN + 1).putByte(0).putVarint(0)));
  }

  @Test
  void theNewestOfSeveralVersionsWins() {
    assertTrue(take(version(7, 1)));
    assertTrue(takeNewer(version(9, 2)));
    assertTrue(takeNewer(version(8, 3)));
    assertEquals(9, plain.timestamp());
    assertArrayEquals(new byte[] {9, 10}, value());
  }

  @Test
  void equalTimestampsAndDeletionsAreNotDecidedHere() {
    assertTrue(take(version(7, 1)));
    assertFalse(takeNewer(version(7, 2)));
    assertTrue(take(version(7, 1)));
    assertFalse(takeNewer(version(0, 5, RowFormat.CELL_TOMBSTONE, 1)));
  }
}
