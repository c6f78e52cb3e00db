package io.helenus.server.viewbuild;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Collects the key prefixes of some partitions; ends the read before the next one. */
final class PartitionPage implements RowSink {
  private static final int PARTITIONS = 64;

  private final List<byte[]> prefixes = new ArrayList<>();

  /** The key prefixes, in their order. */
  List<byte[]> prefixes() {
    return List.copyOf(prefixes);
  }

  @Override
  public Next partition(MemorySegment prefix, long offset, int length) {
    if (prefixes.size() == PARTITIONS) {
      return Next.STOP;
    }
    prefixes.add(Bytes.toArray(prefix, offset, length));
    return Next.SKIP_PARTITION;
  }

  @Override
  public Next staticRow(RowView row) {
    return Next.CONTINUE;
  }

  @Override
  public Next row(MemorySegment clustering, long offset, int length, RowView row) {
    return Next.CONTINUE;
  }
}
