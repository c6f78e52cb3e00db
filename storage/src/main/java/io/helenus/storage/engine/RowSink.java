package io.helenus.storage.engine;

import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Receives the results of a read in key order, or in reverse: a partition, its static row if
 * requested, its rows. Slices and views are valid only during the call. Shard thread only.
 */
public interface RowSink {
  /** What the cursor should do next. */
  enum Next {
    /** Continue. */
    CONTINUE,
    /**
     * Continue; the row counts. A read of nearest rows ends in each shard after as many such rows
     * as its request asks for; all other reads take this as CONTINUE.
     */
    KEPT,
    /** Skip the rest of this partition. */
    SKIP_PARTITION,
    /** End the read. */
    STOP
  }

  /**
   * Starts a partition that has at least one live row or static row to return; the slice is its key
   * prefix.
   */
  Next partition(MemorySegment prefix, long offset, int length);

  /** The partition's live static row; before all rows, in reverse reads too. */
  Next staticRow(RowView row);

  /**
   * A row with an unexpired liveness or a live cell. The slice is the clustering part of its key:
   * without the section byte, including the closing tag. Individual cells may be dead, see {@link
   * RowView#cellIsLive}; cells covered by a deletion have been removed.
   */
  Next row(MemorySegment clustering, long offset, int length, RowView row);

  /**
   * Before anything else, if an index is looked up: in how many files. A sink that does not want so
   * many stops the read.
   *
   * @return CONTINUE or STOP
   */
  default Next indexFiles(int files) {
    return Next.CONTINUE;
  }

  /**
   * When a read of a shard's memtables and files has ended. If several replicas are merged, before
   * their rows, for what was read on this node.
   *
   * @param files the files that were not left out by their keys and filters
   * @param blocks the blocks of these files that were read, from memory or from the file
   * @param bytes their size, uncompressed
   */
  default void sources(int files, int blocks, long bytes) {
    // of interest to few
  }

  /** What receives elements apart from their rows; null for nothing. The same for a whole read. */
  default @Nullable ElementSink elements() {
    return null;
  }
}
