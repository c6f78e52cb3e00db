package io.helenus.server.replica;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Copies of rows of one partition, in the order of their keys. One thread at a time; reusable. */
public final class RowsRead implements RowSink {
  private static final int STOP_BYTES = 1 << 20;
  private static final int KEPT_BYTES = 64 << 10;
  private static final int IDLE_BYTES = 8 << 10;

  private final ByteWriter bytes = new ByteWriter(1024);
  private final RowView view = new RowView();
  // of each row: where its clustering key starts, where the row starts, where it ends
  private int[] positions = new int[48];
  private int count;
  private int stopBytes;
  private int stopRows;

  /** Forgets all rows. If {@code mayStop}, the read ends when they are large. */
  public void begin(boolean mayStop) {
    bytes.clear(KEPT_BYTES);
    count = 0;
    stopBytes = mayStop ? STOP_BYTES : Integer.MAX_VALUE;
    stopRows = Integer.MAX_VALUE;
  }

  /** Forgets all rows and keeps little memory. */
  void release() {
    bytes.clear(IDLE_BYTES);
    count = 0;
  }

  /** Forgets all rows; the read ends when there are so many, or when they are large. */
  public void begin(int most) {
    begin(true);
    stopRows = most;
  }

  @Override
  public Next partition(MemorySegment prefix, long offset, int length) {
    return Next.CONTINUE;
  }

  @Override
  public Next staticRow(RowView row) {
    return Next.CONTINUE;
  }

  @Override
  public Next row(MemorySegment clustering, long offset, int length, RowView row) {
    if (3 * count + 3 > positions.length) {
      positions = Arrays.copyOf(positions, 2 * positions.length);
    }
    positions[3 * count] = bytes.size();
    bytes.putBytes(clustering, offset, length);
    positions[3 * count + 1] = bytes.size();
    bytes.putBytes(row.segment(), row.offset(), row.length());
    positions[3 * count + 2] = bytes.size();
    count++;
    return bytes.size() > stopBytes || count == stopRows ? Next.STOP : Next.CONTINUE;
  }

  /** The number of rows. */
  public int count() {
    return count;
  }

  /** The bytes of all rows, until the next one is added. */
  public MemorySegment segment() {
    return bytes.segment();
  }

  /** Where the clustering key of a row starts. */
  public int keyOffset(int index) {
    return positions[3 * index];
  }

  /** The length of the clustering key of a row. */
  public int keyLength(int index) {
    return positions[3 * index + 1] - positions[3 * index];
  }

  /** A row, in a view that is used for all of them. */
  public RowView row(int index) {
    int at = positions[3 * index + 1];
    return view.wrap(bytes.segment(), at, positions[3 * index + 2] - at);
  }

  /** The clustering key of the last row; null if there is none. */
  public byte @Nullable [] lastKey() {
    return count == 0
        ? null
        : Bytes.toArray(bytes.segment(), keyOffset(count - 1), keyLength(count - 1));
  }

  /** Compares the keys of two rows. */
  int compare(int index, RowsRead other, int otherIndex) {
    return Bytes.compare(
        bytes.segment(),
        keyOffset(index),
        keyLength(index),
        other.bytes.segment(),
        other.keyOffset(otherIndex),
        other.keyLength(otherIndex));
  }
}
