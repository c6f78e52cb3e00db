package io.helenus.storage.memtable;

import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * A B+ tree of references to {@link Records}, sorted by key, in the memtable's slabs.
 *
 * <p>All keys between two separators share the separators' common prefix. A node stores the length
 * of this prefix (the skip) and, for every slot, the eight bytes of the key after it as a number
 * (the head). A search compares heads within the node and reads a record only if its head is equal
 * to that of the key; this works as well within a partition of millions of rows as across millions
 * of partitions. A node's skip changes only when the node is split, because separators are never
 * removed.
 *
 * <pre>
 * node:  0 slots i32, 4 skip i32, 8 level i32 (0 leaf), 12 last insertion i32, 16 next i64, 24 previous i64
 *       32 heads i64 × 64, references to records i64 × 64; in inner nodes children i64 × 64
 * </pre>
 *
 * In an inner node the record of slot i is the separator before child i; slot 0 has none. Leaves
 * are never merged; empty leaves remain. One writer; readers on other threads only once the tree is
 * frozen.
 */
final class KeyTree {
  private static final int SLOTS = 64;
  private static final int SKIP = 4;
  private static final int LEVEL = 8;
  private static final int LAST_INSERT = 12;
  private static final int NEXT = 16;
  private static final int PREVIOUS = 24;
  private static final int HEADS = 32;
  private static final int RECORDS = HEADS + 8 * SLOTS;
  private static final int CHILDREN = RECORDS + 8 * SLOTS;
  private static final int LEAF_BYTES = CHILDREN;
  private static final int INNER_BYTES = CHILDREN + 8 * SLOTS;
  private static final int HEIGHT_LIMIT = 16;

  /** How many slots {@link #findNext} compares before it searches from the root. */
  private static final int NEAR = 2;

  private static final int UNKNOWN = -1;

  private final Slabs slabs;
  private final Records records;
  private long root;
  private long size;
  private int changes;

  // the path of the last find, root first
  private final long[] pathNodes = new long[HEIGHT_LIMIT];
  private final int[] pathSlots = new int[HEIGHT_LIMIT];
  private int pathLength;
  private boolean found;

  /** The slot of the leaf after the place of the last find, or UNKNOWN. */
  private int next = UNKNOWN;

  /** The last record inserted; defined while {@code next} is unknown because a node was split. */
  private long inserted;

  KeyTree(Slabs slabs, Records records) {
    this.slabs = slabs;
    this.records = records;
  }

  long size() {
    return size;
  }

  /** The number of insertions and removals, each of which invalidates positions. */
  int changes() {
    return changes;
  }

  /**
   * The record of a key, or 0; remembers the path for {@link #insert}, {@link #replace} and {@link
   * #remove}.
   */
  long find(MemorySegment key, int length) {
    return find(key, 0, length);
  }

  private long find(MemorySegment key, long offset, int length) {
    pathLength = 0;
    found = false;
    next = UNKNOWN;
    if (root == Slabs.NONE) {
      inserted = Slabs.NONE;
      return Slabs.NONE;
    }
    long node = root;
    while (true) {
      MemorySegment segment = slabs.segment(node);
      long at = Slabs.offset(node);
      int place = search(segment, at, key, offset, length);
      int slot = place < 0 ? ~place : place;
      pathNodes[pathLength] = node;
      if (Bytes.getInt(segment, at + LEVEL) == 0) {
        pathSlots[pathLength++] = slot;
        found = place < 0;
        next = found ? slot + 1 : slot;
        return found ? record(segment, at, slot) : Slabs.NONE;
      }
      int child = place < 0 ? slot : slot - 1;
      pathSlots[pathLength++] = child;
      node = Bytes.getLong(segment, at + CHILDREN + 8L * child);
    }
  }

  /**
   * The same as {@link #find} for a key that is greater than that of the last find, and cheap if
   * few keys are between the two.
   */
  long findNext(MemorySegment key, int length) {
    if (next != UNKNOWN) {
      long leaf = pathNodes[pathLength - 1];
      MemorySegment segment = slabs.segment(leaf);
      long at = Slabs.offset(leaf);
      int end = Math.min(count(segment, at), next + NEAR);
      for (int slot = next; slot < end; slot++) {
        long record = record(segment, at, slot);
        int order = records.compare(key, 0, length, 0, record);
        if (order <= 0) {
          pathSlots[pathLength - 1] = slot;
          found = order == 0;
          next = found ? slot + 1 : slot;
          return found ? record : Slabs.NONE;
        }
      }
    }
    return find(key, 0, length);
  }

