package io.helenus.storage.log;

import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The records of one tick, as they are written, with what their giver attached to each. Shard
 * thread only; reused.
 */
public final class LogBatch {
  private static final int KEEP_BYTES = 1 << 20;
  private static final int FIRST_BYTES = 1 << 14;
  final ByteWriter bytes = new ByteWriter(FIRST_BYTES);
  private int count;
  private long[] positions = new long[32];
  private int[] offsets = new int[32];
  private int[] lengths = new int[32];
  private @Nullable Object[] tags = new @Nullable Object[32];

  /** How much of {@link #bytes} has been written to a segment. */
  int writtenBytes;

  /** The log's position after the last record, once written. */
  long end;

  LogBatch() {}

  void add(long position, int payloadOffset, int payloadLength, @Nullable Object tag) {
    if (count == tags.length) {
      positions = Arrays.copyOf(positions, 2 * count);
      offsets = Arrays.copyOf(offsets, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
      tags = Arrays.copyOf(tags, 2 * count);
    }
    positions[count] = position;
    offsets[count] = payloadOffset;
    lengths[count] = payloadLength;
    tags[count++] = tag;
  }

  void clear() {
    Arrays.fill(tags, 0, count, null);
    count = 0;
    bytes.clear(KEEP_BYTES);
    writtenBytes = 0;
    end = 0;
  }

  /** How many records. */
  public int count() {
    return count;
  }

  /** The memory that the payloads lie in. */
  public MemorySegment segment() {
    return bytes.segment();
  }

  /** The log position of a record. */
  public long position(int record) {
    return positions[record];
  }

  /** Where a record's payload starts in {@link #segment}. */
  public int offset(int record) {
    return offsets[record];
  }

  /** The length of a record's payload. */
  public int length(int record) {
    return lengths[record];
  }

  /** What was attached to a record. */
  public @Nullable Object tag(int record) {
    return tags[record];
  }
}
