package io.helenus.storage.memtable;

import java.lang.foreign.MemorySegment;

/**
 * A B+ tree of references to {@link Records}, sorted by key, in the memtable's slabs.
 *
 * <p>All keys between two separators share the separators' common prefix, which the nodes ({@link
 * KeyNodes}) do not store, so that a search works as well within a partition of millions of rows as
 * across millions of partitions. A node's skip changes only when the node is split, because
 * separators are never removed.
 *
 * <p>Leaves are never merged; empty leaves remain. One writer; readers on other threads only once
 * the tree is frozen.
 */
final class KeyTree {
  private static final int HEIGHT_LIMIT = 16;

  /** How many slots {@link #findNext} compares before it searches from the root. */
  private static final int NEAR = 2;

  private static final int UNKNOWN = -1;

  private final Slabs slabs;
  private final Records records;
  private final KeyNodes nodes;
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
    nodes = new KeyNodes(slabs, records);
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
      int place = nodes.search(segment, at, key, offset, length);
      int slot = place < 0 ? ~place : place;
      pathNodes[pathLength] = node;
      if (KeyNodes.level(segment, at) == 0) {
        pathSlots[pathLength++] = slot;
        found = place < 0;
        next = found ? slot + 1 : slot;
        return found ? KeyNodes.record(segment, at, slot) : Slabs.NONE;
      }
      int child = place < 0 ? slot : slot - 1;
      pathSlots[pathLength++] = child;
      node = KeyNodes.child(segment, at, child);
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
      int end = Math.min(KeyNodes.count(segment, at), next + NEAR);
      for (int slot = next; slot < end; slot++) {
        long record = KeyNodes.record(segment, at, slot);
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
      if (slot < KeyNodes.count(segment, at)) {
        return KeyNodes.record(segment, at, slot);
      }
      leaf = KeyNodes.next(segment, at);
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
      if (next < KeyNodes.count(segment, at) && KeyNodes.record(segment, at, next) == record) {
        pathSlots[pathLength - 1] = next++;
        found = true;
        return;
      }
    }
    long present =
        find(records.segment(record), Records.keyOffset(record), records.keyLength(record));
    assert present == record;
  }

  /** Replaces the record that was found with another version. */
  void replace(long record) {
    long leaf = pathNodes[pathLength - 1];
    KeyNodes.setRecord(slabs.segment(leaf), Slabs.offset(leaf), pathSlots[pathLength - 1], record);
  }

  /** Removes the record that was found. */
  void remove() {
    long leaf = pathNodes[pathLength - 1];
    int slot = pathSlots[pathLength - 1];
    nodes.remove(slabs.segment(leaf), Slabs.offset(leaf), slot);
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
      root = nodes.create(0);
      pathNodes[0] = root;
      pathSlots[0] = 0;
      pathLength = 1;
    }
    int leaf = pathLength - 1;
    boolean splits =
        KeyNodes.count(slabs.segment(pathNodes[leaf]), Slabs.offset(pathNodes[leaf]))
            == KeyNodes.SLOTS;
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
    int count = KeyNodes.count(segment, at);
    int slot = child == Slabs.NONE ? pathSlots[depth] : pathSlots[depth] + 1;
    if (count < KeyNodes.SLOTS) {
      nodes.insert(segment, at, slot, record, child);
      return;
    }
    boolean ascending =
        slot == count && KeyNodes.lastInsertion(segment, at) == count - 1 && child == 0;
    int middle = ascending ? count : count / 2;
    long separator = middle < count ? KeyNodes.record(segment, at, middle) : record;
    long right = split(depth, middle, separator);
    // the left half keeps the slots before the separator
    boolean goesRight = ascending || slot > middle;
    long target = goesRight ? right : node;
    int targetSlot = goesRight ? slot - middle : slot;
    nodes.insert(slabs.segment(target), Slabs.offset(target), targetSlot, record, child);
    insertSeparator(depth, separator, right);
  }

  private void insertSeparator(int depth, long separator, long right) {
    if (depth > 0) {
      insertAt(depth - 1, separator, right);
      return;
    }
    long left = root;
    int level = KeyNodes.level(slabs.segment(left), Slabs.offset(left)) + 1;
    root = nodes.create(level);
    MemorySegment segment = slabs.segment(root);
    long at = Slabs.offset(root);
    nodes.insert(segment, at, 0, Slabs.NONE, left);
    nodes.insert(segment, at, 1, separator, right);
  }

  /** Moves the slots from {@code middle} on to a new right sibling and returns it. */
  private long split(int depth, int middle, long separator) {
    long node = pathNodes[depth];
    long right = nodes.split(node, middle);
    nodes.setSkip(node, commonPrefix(fence(depth, 0), separator));
    nodes.setSkip(right, commonPrefix(separator, fence(depth, 1)));
    return right;
  }

  /** The lower (0) or upper (1) separator of a node on the path, or 0 for none. */
  private long fence(int depth, int side) {
    for (int i = depth - 1; i >= 0; i--) {
      MemorySegment segment = slabs.segment(pathNodes[i]);
      long at = Slabs.offset(pathNodes[i]);
      int slot = pathSlots[i] + side;
      if (slot > 0 && slot < KeyNodes.count(segment, at)) {
        return KeyNodes.record(segment, at, slot);
      }
    }
    return Slabs.NONE;
  }

  private int commonPrefix(long low, long high) {
    if (low == Slabs.NONE || high == Slabs.NONE) {
      return 0;
    }
    return records.commonPrefix(low, high);
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
      position.count = KeyNodes.count(position.segment, position.at);
      position.skip = KeyNodes.skip(position.segment, position.at);
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
      int slot = nodes.search(segment, at, key, offset, length);
      boolean equal = slot < 0;
      slot = equal ? ~slot : slot;
      if (KeyNodes.level(segment, at) == 0) {
        enter(node, position);
        position.slot = slot;
        return equal;
      }
      node = KeyNodes.child(segment, at, equal ? slot : slot - 1);
    }
    position.leaf = Slabs.NONE;
    return false;
  }

  /** The record of the slot; 0 after the last slot of the leaf. */
  static long inLeaf(Position position) {
    return position.slot < position.count
        ? KeyNodes.record(position.segment, position.at, position.slot)
        : Slabs.NONE;
  }

  /** Moves forward to a slot with a record, if necessary in later leaves; 0 at the end. */
  long settleForward(Position position) {
    while (position.leaf != Slabs.NONE) {
      if (position.slot < position.count) {
        return KeyNodes.record(position.segment, position.at, position.slot);
      }
      enter(KeyNodes.next(position.segment, position.at), position);
      position.slot = 0;
    }
    return Slabs.NONE;
  }

  /** Moves backward to a slot with a record, if necessary in earlier leaves; 0 at the end. */
  long settleBackward(Position position) {
    while (position.leaf != Slabs.NONE) {
      if (position.slot >= 0) {
        return KeyNodes.record(position.segment, position.at, position.slot);
      }
      enter(KeyNodes.previous(position.segment, position.at), position);
      position.slot = position.count - 1;
    }
    return Slabs.NONE;
  }
}
