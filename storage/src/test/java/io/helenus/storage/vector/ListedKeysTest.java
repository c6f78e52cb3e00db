package io.helenus.storage.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Hashing;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.testing.Seeds;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Keys listed in any order, compared with a sorted set. */
class ListedKeysTest {
  private static final int ROWS = 200;
  private static final int PREFIX_BYTES = 4;

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private final KeyListing listing = new KeyListing(new LargeSegments());

  /** Ten rows have the same partition; so has the number of its first row, negative and less 1. */
  private static ByteWriter key(int row) {
    return row < 0
        ? new ByteWriter(8).putInt((-1 - row) / 10).putByte(KeyFormat.SECTION_STATIC)
        : new ByteWriter(16).putInt(row / 10).putByte(KeyFormat.SECTION_ROWS).putInt(row);
  }

  private static int wholePartitionOf(int row) {
    return -1 - row / 10 * 10;
  }

  private static long add(KeyListing listing, int row) {
    ByteWriter key = key(row);
    return listing.add(key.segment(), 0, key.size(), PREFIX_BYTES);
  }

  private static boolean contains(ListedKeys keys, int row) {
    ByteWriter key = key(row);
    return keys.contains(key.segment(), 0, key.size(), PREFIX_BYTES);
  }

  @Test
  void keysAreSortedAndContainedAsInASortedSet() throws Exception {
    seeds.each(300, ListedKeysTest::compare);
  }

  private static void compare(long seed) {
    SimRandomness random = new SimRandomness(seed);
    KeyListing listing = new KeyListing(new LargeSegments());
    List<Integer> added = new ArrayList<>();
    boolean ascending = random.percent(30);
    // an index lists rows of a partition, or all of it
    int whole = random.percent(50) ? 0 : 3;
    int row = 0;
    for (int i = random.below(120); i > 0; i--) {
      row = ascending && row < ROWS - 4 ? row + random.below(4) : random.below(ROWS);
      int next = row / 10 % 7 < whole ? wholePartitionOf(row) : row;
      add(listing, next);
      added.add(next);
    }
    assertEquals(added.size(), listing.size());
    ListedKeys all = listing.sort();
    check(all, added);
    BitSet some = new BitSet();
    List<Integer> kept = new ArrayList<>();
    // of a key that is listed twice, its first place or none: as filters of files say
    TreeMap<Integer, Boolean> chosen = new TreeMap<>();
    for (int i = 0; i < added.size(); i++) {
      if (chosen.computeIfAbsent(added.get(i), each -> random.percent(40))) {
        some.set(i);
        kept.add(added.get(i));
      }
    }
    check(all.only(some), kept);
    listing.release();
  }

  private static void check(ListedKeys keys, List<Integer> expected) {
    TreeSet<Integer> distinct =
        new TreeSet<>(
            (a, b) -> {
              ByteWriter one = key(a);
              ByteWriter other = key(b);
              return Bytes.compare(one.segment(), 0, one.size(), other.segment(), 0, other.size());
            });
    distinct.addAll(expected);
    assertEquals(distinct.size(), keys.size());
    int index = 0;
    for (int each : distinct) {
      ByteWriter key = key(each < 0 ? -1 - each : each);
      assertEquals(0, keys.order(key.segment(), 0, key.size(), index), "in ascending order");
      index++;
    }
    for (int row = 0; row < ROWS; row++) {
      boolean listed = distinct.contains(row) || distinct.contains(wholePartitionOf(row));
      assertEquals(listed, contains(keys, row), "row " + row);
    }
  }

  @Test
  void theStartOfAKeyTellsItsOrderIfItIsLongEnough() {
    add(listing, 57);
    add(listing, wholePartitionOf(80));
    ListedKeys keys = listing.sort();
    assertTrue(keys.orderOfStart(Bytes.getLong(key(49).segment(), 0), 0) < 0);
    assertEquals(0, keys.orderOfStart(Bytes.getLong(key(57).segment(), 0), 0));
    assertTrue(keys.orderOfStart(Bytes.getLong(key(60).segment(), 0), 0) > 0);
    assertEquals(0, keys.orderOfStart(Bytes.getLong(key(0).segment(), 0), 1), "a short prefix");
  }

  @Test
  void hashesAreThoseOfFilters() {
    ByteWriter row = key(57);
    assertEquals(Hashing.xxh3(row.segment(), 0, row.size()), add(listing, 57));
    ByteWriter partition = key(wholePartitionOf(80));
    assertEquals(
        Hashing.xxh3(partition.segment(), 0, PREFIX_BYTES), add(listing, wholePartitionOf(80)));
  }

  @Test
  void nothingIsAddedToWhatHasBeenHandedOver() {
    add(listing, 1);
    ListedKeys keys = listing.sort();
    assertThrows(IllegalStateException.class, () -> add(listing, 2));
    assertSame(keys, listing.sort());
    assertEquals(1, keys.size());
  }

  @Test
  void anEmptyListAdmitsNothing() {
    KeyRange all = KeyRange.range(key(0).segment(), 0, 0, 0);
    ByteWriter key = key(5);
    assertTrue(new KeyRestriction(all, null).isNone());
    assertTrue(new KeyRestriction(all, null).admits(key.segment(), 0, key.size(), PREFIX_BYTES));
    KeyRestriction nothing = new KeyRestriction(all, listing.sort());
    assertFalse(nothing.isNone());
    assertFalse(nothing.admits(key.segment(), 0, key.size(), PREFIX_BYTES));
  }
}