  /**
   * The record after the key of the last find, which may have been inserted or removed since; 0 at
   * the end.
   */
  long following() {
    if (next == UNKNOWN) {
      if (inserted == Slabs.NONE) {
        return Slabs.NONE;
      }
      findRecord(inserted);
    }
    long leaf = pathNodes[pathLength - 1];
    int slot = next;
    while (leaf != Slabs.NONE) {
      MemorySegment segment = slabs.segment(leaf);
      long at = Slabs.offset(leaf);
      if (slot < count(segment, at)) {
        return record(segment, at, slot);
      }
      leaf = Bytes.getLong(segment, at + NEXT);
      slot = 0;
    }
    return Slabs.NONE;
  }

  /** Finds a record of the tree; cheap if it is the following one. */
  void findRecord(long record) {
    if (next != UNKNOWN) {
      long leaf = pathNodes[pathLength - 1];
      MemorySegment segment = slabs.segment(leaf);
      long at = Slabs.offset(leaf);
      if (next < count(segment, at) && record(segment, at, next) == record) {
        pathSlots[pathLength - 1] = next++;
        found = true;
        return;
      }
    }
    long present =
        find(records.segment(record), Records.keyOffset(record), records.keyLength(record));
    assert present == record;
  }

  /** The eight bytes of a key after {@code skip}, padded with zeros. */
  private static long head(MemorySegment key, long offset, int length, int skip) {
    if (skip + 8 <= length) {
      return Bytes.getLong(key, offset + skip);
    }
    long head = 0;
    for (int i = skip; i < length; i++) {
      head |= (Bytes.getByte(key, offset + i) & 0xFFL) << (56 - 8 * (i - skip));
    }
    return head;
  }

  private long headOfRecord(long record, int skip) {
    return head(
        records.segment(record), Records.keyOffset(record), records.keyLength(record), skip);
  }

  private static int count(MemorySegment node, long at) {
    return Bytes.getInt(node, at);
  }

  private static long record(MemorySegment node, long at, int slot) {
    return Bytes.getLong(node, at + RECORDS + 8L * slot);
  }

  /** Replaces the record that was found with another version. */
  void replace(long record) {
    long leaf = pathNodes[pathLength - 1];
    Bytes.setLong(
        slabs.segment(leaf), Slabs.offset(leaf) + RECORDS + 8L * pathSlots[pathLength - 1], record);
  }

  /** Removes the record that was found. */
  void remove() {
    long leaf = pathNodes[pathLength - 1];
    MemorySegment segment = slabs.segment(leaf);
    long at = Slabs.offset(leaf);
    int slot = pathSlots[pathLength - 1];
    int count = count(segment, at);
    move(segment, at, slot + 1, slot, count - slot - 1, 2);
    Bytes.setInt(segment, at, count - 1);
    next = slot;
    found = false;
    size--;
    changes++;
  }

  /** Inserts a record whose key the last {@link #find} did not find. */
  void insert(long record) {
    if (found) {
      throw new IllegalStateException("the key is already in the tree");
    }
    size++;
    changes++;
    if (root == Slabs.NONE) {
      root = newNode(0, 0);
      pathNodes[0] = root;
      pathSlots[0] = 0;
      pathLength = 1;
    }
    int leaf = pathLength - 1;
    boolean splits = count(slabs.segment(pathNodes[leaf]), Slabs.offset(pathNodes[leaf])) == SLOTS;
    insertAt(leaf, record, Slabs.NONE);
    next = splits ? UNKNOWN : pathSlots[leaf] + 1;
    inserted = record;
  }

  /**
   * Inserts a record at the path's slot; in an inner node together with the child that follows it.
   */
  private void insertAt(int depth, long record, long child) {
    long node = pathNodes[depth];
    MemorySegment segment = slabs.segment(node);
    long at = Slabs.offset(node);
    int count = count(segment, at);
    int slot = child == Slabs.NONE ? pathSlots[depth] : pathSlots[depth] + 1;
    if (count < SLOTS) {
      putSlot(segment, at, slot, record, child);
      return;
    }
    boolean ascending =
        slot == count && Bytes.getInt(segment, at + LAST_INSERT) == count - 1 && child == 0;
    int middle = ascending ? count : count / 2;
    long separator = middle < count ? record(segment, at, middle) : record;
    long right = split(depth, middle, separator);
    // the left half keeps the slots before the separator
    boolean goesRight = ascending || slot > middle;
    long target = goesRight ? right : node;
    int targetSlot = goesRight ? slot - middle : slot;
    putSlot(slabs.segment(target), Slabs.offset(target), targetSlot, record, child);
    insertSeparator(depth, separator, right);
  }

