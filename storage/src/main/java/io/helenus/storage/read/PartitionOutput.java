package io.helenus.storage.read;

import io.helenus.storage.engine.RowSink;
import io.helenus.storage.merge.RowAssembly;
import java.lang.foreign.MemorySegment;

/**
 * Hands the assembled rows of a partition to the sink, if they are live: its key first, before the
 * first row. Shard thread; reusable.
 */
final class PartitionOutput {
  private final ReadTally tally;
  private final RowAssembly assembly;
  private MemorySegment key = MemorySegment.NULL;
  private int keyLength;
  private boolean begun;

  PartitionOutput(ReadTally tally, RowAssembly assembly) {
    this.tally = tally;
    this.assembly = assembly;
  }

  /** Starts a partition; its key prefix stays where it is until the next one starts. */
  void begin(MemorySegment segment, int length) {
    key = segment;
    keyLength = length;
    begun = false;
  }

  /** Hands out the row with these clustering bytes. */
  RowSink.Next row(RowSink sink, MemorySegment segment, long offset, int length) {
    if (assembly.isEmpty() || !tally.count(assembly.row())) {
      return RowSink.Next.CONTINUE;
    }
    RowSink.Next next = beginPartition(sink);
    return next == RowSink.Next.CONTINUE
        ? sink.row(segment, offset, length, assembly.row().rewind())
        : next;
  }

  /** Hands out the static row. */
  RowSink.Next staticRow(RowSink sink) {
    if (assembly.isEmpty() || !tally.count(assembly.row())) {
      return RowSink.Next.CONTINUE;
    }
    RowSink.Next next = beginPartition(sink);
    return next == RowSink.Next.CONTINUE ? sink.staticRow(assembly.row().rewind()) : next;
  }

  private RowSink.Next beginPartition(RowSink sink) {
    if (begun) {
      return RowSink.Next.CONTINUE;
    }
    begun = true;
    return sink.partition(key, 0, keyLength);
  }
}
