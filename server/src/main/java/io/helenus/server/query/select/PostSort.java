package io.helenus.server.query.select;

import io.helenus.server.query.selection.CurrentRow;
import io.helenus.server.query.selection.SelectedRows;
import io.helenus.storage.bytes.ByteChunks;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Sorts the rows of several partitions by the key bytes of the ORDER BY columns; a group has those
 * of its first row. The sort is stable. Rows that are ordered by their vectors have other keys
 * ({@link NearestRows}). One read at a time.
 */
final class PostSort {
  private List<Row> rows = new ArrayList<>();

  /** A row: its sort key, and its start and end among the encoded rows. */
  private record Row(byte[] key, long offset, long end) {
    int length() {
      return (int) (end - offset);
    }
  }

  void begin() {
    if (!rows.isEmpty()) {
      rows = new ArrayList<>();
    }
  }

  /** Records the row or group that is encoded next. */
  void add(Ordering ordering, CurrentRow row, SelectedRows encoded) {
    Ordering.SortKey sortKey = ordering.sortKey();
    byte[] key = {};
    if (sortKey != null && row.hasRow()) {
      long from = row.clustering().componentOffset(sortKey.first());
      long to = row.clustering().componentOffset(sortKey.last() + 1);
      key = Bytes.toArray(row.clustering().segment(), from, to - from);
    }
    add(key, encoded);
  }

  /** Records the row that is encoded next and is sorted by this key. */
  void add(byte[] key, SelectedRows encoded) {
    rows.add(new Row(key, encoded.sizeBytes(), 0));
  }

  /** Drops all but the first rows; returns the key of the last one of them. */
  byte[] keep(int limit, SelectedRows encoded) {
    sort(false, limit, encoded.sizeBytes());
    if (encoded.isLarge()) {
      reorder(encoded);
    } else {
      ByteWriter first = new ByteWriter(encoded.bytes().size());
      putRows(encoded.bytes(), first);
      encoded.bytes().clear().putBytes(first.segment(), 0, first.size());
    }
    List<Row> kept = new ArrayList<>(rows.size());
    long offset = 0;
    for (Row row : rows) {
      kept.add(new Row(row.key(), offset, 0));
      offset += row.length();
    }
    rows = kept;
    return rows.getLast().key();
  }

  /** Sorts once all rows are present. */
  void sort(boolean reversed, int limit, long encodedBytes) {
    List<Row> ended = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      long end = i + 1 < rows.size() ? rows.get(i + 1).offset() : encodedBytes;
      ended.add(new Row(rows.get(i).key(), rows.get(i).offset(), end));
    }
    Comparator<Row> order = (a, b) -> Arrays.compareUnsigned(a.key(), b.key());
    ended.sort(reversed ? order.reversed() : order);
    rows = ended.size() > limit ? ended.subList(0, limit) : ended;
  }

  int count() {
    return rows.size();
  }

  void putRows(ByteWriter encoded, ByteWriter out) {
    for (Row row : rows) {
      out.putBytes(encoded.segment(), row.offset(), row.length());
    }
  }

  /** Copies large rows in their order; needs memory for both copies. */
  void reorder(SelectedRows encoded) {
    ByteChunks unordered = encoded.takeChunks();
    try {
      for (Row row : rows) {
        encoded.addAgain(unordered, row.offset(), row.length());
      }
    } finally {
      unordered.release();
    }
  }
}