  private void insertSeparator(int depth, long separator, long right) {
    if (depth > 0) {
      insertAt(depth - 1, separator, right);
      return;
    }
    long left = root;
    int level = Bytes.getInt(slabs.segment(left), Slabs.offset(left) + LEVEL) + 1;
    root = newNode(level, 0);
    MemorySegment segment = slabs.segment(root);
    long at = Slabs.offset(root);
    Bytes.setInt(segment, at, 1);
    Bytes.setLong(segment, at + HEADS, 0);
    Bytes.setLong(segment, at + RECORDS, Slabs.NONE);
    Bytes.setLong(segment, at + CHILDREN, left);
    putSlot(segment, at, 1, separator, right);
  }

  private void putSlot(MemorySegment segment, long at, int slot, long record, long child) {
    int count = count(segment, at);
    boolean inner = Bytes.getInt(segment, at + LEVEL) != 0;
    move(segment, at, slot, slot + 1, count - slot, inner ? 3 : 2);
    long head = record == Slabs.NONE ? 0 : headOfRecord(record, Bytes.getInt(segment, at + SKIP));
    Bytes.setLong(segment, at + HEADS + 8L * slot, head);
    Bytes.setLong(segment, at + RECORDS + 8L * slot, record);
    if (inner) {
      Bytes.setLong(segment, at + CHILDREN + 8L * slot, child);
    }
    Bytes.setInt(segment, at, count + 1);
    Bytes.setInt(segment, at + LAST_INSERT, slot);
  }

  private static void move(MemorySegment node, long at, int from, int to, int slots, int arrays) {
    if (slots > 0) {
      for (int i = 0; i < arrays; i++) {
        long base = at + HEADS + 8L * SLOTS * i;
        MemorySegment.copy(node, base + 8L * from, node, base + 8L * to, 8L * slots);
      }
    }
  }

  /** Moves the slots from {@code middle} on to a new right sibling and returns it. */
  private long split(int depth, int middle, long separator) {
    long node = pathNodes[depth];
    MemorySegment left = slabs.segment(node);
    long at = Slabs.offset(node);
    int level = Bytes.getInt(left, at + LEVEL);
    int count = count(left, at);
    long rightNode = newNode(level, 0);
    MemorySegment right = slabs.segment(rightNode);
    long rightAt = Slabs.offset(rightNode);
    int moved = count - middle;
    for (int i = 0; i < (level == 0 ? 2 : 3); i++) {
      long base = HEADS + 8L * SLOTS * i;
      MemorySegment.copy(left, at + base + 8L * middle, right, rightAt + base, 8L * moved);
    }
    Bytes.setInt(left, at, middle);
    Bytes.setInt(right, rightAt, moved);
    link(node, rightNode);
    long low = fence(depth, 0);
    long high = fence(depth, 1);
    int oldSkip = Bytes.getInt(left, at + SKIP);
    setSkip(node, oldSkip, commonPrefix(low, separator));
    setSkip(rightNode, oldSkip, commonPrefix(separator, high));
    return rightNode;
  }

  private void link(long node, long rightNode) {
    MemorySegment left = slabs.segment(node);
    long next = Bytes.getLong(left, Slabs.offset(node) + NEXT);
    MemorySegment right = slabs.segment(rightNode);
    Bytes.setLong(right, Slabs.offset(rightNode) + NEXT, next);
    Bytes.setLong(right, Slabs.offset(rightNode) + PREVIOUS, node);
    Bytes.setLong(left, Slabs.offset(node) + NEXT, rightNode);
    if (next != Slabs.NONE) {
      Bytes.setLong(slabs.segment(next), Slabs.offset(next) + PREVIOUS, rightNode);
    }
  }

  /** The lower (0) or upper (1) separator of a node on the path, or 0 for none. */
  private long fence(int depth, int side) {
    for (int i = depth - 1; i >= 0; i--) {
      MemorySegment segment = slabs.segment(pathNodes[i]);
      long at = Slabs.offset(pathNodes[i]);
      int slot = pathSlots[i] + side;
      if (slot > 0 && slot < count(segment, at)) {
        return record(segment, at, slot);
      }
    }
    return Slabs.NONE;
  }

