package io.helenus.storage.sstable.v1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.testing.Seeds;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Searches in random blocks, whose keys share much or little, compared with a sorted list. */
class BlockWalkerTest {
  private static final int BLOCKS = 300;
  private static final int SEARCHES = 60;
  private static final HexFormat HEX = HexFormat.of();

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private final BlockWalker walker = new BlockWalker();
  private final BlockBuilder block = new BlockBuilder(new LargeSegments());
  private List<String> keys = List.of();
  private boolean hasPrefixes;

  /** A key in hexadecimal digits, whose order is that of the bytes. */
  private String key(SimRandomness random, int values) {
    StringBuilder digits = new StringBuilder();
    int length = (hasPrefixes ? 3 : 0) + random.below(random.percent(10) ? 200 : 12);
    for (int i = 0; i < length; i++) {
      digits.append(HEX.toHexDigits((byte) random.below(values)));
    }
    return digits.toString();
  }

  /** The length of a prefix that is known from the bytes of the prefix, as those of keys are. */
  private int prefix(String key) {
    return hasPrefixes ? 1 + HexFormat.fromHexDigits(key, 0, 2) % 3 : 0;
  }

  private static ByteWriter bytes(String key) {
    byte[] bytes = HEX.parseHex(key);
    return new ByteWriter(Math.max(1, bytes.length)).putBytes(bytes);
  }

  private void build(SimRandomness random, int values) {
    TreeSet<String> sorted = new TreeSet<>();
    int count = 1 + random.below(random.percent(30) ? 400 : 40);
    for (int i = 0; i < count; i++) {
      sorted.add(key(random, values));
    }
    keys = new ArrayList<>(sorted);
    block.begin(RowFormat.NO_TIMESTAMP, 0, RowFormat.NO_TIMESTAMP, 0);
    block.lastKey().clear();
    for (int i = 0; i < keys.size(); i++) {
      ByteWriter key = bytes(keys.get(i));
      ByteWriter value = new ByteWriter(300).putInt(i);
      while (random.percent(5) && value.size() < 300) {
        value.putBytes(new byte[40]);
      }
      int shared = block.sharedWithLast(key.segment(), 0, key.size());
      block.add(
          shared,
          key.segment(),
          0,
          key.size(),
          prefix(keys.get(i)),
          value.segment(),
          0,
          value.size());
    }
    ByteWriter contents = block.finish();
    walker.open(contents.segment(), 0, contents.size());
  }

  private void assertAt(int index) {
    assertEquals(index, Bytes.getInt(walker.segment(), walker.valueOffset()));
    String key = HEX.formatHex(Bytes.toArray(walker.keySegment(), 0, walker.keyLength()));
    assertEquals(keys.get(index), key);
    assertEquals(prefix(key), walker.prefixLength());
  }

  /** Steps that start where a search has ended. */
  private void walkFrom(SimRandomness random, int start) {
    int index = start;
    for (int i = random.below(4); i > 0; i--) {
      if (random.percent(50)) {
        assertEquals(index + 1 < keys.size(), walker.next());
        index = Math.min(index + 1, keys.size() - 1);
      } else {
        assertEquals(index > 0, walker.previous());
        index = Math.max(index - 1, 0);
      }
      if (random.percent(50)) {
        assertAt(index);
      }
    }
    assertAt(index);
  }

  private int firstNotBefore(String target) {
    int index = 0;
    while (index < keys.size() && keys.get(index).compareTo(target) < 0) {
      index++;
    }
    return index;
  }

  private void search(SimRandomness random, String target) {
    ByteWriter bytes = bytes(target);
    int index = firstNotBefore(target);
    boolean isThere = index < keys.size() && keys.get(index).equals(target);
    if (hasPrefixes || random.percent(50)) {
      assertEquals(index < keys.size(), walker.seek(bytes.segment(), 0, bytes.size()));
      assertEquals(isThere, walker.isAt(bytes.segment(), 0, bytes.size()));
      walkFrom(random, Math.min(index, keys.size() - 1));
      return;
    }
    int floor = isThere ? index : index - 1;
    if (floor < 0) {
      assertFalse(walker.seekFloor(bytes.segment(), 0, bytes.size()));
      return;
    }
    assertTrue(walker.seekFloor(bytes.segment(), 0, bytes.size()));
    assertEquals(floor, Bytes.getInt(walker.segment(), walker.valueOffset()));
    walkFrom(random, floor);
  }

  @Test
  void searchesEndAtTheSameEntriesAsInASortedList() throws Exception {
    seeds.each(
        BLOCKS,
        seed -> {
          SimRandomness random = new SimRandomness(seed);
          int values = Math.min(256, 1 + random.below(1 << random.below(9)));
          hasPrefixes = random.percent(50);
          build(random, values);
          for (int i = 0; i < SEARCHES; i++) {
            search(
                random,
                random.percent(50) ? keys.get(random.below(keys.size())) : key(random, values));
          }
        });
  }
}
