package io.helenus.storage.memtable;

import io.helenus.storage.index.vector.VectorFeed;
import io.helenus.storage.index.vector.VectorRun;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The vectors that were written to a memtable, in its memory. One thread at a time. */
public final class VectorList {
  private final Slabs slabs;
  private final VectorFeed feed;
  private MemorySegment[] segments = new MemorySegment[0];
  private long[] offsets = new long[0];
  private int count;

  VectorList(Slabs slabs, VectorFeed feed) {
    this.slabs = slabs;
    this.feed = feed;
  }

  /** Adds the vector of a row, if it has one. */
  void add(MemorySegment key, long offset, int length, int prefixLength, RowView row) {
    if (!feed.find(key, offset, prefixLength, row)) {
      return;
    }
    if (count == segments.length) {
      int capacity = Math.max(16, 2 * count);
      segments = Arrays.copyOf(segments, capacity);
      offsets = Arrays.copyOf(offsets, capacity);
    }
    int dimension = feed.options().dimension();
    long reference = slabs.allocate(VectorRun.entryBytes(dimension, length));
    segments[count] = slabs.segment(reference);
    offsets[count] = Slabs.offset(reference);
    VectorRun.write(
        segments[count],
        offsets[count],
        key,
        offset,
        length,
        prefixLength,
        feed.vector(),
        feed.squaredLength());
    count++;
  }

  /** The number of vectors. */
  public int size() {
    return count;
  }

  /** The vectors written so far, for any thread, as long as the memtable is retained. */
  public VectorRun run() {
    return new VectorRun(feed.options().dimension(), segments, offsets, count);
  }
}