  private int commonPrefix(long low, long high) {
    if (low == Slabs.NONE || high == Slabs.NONE) {
      return 0;
    }
    return (int)
        Bytes.commonPrefix(
            records.segment(low),
            Records.keyOffset(low),
            records.keyLength(low),
            records.segment(high),
            Records.keyOffset(high),
            records.keyLength(high));
  }

  private void setSkip(long node, int oldSkip, int skip) {
    MemorySegment segment = slabs.segment(node);
    long at = Slabs.offset(node);
    Bytes.setInt(segment, at + SKIP, skip);
    Bytes.setInt(segment, at + LAST_INSERT, -1);
    if (skip == oldSkip) {
      return;
    }
    int count = count(segment, at);
    for (int i = 0; i < count; i++) {
      long record = record(segment, at, i);
      if (record != Slabs.NONE) {
        Bytes.setLong(segment, at + HEADS + 8L * i, headOfRecord(record, skip));
      }
    }
  }

  private long newNode(int level, int skip) {
    long node = slabs.allocate(level == 0 ? LEAF_BYTES : INNER_BYTES);
    MemorySegment segment = slabs.segment(node);
    long at = Slabs.offset(node);
    segment.asSlice(at, HEADS).fill((byte) 0);
    Bytes.setInt(segment, at + SKIP, skip);
    Bytes.setInt(segment, at + LEVEL, level);
    Bytes.setInt(segment, at + LAST_INSERT, -1);
    return node;
  }

  /** A position in the tree: a leaf and a slot in it. Invalid after a change of the tree. */
  static final class Position {
    long leaf;
    int slot;
    // of the leaf: where it is, its number of slots, the number of bytes that its keys start with
    MemorySegment segment = MemorySegment.NULL;
    private long at;
    private int count;
    int skip;
  }

  private void enter(long leaf, Position position) {
    position.leaf = leaf;
    if (leaf != Slabs.NONE) {
      position.segment = slabs.segment(leaf);
      position.at = Slabs.offset(leaf);
      position.count = count(position.segment, position.at);
      position.skip = Bytes.getInt(position.segment, position.at + SKIP);
    }
  }

  /**
   * Moves to the first key at or after the given one, possibly after the last slot of its leaf.
   * Returns whether the key itself is present. Does not affect the path remembered by {@link
   * #find}. Readers may share a frozen tree, each with its own position.
   */
  boolean seek(MemorySegment key, long offset, int length, Position position) {
    position.slot = 0;
    long node = root;
    while (node != Slabs.NONE) {
      MemorySegment segment = slabs.segment(node);
      long at = Slabs.offset(node);
      int slot = search(segment, at, key, offset, length);
      boolean equal = slot < 0;
      slot = equal ? ~slot : slot;
      if (Bytes.getInt(segment, at + LEVEL) == 0) {
        enter(node, position);
        position.slot = slot;
        return equal;
      }
      node = Bytes.getLong(segment, at + CHILDREN + 8L * (equal ? slot : slot - 1));
    }
    position.leaf = Slabs.NONE;
    return false;
  }

  /**
   * The first slot whose key is at or after the given one, in inner nodes at least slot 1; inverted
   * (~) if the key itself is present.
   */
  private int search(MemorySegment node, long at, MemorySegment key, long offset, int length) {
    int skip = Bytes.getInt(node, at + SKIP);
    long head = head(key, offset, length, skip);
    int low = Bytes.getInt(node, at + LEVEL) == 0 ? 0 : 1;
    int high = count(node, at);
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order = Long.compareUnsigned(head, Bytes.getLong(node, at + HEADS + 8L * middle));
      if (order == 0) {
        order = records.compare(key, offset, length, skip, record(node, at, middle));
        if (order == 0) {
          return ~middle;
        }
      }
      if (order < 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Moves forward to a slot with a record, if necessary in later leaves; 0 at the end. */
  long settleForward(Position position) {
    while (position.leaf != Slabs.NONE) {
      if (position.slot < position.count) {
        return record(position.segment, position.at, position.slot);
      }
      enter(Bytes.getLong(position.segment, position.at + NEXT), position);
      position.slot = 0;
    }
    return Slabs.NONE;
  }

  /** Moves backward to a slot with a record, if necessary in earlier leaves; 0 at the end. */
  long settleBackward(Position position) {
    while (position.leaf != Slabs.NONE) {
      if (position.slot >= 0) {
        return record(position.segment, position.at, position.slot);
      }
      enter(Bytes.getLong(position.segment, position.at + PREVIOUS), position);
      position.slot = position.count - 1;
    }
    return Slabs.NONE;
  }
}
