package io.helenus.storage.read;

import io.helenus.storage.engine.RowSink;
import io.helenus.storage.merge.RowAssembly;
import java.lang.foreign.MemorySegment;

/**
 * Passes the live ones of a partition's assembled rows to the sink, preceded by the partition's
 * key. Shard thread only; reusable.
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

  /** Starts a partition; the bytes of its key prefix must stay valid until the next one starts. */
  void begin(MemorySegment segment, int length) {
    key = segment;
    keyLength = length;
    begun = false;
  }

  /** Passes the row with these clustering bytes to the sink. */
  RowSink.Next row(RowSink sink, MemorySegment segment, long offset, int length) {
    if (assembly.isEmpty() || !tally.count(assembly.row())) {
      return RowSink.Next.CONTINUE;
    }
    RowSink.Next next = beginPartition(sink);
    return next == RowSink.Next.CONTINUE
        ? sink.row(segment, offset, length, assembly.row().rewind())
        : next;
  }

  /** Passes the static row to the sink. */
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
