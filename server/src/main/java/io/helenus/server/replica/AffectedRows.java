package io.helenus.server.replica;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationEntry;
import io.helenus.storage.row.RowFormat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a partition that entries of a mutation may change, as slices of key suffixes,
 * ascending and disjoint, to be read piece by piece: some single rows or a part of a range at a
 * time. Shard thread only.
 */
final class AffectedRows {
  /** How many single rows are read at once. */
  private static final int ROWS_AT_ONCE = 64;

  private static final byte[] FIRST = {KeyFormat.SECTION_ROWS, KeyFormat.TAG_BOUND_BEFORE};
  private static final byte[] LAST = {KeyFormat.SECTION_ROWS, KeyFormat.TAG_BOUND_AFTER};

  /** A row, or the keys in [lower, upper). */
  private record Slice(byte[] lower, byte @Nullable [] upper) {}

  private final List<Slice> slices = new ArrayList<>(1);
  private int next;
  private int end;
  private byte @Nullable [] resumeAt;

  /** Takes the entries of one table of a mutation. */
  AffectedRows(MemorySegment segment, long offset, long length) {
    MutationEntry entry = new MutationEntry();
    List<Slice> found = new ArrayList<>(1);
    long at = offset;
    while (at < offset + length) {
      at = entry.wrap(segment, at);
      switch (entry.kind()) {
        case RowFormat.ENTRY_PARTITION_DELETION -> found.add(new Slice(FIRST, LAST));
        case RowFormat.ENTRY_RANGE_DELETION ->
            found.add(
                new Slice(
                    Bytes.toArray(segment, entry.suffixOffset(), entry.suffixLength()),
                    Bytes.toArray(segment, entry.endSuffixOffset(), entry.endSuffixLength())));
        default -> {
          byte[] suffix = Bytes.toArray(segment, entry.suffixOffset(), entry.suffixLength());
          if (suffix[0] == KeyFormat.SECTION_ROWS) {
            found.add(new Slice(suffix, null));
          }
        }
      }
    }
    if (found.size() == 1) {
      slices.add(found.getFirst());
      return;
    }
    found.sort((a, b) -> Arrays.compareUnsigned(a.lower, b.lower));
    found.forEach(this::append);
  }

  /** Appends a slice, or joins it with the last one if they overlap. */
  private void append(Slice slice) {
    Slice last = slices.isEmpty() ? null : slices.getLast();
    if (last == null) {
      slices.add(slice);
    } else if (last.upper == null) {
      if (!Arrays.equals(last.lower, slice.lower)) {
        slices.add(slice);
      }
    } else if (Arrays.compareUnsigned(slice.lower, last.upper) >= 0) {
      slices.add(slice);
    } else if (slice.upper != null && Arrays.compareUnsigned(slice.upper, last.upper) > 0) {
      slices.set(slices.size() - 1, new Slice(last.lower, slice.upper));
    }
  }

  /** Adds the next piece to a read; false if there is none. */
  boolean addNext(ReadRequest request) {
    if (next == slices.size()) {
      return false;
    }
    Slice first = slices.get(next);
    end = next;
    if (first.upper != null) {
      addRange(request, resumeAt == null ? first.lower : resumeAt, first.upper);
      end++;
      return true;
    }
    while (end < slices.size() && end - next < ROWS_AT_ONCE && slices.get(end).upper == null) {
      byte[] row = slices.get(end++).lower;
      request.addRow(row);
    }
    return true;
  }

  /** Whether the piece that was added consists of single rows. */
  boolean areSingleRows() {
    return slices.get(next).upper == null;
  }

  /**
   * Moves on after single rows.
   *
   * @param stoppedAt the clustering part of the last row that was read if the read stopped there
   */
  void passRows(byte @Nullable [] stoppedAt) {
    boolean passed = false;
    while (next < end && !passed) {
      byte[] row = slices.get(next++).lower;
      passed =
          stoppedAt != null && Arrays.equals(row, 1, row.length, stoppedAt, 0, stoppedAt.length);
    }
  }

  /**
   * Adds the same piece to another read, as far as the first one got, and moves on.
   *
   * @param stoppedAt the clustering part of the last row that was read if the read stopped there
   */
  void addSame(ReadRequest request, byte @Nullable [] stoppedAt) {
    Slice first = slices.get(next);
    if (first.upper == null) {
      int from = next;
      passRows(stoppedAt);
      for (Slice slice : slices.subList(from, next)) {
        request.addRow(slice.lower);
      }
      return;
    }
    byte[] lower = resumeAt == null ? first.lower : resumeAt;
    if (stoppedAt == null) {
      addRange(request, lower, first.upper);
      resumeAt = null;
      next = end;
      return;
    }
    ByteWriter after = new ByteWriter(stoppedAt.length + 1).putByte(KeyFormat.SECTION_ROWS);
    after.putBytes(stoppedAt).truncate(stoppedAt.length);
    resumeAt = after.putByte(KeyFormat.TAG_BOUND_AFTER).toArray();
    addRange(request, lower, resumeAt);
  }

  private static void addRange(ReadRequest request, byte[] lower, byte[] upper) {
    request.addSlice(of(lower).segment(), 0, lower.length, of(upper).segment(), 0, upper.length);
  }

  private static ByteWriter of(byte[] bytes) {
    return new ByteWriter(bytes.length).putBytes(bytes);
  }
}
