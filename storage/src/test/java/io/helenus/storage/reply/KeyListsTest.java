package io.helenus.storage.reply;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The union of the keys that several replicas have found. */
class KeyListsTest {
  private final KeyLists lists = new KeyLists();

  /** A key of a partition of one byte; row 0 is the static row. */
  private static ByteWriter key(int partition, int row) {
    ByteWriter key = new ByteWriter(8).putByte(partition);
    return row == 0
        ? key.putByte(KeyFormat.SECTION_STATIC)
        : key.putByte(KeyFormat.SECTION_ROWS).putByte(row).putByte(KeyFormat.TAG_END);
  }

  private static MemorySegment list(boolean complete, int... partitionsAndRows) {
    ByteWriter out = new ByteWriter(64);
    KeysWriter writer = new KeysWriter(out);
    for (int each : partitionsAndRows) {
      writer.add(key(each / 10, each % 10), 1);
    }
    if (complete) {
      writer.end();
    } else {
      int last = partitionsAndRows[partitionsAndRows.length - 1];
      writer.endBehind(key(last / 10, last % 10), 1);
    }
    return out.segment().asSlice(0, out.size());
  }

  private List<Integer> union(MemorySegment... segments) {
    lists.take(List.of(segments));
    List<Integer> found = new ArrayList<>();
    while (lists.next()) {
      byte[] key = lists.key().toArray();
      assertEquals(1, lists.prefixLength());
      found.add(key[0] * 10 + (key[1] == KeyFormat.SECTION_STATIC ? 0 : key[2]));
    }
    return found;
  }

  @Test
  void keysOfAllListsComeOnceInOrder() {
    assertEquals(
        List.of(11, 12, 13, 20, 31), union(list(true, 11, 13, 20), list(true, 12, 13, 31)));
    assertFalse(lists.areAll());
    assertEquals(0, lists.putPosition(new ByteWriter(8)));
  }

  @Test
  void theUnionEndsBehindTheLastKeyOfTheListThatEndsFirst() {
    assertEquals(
        List.of(11, 12, 13, 14),
        union(list(true, 12, 15, 21), list(false, 11, 14), list(false, 13, 22)));
    ByteWriter position = new ByteWriter(8);
    assertEquals(1, lists.putPosition(position));
    assertEquals(
        List.of((byte) 1, (byte) 2, (byte) 4, (byte) KeyFormat.TAG_BOUND_AFTER),
        List.of(
            position.toArray()[0],
            position.toArray()[1],
            position.toArray()[2],
            position.toArray()[3]));
  }

  @Test
  void aListThatDoesNotNarrowTheReadMakesItOneOfAllRows() {
    ByteWriter all = new ByteWriter(8);
    new KeysWriter(all).endWithAll();
    assertEquals(List.of(), union(list(true, 12), all.segment().asSlice(0, all.size())));
    assertTrue(lists.areAll());
  }

  @Test
  void cutListsAreMalformed() {
    MemorySegment whole = list(false, 11, 12);
    for (long length = 0; length < whole.byteSize(); length++) {
      MemorySegment cut = whole.asSlice(0, length);
      assertThrows(IllegalArgumentException.class, () -> union(cut));
    }
  }
}
