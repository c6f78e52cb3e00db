package io.helenus.storage.memtable;

import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * The nodes of a {@link KeyTree}: up to 64 slots, each with a reference to a record, sorted by key.
 *
 * <p>All keys of a node start with the same bytes, whose number is its skip. For every slot a node
 * stores the eight bytes of the key after them as a number, the head. Slots with equal heads are a
 * run, such as the rows of a partition or the elements of a set. They share a prefix as well,
 * perhaps except for the first (the row that has the elements), and each stores three bytes of the
 * key after it, the second head.
 *
 * <p>A search compares heads, and within a run second heads as if the key had the run's prefix. One
 * record then shows whether it has: the one that is found, or a neighbour of where the key would
 * be. A search reads further records only if it has not, or for keys with equal second heads.
 *
 * <pre>
 * node:  0 slots i32, 4 skip i32, 8 level i32 (0 leaf), 12 last insertion i32, 16 next i64, 24 previous i64
 *       32 heads i64 × 64, second heads i32 × 64, records i64 × 64; in inner nodes children i64 × 64
 * second head: length of the run's prefix after the skip u8 (255: unknown), three bytes of the key
 * </pre>
 *
 * All slots of a run whose prefix is known have the same prefix. In an inner node the record of
 * slot i is the separator before child i; that of slot 0 does not count. One writer; readers on
 * other threads only once the tree is frozen.
 */
final class KeyNodes {
  static final int SLOTS = 64;

  private static final int SKIP = 4;
  private static final int LEVEL = 8;
  private static final int LAST_INSERT = 12;
  private static final int NEXT = 16;
  private static final int PREVIOUS = 24;
  private static final int HEADS = 32;
  private static final int SECONDS = HEADS + 8 * SLOTS;
  private static final int RECORDS = SECONDS + 4 * SLOTS;
  private static final int CHILDREN = RECORDS + 8 * SLOTS;
  private static final int LEAF_BYTES = CHILDREN;
  private static final int INNER_BYTES = CHILDREN + 8 * SLOTS;

  /** The prefix of a slot that is alone, deviates from its run, or has a longer prefix. */
  private static final int UNKNOWN = 255;

  private static final int SECOND = 0xFFFFFF;

  /** A run of so few slots may have a longer prefix without the first, found by looking again. */
  private static final int FEW = 3;

  private final Slabs slabs;
  private final Records records;

  KeyNodes(Slabs slabs, Records records) {
    this.slabs = slabs;
    this.records = records;
  }

  /** A node without slots and without neighbours. */
  long create(int level) {
    long node = slabs.allocate(level == 0 ? LEAF_BYTES : INNER_BYTES);
    MemorySegment segment = slabs.segment(node);
    long at = Slabs.offset(node);
    segment.asSlice(at, HEADS).fill((byte) 0);
    Bytes.setInt(segment, at + LEVEL, level);
    Bytes.setInt(segment, at + LAST_INSERT, -1);
    return node;
  }

  static int count(MemorySegment node, long at) {
    return Bytes.getInt(node, at);
  }

  static int skip(MemorySegment node, long at) {
    return Bytes.getInt(node, at + SKIP);
  }

  static int level(MemorySegment node, long at) {
    return Bytes.getInt(node, at + LEVEL);
  }

  /** The slot of the last insertion; -1 if the node has been split since. */
  static int lastInsertion(MemorySegment node, long at) {
    return Bytes.getInt(node, at + LAST_INSERT);
  }

  static long next(MemorySegment node, long at) {
    return Bytes.getLong(node, at + NEXT);
  }

  static long previous(MemorySegment node, long at) {
    return Bytes.getLong(node, at + PREVIOUS);
  }

  static long record(MemorySegment node, long at, int slot) {
    return Bytes.getLong(node, at + RECORDS + 8L * slot);
  }

  static long child(MemorySegment node, long at, int slot) {
    return Bytes.getLong(node, at + CHILDREN + 8L * slot);
  }

  /** Replaces the record of a slot with another of the same key. */
  static void setRecord(MemorySegment node, long at, int slot, long record) {
    Bytes.setLong(node, at + RECORDS + 8L * slot, record);
  }

  private static long head(MemorySegment node, long at, int slot) {
    return Bytes.getLong(node, at + HEADS + 8L * slot);
  }

  private static int second(MemorySegment node, long at, int slot) {
    return Bytes.getInt(node, at + SECONDS + 4L * slot);
  }

  /** The first slot with a key: slot 0 of an inner node has none. */
  private static int first(MemorySegment node, long at) {
    return level(node, at) == 0 ? 0 : 1;
  }

