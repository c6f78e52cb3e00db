package io.helenus.storage.engine;

import io.helenus.storage.bytes.ByteWriter;

/**
 * How much a {@link ReadRequest} reads. Set through the request. One thread at a time.
 *
 * <p>A cursor ends by itself after {@link #rows}, and skips the rest of a partition after {@link
 * #rowsPerPartition}, so that rows need not reach a sink to be counted. It counts live rows that it
 * passes on; a partition without them, of which it passes on a live static row, counts as one row
 * if {@link #doStaticRowsCount}. These limits are only for reads whose result has every row that is
 * read: where rows are filtered, grouped or looked up in an index, the sink must count. A read of
 * several shards may pass on as many rows of each.
 */
public final class ReadLimits {
  /** No limit. */
  public static final int NONE = Integer.MAX_VALUE;

  private static final int ROWS = 0x01;
  private static final int ROWS_PER_PARTITION = 0x02;
  private static final int TOMBSTONES = 0x04;
  private static final int STATIC_ROWS_COUNT = 0x08;

  private int rows = NONE;
  private int rowsPerPartition = NONE;
  private boolean staticRowsCount;
  private int tombstones = NONE;

  /** Resets to no limits. */
  void reset() {
    rows = NONE;
    rowsPerPartition = NONE;
    staticRowsCount = false;
    tombstones = NONE;
  }

  void resetLike(ReadLimits other) {
    rows = other.rows;
    rowsPerPartition = other.rowsPerPartition;
    staticRowsCount = other.staticRowsCount;
    tombstones = other.tombstones;
  }

  void rows(int all, int perPartition, boolean withStaticRows) {
    rows = all;
    rowsPerPartition = perPartition;
    staticRowsCount = withStaticRows;
  }

  void tombstones(int count) {
    tombstones = count;
  }

  // ---- bytes

  void encode(ByteWriter out) {
    out.putByte(
        (rows != NONE ? ROWS : 0)
            | (rowsPerPartition != NONE ? ROWS_PER_PARTITION : 0)
            | (tombstones != NONE ? TOMBSTONES : 0)
            | (staticRowsCount ? STATIC_ROWS_COUNT : 0));
    if (rows != NONE) {
      out.putVarint(rows);
    }
    if (rowsPerPartition != NONE) {
      out.putVarint(rowsPerPartition);
    }
    if (tombstones != NONE) {
      out.putVarint(tombstones);
    }
  }

  void decode(RequestReader in) {
    int flags =
        in.flags("flags of limits", ROWS | ROWS_PER_PARTITION | TOMBSTONES | STATIC_ROWS_COUNT);
    if ((flags & ROWS) != 0) {
      rows = in.number("limit of rows", 1, NONE - 1);
    }
    if ((flags & ROWS_PER_PARTITION) != 0) {
      rowsPerPartition = in.number("limit of rows per partition", 1, NONE - 1);
    }
    if ((flags & TOMBSTONES) != 0) {
      tombstones = in.number("limit of tombstones", 0, NONE - 1);
    }
    staticRowsCount = (flags & STATIC_ROWS_COUNT) != 0;
  }

  // ---- how much is read

  /** The number of rows after which the read ends, or {@link #NONE}. */
  public int rows() {
    return rows;
  }

  /** The number of rows after which the rest of a partition is skipped, or {@link #NONE}. */
  public int rowsPerPartition() {
    return rowsPerPartition;
  }

  /** Whether the static row of a partition without rows counts as a row. */
  public boolean doStaticRowsCount() {
    return staticRowsCount;
  }

  /** Whether rows are limited in either way. */
  public boolean limitRows() {
    return rows != NONE || rowsPerPartition != NONE;
  }

  /** The number of tombstones that the read may encounter, or {@link #NONE}. */
  public int tombstones() {
    return tombstones;
  }
}
