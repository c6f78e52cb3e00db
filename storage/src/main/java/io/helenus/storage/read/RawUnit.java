package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.merge.AssembledBytes;
import io.helenus.storage.merge.ReadMerge;
import io.helenus.storage.merge.RowAssembly;
import io.helenus.storage.reply.ReplyWriter;
import io.helenus.storage.row.DroppedColumns;
import io.helenus.storage.row.ElementDeletions;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.RawRows;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The current row of a raw read with all of its elements, as it is sent. Its entry and elements
 * come in either direction; what deletions of the entry cover is left out at the end. Shard thread
 * only; reusable.
 */
final class RawUnit {
  private static final int KEPT_BYTES = 64 << 10;

  /** Of an element: where its tail and its value start and end, and whether it is live or dead. */
  private static final int STRIDE = 4;

  private static final int LIVE = 1;
  private static final int DEAD = 2;

  private final ElementSelection selection = new ElementSelection();
  private final RawRows rows = new RawRows();
  private final RowAssembly assembly;
  private final ByteWriter key = new ByteWriter(256);
  private final ByteWriter entryBytes;
  private final ByteWriter elementBytes;
  private final RowView entry = new RowView();

  /** Of the entry; a length of 0 if there is none. */
  private MemorySegment entrySegment = MemorySegment.NULL;

  private long entryOffset;
  private int entryLength;

  /** Whether the entry has only a liveness and live values. */
  private boolean plain;

  private boolean multiCell;
  private final ElementView element = new ElementView();
  private final ElementDeletions deletions = new ElementDeletions();
  private int[] elements = new int[16 * STRIDE];
  private long[] timestamps = new long[16];
  private int[] columns = new int[16];
  private int count;
  private int @Nullable [] selected;
  private DroppedColumns dropped = DroppedColumns.NONE;
  private long nowSeconds;
  private boolean begun;
  private boolean used;
  private long deletion;
  private ReadTally tally = new ReadTally();

  RawUnit(LargeSegments segments, AssembledBytes assembled) {
    assembly = new RowAssembly(segments, assembled);
    entryBytes = ByteWriter.recycling(segments, 256);
    elementBytes = ByteWriter.recycling(segments, 256);
  }

  void open(ReadRequest request, TableSources sources, ReadTally newTally) {
    selection.open(request, sources.multiCellColumns());
    multiCell = sources.multiCellColumns().length > 0;
    rows.begin(request.nowSeconds());
    selected = request.columns().areRestricted() ? request.columns().ids() : null;
    dropped = sources.dropped();
    nowSeconds = request.nowSeconds();
    tally = newTally;
    begun = false;
    used = true;
  }

  /** Releases the memory of a large row. */
  void close() {
    if (used) {
      used = false;
      assembly.close();
      entryBytes.clear(KEPT_BYTES);
      elementBytes.clear(KEPT_BYTES);
    }
  }

  boolean isBegun() {
    return begun;
  }

  /** Whether an entry belongs to the row. */
  boolean continuesWith(EntryCursor next) {
    return next.keyLength() == key.size()
        ? next.compareKey(key.segment(), 0, key.size()) == 0
        : next.isElementOf(key);
  }

  /** The key of the row. */
  ByteWriter key() {
    return key;
  }

  /** Takes the merge's group, a row or an element, without what a deletion covers. */
  void take(ReadMerge merge, long newDeletion) {
    Entry first = merge.first();
    boolean isElement = first.kind() == Entry.ELEMENT;
    if (!begun) {
      int length = isElement ? first.view(element).rowKeyLength() : first.keyLength();
      begin(first.keySegment(), first.keyOffset(), length, newDeletion);
    }
    assembly.clear();
    if (isElement) {
      takeElement(merge);
    } else {
      for (int i = 0; i < merge.groupCount(); i++) {
        add(merge.group(i));
      }
      endEntry();
    }
  }

  /** Begins a row that a deletion covers. */
  void begin(MemorySegment segment, long offset, int length, long newDeletion) {
    key.clear().putBytes(segment, offset, length);
    begun = true;
    deletion = newDeletion;
    deletions.clear();
    entryBytes.clear(KEPT_BYTES);
    elementBytes.clear(KEPT_BYTES);
    entryLength = 0;
    plain = false;
    count = 0;
    assembly.clear();
  }

  /** Leaves the row. */
  void drop() {
    begun = false;
  }

  /** Adds a version of its entry. */
  void add(Entry version) {
    assembly.add(version.valueSegment(), version.valueOffset(), version.valueLength());
  }