  /** The eight bytes of a key after {@code skip}, padded with zeros. */
  private static long headOf(MemorySegment key, long offset, int length, int skip) {
    return skip + 8 <= length
        ? Bytes.getLong(key, offset + skip)
        : padded(key, offset, length, skip);
  }

  /** The three bytes of a key from {@code from} on, padded with zeros. */
  private static int secondOf(MemorySegment key, long offset, int length, int from) {
    return from + 4 <= length
        ? Bytes.getInt(key, offset + from) >>> 8
        : (int) (padded(key, offset, length, from) >>> 40);
  }

  private static long padded(MemorySegment key, long offset, int length, int from) {
    long bytes = 0;
    for (int i = from; i < Math.min(length, from + 8); i++) {
      bytes |= (Bytes.getByte(key, offset + i) & 0xFFL) << (56 - 8 * (i - from));
    }
    return bytes;
  }

  private long headOf(long record, int skip) {
    return headOf(
        records.segment(record), Records.keyOffset(record), records.keyLength(record), skip);
  }

  /**
   * The first slot whose key is at or after the given one, in inner nodes at least slot 1; inverted
   * (~) if the key itself is present.
   */
  int search(MemorySegment node, long at, MemorySegment key, long offset, int length) {
    int skip = skip(node, at);
    long head = headOf(key, offset, length, skip);
    int low = first(node, at);
    int high = count(node, at);
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order = Long.compareUnsigned(head, head(node, at, middle));
      if (order == 0) {
        return searchRun(node, at, key, offset, length, low, high);
      }
      if (order < 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Continues a search at a slot whose head is that of the key. */
  private int searchRun(
      MemorySegment node, long at, MemorySegment key, long offset, int length, int from, int to) {
    int skip = skip(node, at);
    long head = headOf(key, offset, length, skip);
    int low = from;
    int high = to;
    int prefix = UNKNOWN;
    int second = 0;
    // a slot whose second head has decided
    int decided = -1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order = Long.compareUnsigned(head, head(node, at, middle));
      if (order == 0) {
        int stored = second(node, at, middle);
        if (stored >>> 24 != UNKNOWN) {
          if (prefix == UNKNOWN) {
            prefix = stored >>> 24;
            second = secondOf(key, offset, length, skip + prefix);
          }
          order = second - (stored & SECOND);
        }
        if (order == 0) {
          order = records.compare(key, offset, length, skip, record(node, at, middle));
          if (order == 0) {
            return ~middle;
          }
        } else {
          decided = middle;
        }
      }
      if (order < 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    if (decided >= 0) {
      // most likely the slot that was compared last, or next to it
      long record = record(node, at, decided);
      if (!records.startsWith(key, offset, length, skip, prefix, record)) {
        return searchRecords(node, at, key, offset, length, from, to);
      }
    }
    return low;
  }

  /** A search of a run whose prefix the key does not have. */
  private int searchRecords(
      MemorySegment node, long at, MemorySegment key, long offset, int length, int from, int to) {
    int skip = skip(node, at);
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order = records.compare(key, offset, length, skip, record(node, at, middle));
      if (order == 0) {
        return ~middle;
      }
      if (order < 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Inserts a record into a node with a free slot; in an inner node with the child after it. */
  void insert(MemorySegment node, long at, int slot, long record, long child) {
    int count = count(node, at);
    move(node, at, slot, slot + 1, count - slot);
    Bytes.setInt(node, at, count + 1);
    Bytes.setInt(node, at + LAST_INSERT, slot);
    long head = record == Slabs.NONE ? 0 : headOf(record, skip(node, at));
    Bytes.setLong(node, at + HEADS + 8L * slot, head);
    setRecord(node, at, slot, record);
    setSecond(node, at, slot, UNKNOWN);
    if (level(node, at) != 0) {
      Bytes.setLong(node, at + CHILDREN + 8L * slot, child);
    }
    if (slot > first(node, at) && head(node, at, slot - 1) == head
        || slot < count && head(node, at, slot + 1) == head) {
      joinRun(node, at, slot);
    }
  }

  /** Gives a new slot of a run its second head, and all others if the prefix changes. */
  private void joinRun(MemorySegment node, long at, int slot) {
    int start = slot;
    while (start > first(node, at) && head(node, at, start - 1) == head(node, at, slot)) {
      start--;
    }
    int end = runEnd(node, at, slot);
    if (end - start > FEW) {
      // the first may deviate
      int neighbour = slot > start + 1 ? slot - 1 : slot + 1;
      int prefix = second(node, at, neighbour) >>> 24;
      if (prefix != UNKNOWN && common(node, at, slot, neighbour) >= prefix) {
        setSecond(node, at, slot, prefix);
        return;
      }
    }
    setRun(node, at, start, end);
  }

  private static int runEnd(MemorySegment node, long at, int slot) {
    int end = slot + 1;
    while (end < count(node, at) && head(node, at, end) == head(node, at, slot)) {
      end++;
    }
    return end;
  }

  /** Sets the second heads of a run: its prefix is that of all slots, or of all but the first. */
  private void setRun(MemorySegment node, long at, int start, int end) {
    int prefix = end - start < 2 ? UNKNOWN : common(node, at, start, end - 1);
    int from = start;
    if (end - start > 2) {
      int others = common(node, at, start + 1, end - 1);
      if (others > prefix) {
        prefix = others;
        setSecond(node, at, from++, UNKNOWN);
      }
    }
    for (int slot = from; slot < end; slot++) {
      setSecond(node, at, slot, prefix);
    }
  }

  /** The length of the common prefix of two slots, after the skip; UNKNOWN if it is too long. */
  private int common(MemorySegment node, long at, int a, int b) {
    int common = records.commonPrefix(record(node, at, a), record(node, at, b)) - skip(node, at);
    return Math.min(common, UNKNOWN);
  }

  private void setSecond(MemorySegment node, long at, int slot, int prefix) {
    int second = 0;
    if (prefix != UNKNOWN) {
      long record = record(node, at, slot);
      second =
          secondOf(
              records.segment(record),
              Records.keyOffset(record),
              records.keyLength(record),
              skip(node, at) + prefix);
    }
    Bytes.setInt(node, at + SECONDS + 4L * slot, prefix << 24 | second);
  }

  /** Removes a slot of a leaf. */
  void remove(MemorySegment leaf, long at, int slot) {
    int count = count(leaf, at);
    move(leaf, at, slot + 1, slot, count - slot - 1);
    Bytes.setInt(leaf, at, count - 1);
  }

  private static void move(MemorySegment node, long at, int from, int to, int slots) {
    if (slots > 0) {
      copy(node, at, from, node, at, to, slots);
    }
  }

  private static void copy(
      MemorySegment source, long at, int from, MemorySegment target, long to, int slot, int slots) {
    copy(source, at + HEADS, from, target, to + HEADS, slot, slots, 8);
    copy(source, at + SECONDS, from, target, to + SECONDS, slot, slots, 4);
    copy(source, at + RECORDS, from, target, to + RECORDS, slot, slots, 8);
    if (level(source, at) != 0) {
      copy(source, at + CHILDREN, from, target, to + CHILDREN, slot, slots, 8);
    }
  }

  private static void copy(
      MemorySegment source,
      long array,
      int from,
      MemorySegment target,
      long to,
      int slot,
      int slots,
      long bytes) {
    MemorySegment.copy(source, array + bytes * from, target, to + bytes * slot, bytes * slots);
  }

  /** Moves the slots from {@code middle} on to a new right sibling and returns it. */
  long split(long node, int middle) {
    MemorySegment left = slabs.segment(node);
    long at = Slabs.offset(node);
    long rightNode = create(level(left, at));
    MemorySegment right = slabs.segment(rightNode);
    long rightAt = Slabs.offset(rightNode);
    int moved = count(left, at) - middle;
    copy(left, at, middle, right, rightAt, 0, moved);
    Bytes.setInt(left, at, middle);
    Bytes.setInt(right, rightAt, moved);
    Bytes.setInt(left, at + LAST_INSERT, -1);
    Bytes.setInt(right, rightAt + SKIP, skip(left, at));
    long next = next(left, at);
    Bytes.setLong(right, rightAt + NEXT, next);
    Bytes.setLong(right, rightAt + PREVIOUS, node);
    Bytes.setLong(left, at + NEXT, rightNode);
    if (next != Slabs.NONE) {
      Bytes.setLong(slabs.segment(next), Slabs.offset(next) + PREVIOUS, rightNode);
    }
    return rightNode;
  }

  /** Sets how many bytes all keys of a node share, and its heads accordingly. */
  void setSkip(long node, int skip) {
    MemorySegment segment = slabs.segment(node);
    long at = Slabs.offset(node);
    if (skip == skip(segment, at)) {
      return;
    }
    Bytes.setInt(segment, at + SKIP, skip);
    int count = count(segment, at);
    int first = first(segment, at);
    for (int slot = first; slot < count; slot++) {
      Bytes.setLong(segment, at + HEADS + 8L * slot, headOf(record(segment, at, slot), skip));
    }
    for (int start = first, end; start < count; start = end) {
      end = runEnd(segment, at, start);
      setRun(segment, at, start, end);
    }
  }
}
