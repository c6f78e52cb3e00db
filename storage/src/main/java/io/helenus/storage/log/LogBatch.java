package io.helenus.storage.log;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.memory.LargeSegments;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The encoded records of one tick, each with the tag given to {@link CommitLog#append}. Shard
 * thread only; reused.
 */
public final class LogBatch {
  private static final int KEEP_BYTES = 1 << 20;
  private static final int FIRST_BYTES = 1 << 14;
  final ByteWriter bytes;
  private int count;
  private long[] positions = new long[32];
  private int[] offsets = new int[32];
  private int[] lengths = new int[32];
  private @Nullable Object[] tags = new @Nullable Object[32];

  /** The number of {@link #bytes} that have been written to a segment. */
  int writtenBytes;

  /** The log position after the last record, once written. */
  long end;

  LogBatch(LargeSegments segments) {
    bytes = ByteWriter.recycling(segments, FIRST_BYTES);
  }

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

  /** The number of records. */
  public int count() {
    return count;
  }

  /** The memory that contains the payloads. */
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

  /** The tag attached to a record. */
  public @Nullable Object tag(int record) {
    return tags[record];
  }
}
