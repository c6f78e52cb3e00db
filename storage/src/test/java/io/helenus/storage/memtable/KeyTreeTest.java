package io.helenus.storage.memtable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.testing.Seeds;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Iterator;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Compares the tree with {@link TreeSet}. */
class KeyTreeTest {
  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private final Slabs slabs = new Slabs(new SlabPool(Arena.ofAuto()));
  private final Records records = new Records(slabs);
  private final KeyTree tree = new KeyTree(slabs, records);
  private final TreeSet<byte[]> expected = new TreeSet<>(Arrays::compareUnsigned);

  private void insert(byte[] bytes) {
    ByteWriter key = new ByteWriter(64).putBytes(bytes);
    long found = tree.find(key.segment(), key.size());
    assertEquals(expected.contains(bytes), found != Slabs.NONE);
    if (found == Slabs.NONE) {
      tree.insert(
          records.create(key.segment(), 0, key.size(), 0, 0, 1, Slabs.NONE, key.segment(), 0, 0));
      expected.add(bytes);
    }
  }

  private void remove(byte[] bytes) {
    ByteWriter key = new ByteWriter(64).putBytes(bytes);
    boolean there = tree.find(key.segment(), key.size()) != Slabs.NONE;
    assertEquals(expected.remove(bytes), there);
    if (there) {
      tree.remove();
    }
  }

  private byte[] keyOf(long record) {
    return Bytes.toArray(
        records.segment(record), Records.keyOffset(record), records.keyLength(record));
  }

  private void checkOrder() {
    assertEquals(expected.size(), tree.size());
    KeyTree.Position position = new KeyTree.Position();
    ByteWriter none = new ByteWriter(1);
    tree.seek(none.segment(), 0, 0, position);
    Iterator<byte[]> keys = expected.iterator();
    long record = tree.settleForward(position);
    while (record != Slabs.NONE) {
      assertTrue(Arrays.equals(keys.next(), keyOf(record)));
      position.slot++;
      record = tree.settleForward(position);
    }
    assertTrue(!keys.hasNext());
    ByteWriter end = new ByteWriter(16).putLong(-1).putLong(-1).putLong(-1);
    tree.seek(end.segment(), 0, end.size(), position);
    keys = expected.descendingIterator();
    position.slot--;
    record = tree.settleBackward(position);
    while (record != Slabs.NONE) {
      assertTrue(Arrays.equals(keys.next(), keyOf(record)));
      position.slot--;
      record = tree.settleBackward(position);
    }
    assertTrue(!keys.hasNext());
  }

  private void fill(int count, IntFunction<byte[]> key) {
    for (int i = 0; i < count; i++) {
      insert(key.apply(i));
    }
    checkOrder();
    for (byte[] one : expected) {
      ByteWriter writer = new ByteWriter(64).putBytes(one);
      long record = tree.find(writer.segment(), writer.size());
      assertTrue(Arrays.equals(one, keyOf(record)));
    }
  }

  @Test
  void ascendingKeysOfOnePartitionStaySorted() {
    fill(
        20_000,
        i -> new ByteWriter(32).putLong(42).putLong(43).putByte(2).putInt(i).putByte(9).toArray());
  }

  @Test
  void descendingKeysOfOnePartitionStaySorted() {
    fill(
        20_000,
        i -> new ByteWriter(32).putLong(42).putLong(43).putByte(2).putInt(-i).putByte(9).toArray());
  }

