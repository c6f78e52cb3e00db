package io.helenus.server.query.modification;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Cells of a write to one partition of one table that depend on the rows which it changes: the rows
 * are read, then the cells are written. One thread at a time.
 */
interface DependentCells {
  /** Forgets what was read. */
  void begin();

  /** Reads the static row. */
  void staticRow(RowView row);

  /**
   * Reads a row, given the clustering part of its key.
   *
   * @return whether following rows are needed even if the conditions need none of them
   */
  boolean row(MemorySegment clustering, long offset, int length, RowView row);

  /**
   * Writes the cells as entries of their own.
   *
   * @param shiftMicros added to the timestamps
   * @return whether there are any
   * @throws io.helenus.server.error.CqlException if a cell cannot be computed
   */
  boolean write(long shiftMicros, MutationWriter out);

  /**
   * Appends a mutation of one table with dependent cells added.
   *
   * @return false if it has no entries
   */
  static boolean append(
      ByteWriter mutation, List<DependentCells> cells, long shiftMicros, ByteWriter out) {
    MutationView view = new MutationView().wrap(mutation.segment(), 0, mutation.size());
    MutationWriter writer = new MutationWriter(out);
    writer.begin(
        view.token(), view.epoch(), view.segment(), view.prefixOffset(), view.prefixLength());
    boolean any = false;
    while (view.nextTable()) {
      writer
          .beginTable(view.tableId())
          .entries(view.segment(), view.entriesOffset(), view.entriesLength());
      any = view.entriesLength() > 0;
    }
    for (DependentCells each : cells) {
      any |= each.write(shiftMicros, writer);
    }
    writer.endTable().finish();
    return any;
  }
}
