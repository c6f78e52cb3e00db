package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ElementSink;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.merge.AssembledBytes;
import io.helenus.storage.merge.ReadMerge;
import io.helenus.storage.merge.RowAssembly;
import io.helenus.storage.row.DroppedColumns;
import io.helenus.storage.row.ElementDeletions;
import io.helenus.storage.row.ElementValue;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.RowJoiner;
import io.helenus.storage.row.RowMerge;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The current row of a read of a table with multi-cell columns, made of its entry and the elements
 * that the request needs:
 *
 * <p>The live elements of columns that the sink of the read {@linkplain ElementSink#beginColumn
 * takes} are passed to it and left out of the row, unless nothing before them makes the row exist.
 *
 * <ol>
 *   <li>{@link #begin} with the row's entry, if there is one, or {@link #take} it;
 *   <li>take the groups of versions of elements that follow, in ascending order. Those not needed
 *       are skipped, by a seek if there are many; but as long as nothing makes the row exist, a
 *       live one is added;
 *   <li>{@link #end}.
 * </ol>
 *
 * Shard thread only; reusable.
 */
final class JoinedRow {
  /** How many elements are passed one by one before a seek to the next one needed. */
  private static final int PASSED_LIMIT = 8;

  /** How many elements are taken in a run, and after how many bytes it ends. */
  private static final int RUN_LIMIT = 64;

  private static final int RUN_BYTES = 64 << 10;

  private final ElementSelection selection = new ElementSelection();
  private final RowJoiner joiner;
  private final RowAssembly versions;
  private final ElementValue value = new ElementValue();
  private final ElementView element = new ElementView();
  private final ElementDeletions deletions = new ElementDeletions();
  private final ByteWriter key = new ByteWriter(256);
  private final ByteWriter skipTo = new ByteWriter(256);
  private final RowAssembly assembly;
  private final AssembledBytes assembled;
  private DroppedColumns dropped = DroppedColumns.NONE;
  private long nowSeconds;
  private long deletion;
  private boolean used;
  private boolean begun;
  private boolean exists;
  private @Nullable ElementSink sink;
  private int sinkColumn;
  private boolean sinkTakesColumn;
  private boolean passedToSink;
  private int passed;
  private long bytes;

  /** Uses the assembly of the merge for rows. */
  JoinedRow(RowAssembly assembly, AssembledBytes assembled, LargeSegments segments) {
    this.assembly = assembly;
    this.assembled = assembled;
    joiner = new RowJoiner(segments);
    versions = new RowAssembly(segments, assembled);
  }

  void open(ReadRequest request, TableSources sources) {
    selection.open(request, sources.multiCellColumns());
    dropped = sources.dropped();
    nowSeconds = request.nowSeconds();
    begun = false;
    used = true;
    sinkColumn = -1;
  }

  /** Sets what receives elements apart from their rows. */
  void elementsTo(@Nullable ElementSink elements) {
    sink = elements;
  }

  /** Releases the memory of a large row. */
  void close() {
    if (used) {
      used = false;
      sink = null;
      joiner.close();
      versions.close();
    }
  }

  /** Which elements are needed. */
  ElementSelection selection() {
    return selection;
  }

  /** Starts the row with a key, its assembled entry, and the newest deletion of its range. */
  void begin(ByteWriter rowKey, long newDeletion) {
    begin(rowKey.segment(), 0, rowKey.size(), newDeletion);
  }

  private void begin(MemorySegment segment, long offset, int length, long newDeletion) {
    key.clear().putBytes(segment, offset, length);
    begun = true;
    passed = 0;
    exists = false;
    deletion = newDeletion;
    deletions.clear();
    bytes = 0;
    beginElements();
    if (assembly.isEmpty()) {
      joiner.begin(null);
      return;
    }
    RowView row = assembly.row();
    bytes = row.length();
    joiner.begin(row);
    deletions.load(row);
    exists = RowMerge.isLive(row, nowSeconds);
  }

  /** Removes the elements taken so far. */
  void restart() {
    joiner.restart();
    beginElements();
    passed = 0;
  }

  private void beginElements() {
    if (sink != null) {
      sink.beginRow();
    }
  }

  /** Whether a row has been started and not ended. */
  boolean isBegun() {
    return begun;
  }

  /** Whether something in the row makes it exist. */
  boolean exists() {
    return exists;
  }

  /** The size of what has been taken of the row. */
  long bytes() {
    return bytes;
  }

  /** Whether a row has been started that is large and ends before the merge's next entry. */
  boolean isLargeAndEnds(ReadMerge merge) {
    if (!begun || !ReadSlice.isLarge(bytes)) {
      return false;
    }
    EntryCursor next = merge.next();
    return next == null || !continuesWith(next);
  }

  /** The key of the row. */
  ByteWriter key() {
    return key;
  }

  /** Whether an entry is an element of the row. */
  boolean continuesWith(Entry entry) {
    return entry.isElementOf(key);
  }

  /** Takes the merge's group, which is a row or an element, and consumes it. */
  void take(ReadMerge merge) {
    Entry first = merge.first();
    if (first.kind() != Entry.ELEMENT) {
      merge.assembleRow(dropped);
      begin(first.keySegment(), first.keyOffset(), first.keyLength(), merge.deletionTimestamp());
      merge.consume();
      return;
    }
    if (!begun) {
      assembly.clear();
      int rowKeyLength = first.view(element).rowKeyLength();
      begin(first.keySegment(), first.keyOffset(), rowKeyLength, merge.deletionTimestamp());
    }
    takeElement(merge);
  }

  /**
   * Takes the merge's group, which is an element of the row, and consumes it; perhaps some that
   * follow as well. Returns their number.
   */
  int takeElement(ReadMerge merge) {
    passedToSink = false;
    boolean needed = selection.needs(merge.first().view(element));
    if ((needed || !exists) && !addPlain(merge, needed)) {
      versions.clear();
      merge.assembleElement(versions, element);
      add(needed);
    }
    if (needed) {
      passed = 0;
      merge.consume();
      return passedToSink ? 1 + takeRun(merge) : 1;
    }
    if (exists && ++passed > PASSED_LIMIT) {
      passed = 0;
      skipTo.clear().putBytes(key.segment(), 0, key.size());
      selection.putNext(element, skipTo);
      merge.consumeTo(skipTo);
    } else {
      merge.consume();
    }
    return 1;
  }

  /**
   * Takes plain elements that follow the one consumed in the same column and have versions in the
   * same sources: the same as taking each from the merge, at a fraction of the cost. Returns their
   * number.
   */
  private int takeRun(ReadMerge merge) {
    ElementSink elements = sink;
    if (elements == null
        || !dropped.isEmpty()
        || !selection.needsWhole(element.column())
        || !merge.canAdvanceTogether()) {
      return 0;
    }
    EntryCursor first = merge.first();
    int shared = element.rowKeyLength() + ElementView.COLUMN_BYTES;
    long covered = Math.max(deletion, deletions.covering(element.column()));
    long passedBytes = 0;
    int taken = 0;
    while (taken < RUN_LIMIT && passedBytes < RUN_BYTES && merge.advanceTogether(first)) {
      if (!(first.unchanged() >= shared || isInColumn(first))
          || !merge.isFirst(first)
          || !merge.takePlain(first, value)) {
        merge.putBack();
        break;
      }
      taken++;
      element.moveTo(first.keySegment(), first.keyOffset(), first.keyLength());
      if (value.timestamp() > covered) {
        passedBytes += element.pathLength() + value.valueLength();
        elements.element(element, value);
      }
    }
    bytes += passedBytes;
    assembled.add(passedBytes);
    return taken;
  }

  /** Whether an entry is an element of the row in the column of the element taken last. */
  private boolean isInColumn(Entry entry) {
    int columnAt = element.rowKeyLength();
    return continuesWith(entry)
        && entry.keyLength() > columnAt + ElementView.COLUMN_BYTES
        && Bytes.getInt(entry.keySegment(), entry.keyOffset() + columnAt) == element.column();
  }

  /** Consumes the merge's group, which is a row or an element, and the elements that follow it. */
  void skip(ReadMerge merge) {
    putRowKey(merge.first(), skipTo);
    ElementSelection.putEnd(skipTo);
    merge.consumeTo(skipTo);
  }

  /** Stores the key of the row that an entry, a row or an element, belongs to. */
  void putRowKey(Entry entry, ByteWriter rowKey) {
    boolean isRow = entry.kind() != Entry.ELEMENT;
    int length = isRow ? entry.keyLength() : entry.view(element).rowKeyLength();
    rowKey.clear().putBytes(entry.keySegment(), entry.keyOffset(), length);
  }

  /** Starts an element that is read from one source after the other. */
  void beginElement() {
    versions.clear();
  }

  /** Adds a version of the element, whose bytes must stay valid until its end. */
  void addVersion(Entry version) {
    versions.addElement(version, element);
  }

  /** Ends the element. */
  void endElement() {
    add(true);
  }

  /** Adds the merge's group if it is an element that is a plain value and thus live. */
  private boolean addPlain(ReadMerge merge, boolean needed) {
    if (!dropped.isEmpty() || !merge.takePlain(merge.first(), value)) {
      return false;
    }
    if (value.timestamp() > Math.max(deletion, deletions.covering(element.column()))) {
      int length = element.pathLength() + value.valueLength();
      bytes += length;
      assembled.add(length);
      if (!(needed && passToSink()) || !exists) {
        joiner.add(element, value);
      }
      exists = true;
    }
    return true;
  }

  /** Passes the live element to the sink if that takes the elements of its column. */
  private boolean passToSink() {
    ElementSink elements = sink;
    if (elements == null) {
      return false;
    }
    if (element.column() != sinkColumn) {
      sinkColumn = element.column();
      sinkTakesColumn = elements.beginColumn(sinkColumn);
    }
    if (sinkTakesColumn) {
      elements.element(element, value);
      passedToSink = true;
    }
    return sinkTakesColumn;
  }

  private void add(boolean needed) {
    if (versions.isEmpty()) {
      return;
    }
    versions.cover(Math.max(deletion, deletions.covering(element.column())), dropped);
    if (versions.isEmpty()) {
      return;
    }
    RowView cell = versions.row().rewind();
    boolean hasCell = cell.nextCell();
    assert hasCell;
    boolean live = cell.cellIsLive(nowSeconds);
    bytes += versions.row().length();
    if (live) {
      value.takeCell(cell);
    }
    boolean isPassed = needed && live && passToSink();
    if (needed && !isPassed || live && !exists) {
      joiner.add(cell, element.pathSegment(), element.pathOffset(), element.pathLength());
    }
    exists |= live;
  }

  /** Ends the row; null if nothing is in it. Valid until the next one is started. */
  @Nullable RowView end() {
    begun = false;
    return joiner.end();
  }
}
