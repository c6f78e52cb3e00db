package io.helenus.storage.lookup;

import io.helenus.storage.engine.ElementSink;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Passes rows of a partition on that are read in several parts, and the partition and its static
 * row only once. Shard thread only.
 */
final class PartsOutput implements RowSink {
  private @Nullable RowSink sink;
  private boolean begun;
  private boolean staticPassed;
  private boolean skipping;

  private RowSink sink() {
    RowSink current = sink;
    if (current == null) {
      throw new IllegalStateException("not reading");
    }
    return current;
  }

  /** Passes everything on to a sink. */
  void to(RowSink newSink) {
    sink = newSink;
  }

  void beginPartition() {
    begun = false;
    staticPassed = false;
    skipping = false;
  }

  /** The rest of the partition is not needed. */
  void skip() {
    skipping = true;
  }

  boolean isSkipping() {
    return skipping;
  }

  private Next noted(Next next) {
    skipping |= next == Next.SKIP_PARTITION;
    return next;
  }

  @Override
  public void sources(int files, int blocks, long bytes) {
    sink().sources(files, blocks, bytes);
  }

  @Override
  public Next partition(MemorySegment prefix, long offset, int length) {
    if (begun) {
      return Next.CONTINUE;
    }
    begun = true;
    return noted(sink().partition(prefix, offset, length));
  }

  @Override
  public Next staticRow(RowView row) {
    if (staticPassed) {
      return Next.CONTINUE;
    }
    staticPassed = true;
    return noted(sink().staticRow(row));
  }

  @Override
  public Next row(MemorySegment clustering, long offset, int length, RowView row) {
    return noted(sink().row(clustering, offset, length, row));
  }

  @Override
  public @Nullable ElementSink elements() {
    return sink().elements();
  }
}
