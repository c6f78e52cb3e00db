package io.helenus.storage.engine;

import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;

/**
 * Takes what a read yields, in key order (or its reverse): partition, its static row if asked for,
 * its rows. Slices and view are good during the call only. Shard thread only.
 */
public interface RowSink {
  /** What the cursor is to do next. */
  enum Next {
    /** Go on. */
    CONTINUE,
    /** Nothing more of this partition. */
    SKIP_PARTITION,
    /** Stop after this; the read ends here. */
    STOP
  }

  /**
   * A partition that has at least one live row or static row of those asked for begins; the slice
   * is its key prefix.
   */
  Next partition(MemorySegment prefix, long offset, int length);

  /** The partition's live static row; before all rows, in reverse reads too. */
  Next staticRow(RowView row);

  /**
   * A live row: it has a live liveness or a live cell. The slice is the key's clustering part:
   * after the section byte, with the closing tag. Cells of the view may be dead: ask {@link
   * RowView#cellIsLive}; cells covered by a deletion are left out already.
   */
  Next row(MemorySegment clustering, long offset, int length, RowView row);
}
