package io.helenus.storage.row;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * Merges the values of two counter cells. A value is a varint number of shares, then the shares
 * (replica id of 16 bytes, clock, count) in order of replica id. Of two shares of one replica, the
 * one with the higher clock wins, then the one with the higher count. Pure; any thread.
 */
final class CounterShares {
  private static final int ID_BYTES = 16;
  private static final int SHARE_BYTES = 32;

  private CounterShares() {}

  /** Appends the merged value of the current cells of two views. */
  static void merge(RowView a, RowView b, ByteWriter out) {
    MemorySegment x = a.segment();
    MemorySegment y = b.segment();
    long i = Bytes.varintEnd(x, a.valueOffset());
    long j = Bytes.varintEnd(y, b.valueOffset());
    long iEnd = i + Bytes.getVarint(x, a.valueOffset()) * SHARE_BYTES;
    long jEnd = j + Bytes.getVarint(y, b.valueOffset()) * SHARE_BYTES;
    out.putVarint(countUnion(x, i, iEnd, y, j, jEnd));
    while (i < iEnd || j < jEnd) {
      int order = order(x, i, iEnd, y, j, jEnd);
      if (order < 0 || order == 0 && supersedes(x, i, y, j)) {
        out.putBytes(x, i, SHARE_BYTES);
      } else {
        out.putBytes(y, j, SHARE_BYTES);
      }
      i += order <= 0 ? SHARE_BYTES : 0;
      j += order >= 0 ? SHARE_BYTES : 0;
    }
  }

  private static long countUnion(
      MemorySegment x, long xStart, long xEnd, MemorySegment y, long yStart, long yEnd) {
    long count = 0;
    long i = xStart;
    long j = yStart;
    while (i < xEnd || j < yEnd) {
      int order = order(x, i, xEnd, y, j, yEnd);
      i += order <= 0 ? SHARE_BYTES : 0;
      j += order >= 0 ? SHARE_BYTES : 0;
      count++;
    }
    return count;
  }

  private static int order(MemorySegment x, long i, long xEnd, MemorySegment y, long j, long yEnd) {
    if (i >= xEnd) {
      return 1;
    }
    return j >= yEnd ? -1 : Bytes.compare(x, i, ID_BYTES, y, j, ID_BYTES);
  }

  private static boolean supersedes(MemorySegment x, long i, MemorySegment y, long j) {
    long xClock = Bytes.getLong(x, i + ID_BYTES);
    long yClock = Bytes.getLong(y, j + ID_BYTES);
    return xClock != yClock
        ? xClock > yClock
        : Bytes.getLong(x, i + ID_BYTES + 8) >= Bytes.getLong(y, j + ID_BYTES + 8);
  }
}
