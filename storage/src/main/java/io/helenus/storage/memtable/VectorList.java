package io.helenus.storage.memtable;

import io.helenus.storage.engine.GraphLimits;
import io.helenus.storage.row.RowView;
import io.helenus.storage.vector.VectorFeed;
import io.helenus.storage.vector.VectorRun;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The vectors that were written to a memtable, in its memory. One thread at a time. */
public final class VectorList {
  /** So many vectors make a search slow, even if it is the only one. */
  private static final int MANY = 8192;

  /**
   * After how many searches a graph, which takes about as much time as 5,000 comparisons for each
   * of its vectors, will pay off.
   */
  private static final int MANY_SEARCHES = 1000;

  private final Slabs slabs;
  private final VectorFeed feed;
  private MemorySegment[] segments = new MemorySegment[0];
  private long[] offsets = new long[0];
  private MemorySegment[] codeSegments = new MemorySegment[0];
  private long[] codeOffsets = new long[0];
  private int count;

  /** How many vectors all searches have compared. */
  private long compared;

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
    if (VectorRun.codesBytes(dimension) > 0) {
      addCode();
    }
    count++;
  }

  private void addCode() {
    int together = count / VectorRun.CODES;
    if (count % VectorRun.CODES == 0) {
      if (together == codeSegments.length) {
        int capacity = Math.max(4, 2 * together);
        codeSegments = Arrays.copyOf(codeSegments, capacity);
        codeOffsets = Arrays.copyOf(codeOffsets, capacity);
      }
      long reference = slabs.allocate(VectorRun.codesBytes(feed.options().dimension()));
      codeSegments[together] = slabs.segment(reference);
      codeOffsets[together] = Slabs.offset(reference);
    }
    feed.writeCode(codeSegments[together], codeOffsets[together], count % VectorRun.CODES);
  }

  /** Whether it is better to flush them, so that they get a graph, than to compare all of them. */
  boolean areCostly() {
    return count >= MANY
        || (count >= GraphLimits.FEWEST_VECTORS && compared >= (long) MANY_SEARCHES * count);
  }

  /**
   * The vectors written so far, to be compared by one search: in any thread, as long as the
   * memtable is retained.
   */
  public VectorRun run() {
    compared += count;
    return new VectorRun(
        feed.options().dimension(), segments, offsets, codeSegments, codeOffsets, count);
  }
}
