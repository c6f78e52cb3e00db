package io.helenus.server.query.selection;

import io.helenus.server.functions.FunctionArguments;
import io.helenus.server.types.CollectionCells;
import io.helenus.server.types.UserTypeCells;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ElementSink;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.row.CounterShares;
import io.helenus.storage.row.ElementValue;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one static or regular row, as slices of its bytes: those of the columns to read, by
 * slot. Refilled for each row. As a sink of elements it collects the whole collections of the row
 * that follows. Confined to one thread at a time.
 */
final class RowCells implements ElementSink {
  private static final long NEVER = -1;

  private MemorySegment segment = MemorySegment.NULL;
  private @Nullable ReadColumns columns;
  private int firstSlot;
  private int endSlot;
  private long nowSeconds;
  private long[] offsets = new long[16];
  private int[] lengths = new int[16];
  private long[] timestamps = new long[16];
  private long[] expiries = new long[16];
  private @Nullable CollectedCells collections;
  // of the next row: its collections as far as they are received before it
  private @Nullable CollectedCells received;
  private boolean receives;
  // the column whose elements are received
  private int receivedSlot;
  private @Nullable CollectionCells receivedCollection;
  private @Nullable KeyCells keyCells;
  private final ElementBounds bounds;
  private final LargeSegments segments;
  private CollectedCells[] ranges = new CollectedCells[0];

  RowCells(ElementBounds bounds, LargeSegments segments) {
    this.bounds = bounds;
    this.segments = segments;
  }

  /** The wire values of clustering columns that may not be recoverable from their key bytes. */
  private static final class KeyCells {
    private final long[] offsets;
    private final int[] lengths;

    KeyCells(int clusteringColumns) {
      offsets = new long[clusteringColumns];
      lengths = new int[clusteringColumns];
    }
  }

  /**
   * Starts a read of the slots from the first to the end (exclusive).
   *
   * @param clusteringColumns how many clustering columns may have a cell with their wire value
   * @param elementTimes whether timestamps or expiries of elements are needed
   */
  void begin(
      ReadColumns readColumns,
      int first,
      int end,
      int clusteringColumns,
      boolean elementTimes,
      long now) {
    columns = readColumns;
    firstSlot = first;
    endSlot = end;
    nowSeconds = now;
    if (end > lengths.length) {
      offsets = new long[end];
      lengths = new int[end];
      timestamps = new long[end];
      expiries = new long[end];
    }
    keyCells = readColumns.hasKeyCells() ? new KeyCells(clusteringColumns) : null;
    if (readColumns.hasCollections()) {
      collections = collections == null ? new CollectedCells(segments) : collections;
      collections.begin(end, elementTimes);
      received = received == null ? new CollectedCells(segments) : received;
      received.begin(end, elementTimes);
      receives = false;
      beginRanges(elementTimes);
    } else {
      collections = null;
      received = null;
    }
  }

  private void beginRanges(boolean elementTimes) {
    if (ranges.length < bounds.count()) {
      int from = ranges.length;
      ranges = Arrays.copyOf(ranges, bounds.count());
      for (int i = from; i < ranges.length; i++) {
        ranges[i] = new CollectedCells(segments);
      }
    }
    for (int i = 0; i < bounds.count(); i++) {
      ranges[i].begin(1, elementTimes);
    }
  }

  /** Ends the read and releases the memory of large collections. */
  void end() {
    if (collections != null) {
      clear();
    }
    if (received != null) {
      received.clear();
    }
  }

  // ---- elements received before their row

  @Override
  public boolean beginColumn(int column) {
    int slot = columns().slot(column);
    if (slot < firstSlot || slot >= endSlot || !isReceived(slot)) {
      return false;
    }
    receivedSlot = slot;
    receivedCollection = columns().collection(slot);
    return true;
  }

