package io.helenus.storage.bytes;

import io.helenus.storage.memory.SegmentSource;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes in several segments of native memory, in order: the rows of a large answer. They are added
 * at the end and taken from the front, and each segment is released as soon as its last byte was
 * taken. Whoever owns the chunks takes all of them or releases them. One thread at a time.
 */
public final class ByteChunks {
  /** A segment, the number of bytes in it, and their position among all bytes. */
  private record Chunk(MemorySegment segment, int length, long start) {}

  private final SegmentSource source;
  private final List<Chunk> chunks = new ArrayList<>();
  private long size;

  /** The first chunk that has not been taken, and what was taken of it. */
  private int first;

  private int taken;

  /** No bytes. */
  public ByteChunks(SegmentSource source) {
    this.source = source;
  }

  /** Adds the contents of a writer, with their memory, which the writer no longer uses. */
  public void add(ByteWriter writer) {
    int length = writer.size();
    chunks.add(new Chunk(writer.detach(), length, size));
    size += length;
  }

  /** The number of bytes that were added. */
  public long size() {
    return size;
  }

  /** Whether all bytes were taken. */
  public boolean isEnd() {
    return first == chunks.size();
  }

  /** Takes at most this many bytes; returns their number, which is smaller at the end only. */
  public int take(int most, ByteWriter out) {
    int left = most;
    while (left > 0 && first < chunks.size()) {
      Chunk chunk = chunks.get(first);
      int part = Math.min(left, chunk.length() - taken);
      out.putBytes(chunk.segment(), taken, part);
      taken += part;
      left -= part;
      if (taken == chunk.length()) {
        giveBackFirst();
      }
    }
    return most - left;
  }

  private void giveBackFirst() {
    MemorySegment segment = chunks.get(first).segment();
    first++;
    taken = 0;
    source.giveBack(segment);
  }

  /** Copies bytes that are in one chunk and have not been taken. */
  public void copy(long start, int length, ByteWriter out) {
    int low = 0;
    int high = chunks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (chunks.get(middle).start() <= start) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    Chunk chunk = chunks.get(low);
    out.putBytes(chunk.segment(), start - chunk.start(), length);
  }

  /** Gives all memory back. */
  public void release() {
    while (!isEnd()) {
      giveBackFirst();
    }
  }
}
