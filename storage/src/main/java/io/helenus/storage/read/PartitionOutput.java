package io.helenus.storage.read;

import io.helenus.storage.engine.ReadLimits;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Passes the live ones of a partition's assembled rows to the sink, preceded by the partition's
 * key, and ends the partition or the read at the limits of the request ({@link ReadLimits}). Shard
 * thread only; reusable.
 */
final class PartitionOutput {
  private final ReadTally tally;
  private MemorySegment key = MemorySegment.NULL;
  private int keyLength;
  private boolean begun;

  /** Rows until the read ends; never reached without a limit. */
  private long left = Long.MAX_VALUE;

  private long leftInPartition = Long.MAX_VALUE;
  private long perPartition = Long.MAX_VALUE;
  private boolean staticRowsCount;

  /** Whether the partition has passed on nothing but a static row that counts. */
  private boolean staticRowAlone;

  PartitionOutput(ReadTally tally) {
    this.tally = tally;
  }

  /** Starts a read. */
  void open(ReadLimits limits) {
    left = orUnlimited(limits.rows());
    perPartition = orUnlimited(limits.rowsPerPartition());
    staticRowsCount = limits.doStaticRowsCount();
    staticRowAlone = false;
  }

  private static long orUnlimited(int limit) {
    return limit == ReadLimits.NONE ? Long.MAX_VALUE : limit;
  }

  /** Starts a partition; the bytes of its key prefix must stay valid until the next one starts. */
  void begin(MemorySegment segment, int length) {
    key = segment;
    keyLength = length;
    begun = false;
    leftInPartition = perPartition;
    if (staticRowAlone) {
      staticRowAlone = false;
      left--;
    }
  }

  /** Goes on within the partition, the only one, where another output has come to. */
  void goOn(PartitionOutput from) {
    begun = from.begun;
    left = from.left;
    leftInPartition = from.leftInPartition;
    staticRowAlone = from.staticRowAlone;
  }

  /** Passes a row, if there is one, to the sink. */
  RowSink.Next row(
      RowSink sink, @Nullable RowView row, MemorySegment segment, long offset, int length) {
    int liveBefore = tally.rows();
    if (row == null || !tally.count(row)) {
      return RowSink.Next.CONTINUE;
    }
    boolean live = tally.rows() != liveBefore;
    RowSink.Next next = beginPartition(sink);
    if (next != RowSink.Next.CONTINUE) {
      return next;
    }
    next = sink.row(segment, offset, length, row.rewind());
    return live ? counted(next) : next;
  }

  /** Counts a live row that has been passed on; returns how to go on. */
  private RowSink.Next counted(RowSink.Next next) {
    staticRowAlone = false;
    if (--left == 0) {
      return RowSink.Next.STOP;
    }
    return --leftInPartition == 0 && next != RowSink.Next.STOP ? RowSink.Next.SKIP_PARTITION : next;
  }

  /** Passes the static row, if there is one, to the sink. */
  RowSink.Next staticRow(RowSink sink, @Nullable RowView row) {
    int liveBefore = tally.rows();
    if (row == null || !tally.count(row)) {
      return RowSink.Next.CONTINUE;
    }
    boolean live = tally.rows() != liveBefore;
    RowSink.Next next = beginPartition(sink);
    if (next != RowSink.Next.CONTINUE) {
      return next;
    }
    staticRowAlone = live && staticRowsCount;
    return sink.staticRow(row.rewind());
  }

  private RowSink.Next beginPartition(RowSink sink) {
    if (begun) {
      return RowSink.Next.CONTINUE;
    }
    if (left == 0) {
      // the last row was the static one of the partition before
      return RowSink.Next.STOP;
    }
    begun = true;
    return sink.partition(key, 0, keyLength);
  }
}