  /** Whether a slot is a collection of which the whole is read, and not ranges of it as well. */
  private boolean isReceived(int slot) {
    ReadColumns read = columns();
    if (read.collection(slot) == null || !read.needsWhole(slot)) {
      return false;
    }
    for (int i = 0; i < bounds.count(); i++) {
      if (bounds.slot(i) == slot) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void beginRow() {
    if (received != null) {
      receives = true;
      received.clear();
    }
  }

  @Override
  public void element(ElementView element, ElementValue value) {
    CollectedCells target = received;
    CollectionCells collection = receivedCollection;
    if (target != null && collection != null) {
      target.add(receivedSlot, collection, element, value);
    }
  }

  private void takeReceived() {
    CollectedCells earlier = collections;
    collections = received;
    received = earlier;
  }

  // ---- the row

  /** Clears all cells; there is no row. */
  void clear() {
    Arrays.fill(lengths, firstSlot, endSlot, -1);
    if (collections != null) {
      collections.clear();
      for (int i = 0; i < bounds.count(); i++) {
        ranges[i].clear();
      }
    }
    if (keyCells != null) {
      Arrays.fill(keyCells.lengths, -1);
    }
  }

  /**
   * Collects the live cells of a row. The row's bytes must remain valid until the cells have been
   * read.
   */
  void read(RowView row) {
    clear();
    boolean hasReceived = receives;
    if (hasReceived) {
      receives = false;
      takeReceived();
    }
    ReadColumns read = columns();
    segment = row.segment();
    row.rewind();
    while (row.nextCell()) {
      int slot = read.slot(row.column());
      if (slot != ReadColumns.NOT_READ && row.cellIsLive(nowSeconds)) {
        if (read.isPlain()) {
          takeCell(slot, row);
        } else {
          take(read, slot, row, hasReceived);
        }
      }
    }
  }

  private void take(ReadColumns read, int slot, RowView row, boolean hasReceived) {
    if (slot < 0) {
      takeKeyCell(ReadColumns.clusteringPosition(slot), row);
      return;
    }
    if (collections != null) {
      CollectionCells collection = read.collection(slot);
      if (collection != null) {
        if (hasReceived && isReceived(slot)) {
          return; // the element that makes the row exist
        }
        if (read.needsWhole(slot)) {
          collections.add(slot, collection, row);
        }
        for (int i = 0; i < bounds.count(); i++) {
          if (bounds.slot(i) == slot && bounds.contains(i, row)) {
            ranges[i].add(0, collection, row);
          }
        }
        return;
      }
    }
    if (read.hasFields() && read.fieldCount(slot) > 0) {
      int field = UserTypeCells.field(row);
      if (field < read.fieldCount(slot)) {
        takeCell(slot + field, row);
      }
      return;
    }
    takeCell(slot, row);
  }

  private void takeCell(int slot, RowView row) {
    offsets[slot] = row.valueOffset();
    lengths[slot] = row.valueLength();
    timestamps[slot] = row.cellTimestamp();
    expiries[slot] = row.cellIsExpiring() ? row.cellSeconds() : NEVER;
  }

  private void takeKeyCell(int position, RowView row) {
    if (keyCells != null) {
      keyCells.offsets[position] = row.valueOffset();
      keyCells.lengths[position] = row.valueLength();
    }
  }

  private ReadColumns columns() {
    if (columns == null) {
      throw new IllegalStateException("no read has started");
    }
    return columns;
  }

  /** Appends a cell's value as a [bytes] of the protocol. */
  void putValue(int slot, ByteWriter out) {
    int length = lengths[slot];
    out.putInt(length);
    if (length > 0) {
      out.putBytes(segment, offsets[slot], length);
    }
  }

  /** Makes a cell's value the only argument of a call. */
  void setArgument(int slot, FunctionArguments arguments) {
    arguments.set(0, segment, offsets[slot], lengths[slot]);
  }

  /** Appends a counter's value as a [bytes] of the protocol. */
  void putCounter(int slot, ByteWriter out) {
    if (lengths[slot] < 0) {
      out.putInt(-1);
    } else {
      out.putInt(8).putLong(CounterShares.sum(segment, offsets[slot]));
    }
  }

  /** Appends a cell's timestamp. */
  void putWriteTime(int slot, ByteWriter out) {
    if (lengths[slot] < 0) {
      out.putInt(-1);
    } else {
      out.putInt(8).putLong(timestamps[slot]);
    }
  }

  /** Appends the remaining TTL of a cell in seconds; null without a TTL. */
  void putTimeToLive(int slot, ByteWriter out) {
    if (lengths[slot] < 0 || expiries[slot] == NEVER) {
      out.putInt(-1);
    } else {
      out.putInt(4).putInt((int) (expiries[slot] - nowSeconds));
    }
  }

  /** Appends the value of a user type whose fields have these slots; null if it has no cells. */
  void putFields(int slot, int count, ByteWriter out) {
    if (areFieldsPresent(slot, count, out)) {
      int lengthAt = out.reserve(4);
      for (int field = slot; field < slot + count; field++) {
        putValue(field, out);
      }
      out.setInt(lengthAt, out.size() - lengthAt - 4);
    }
  }

  /** Appends the timestamps of fields as a list, which contains null for a null field. */
  void putWriteTimes(int slot, int count, ByteWriter out) {
    if (areFieldsPresent(slot, count, out)) {
      int lengthAt = out.reserve(4);
      out.putInt(count);
      for (int field = slot; field < slot + count; field++) {
        putWriteTime(field, out);
      }
      out.setInt(lengthAt, out.size() - lengthAt - 4);
    }
  }

  /** Appends the remaining TTLs of fields as a list, null for a field without a TTL. */
  void putTimesToLive(int slot, int count, ByteWriter out) {
    if (areFieldsPresent(slot, count, out)) {
      int lengthAt = out.reserve(4);
      out.putInt(count);
      for (int field = slot; field < slot + count; field++) {
        putTimeToLive(field, out);
      }
      out.setInt(lengthAt, out.size() - lengthAt - 4);
    }
  }

  /** Appends the latest timestamp of fields. */
  void putLatestWriteTime(int slot, int count, ByteWriter out) {
    if (areFieldsPresent(slot, count, out)) {
      long latest = Long.MIN_VALUE;
      for (int field = slot; field < slot + count; field++) {
        latest = lengths[field] < 0 ? latest : Math.max(latest, timestamps[field]);
      }
      out.putInt(8).putLong(latest);
    }
  }

  /** Whether any of these slots has a cell; appends null if not. */
  private boolean areFieldsPresent(int slot, int count, ByteWriter out) {
    for (int field = slot; field < slot + count; field++) {
      if (lengths[field] >= 0) {
        return true;
      }
    }
    out.putInt(-1);
    return false;
  }

  /**
   * Appends the wire value of a clustering column.
   *
   * @return whether the row has it; if not, nothing is appended
   */
  boolean putKeyCell(int position, ByteWriter out) {
    if (keyCells == null || keyCells.lengths[position] < 0) {
      return false;
    }
    out.putInt(keyCells.lengths[position]);
    out.putBytes(segment, keyCells.offsets[position], keyCells.lengths[position]);
    return true;
  }

  /** The elements of a range. */
  CollectedCells range(int range) {
    return ranges[range];
  }

  /** The cells of multi-cell columns. */
  CollectedCells collections() {
    if (collections == null) {
      throw new IllegalStateException("no multi-cell column is read");
    }
    return collections;
  }
}
