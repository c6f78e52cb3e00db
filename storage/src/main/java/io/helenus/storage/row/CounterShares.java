package io.helenus.storage.row;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The value of a counter cell (storage/docs/rows.md): a varint number of shares, then the shares
 * (share id of 16 bytes, clock, count) in order of their ids. Of two shares with one id, the one
 * with the higher clock wins, then the one with the higher count. The clock is the timestamp of the
 * share's last increment, so that a deletion covers each share on its own, and merging is
 * commutative, associative and idempotent together with deletions. The timestamp of the cell is the
 * highest clock. Pure; any thread.
 */
public final class CounterShares {
  /** The offset of no share. */
  public static final long NONE = -1;

  static final int ID_BYTES = 16;
  static final int SHARE_BYTES = 32;

  private CounterShares() {}

  /** The sum of all counts of the value at an offset; wraps at 64 bits. */
  public static long sum(MemorySegment segment, long value) {
    long at = Bytes.varintEnd(segment, value);
    long sum = 0;
    for (long left = Bytes.getVarint(segment, value); left > 0; left--) {
      sum += count(segment, at);
      at += SHARE_BYTES;
    }
    return sum;
  }

  /** Where the share with an id starts in the value at an offset, or {@link #NONE}. */
  public static long find(MemorySegment segment, long value, ShareId id) {
    long at = Bytes.varintEnd(segment, value);
    for (long left = Bytes.getVarint(segment, value); left > 0; left--) {
      if (Bytes.getLong(segment, at) == id.high() && Bytes.getLong(segment, at + 8) == id.low()) {
        return at;
      }
      at += SHARE_BYTES;
    }
    return NONE;
  }

  /** The clock of the share at an offset. */
  public static long clock(MemorySegment segment, long share) {
    return Bytes.getLong(segment, share + ID_BYTES);
  }

  /** The count of the share at an offset. */
  public static long count(MemorySegment segment, long share) {
    return Bytes.getLong(segment, share + ID_BYTES + 8);
  }

  /** Whether a deletion covers any share of the view's current cell. */
  static boolean isCovered(RowView view, long deletion) {
    MemorySegment segment = view.segment();
    long at = Bytes.varintEnd(segment, view.valueOffset());
    for (long left = Bytes.getVarint(segment, view.valueOffset()); left > 0; left--) {
      if (clock(segment, at) <= deletion) {
        return true;
      }
      at += SHARE_BYTES;
    }
    return false;
  }

  /** Appends the value of the view's current cell without the shares that a deletion covers. */
  static void uncovered(RowView view, long deletion, ByteWriter out) {
    merge(view, view, deletion, out);
  }

  /**
   * Appends the merged value of the current cells of two views, without the shares that a deletion
   * covers.
   */
  static void merge(RowView a, RowView b, long deletion, ByteWriter out) {
    MemorySegment x = a.segment();
    MemorySegment y = b.segment();
    long i = Bytes.varintEnd(x, a.valueOffset());
    long j = Bytes.varintEnd(y, b.valueOffset());
    long iEnd = i + Bytes.getVarint(x, a.valueOffset()) * SHARE_BYTES;
    long jEnd = j + Bytes.getVarint(y, b.valueOffset()) * SHARE_BYTES;
    out.putVarint(mergeShares(x, i, iEnd, y, j, jEnd, deletion, null));
    long ignored = mergeShares(x, i, iEnd, y, j, jEnd, deletion, out);
  }

  /** Appends the merged shares unless {@code out} is null; returns their number. */
  private static long mergeShares(
      MemorySegment x,
      long xStart,
      long xEnd,
      MemorySegment y,
      long yStart,
      long yEnd,
      long deletion,
      @Nullable ByteWriter out) {
    long shares = 0;
    long i = xStart;
    long j = yStart;
    while (i < xEnd || j < yEnd) {
      int order = order(x, i, xEnd, y, j, yEnd);
      boolean first = order < 0 || order == 0 && supersedes(x, i, y, j);
      MemorySegment from = first ? x : y;
      long at = first ? i : j;
      if (clock(from, at) > deletion) {
        shares++;
        if (out != null) {
          out.putBytes(from, at, SHARE_BYTES);
        }
      }
      i += order <= 0 ? SHARE_BYTES : 0;
      j += order >= 0 ? SHARE_BYTES : 0;
    }
    return shares;
  }

  private static int order(MemorySegment x, long i, long xEnd, MemorySegment y, long j, long yEnd) {
    if (i >= xEnd) {
      return 1;
    }
    return j >= yEnd ? -1 : Bytes.compare(x, i, ID_BYTES, y, j, ID_BYTES);
  }

  private static boolean supersedes(MemorySegment x, long i, MemorySegment y, long j) {
    long xClock = clock(x, i);
    long yClock = clock(y, j);
    return xClock != yClock ? xClock > yClock : count(x, i) >= count(y, j);
  }
}
