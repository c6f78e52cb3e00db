package io.helenus.storage.merge;

import io.helenus.storage.run.EntryCursor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cursors in the order of their current keys, and the group of cursors at the next key. It is a
 * sorted array rather than a binary heap, because the cursor that was first is usually first again,
 * and insertion starts at that end. One thread; reusable; allocates only when it grows.
 */
public final class MergeHeap {
  // sorted so that the next cursor is the last
  private @Nullable EntryCursor[] cursors = new EntryCursor[8];
  private int[] ids = new int[8];
  // whether the cursor has the same key as the one before it in the array
  private boolean[] ties = new boolean[8];
  private int count;
  private @Nullable EntryCursor[] group = new EntryCursor[8];
  private int[] groupIds = new int[8];
  private int groupCount;
  private boolean reversed;

  /** Removes all cursors and sets the order. */
  public void clear(boolean descending) {
    Arrays.fill(cursors, null);
    Arrays.fill(group, null);
    count = 0;
    groupCount = 0;
    reversed = descending;
  }

  private EntryCursor at(int index) {
    EntryCursor cursor = cursors[index];
    if (cursor == null) {
      throw new IllegalStateException("no cursor at " + index);
    }
    return cursor;
  }

  /** Adds a cursor that is at an entry, with an id for the caller. */
  public void push(EntryCursor cursor, int id) {
    if (count == cursors.length) {
      cursors = Arrays.copyOf(cursors, 2 * count);
      ids = Arrays.copyOf(ids, 2 * count);
      ties = Arrays.copyOf(ties, 2 * count);
      group = Arrays.copyOf(group, 2 * count);
      groupIds = Arrays.copyOf(groupIds, 2 * count);
    }
    int at = count++;
    boolean tie = false;
    while (at > 0) {
      int order = compare(at(at - 1), cursor);
      tie = order == 0;
      if (tie || order > 0 != reversed) {
        break;
      }
      cursors[at] = cursors[at - 1];
      ids[at] = ids[at - 1];
      ties[at] = ties[at - 1];
      at--;
    }
    cursors[at] = cursor;
    ids[at] = id;
    ties[at] = tie;
    if (at + 1 < count) {
      ties[at + 1] = false;
    }
  }

  private static int compare(EntryCursor a, EntryCursor b) {
    return a.compareKey(b.keySegment(), b.keyOffset(), b.keyLength());
  }

  /** Removes the cursors at the next key, which become the group; false if there are none. */
  public boolean popGroup() {
    groupCount = 0;
    if (count == 0) {
      return false;
    }
    boolean tie;
    do {
      count--;
      tie = ties[count];
      group[groupCount] = cursors[count];
      groupIds[groupCount++] = ids[count];
      cursors[count] = null;
    } while (tie);
    return true;
  }

  /**
   * Whether the next key is that of a cursor outside the heap alone, so that pushing it would make
   * it the next group.
   */
  boolean isNext(EntryCursor cursor) {
    if (count == 0) {
      return true;
    }
    int order = compare(cursor, at(count - 1));
    return reversed ? order > 0 : order < 0;
  }

  /** The number of cursors in the group. */
  public int groupCount() {
    return groupCount;
  }

  /** A cursor of the group. */
  public EntryCursor group(int index) {
    EntryCursor cursor = group[index];
    if (cursor == null) {
      throw new IllegalStateException("no cursor in the group at " + index);
    }
    return cursor;
  }

  /** The id of a cursor of the group. */
  public int groupId(int index) {
    return groupIds[index];
  }
}
