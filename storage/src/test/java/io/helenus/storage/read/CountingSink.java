package io.helenus.storage.read;

import io.helenus.storage.engine.ReadLimits;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;

/**
 * A sink that counts rows as the result of a SELECT does: a static row, if it counts, once it is
 * known that its partition has no others.
 */
final class CountingSink implements RowSink {
  final RowCollector rows;
  private final int limit;
  private final int perPartition;
  private final boolean staticRowsCount;
  private int given;
  private int givenInPartition;
  private boolean staticSeen;
  private boolean rowsSeen;

  CountingSink(RowCollector rows, int limit, int perPartition, boolean staticRowsCount) {
    this.rows = rows;
    this.limit = limit;
    this.perPartition = perPartition;
    this.staticRowsCount = staticRowsCount;
  }

  @Override
  public Next partition(MemorySegment prefix, long offset, int length) {
    if (staticSeen && !rowsSeen && staticRowsCount && ++given == limit) {
      return Next.STOP;
    }
    givenInPartition = 0;
    staticSeen = false;
    rowsSeen = false;
    return rows.partition(prefix, offset, length);
  }

  @Override
  public Next staticRow(RowView row) {
    staticSeen = true;
    return rows.staticRow(row);
  }

  @Override
  public Next row(MemorySegment clustering, long offset, int length, RowView row) {
    rowsSeen = true;
    Next next = rows.row(clustering, offset, length, row);
    if (++given == limit && limit != ReadLimits.NONE) {
      return Next.STOP;
    }
    return ++givenInPartition == perPartition ? Next.SKIP_PARTITION : next;
  }
}
