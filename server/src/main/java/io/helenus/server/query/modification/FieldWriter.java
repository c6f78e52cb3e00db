package io.helenus.server.query.modification;

import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.types.UserTypeCells;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;

/**
 * Writes the changes of one user type that is not frozen as cells of the current row: a deletion of
 * the column if the whole value is replaced, then one cell or tombstone for each field that
 * changes. One per {@link WriteTimes}; shard thread only.
 */
final class FieldWriter {
  private final ByteWriter path = new ByteWriter(UserTypeCells.PATH_BYTES);
  private final WriteTimes times;

  FieldWriter(WriteTimes times) {
    this.times = times;
  }

  /** Whether the changes write any cell. */
  static boolean writes(CellOperation.ChangeFields operation, BoundSlots bound) {
    for (FieldChange change : operation.changes()) {
      boolean any =
          switch (change) {
            case FieldChange.Replace(int slot) -> bound.length(slot) != BoundSlots.UNSET;
            case FieldChange.Clear ignored -> true;
            case FieldChange.Set(int ignored, int slot) -> bound.length(slot) != BoundSlots.UNSET;
            case FieldChange.Delete ignored -> true;
          };
      if (any) {
        return true;
      }
    }
    return false;
  }

  /** Writes the cells. Returns their size by Cassandra's count for batches. */
  int write(CellOperation.ChangeFields operation, BoundSlots bound, MutationWriter out) {
    int counted = writes(operation, bound) ? EntryWriter.COLUMN_DELETION_BYTES : 0;
    for (FieldChange change : operation.changes()) {
      counted +=
          switch (change) {
            case FieldChange.Replace(int slot) -> replace(operation.column(), slot, bound, out);
            case FieldChange.Clear ignored -> {
              out.columnDeletion(operation.column(), times.timestampMicros(), times.nowSeconds());
              yield 0;
            }
            case FieldChange.Set(int field, int slot) ->
                set(
                    operation.column(),
                    field,
                    bound.segment(slot),
                    bound.offset(slot),
                    bound.length(slot),
                    out);
            case FieldChange.Delete(int field) ->
                set(operation.column(), field, MemorySegment.NULL, 0, BoundSlots.NULL, out);
          };
    }
    return counted;
  }

  /** Null fields of the new value need no tombstones: the deletion covers their old cells. */
  private int replace(int column, int slot, BoundSlots bound, MutationWriter out) {
    int length = bound.length(slot);
    if (length == BoundSlots.UNSET) {
      return 0;
    }
    // One microsecond older than the new cells, so that it does not cover them.
    out.columnDeletion(column, times.timestampMicros() - 1, times.nowSeconds());
    int counted = 0;
    MemorySegment value = bound.segment(slot);
    long at = bound.offset(slot);
    long end = at + Math.max(length, 0);
    for (int field = 0; at < end; field++) {
      int size = Bytes.getInt(value, at);
      at += 4;
      if (size >= 0) {
        counted += set(column, field, value, at, size, out);
        at += size;
      }
    }
    return counted;
  }

  private int set(
      int column, int field, MemorySegment value, long offset, int length, MutationWriter out) {
    if (length == BoundSlots.UNSET) {
      return 0;
    }
    UserTypeCells.putPath(field, path.clear());
    long timestamp = times.timestampMicros();
    if (length == BoundSlots.NULL) {
      out.pathTombstone(column, timestamp, times.nowSeconds(), path.segment(), 0, path.size());
      return EntryWriter.CELL_BYTES + path.size();
    }
    out.pathCell(column, timestamp, path.segment(), 0, path.size(), value, offset, length);
    return EntryWriter.CELL_BYTES + path.size() + length;
  }
}
