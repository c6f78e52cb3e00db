package io.helenus.storage.row;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.memory.LargeSegments;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Joins the entry of a row and elements of it, in ascending order, to one row: {@link #begin},
 * {@link #add}, {@link #end}. Copies the entry, so that cursors may move meanwhile. One thread at a
 * time; reusable.
 */
public final class RowJoiner {
  private static final int KEPT_BYTES = 64 * 1024;

  private final RowEncoder encoder = new RowEncoder();
  private final ByteWriter entryBytes;
  private final ByteWriter out;
  private final RowView entry = new RowView();
  private final RowView joined = new RowView();
  private boolean hasEntry;
  private boolean hasCell;
  private boolean hasElements;

  /** Takes memory for large rows from these segments. */
  public RowJoiner(LargeSegments segments) {
    entryBytes = ByteWriter.recycling(segments, 256);
    out = ByteWriter.recycling(segments, 256);
  }

  /** Starts a row with its entry, or without one if it has only elements. */
  public void begin(@Nullable RowView rowEntry) {
    hasElements = false;
    hasCell = false;
    hasEntry = rowEntry != null;
    if (rowEntry != null) {
      entryBytes.clear(KEPT_BYTES);
      entryBytes.putBytes(rowEntry.segment(), rowEntry.offset(), rowEntry.length());
      entry.wrap(entryBytes.segment(), 0, entryBytes.size());
    }
  }

  /** Releases the memory of a large row. */
  public void close() {
    entryBytes.clear(KEPT_BYTES);
    out.clear(KEPT_BYTES);
  }

  /** Removes the elements added so far. */
  public void restart() {
    hasElements = false;
    hasCell = false;
  }

  /** Adds the current cell of a view as the element with a path. */
  public void add(RowView element, MemorySegment path, long pathOffset, int pathLength) {
    beginElement(element.column());
    encoder.withPath(element, path, pathOffset, pathLength);
  }

  /** Adds an element that is a plain value. */
  public void add(ElementView element, ElementValue value) {
    beginElement(element.column());
    encoder.plainElement(element, value);
  }

  private void beginElement(int column) {
    if (!hasElements) {
      hasElements = true;
      beginJoined();
    }
    while (hasCell && entry.column() <= column) {
      encoder.cell(entry);
      hasCell = entry.nextCell();
    }
  }

  private void beginJoined() {
    out.clear(KEPT_BYTES);
    if (!hasEntry) {
      encoder.begin(out, 0, 0);
      return;
    }
    entry.rewind();
    encoder.begin(out, entry.ttl(), entry.expirySeconds());
    if (entry.hasLiveness()) {
      encoder.liveness(entry.timestamp());
    }
    if (entry.hasDeletion()) {
      encoder.deletion(entry.deletionTimestamp(), entry.deletionSeconds());
    }
    hasCell = entry.nextCell();
  }

  /** Ends the row; null if it has neither an entry nor elements. Valid until the next row. */
  public @Nullable RowView end() {
    if (!hasElements) {
      return hasEntry ? entry : null;
    }
    while (hasCell) {
      encoder.cell(entry);
      hasCell = entry.nextCell();
    }
    boolean written = encoder.end();
    assert written;
    return joined.wrap(out.segment(), 0, out.size());
  }
}
