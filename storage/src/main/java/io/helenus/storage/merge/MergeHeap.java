package io.helenus.storage.merge;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.run.EntryCursor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cursors in the order of their current keys, and the group of cursors at the next key. It is a
 * sorted array rather than a binary heap, because the cursor that was first is usually first again,
 * and insertion starts at that end. The first bytes of the keys that decide, the head, are compared
 * as a number before the rest. One thread; reusable; allocates only when it grows.
 */
public final class MergeHeap {
  // by id
  private @Nullable EntryCursor[] cursors = new EntryCursor[8];
  private long[] heads = new long[8];
  // the ids of the cursors, sorted so that the next cursor is the last
  private int[] sorted = new int[8];
  // whether the cursor has the same key as the one before it in the array
  private boolean[] ties = new boolean[8];
  private int count;
  private int[] groupIds = new int[8];
  private int groupCount;
  private boolean groupStays;
  private boolean reversed;
  private int skip;
  private int closing;

  /**
   * Removes all cursors and sets the order.
   *
   * @param shared the number of bytes that all keys start with
   * @param sharedEnd the number of bytes that all keys end with
   */
  public void clear(boolean descending, int shared, int sharedEnd) {
    Arrays.fill(cursors, null);
    count = 0;
    groupCount = 0;
    groupStays = false;
    reversed = descending;
    skip = shared;
    closing = sharedEnd;
  }

  /**
   * Adds a cursor that is at an entry, with an id for the caller: a small number. Cheapest if the
   * cursors of a group are added in descending order of id.
   */
  public void push(EntryCursor cursor, int id) {
    register(cursor, id);
    if (count == sorted.length) {
      sorted = Arrays.copyOf(sorted, 2 * count);
      ties = Arrays.copyOf(ties, 2 * count);
      groupIds = Arrays.copyOf(groupIds, 2 * count);
    }
    int at = count++;
    boolean tie = false;
    boolean tieOfNext = false;
    while (at > 0) {
      int order = compare(sorted[at - 1], id);
      if (order == 0 ? sorted[at - 1] > id : order > 0 != reversed) {
        tie = order == 0;
        break;
      }
      tieOfNext = order == 0;
      sorted[at] = sorted[at - 1];
      ties[at] = ties[at - 1];
      at--;
    }
    sorted[at] = id;
    ties[at] = tie;
    if (at + 1 < count) {
      ties[at + 1] = tieOfNext;
    }
  }

  private void register(EntryCursor cursor, int id) {
    if (id >= cursors.length) {
      cursors = Arrays.copyOf(cursors, 2 * id);
      heads = Arrays.copyOf(heads, 2 * id);
    }
    if (cursors[id] != cursor) {
      cursors[id] = cursor;
    }
    heads[id] = head(cursor);
  }

  /** The eight bytes of a key after the shared ones as a number, padded with zeros. */
  private long head(EntryCursor cursor) {
    int length = cursor.keyLength() - skip;
    if (length >= Long.BYTES) {
      return Bytes.getLong(cursor.keySegment(), cursor.keyOffset() + skip);
    }
    long head = 0;
    for (int i = 0; i < length; i++) {
      long b = Bytes.getUnsignedByte(cursor.keySegment(), cursor.keyOffset() + skip + i);
      head |= b << (Long.SIZE - Byte.SIZE * (i + 1));
    }
    return head;
  }

  private EntryCursor cursor(int id) {
    EntryCursor cursor = cursors[id];
    if (cursor == null) {
      throw new IllegalStateException("no cursor with id " + id);
    }
    return cursor;
  }

  private int compare(int a, int b) {
    int order = Long.compareUnsigned(heads[a], heads[b]);
    if (order != 0) {
      return order;
    }
    EntryCursor one = cursor(a);
    EntryCursor other = cursor(b);
    int length = one.keyLength();
    if (length == other.keyLength() && length - skip - closing <= Long.BYTES) {
      return 0;
    }
    int equal = Math.min(skip + Long.BYTES, Math.min(length, other.keyLength()));
    return one.compareKey(equal, other.keySegment(), other.keyOffset(), other.keyLength());
  }

  /**
   * Removes the cursors at the next key, which become the group, in ascending order of id; false if
   * there are none.
   */
  public boolean popGroup() {
    if (groupStays) {
      groupStays = false;
      return true;
    }
    groupCount = 0;
    if (count == 0) {
      return false;
    }
    boolean tie;
    do {
      count--;
      tie = ties[count];
      groupIds[groupCount++] = sorted[count];
    } while (tie);
    return true;
  }

  /**
   * Adds the only cursor of the group, which has moved; the next call is {@link #popGroup}. Cheap
   * if the cursor alone is at the next key, which is the usual case.
   */
  public void pushOnly(EntryCursor cursor, int id) {
    groupStays = isNext(cursor, id);
    if (!groupStays) {
      push(cursor, id);
    }
  }

  /** Whether pushing a cursor outside the heap would make it alone the next group. */
  boolean isNext(EntryCursor cursor, int id) {
    if (count == 0) {
      return true;
    }
    register(cursor, id);
    int order = compare(id, sorted[count - 1]);
    return reversed ? order > 0 : order < 0;
  }

  /** A cursor of the next group; null if there is none. */
  public @Nullable EntryCursor next() {
    if (groupStays) {
      return group(0);
    }
    return count == 0 ? null : cursor(sorted[count - 1]);
  }

  /** The number of cursors in the group. */
  public int groupCount() {
    return groupCount;
  }

  /** A cursor of the group. */
  public EntryCursor group(int index) {
    return cursor(groupIds[index]);
  }

  /** The id of a cursor of the group. */
  public int groupId(int index) {
    return groupIds[index];
  }
}
