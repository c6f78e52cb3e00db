package io.helenus.server.query.modification;

import io.helenus.server.coordinator.ComputedWrite;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.RowView;
import io.helenus.storage.row.ShareId;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A write that changes lists depending on their present elements: its mutation is encoded in
 * advance but for these changes, which are added when the lists have been read. If the write is a
 * part of a larger one, it is only computed, and kept for the whole. One thread at a time.
 */
final class ListRewriteWrite implements ComputedWrite, RowSink {
  private final ReadRequest request;
  private final ByteWriter mutation;
  private final ListRewrites rewrites;
  private final boolean isPart;
  private ByteWriter whole = new ByteWriter(16);

  /**
   * Creates a write.
   *
   * @param request of the partition; rows and columns are added to it
   * @param mutation of the partition and table; owned by the write from now on
   * @param isPart whether the mutation is only computed
   */
  ListRewriteWrite(
      ReadRequest request, ByteWriter mutation, ListRewrites rewrites, boolean isPart) {
    this.request = request;
    this.mutation = mutation;
    this.rewrites = rewrites;
    this.isPart = isPart;
    rewrites.addTo(request);
  }

  @Override
  public ReadRequest request() {
    return request;
  }

  @Override
  public RowSink begin(@Nullable ShareId counterShare) {
    rewrites.begin();
    return this;
  }

  @Override
  public Next partition(MemorySegment prefix, long offset, int length) {
    return Next.CONTINUE;
  }

  @Override
  public Next staticRow(RowView row) {
    rewrites.staticRow(row);
    return Next.CONTINUE;
  }

  @Override
  public Next row(MemorySegment clustering, long offset, int length, RowView row) {
    boolean ignored = rewrites.row(clustering, offset, length, row);
    return Next.CONTINUE;
  }

  @Override
  public boolean compute(long timestampMicros, ByteWriter out) {
    if (isPart) {
      whole = new ByteWriter(mutation.size() + 256);
      boolean ignored = DependentCells.append(mutation, List.of(rewrites), 0, whole);
      return false;
    }
    return DependentCells.append(mutation, List.of(rewrites), 0, out);
  }

  /** The computed mutation of a part; it may have no entries. */
  ByteWriter computed() {
    return whole;
  }
}
