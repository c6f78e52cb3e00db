package io.helenus.storage.row;

import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * The increments in a mutation that has not been computed yet. An increment is encoded like a
 * counter cell with one share ({@link MutationWriter#counterDelta}) whose id is zeros and whose
 * count is the delta. Computing the mutation settles each increment in place, as the share of the
 * node with the count after the increment; only settled mutations are logged. One thread at a time;
 * reusable.
 */
public final class CounterDeltas {
  private final MutationView view = new MutationView();
  private final MutationEntry entry = new MutationEntry();
  private final RowView row = new RowView();

  /** Receives the increments of a mutation in its order. */
  public interface Visitor {
    /**
     * An increment.
     *
     * @param suffixOffset where the key suffix of its row starts
     * @param cell where its cell is; valid for {@link #settle} as long as the mutation is at the
     *     same place
     */
    void increment(
        MemorySegment segment, long suffixOffset, int suffixLength, int column, long cell);
  }

  /** Visits the increments of a mutation. */
  public void forEach(MemorySegment segment, long offset, int length, Visitor visitor) {
    view.wrap(segment, offset, length);
    while (view.nextTable()) {
      long at = view.entriesOffset();
      long end = at + view.entriesLength();
      while (at < end) {
        at = entry.wrap(segment, at);
        if (entry.kind() == RowFormat.ENTRY_ROW) {
          visitRow(segment, visitor);
        }
      }
    }
  }

  private void visitRow(MemorySegment segment, Visitor visitor) {
    row.wrap(segment, entry.valueOffset(), entry.valueLength());
    while (row.nextCell()) {
      if ((row.cellFlags() & RowFormat.CELL_COUNTER) != 0) {
        visitor.increment(
            segment, entry.suffixOffset(), entry.suffixLength(), row.column(), row.valueOffset());
      }
    }
  }

  /** The delta of an increment. */
  public static long delta(MemorySegment segment, long cell) {
    return CounterShares.count(segment, cell + 1);
  }

  /** The timestamp of an increment. */
  public static long timestamp(MemorySegment segment, long cell) {
    return Bytes.getLong(segment, cell - 9);
  }

  /** Turns an increment into a share. */
  public static void settle(MemorySegment segment, long cell, ShareId id, long clock, long count) {
    Bytes.setLong(segment, cell - 9, clock);
    Bytes.setLong(segment, cell + 1, id.high());
    Bytes.setLong(segment, cell + 9, id.low());
    Bytes.setLong(segment, cell + 17, clock);
    Bytes.setLong(segment, cell + 25, count);
  }
}