  /**
   * Takes the entry, of which all versions have been added. In a table without elements it may stay
   * where it is: the row is to be ended and written before its sources move on.
   */
  void endEntry() {
    assembly.cover(deletion, dropped);
    if (assembly.isEmpty()) {
      return;
    }
    RowView row = assembly.row();
    if (RawRows.isPlain(row, selected)) {
      assert isWrittenAs(row);
      plain = true;
      entry(row.segment(), row.offset(), row.length());
      if (multiCell) {
        entryBytes.putBytes(entrySegment, entryOffset, entryLength);
        entry(entryBytes.segment(), 0, entryLength);
      }
      return;
    }
    deletions.load(row);
    if (rows.row(row, selected, entryBytes)) {
      entry(entryBytes.segment(), 0, entryBytes.size());
    }
  }

  /** In tests: whether a row is written as the bytes that it has. */
  private boolean isWrittenAs(RowView row) {
    rows.row(row, selected, entryBytes);
    boolean same =
        Bytes.equal(
            row.segment(), row.offset(), row.length(), entryBytes.segment(), 0, entryBytes.size());
    entryBytes.clear();
    return same;
  }

  private void entry(MemorySegment segment, long offset, int length) {
    entrySegment = segment;
    entryOffset = offset;
    entryLength = length;
  }

  private void takeElement(ReadMerge merge) {
    merge.assembleElement(assembly, element);
    assembly.cover(deletion, dropped);
    if (assembly.isEmpty()) {
      return;
    }
    RowView cell = assembly.row().rewind();
    boolean hasCell = cell.nextCell();
    assert hasCell;
    if (count == columns.length) {
      elements = Arrays.copyOf(elements, 2 * elements.length);
      timestamps = Arrays.copyOf(timestamps, 2 * count);
      columns = Arrays.copyOf(columns, 2 * count);
    }
    int at = count * STRIDE;
    columns[count] = element.column();
    timestamps[count++] = cell.cellTimestamp();
    elements[at] = elementBytes.size();
    int tail = element.rowKeyLength();
    Entry first = merge.first();
    first.view(element);
    elementBytes.putBytes(first.keySegment(), first.keyOffset() + tail, first.keyLength() - tail);
    elements[at + 1] = elementBytes.size();
    rows.element(cell, selection.needs(element), element.pathLength(), elementBytes);
    elements[at + 2] = elementBytes.size();
    elements[at + 3] = cell.cellIsLive(nowSeconds) ? LIVE : tally.isDead(cell) ? DEAD : 0;
  }

  /**
   * Ends the row: leaves out the elements that its own deletions cover; false if nothing is left.
   */
  boolean end(boolean descending) {
    begun = false;
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (timestamps[i] > deletions.covering(columns[i])) {
        System.arraycopy(elements, i * STRIDE, elements, kept * STRIDE, STRIDE);
        kept++;
      }
    }
    count = kept;
    if (descending) {
      for (int i = 0, j = count - 1; i < j; i++, j--) {
        for (int k = 0; k < STRIDE; k++) {
          int swapped = elements[i * STRIDE + k];
          elements[i * STRIDE + k] = elements[j * STRIDE + k];
          elements[j * STRIDE + k] = swapped;
        }
      }
    }
    return count > 0 || entryLength > 0;
  }

  /** Counts the row, which has been ended; returns whether it is live. */
  boolean count() {
    if (plain && count == 0) {
      return tally.countPlain(RowView.hasLiveness(entrySegment, entryOffset));
    }
    boolean live = false;
    int dead = 0;
    for (int i = 0; i < count; i++) {
      live |= elements[i * STRIDE + 3] == LIVE;
      dead += elements[i * STRIDE + 3] == DEAD ? 1 : 0;
    }
    RowView counted = entryLength == 0 ? null : entry.wrap(entrySegment, entryOffset, entryLength);
    return tally.countRaw(counted, live, dead);
  }

  /** Writes the row, which has been ended. */
  void write(ReplyWriter reply, int prefixLength) {
    reply.row(
        key.segment(),
        prefixLength,
        key.size() - prefixLength,
        entrySegment,
        entryOffset,
        entryLength);
    for (int i = 0; i < count; i++) {
      int at = i * STRIDE;
      int tail = elements[at];
      int value = elements[at + 1];
      reply.element(elementBytes.segment(), tail, value - tail, value, elements[at + 2] - value);
    }
  }
}
