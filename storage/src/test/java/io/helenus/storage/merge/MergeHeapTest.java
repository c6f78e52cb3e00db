package io.helenus.storage.merge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.run.EntryCursor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MergeHeapTest {
  private static final int CURSORS = 20;
  private static final byte[] SHARED = {1, 2, 3};
  private static final byte[] SHARED_END = {7};

  private final MergeHeap heap = new MergeHeap();

  /** A cursor over sorted keys in memory. */
  private static final class Keys extends EntryCursor {
    private final List<byte[]> keys;
    private int at;

    Keys(List<byte[]> keys) {
      this.keys = keys;
      show();
    }

    private Step show() {
      if (at < 0 || at >= keys.size()) {
        return Step.END;
      }
      keySegment = MemorySegment.ofArray(keys.get(at));
      keyLength = keys.get(at).length;
      return Step.READY;
    }

    @Override
    public Step next() {
      at++;
      return show();
    }

    @Override
    public Step previous() {
      at--;
      return show();
    }

    Step last() {
      at = keys.size() - 1;
      return show();
    }

    @Override
    public Step seek(MemorySegment key, long offset, int length, int prefix) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Step find(MemorySegment key, long offset, int length, int prefix) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Step seekBefore(MemorySegment key, long offset, int length, int prefix) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  /**
   * Keys of all lengths around that of the head, of few different bytes, so that many are equal.
   */
  private static byte[] key(Random random) {
    int length = SHARED.length + random.nextInt(12);
    byte[] key = Arrays.copyOf(SHARED, length + SHARED_END.length);
    for (int i = SHARED.length; i < length; i++) {
      key[i] = (byte) (random.nextInt(8) == 0 ? -1 : 0);
    }
    System.arraycopy(SHARED_END, 0, key, length, SHARED_END.length);
    return key;
  }

  private void merge(long seed, boolean descending, int shared, int sharedEnd) {
    Random random = new Random(seed);
    TreeSet<byte[]> all = new TreeSet<>(Arrays::compareUnsigned);
    int entries = 0;
    heap.clear(descending, shared, sharedEnd);
    for (int i = 0; i < CURSORS; i++) {
      TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
      for (int k = 0; k < 50; k++) {
        keys.add(key(random));
      }
      all.addAll(keys);
      entries += keys.size();
      Keys cursor = new Keys(new ArrayList<>(keys));
      if (descending) {
        cursor.last();
      }
      heap.push(cursor, i);
    }
    for (byte[] expected : descending ? all.descendingSet() : all) {
      assertTrue(heap.popGroup());
      for (int i = 0; i < heap.groupCount(); i++) {
        EntryCursor cursor = heap.group(i);
        byte[] key = cursor.keySegment().toArray(ValueLayout.JAVA_BYTE);
        assertArrayEquals(expected, key, "seed " + seed);
        assertTrue(i == 0 || heap.groupId(i - 1) < heap.groupId(i));
      }
      entries -= heap.groupCount();
      boolean only = heap.groupCount() == 1 && random.nextBoolean();
      boolean backward = random.nextBoolean();
      for (int i = 0; i < heap.groupCount(); i++) {
        int index = backward ? heap.groupCount() - 1 - i : i;
        EntryCursor cursor = heap.group(index);
        if ((descending ? cursor.previous() : cursor.next()) == EntryCursor.Step.READY) {
          if (only) {
            heap.pushOnly(cursor, heap.groupId(index));
          } else {
            heap.push(cursor, heap.groupId(index));
          }
        }
      }
    }
    assertFalse(heap.popGroup());
    assertEquals(0, entries);
  }

  @Test
  void groupsEqualKeysOfAllLengthsInOrder() {
    for (int seed = 0; seed < 20; seed++) {
      merge(seed, false, 0, 0);
      merge(seed, true, 0, 0);
      merge(seed, false, SHARED.length, 0);
      merge(seed, true, SHARED.length, 0);
      merge(seed, false, SHARED.length, SHARED_END.length);
      merge(seed, true, SHARED.length, SHARED_END.length);
    }
  }
}
