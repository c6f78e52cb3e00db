package io.helenus.storage.merge;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.row.DroppedColumns;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.RowMerge;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.Entry;
import java.lang.foreign.MemorySegment;

/**
 * Assembles a row from its versions. Nothing is copied as long as one version supersedes the
 * others. One thread; reusable.
 */
public final class RowAssembly {
  private static final int KEPT_BYTES = 64 * 1024;

  private final AssembledBytes assembled;
  private final RowMerge merge = new RowMerge();
  private final RowView other = new RowView();
  private final RowView row = new RowView();
  private ByteWriter scratch;
  private ByteWriter spare;
  private boolean empty = true;

  /** Takes memory for large rows from these segments, and counts the bytes of versions. */
  public RowAssembly(LargeSegments segments, AssembledBytes assembled) {
    this.assembled = assembled;
    scratch = ByteWriter.recycling(segments, 512);
    spare = ByteWriter.recycling(segments, 512);
  }

  /** Adds a version of an element as a row with one cell without a path. */
  public void addElement(Entry element, ElementView view) {
    long at = element.view(view).rowOffset();
    add(element.valueSegment(), at, (int) (element.valueOffset() + element.valueLength() - at));
  }

  /** Ends the last row and releases its memory if it is large. */
  public void close() {
    empty = true;
    scratch.clear(KEPT_BYTES);
    spare.clear(KEPT_BYTES);
  }

  /** Releases all of its memory. */
  void free() {
    empty = true;
    scratch.clear(0);
    spare.clear(0);
  }

  /** Starts a new row. */
  public void clear() {
    empty = true;
  }

  /** Adds a version. Its bytes must stay valid until the row has been used. */
  public void add(MemorySegment segment, long offset, int length) {
    assembled.add(length);
    if (empty) {
      row.wrap(segment, offset, length);
      empty = false;
      return;
    }
    other.wrap(segment, offset, length);
    if (RowMerge.covers(row, other)) {
      return;
    }
    if (RowMerge.covers(other, row)) {
      row.wrap(segment, offset, length);
      return;
    }
    ByteWriter out = nextScratch();
    empty = !merge.merge(row, other, out);
    if (!empty) {
      row.wrap(out.segment(), 0, out.size());
    }
  }

  /** The scratch buffer that does not hold the current row. */
  private ByteWriter nextScratch() {
    ByteWriter next = spare;
    spare = scratch;
    scratch = next;
    return next.clear(KEPT_BYTES);
  }

  /** Removes the cells that a deletion covers and those of dropped columns. */
  public void cover(long deletion, DroppedColumns dropped) {
    if (!empty && RowMerge.needsFilter(row, deletion, dropped)) {
      ByteWriter out = nextScratch();
      empty = !merge.filter(row, deletion, dropped, out);
      if (!empty) {
        row.wrap(out.segment(), 0, out.size());
      }
    }
  }

  /**
   * Removes deletions that may be purged, and wire values of clustering columns of which nothing
   * else is left unless {@code keepForm}.
   */
  void purge(PurgeRules rules, long purgeableBefore, boolean keepForm, boolean needsLiveness) {
    if (!empty && RowMerge.needsPurge(row)) {
      ByteWriter out = nextScratch();
      empty =
          !merge.purge(
              row,
              rules.nowSeconds(),
              rules.gcBeforeSeconds(),
              purgeableBefore,
              keepForm,
              needsLiveness,
              out);
      if (!empty) {
        row.wrap(out.segment(), 0, out.size());
      }
    }
  }

  /** Whether there is no row, or nothing is left of it. */
  public boolean isEmpty() {
    return empty;
  }

  /** The row; the position of the view is undefined. */
  public RowView row() {
    return row;
  }
}
