package io.helenus.storage.row;

import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * Moves all timestamps of an encoded mutation (storage/docs/rows.md) by the same number of
 * microseconds, in place: a write whose timestamp is decided last is encoded with a placeholder.
 * Expiry and deletion times in seconds stay. One thread at a time; reusable.
 */
public final class MutationTimes {
  private final MutationView view = new MutationView();
  private final MutationEntry entry = new MutationEntry();

  /** Adds to every timestamp of the mutation in a slice of writable memory. */
  public void shift(MemorySegment segment, long offset, int length, long byMicros) {
    view.wrap(segment, offset, length);
    while (view.nextTable()) {
      long at = view.entriesOffset();
      long end = at + view.entriesLength();
      while (at < end) {
        at = entry.wrap(segment, at);
        if (entry.kind() == RowFormat.ENTRY_ROW) {
          shiftRow(segment, entry.valueOffset(), entry.valueLength(), byMicros);
        } else {
          add(segment, entry.valueOffset(), byMicros);
        }
      }
    }
  }

  private static void shiftRow(MemorySegment segment, long row, int length, long byMicros) {
    int flags = Bytes.getByte(segment, row);
    long end = row + length;
    add(segment, row + 1, byMicros);
    long at = row + 9;
    at += (flags & RowFormat.ROW_EXPIRING) != 0 ? 8 : 0;
    if ((flags & RowFormat.ROW_DELETION) != 0) {
      add(segment, at, byMicros);
      at += RowFormat.DELETION_BYTES;
    }
    while (at < end) {
      at = shiftCell(segment, at, byMicros);
    }
  }

  /** Shifts the timestamp of a cell; returns the offset of the next one. */
  private static long shiftCell(MemorySegment segment, long cell, long byMicros) {
    long at = Bytes.varintEnd(segment, cell);
    int flags = Bytes.getUnsignedByte(segment, at);
    at++;
    if ((flags & RowFormat.CELL_OWN_TIMESTAMP) != 0) {
      add(segment, at, byMicros);
      at += 8;
    }
    boolean dead = (flags & (RowFormat.CELL_TOMBSTONE | RowFormat.CELL_COLUMN_DELETION)) != 0;
    at += (flags & RowFormat.CELL_EXPIRING) != 0 ? 8 : 0;
    at += dead ? 4 : 0;
    at = (flags & RowFormat.CELL_PATH) != 0 ? skip(segment, at) : at;
    return dead ? at : skip(segment, at);
  }

  private static long skip(MemorySegment segment, long at) {
    return Bytes.varintEnd(segment, at) + Bytes.getVarint(segment, at);
  }

  private static void add(MemorySegment segment, long at, long micros) {
    Bytes.setLong(segment, at, Bytes.getLong(segment, at) + micros);
  }
}
