package io.helenus.storage.merge;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.DroppedColumns;
import io.helenus.storage.row.ElementValue;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.EntryCursor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The merge of one read's cursors, which can pause at a missing block and be resumed:
 *
 * <ol>
 *   <li>{@link #begin}, then seek each cursor that {@link #needsSeek} and report the step to {@link
 *       #sought};
 *   <li>{@link #advanceConsumed}, {@link #nextGroup}: the cursors of the next key are the group;
 *   <li>depending on the kind of the group's first entry, apply a partition deletion, range
 *       tombstone bounds or the versions of a row; {@link #consume} the group and repeat.
 * </ol>
 *
 * Tracks the partition deletion and the range deletion in force at the current key. Shard thread
 * only; reusable; allocates nothing per entry.
 */
public final class ReadMerge {
  private static final byte QUEUED = 0;
  private static final byte TO_SEEK = 1;
  private static final byte TO_ADVANCE = 2;
  private static final byte TO_SKIP = 3;

  /** At its next entry, which may be that of the whole group. */
  private static final byte MOVED = 4;

  private final RowAssembly assembly;
  private final MergeHeap heap = new MergeHeap();
  private final BoundView bound = new BoundView();
  private final ByteWriter skipTo = new ByteWriter(256);
  private final ByteWriter prefix = new ByteWriter(256);
  // by source: the outstanding step, the range deletion in force, and the largest timestamp
  private byte[] steps = new byte[8];
  private long[] openTimestamps = new long[8];
  private long[] largestTimestamps = new long[8];
  private int sources;
  private boolean reversed;
  private long rangeTimestamp;
  private long partitionTimestamp;

  /** Creates a merge with an assembly that the caller may also use between merges. */
  public ReadMerge(RowAssembly assembly) {
    this.assembly = assembly;
  }

  /**
   * Starts a merge of sources, none of which has been sought yet. They are numbered from 0, newest
   * data first. The merge ends before keys that do not start with the first bytes of a key.
   */
  public void begin(int sourceCount, boolean descending, ByteWriter key, int prefixLength) {
    begin(sourceCount, descending, key, prefixLength, 0);
  }

  /** Starts an ascending merge of elements, whose keys start with the first bytes of a key. */
  public void beginElements(int sourceCount, ByteWriter key, int prefixLength) {
    begin(sourceCount, false, key, prefixLength, ElementView.CLOSING_BYTES);
  }

  private void begin(
      int sourceCount, boolean descending, ByteWriter key, int prefixLength, int closingLength) {
    prefix.clear().putBytes(key.segment(), 0, prefixLength);
    sources = sourceCount;
    reversed = descending;
    if (steps.length < sourceCount) {
      steps = new byte[sourceCount];
      openTimestamps = new long[sourceCount];
      largestTimestamps = new long[sourceCount];
    }
    Arrays.fill(steps, 0, sourceCount, TO_SEEK);
    beginPartition();
    heap.clear(descending, prefixLength, closingLength);
  }

  /** Resets the deletions in force for a new partition. */
  public void beginPartition() {
    Arrays.fill(openTimestamps, 0, sources, RowFormat.NO_TIMESTAMP);
    rangeTimestamp = RowFormat.NO_TIMESTAMP;
    partitionTimestamp = RowFormat.NO_TIMESTAMP;
  }

  /** Whether a source has not been sought yet, or its seek has to be repeated. */
  public boolean needsSeek(int source) {
    return steps[source] == TO_SEEK;
  }

  /** Leaves a source out of the merge. */
  public void exclude(int source) {
    steps[source] = QUEUED;
  }

  /**
   * Takes the result of a source's first seek; false if it waits for a block.
   *
   * @param largestTimestamp the largest timestamp in the source, or a larger number
   */
  public boolean sought(
      EntryCursor cursor, int source, EntryCursor.Step step, long largestTimestamp) {
    largestTimestamps[source] = largestTimestamp;
    if (step == EntryCursor.Step.WAITING) {
      return false;
    }
    openTimestamps[source] = cursor.openTimestamp();
    rangeTimestamp = Math.max(rangeTimestamp, cursor.openTimestamp());
    partitionTimestamp = Math.max(partitionTimestamp, cursor.partitionTimestamp());
    return settle(cursor, source, step);
  }

  private boolean settle(EntryCursor cursor, int source, EntryCursor.Step step) {
    if (step == EntryCursor.Step.WAITING) {
      return false;
    }
    steps[source] = QUEUED;
    if (step == EntryCursor.Step.READY && hasPrefix(cursor)) {
      heap.push(cursor, source);
    }
    return true;
  }

  private boolean hasPrefix(EntryCursor cursor) {
    int length = prefix.size();
    return cursor.unchanged() >= length
        || cursor.keyLength() >= length
            && Bytes.equal(
                cursor.keySegment(), cursor.keyOffset(), length, prefix.segment(), 0, length);
  }

  /** Marks the cursors of the group to be moved to their next entries. */
  public void consume() {
    mark(TO_ADVANCE);
  }

  /** Marks the cursors of the group to be moved to the first entry at or after a key. */
  public void consumeTo(ByteWriter key) {
    skipTo.clear().putBytes(key.segment(), 0, key.size());
    mark(TO_SKIP);
  }

  private void mark(byte step) {
    for (int i = 0; i < heap.groupCount(); i++) {
      steps[heap.groupId(i)] = step;
    }
  }

  /** Moves the consumed cursors; false if one of them waits for a block: call again later. */
  public boolean advanceConsumed() {
    if (heap.groupCount() == 1 && steps[heap.groupId(0)] == TO_ADVANCE) {
      return advanceOnly(heap.group(0), heap.groupId(0));
    }
    boolean complete = true;
    for (int i = heap.groupCount() - 1; i >= 0; i--) {
      int source = heap.groupId(i);
      EntryCursor cursor = heap.group(i);
      if (steps[source] == TO_ADVANCE) {
        complete &= settle(cursor, source, reversed ? cursor.previous() : cursor.next());
      } else if (steps[source] == TO_SKIP) {
        complete &= settle(cursor, source, cursor.seek(skipTo.segment(), 0, skipTo.size(), 0));
      }
    }
    return complete;
  }

  private boolean advanceOnly(EntryCursor cursor, int source) {
    EntryCursor.Step step = reversed ? cursor.previous() : cursor.next();
    if (step == EntryCursor.Step.READY && hasPrefix(cursor)) {
      steps[source] = QUEUED;
      heap.pushOnly(cursor, source);
      return true;
    }
    return settle(cursor, source, step);
  }

  /**
   * Whether {@link #advanceTogether} may be called: the group of an ascending merge is consumed.
   */
  public boolean canAdvanceTogether() {
    return !reversed && heap.groupCount() > 0 && steps[heap.groupId(0)] == TO_ADVANCE;
  }

  /**
   * Moves the cursors of a consumed group to their next entries and returns whether they have all
   * the same key again, in which case they are a consumed group still. The caller takes it if its
   * key has the prefix of the merge and {@link #isFirst}, or calls {@link #putBack}. If they have
   * not, they have been put back.
   *
   * @param first the group's first cursor, as in the two calls mentioned
   */
  public boolean advanceTogether(EntryCursor first) {
    EntryCursor.Step step = first.next();
    if (heap.groupCount() > 1) {
      return advanceOthers(first, step);
    }
    if (step == EntryCursor.Step.READY) {
      return true;
    }
    boolean _ = settle(first, heap.groupId(0), step);
    return false;
  }

  private boolean advanceOthers(EntryCursor first, EntryCursor.Step stepOfFirst) {
    boolean together = isReady(0, stepOfFirst);
    for (int i = 1; i < heap.groupCount(); i++) {
      EntryCursor cursor = heap.group(i);
      together = isReady(i, cursor.next()) && together && sameKey(first, cursor);
    }
    for (int i = heap.groupCount() - 1; i >= 0; i--) {
      int source = heap.groupId(i);
      if (steps[source] == MOVED) {
        steps[source] = TO_ADVANCE;
        if (!together) {
          boolean _ = settle(heap.group(i), source, EntryCursor.Step.READY);
        }
      }
    }
    return together;
  }

  private boolean isReady(int index, EntryCursor.Step step) {
    if (step != EntryCursor.Step.WAITING) {
      steps[heap.groupId(index)] = step == EntryCursor.Step.READY ? MOVED : QUEUED;
    }
    return step == EntryCursor.Step.READY;
  }

  /** Whether two cursors that were at the same key have moved to the same key. */
  private static boolean sameKey(EntryCursor one, EntryCursor other) {
    int length = one.keyLength();
    if (length != other.keyLength()) {
      return false;
    }
    int same = Math.min(one.unchanged(), other.unchanged());
    if (length - same <= Long.BYTES && length >= Long.BYTES) {
      int last = length - Long.BYTES;
      return Bytes.getLong(one.keySegment(), one.keyOffset() + last)
          == Bytes.getLong(other.keySegment(), other.keyOffset() + last);
    }
    return one.compareKey(same, other.keySegment(), other.keyOffset(), length) == 0;
  }

  /** Whether no other cursor is before those that have been moved together, or at the same key. */
  public boolean isFirst(EntryCursor first) {
    return heap.isNext(first, heap.groupId(0));
  }

  /** Puts back the cursors that have been moved together, whose entries are not consumed yet. */
  public void putBack() {
    for (int i = heap.groupCount() - 1; i >= 0; i--) {
      boolean _ = settle(heap.group(i), heap.groupId(i), EntryCursor.Step.READY);
    }
  }

  /** A cursor of the next group; null at the end. */
  public @Nullable EntryCursor next() {
    return heap.next();
  }

  /** The size of a value of the next group; 0 at the end. */
  public int nextBytes() {
    EntryCursor next = heap.next();
    return next == null ? 0 : next.valueLength();
  }

  /** Makes the cursors at the next key the group; false at the end. */
  public boolean nextGroup() {
    return heap.popGroup();
  }

  /** The group's cursor with the newest data: its key is the current key. */
  public EntryCursor first() {
    return heap.group(0);
  }

  /** The number of cursors in the group. */
  public int groupCount() {
    return heap.groupCount();
  }

  /** A cursor of the group. */
  public EntryCursor group(int index) {
    return heap.group(index);
  }

  /** The source of a cursor of the group. */
  public int source(int index) {
    return heap.groupId(index);
  }

  /** Applies a group that is a partition deletion. */
  public void applyPartitionDeletion() {
    for (int i = 0; i < heap.groupCount(); i++) {
      EntryCursor cursor = heap.group(i);
      long timestamp = Bytes.getLong(cursor.valueSegment(), cursor.valueOffset());
      partitionTimestamp = Math.max(partitionTimestamp, timestamp);
    }
  }

  /**
   * Applies a group of range tombstone bounds. Returns whether to count it as a tombstone: the
   * range deletion in force changes here because of a deletion made at or after {@code
   * sinceSeconds}.
   */
  public boolean applyBounds(long sinceSeconds) {
    long before = deletionTimestamp();
    boolean recent = false;
    for (int i = 0; i < heap.groupCount(); i++) {
      EntryCursor cursor = heap.group(i);
      bound.wrap(cursor.valueSegment(), cursor.valueOffset());
      openTimestamps[heap.groupId(i)] =
          reversed ? bound.closedTimestamp() : bound.openedTimestamp();
      recent |= Math.max(bound.closedSeconds(), bound.openedSeconds()) >= sinceSeconds;
    }
    rangeTimestamp = RowFormat.NO_TIMESTAMP;
    for (int i = 0; i < sources; i++) {
      rangeTimestamp = Math.max(rangeTimestamp, openTimestamps[i]);
    }
    return recent && before != deletionTimestamp();
  }

  /** Assembles a row from a group of its versions, without deleted cells. */
  public void assembleRow(DroppedColumns dropped) {
    assembly.clear();
    for (int i = 0; i < heap.groupCount(); i++) {
      EntryCursor cursor = heap.group(i);
      assembly.add(cursor.valueSegment(), cursor.valueOffset(), cursor.valueLength());
    }
    assembly.cover(deletionTimestamp(), dropped);
  }

  /** The assembled row, or null if nothing is left of it. */
  public @Nullable RowView row() {
    return assembly.isEmpty() ? null : assembly.row();
  }

  /**
   * Takes the newest of a group of versions of an element; false if that takes more than comparing
   * timestamps. Versions from sources that contain only older data are not looked at.
   *
   * @param first the group's first cursor
   */
  public boolean takePlain(EntryCursor first, ElementValue newest) {
    return newest.take(first.valueSegment(), first.valueOffset(), first.valueLength())
        && (heap.groupCount() == 1 || takeNewer(newest));
  }

  private boolean takeNewer(ElementValue newest) {
    for (int i = 1; i < heap.groupCount(); i++) {
      if (largestTimestamps[heap.groupId(i)] < newest.timestamp()) {
        continue;
      }
      EntryCursor version = heap.group(i);
      if (!newest.takeNewer(version.valueSegment(), version.valueOffset(), version.valueLength())) {
        return false;
      }
    }
    return true;
  }

  /** Adds a group of versions of an element to an assembly; the view is left at one of them. */
  public void assembleElement(RowAssembly versions, ElementView view) {
    for (int i = 0; i < heap.groupCount(); i++) {
      versions.addElement(heap.group(i), view);
    }
  }

  /** The newest deletion of the partition or a range in force at the current key. */
  public long deletionTimestamp() {
    return Math.max(partitionTimestamp, rangeTimestamp);
  }

  /** Whether a range deletion that the partition deletion does not cover is in force. */
  public boolean isRangeDeleted() {
    return rangeTimestamp > partitionTimestamp;
  }
}
