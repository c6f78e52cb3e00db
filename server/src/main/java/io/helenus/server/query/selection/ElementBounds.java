package io.helenus.server.query.selection;

import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.types.CollectionCells;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;

/**
 * The paths between which a read collects elements, one pair for each {@link ElementRange} of its
 * selection. Refilled for each read. Confined to one thread at a time.
 */
final class ElementBounds {
  private static final int KEPT_BYTES = 64 << 10;
  private static final int OPEN = -1;

  private final ByteWriter paths = new ByteWriter(64);
  private final ByteWriter successor = new ByteWriter(64);
  private int[] slots = new int[2];
  private int[] columns = new int[2];
  private int[] lowerEnds = new int[2];
  private int[] upperEnds = new int[2];
  private int[] offsets = new int[2];
  private boolean[] wholes = new boolean[2];
  private int count;

  /** Removes all bounds. */
  void clear() {
    count = 0;
  }

  /** Sets the bounds of a read. */
  void bind(ElementRange[] ranges, ReadColumns read, BoundSlots bound) {
    count = ranges.length;
    if (count == 0) {
      return;
    }
    if (count > slots.length) {
      slots = new int[count];
      columns = new int[count];
      lowerEnds = new int[count];
      upperEnds = new int[count];
      offsets = new int[count];
      wholes = new boolean[count];
    }
    paths.clear(KEPT_BYTES);
    for (int i = 0; i < count; i++) {
      CollectionCells cells = CollectionCells.of(ranges[i].column().type());
      columns[i] = ranges[i].column().id();
      slots[i] = read.slot(columns[i]);
      wholes[i] = read.needsWhole(slots[i]);
      offsets[i] = paths.size();
      lowerEnds[i] = putLower(ranges[i], cells, bound);
      upperEnds[i] = putUpper(ranges[i], cells, bound);
    }
  }

  /** Appends the highest of the first paths; returns its end, or {@link #OPEN} without any. */
  private int putLower(ElementRange range, CollectionCells cells, BoundSlots bound) {
    int start = paths.size();
    int end = OPEN;
    for (int i = 0; i < range.lowerCount(); i++) {
      end = put(range.lowerSlot(i), cells, bound, start, end, 1);
    }
    return end;
  }

  /** Appends the lowest of the last paths; returns its end, or {@link #OPEN} without any. */
  private int putUpper(ElementRange range, CollectionCells cells, BoundSlots bound) {
    int start = paths.size();
    int end = OPEN;
    for (int i = 0; i < range.upperCount(); i++) {
      end = put(range.upperSlot(i), cells, bound, start, end, -1);
    }
    return end;
  }

  /**
   * Appends a path, in place of the one between {@code start} and {@code end} if it compares to it
   * as {@code sign} says; returns the end of the path that stays.
   */
  private int put(int slot, CollectionCells cells, BoundSlots bound, int start, int end, int sign) {
    if (bound.length(slot) < 0) {
      return end;
    }
    cells.putPath(bound.segment(slot), bound.offset(slot), bound.length(slot), paths);
    if (end == OPEN) {
      return paths.size();
    }
    int length = paths.size() - end;
    MemorySegment segment = paths.segment();
    if (Bytes.compare(segment, end, length, segment, start, end - start) * sign > 0) {
      MemorySegment.copy(segment, end, segment, start, length);
      end = start + length;
    }
    paths.truncate(end);
    return end;
  }

  /**
   * Restricts a request to the elements that are selected, in the order of their columns. A column
   * with several ranges is read whole, because a request's ranges must not overlap.
   */
  void addTo(ReadRequest request) {
    for (int i = nextColumn(-1); i >= 0; i = nextColumn(columns[i])) {
      if (!wholes[i] && isOnlyRange(i)) {
        addTo(request, i);
      }
    }
  }

  /** A range of the first column after another one; -1 if there is none. */
  private int nextColumn(int column) {
    int next = -1;
    for (int i = 0; i < count; i++) {
      if (columns[i] > column && (next < 0 || columns[i] < columns[next])) {
        next = i;
      }
    }
    return next;
  }

  private boolean isOnlyRange(int range) {
    for (int i = 0; i < count; i++) {
      if (i != range && slots[i] == slots[range]) {
        return false;
      }
    }
    return true;
  }

  private void addTo(ReadRequest request, int range) {
    int start = offsets[range];
    int lowerEnd = lowerEnds[range] == OPEN ? start : lowerEnds[range];
    int upperEnd = upperEnds[range] == OPEN ? lowerEnd : upperEnds[range];
    int lower = lowerEnd - start;
    int upper = upperEnd - lowerEnd;
    MemorySegment segment = paths.segment();
    if (lower > 0 && Bytes.equal(segment, start, lower, segment, lowerEnd, upper)) {
      request.addElement(columns[range], segment, start, lower);
      return;
    }
    successor.clear(KEPT_BYTES);
    if (upper > 0) {
      successor.putBytes(segment, lowerEnd, upper).putByte(0);
    }
    request.addElements(
        columns[range], segment, start, lower, successor.segment(), 0, successor.size());
  }

  /** The number of ranges. */
  int count() {
    return count;
  }

  /** The read slot of the column of a range. */
  int slot(int range) {
    return slots[range];
  }

  /** Whether a range contains the view's current cell. */
  boolean contains(int range, RowView cell) {
    int lower = lowerEnds[range];
    int upper = upperEnds[range];
    return (lower == OPEN || compare(cell, offsets[range], lower) >= 0)
        && (upper == OPEN || compare(cell, lower == OPEN ? offsets[range] : lower, upper) <= 0);
  }

  private int compare(RowView cell, int start, int end) {
    return Bytes.compare(
        cell.segment(), cell.pathOffset(), cell.pathLength(), paths.segment(), start, end - start);
  }
}
