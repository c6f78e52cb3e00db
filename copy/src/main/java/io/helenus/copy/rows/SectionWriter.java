package io.helenus.copy.rows;

/** Writes the static columns of partitions, or the other columns of rows. */
public interface SectionWriter {
  /**
   * Writes one row; returns when the target has acknowledged it.
   *
   * @throws io.helenus.copy.cluster.CopyException if it does not, even after several attempts
   */
  void write(RowData row);
}
