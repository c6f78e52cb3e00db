package io.helenus.storage.row;

import io.helenus.storage.bytes.ByteWriter;

/**
 * Splits a row of a mutation into the entry of the row and its elements (storage/docs/rows.md,
 * "Elements"). One thread at a time; reusable; stateless between calls.
 */
public final class RowSplitter {
  private final RowEncoder encoder = new RowEncoder();

  /**
   * Writes the row without its cells with paths. Returns false and writes nothing if nothing else
   * is in it. Leaves the view after its last cell.
   */
  public boolean row(RowView row, ByteWriter out) {
    row.rewind();
    encoder.begin(out, row.ttl(), row.expirySeconds());
    if (row.hasLiveness()) {
      encoder.liveness(row.timestamp());
    }
    if (row.hasDeletion()) {
      encoder.deletion(row.deletionTimestamp(), row.deletionSeconds());
    }
    while (row.nextCell()) {
      if (row.pathLength() < 0) {
        encoder.cell(row);
      }
    }
    return encoder.end();
  }

  /** Writes the value of an element: the current cell of a view, which has a path. */
  public void element(RowView row, ByteWriter out) {
    out.putVarint(ElementView.suffixLength(row.pathLength()));
    encoder.begin(out, 0, 0);
    encoder.withoutPath(row);
    boolean written = encoder.end();
    assert written;
  }
}