  @Test
  void randomKeysStaySortedWhileSomeAreRemoved() throws Exception {
    seeds.each(
        8,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          IntFunction<byte[]> key =
              i -> {
                // few distinct bytes, including zero, and keys that are prefixes of others
                byte[] bytes = new byte[1 + random.nextInt(4 * (int) (1 + seed % 8))];
                for (int at = 0; at < bytes.length; at++) {
                  bytes[at] = (byte) (random.nextInt(3) == 0 ? 0 : random.nextInt(3) * 100);
                }
                return bytes;
              };
          fill(10_000, key);
          for (int i = 0; i < 3_000; i++) {
            if (random.nextBoolean()) {
              remove(key.apply(i));
            } else {
              insert(key.apply(i));
            }
          }
          checkOrder();
        });
  }

  @Test
  void keysThatShareAHeadStaySorted() throws Exception {
    seeds.each(
        24,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          int partitions = 1 + random.nextInt(40);
          byte[] shared = new byte[random.nextInt(3) == 0 ? 240 + random.nextInt(40) : 9];
          int distinct = 1 + random.nextInt(255);
          IntFunction<byte[]> key =
              i -> {
                ByteWriter bytes = new ByteWriter(64).putLong(random.nextInt(partitions) * 7L);
                bytes.putBytes(Arrays.copyOf(shared, random.nextInt(8) > 0 ? shared.length : 3));
                for (int rest = random.nextInt(12); rest > 0; rest--) {
                  bytes.putByte(random.nextInt(distinct));
                }
                // some keys are prefixes of others
                return Arrays.copyOf(bytes.toArray(), bytes.size() - random.nextInt(3));
              };
          fill(500 + random.nextInt(3_000), key);
          for (int i = 0; i < 2_000; i++) {
            if (random.nextBoolean()) {
              remove(random.nextBoolean() ? oneOf(expected, random) : key.apply(i));
            } else {
              insert(key.apply(i));
            }
            checkSeek(key.apply(i));
          }
          checkOrder();
        });
  }

  private static byte[] oneOf(TreeSet<byte[]> keys, SplittableRandom random) {
    byte[] between = keys.first().clone();
    random.nextBytes(between);
    byte[] key = keys.ceiling(between);
    return key == null ? keys.last() : key;
  }

  /** Rows with elements of two columns: the row's own key is the beginning of theirs. */
  @Test
  void rowsWithElementsStaySorted() throws Exception {
    seeds.each(
        8,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          int rows = 1 + random.nextInt(500);
          IntFunction<byte[]> key =
              i -> {
                long row = random.nextInt(rows);
                ByteWriter bytes = new ByteWriter(64).putLong(row * 0x9E3779B97F4A7C15L);
                bytes.putLong(row).putByte(2);
                if (random.nextInt(10) > 0) {
                  bytes.putInt(5 + random.nextInt(2)).putLong(random.nextInt(40)).putByte(8);
                }
                return bytes.toArray();
              };
          fill(5_000, key);
          for (int i = 0; i < 5_000; i++) {
            if (random.nextInt(3) == 0) {
              remove(key.apply(i));
            } else {
              insert(key.apply(i));
            }
            checkSeek(key.apply(i));
          }
          checkOrder();
        });
  }

  /** A seek comes to the first key at or after the given one. */
  private void checkSeek(byte[] bytes) {
    ByteWriter key = new ByteWriter(64).putBytes(bytes);
    KeyTree.Position position = new KeyTree.Position();
    assertEquals(expected.contains(bytes), tree.seek(key.segment(), 0, key.size(), position));
    byte[] ceiling = expected.ceiling(bytes);
    long record = tree.settleForward(position);
    assertArrayEquals(ceiling, record == Slabs.NONE ? null : keyOf(record));
  }

  /** A short key, so that many are equal and many follow each other closely. */
  private static byte[] shortKey(SplittableRandom random) {
    return new ByteWriter(8).putByte(7).putShort(random.nextInt(2000)).toArray();
  }

  @Test
  void ascendingFindsAgreeWithSearches() throws Exception {
    seeds.each(
        8,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          for (int round = 0; round < 2000; round++) {
            TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
            int size = 1 + random.nextInt(20);
            byte[] from = shortKey(random);
            for (int i = 0; i < size; i++) {
              // next to each other, or anywhere
              byte[] key = i % 4 == 0 ? shortKey(random) : from.clone();
              key[2] += (byte) (i % 4 == 0 ? 0 : random.nextInt(8));
              keys.add(key);
            }
            visit(keys, random);
          }
          checkOrder();
        });
  }

  /** Finds keys in ascending order, and inserts or removes some of them. */
  private void visit(TreeSet<byte[]> keys, SplittableRandom random) {
    boolean first = true;
    for (byte[] bytes : keys) {
      ByteWriter key = new ByteWriter(8).putBytes(bytes);
      long record =
          first ? tree.find(key.segment(), key.size()) : tree.findNext(key.segment(), key.size());
      first = false;
      change(bytes, record, random);
      if (random.nextBoolean()) {
        byte[] higher = expected.higher(bytes);
        long following = tree.following();
        assertEquals(higher == null, following == Slabs.NONE);
        if (higher != null) {
          assertTrue(Arrays.equals(higher, keyOf(following)));
          if (keys.higher(bytes) == null) {
            tree.findRecord(following);
            change(higher, following, random);
          }
        }
      }
    }
  }

  /** Inserts or removes the key that was found or not. */
  private void change(byte[] bytes, long record, SplittableRandom random) {
    assertEquals(expected.contains(bytes), record != Slabs.NONE);
    if (record == Slabs.NONE) {
      if (random.nextInt(4) > 0) {
        ByteWriter key = new ByteWriter(8).putBytes(bytes);
        tree.insert(
            records.create(key.segment(), 0, key.size(), 0, 0, 1, Slabs.NONE, key.segment(), 0, 0));
        expected.add(bytes);
      }
    } else {
      assertTrue(Arrays.equals(bytes, keyOf(record)));
      if (random.nextInt(4) == 0) {
        tree.remove();
        expected.remove(bytes);
      }
    }
  }
}
