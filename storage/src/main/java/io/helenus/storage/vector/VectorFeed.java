package io.helenus.storage.vector;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.Entry;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes the vectors of one index out of rows. Vectors that have no similarity to any other (of
 * length 0 by their angle, or infinite) are left out. One thread at a time.
 */
public final class VectorFeed {
  private static final int DEAD = RowFormat.CELL_TOMBSTONE | RowFormat.CELL_COLUMN_DELETION;

  private final int column;
  private final VectorOptions options;
  private final float[] vector;
  private final float[] noMean;
  private final @Nullable VectorCode code;
  private final RowView cells = new RowView();
  private float squaredLength;

  /** Takes out the vectors of an index. */
  public VectorFeed(IndexDescriptor index) {
    column = index.columnId();
    options = Objects.requireNonNull(index.vectors());
    vector = new float[options.dimension()];
    noMean = new float[options.dimension()];
    boolean hasCode = VectorLayout.hasCodes(options.dimension());
    code = hasCode ? new VectorCode(options.dimension()) : null;
  }

  /** How the vectors are compared. */
  public VectorOptions options() {
    return options;
  }

  /** Adds the vector of an entry of the table, if it is a row with one, to a file. */
  public void add(Entry entry, VectorFileWriter writer) throws IOException {
    if (entry.kind() == Entry.ROW) {
      cells.wrap(entry.valueSegment(), entry.valueOffset(), entry.valueLength());
      if (find(cells)) {
        writer.add(
            entry.keySegment(),
            entry.keyOffset(),
            entry.keyLength(),
            entry.prefixLength(),
            vector,
            squaredLength);
      }
    }
  }

  /**
   * Moves to the vector of a row; false if it has none.
   *
   * @param row its cells; its position is changed
   */
  public boolean find(MemorySegment key, long offset, int prefixLength, RowView row) {
    return Bytes.getByte(key, offset + prefixLength) == KeyFormat.SECTION_ROWS
        && find(row.rewind());
  }

  private boolean find(RowView row) {
    while (row.nextCell() && row.column() <= column) {
      if (row.column() == column
          && (row.cellFlags() & DEAD) == 0
          && row.valueLength() == Float.BYTES * vector.length) {
        VectorScore.read(row.segment(), row.valueOffset(), vector);
        squaredLength = VectorScore.squaredLength(vector);
        return VectorScore.isComparable(options.similarity(), squaredLength);
      }
    }
    return false;
  }

  /** The vector that has been found; changes with the next one. */
  public float[] vector() {
    return vector;
  }

  /** The square of its length. */
  public float squaredLength() {
    return squaredLength;
  }

  /** Writes its code, if vectors have one, as one of those that lie together in a memtable. */
  public void writeCode(MemorySegment target, long offset, int number) {
    if (code != null) {
      code.set(vector, VectorCode.factor(options.similarity(), squaredLength), noMean);
      VectorRun.write(target, offset, number, code);
    }
  }
}
