package io.helenus.storage.read;

import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Passes the live ones of a partition's assembled rows to the sink, preceded by the partition's
 * key. Shard thread only; reusable.
 */
final class PartitionOutput {
  private final ReadTally tally;
  private MemorySegment key = MemorySegment.NULL;
  private int keyLength;
  private boolean begun;

  PartitionOutput(ReadTally tally) {
    this.tally = tally;
  }

  /** Starts a partition; the bytes of its key prefix must stay valid until the next one starts. */
  void begin(MemorySegment segment, int length) {
    key = segment;
    keyLength = length;
    begun = false;
  }

  /** Passes a row, if there is one, to the sink. */
  RowSink.Next row(
      RowSink sink, @Nullable RowView row, MemorySegment segment, long offset, int length) {
    if (row == null || !tally.count(row)) {
      return RowSink.Next.CONTINUE;
    }
    RowSink.Next next = beginPartition(sink);
    return next == RowSink.Next.CONTINUE ? sink.row(segment, offset, length, row.rewind()) : next;
  }

  /** Passes the static row, if there is one, to the sink. */
  RowSink.Next staticRow(RowSink sink, @Nullable RowView row) {
    if (row == null || !tally.count(row)) {
      return RowSink.Next.CONTINUE;
    }
    RowSink.Next next = beginPartition(sink);
    return next == RowSink.Next.CONTINUE ? sink.staticRow(row.rewind()) : next;
  }

  private RowSink.Next beginPartition(RowSink sink) {
    if (begun) {
      return RowSink.Next.CONTINUE;
    }
    begun = true;
    return sink.partition(key, 0, keyLength);
  }
}
