package io.helenus.storage.row;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * Writes a mutation (storage/docs/rows.md) into a {@link ByteWriter}, in this order: {@link
 * #begin}; for each table {@link #beginTable}, its entries, {@link #endTable}; {@link #finish}. The
 * cells of a row come in ascending order of column id, those of a multi-cell column after its
 * {@link #columnDeletion} and in ascending order of path. One thread at a time; reusable.
 */
public final class MutationWriter {
  private static final int NO_COLUMN = -1;
  private static final int NO_PATH = -1;
  private static final int KEPT_BYTES = 64 << 10;

  private final ByteWriter out;
  private final ByteWriter row;
  private int tableCount;
  private int tableCountAt;
  private int tableBytesAt;
  private long rowTimestamp;
  private boolean rowHasBase;
  private int pathColumn;
  private int lastPathAt;
  private int lastPathLength;

  /** Appends to a writer, which the caller clears. */
  public MutationWriter(ByteWriter out) {
    this.out = out;
    this.row = out.sibling(512);
  }

  /** Starts a mutation of the partition with a key prefix. */
  public MutationWriter begin(
      long token, long epoch, MemorySegment prefix, long offset, int length) {
    out.putLong(token).putVarint(epoch).putVarint(length).putBytes(prefix, offset, length);
    tableCountAt = out.size();
    out.putShort(0x8000); // a two-byte varint, set at the end: up to 16,383 tables
    tableCount = 0;
    return this;
  }

  /** Starts the entries of one table. */
  public MutationWriter beginTable(int tableId) {
    tableCount++;
    out.putVarint(tableId);
    tableBytesAt = out.size();
    out.putInt(0);
    return this;
  }

  /** Starts a row with a key suffix: section, clustering components, closing tag. */
  public MutationWriter beginRow(MemorySegment suffix, long offset, int length) {
    out.putByte(RowFormat.ENTRY_ROW).putVarint(length).putBytes(suffix, offset, length);
    row.clear().putByte(0).putLong(0);
    rowHasBase = false;
    pathColumn = NO_COLUMN;
    return this;
  }

  /** Marks the row as inserted, so that it exists even without cells. Before the first cell. */
  public MutationWriter liveness(long timestamp) {
    base(timestamp);
    addRowFlag(RowFormat.ROW_LIVENESS);
    return this;
  }

  /** Sets a TTL shared by the row's liveness and cells. Before the deletion and the first cell. */
  public MutationWriter rowExpiry(int ttlSeconds, long expirySeconds) {
    addRowFlag(RowFormat.ROW_EXPIRING);
    row.putInt(ttlSeconds).putInt((int) expirySeconds);
    return this;
  }

  /** Deletes the row's older cells and liveness. Before the first cell. */
  public MutationWriter rowDeletion(long timestamp, long seconds) {
    addRowFlag(RowFormat.ROW_DELETION);
    row.putLong(timestamp).putInt((int) seconds);
    return this;
  }

  /** Adds a cell, with the TTL of {@link #rowExpiry} if set. */
  public MutationWriter cell(
      int column, long timestamp, MemorySegment value, long offset, int length) {
    boolean expiring = (rowFlags() & RowFormat.ROW_EXPIRING) != 0;
    cellHeader(column, timestamp, expiring ? RowFormat.CELL_ROW_EXPIRY : 0);
    row.putVarint(length).putBytes(value, offset, length);
    return this;
  }

  /**
   * Adds an increment of a counter, to be settled before the mutation is logged: see {@link
   * CounterDeltas}. Its cell has a timestamp of its own, which settling it may change.
   */
  public MutationWriter counterDelta(int column, long timestamp, long delta) {
    base(timestamp);
    row.putVarint(column).putByte(RowFormat.CELL_COUNTER | RowFormat.CELL_OWN_TIMESTAMP);
    row.putLong(timestamp).putVarint(1 + CounterShares.SHARE_BYTES).putVarint(1);
    row.putLong(0).putLong(0).putLong(timestamp).putLong(delta);
    return this;
  }

  /**
   * Keeps the wire value of a clustering column whose key bytes do not determine it, with the TTL
   * of {@link #rowExpiry} if set. It does not make the row exist.
   */
  public MutationWriter keyForm(
      int column, long timestamp, MemorySegment value, long offset, int length) {
    boolean expiring = (rowFlags() & RowFormat.ROW_EXPIRING) != 0;
    cellHeader(
        column, timestamp, RowFormat.CELL_KEY_FORM | (expiring ? RowFormat.CELL_ROW_EXPIRY : 0));
    row.putVarint(length).putBytes(value, offset, length);
    return this;
  }

  /** Copies the current cell of another row, with its timestamp and its own TTL. */
  public MutationWriter copyCell(RowView cell) {
    return copy(cell, cell.valueLength());
  }

  /** Copies the current cell of another row, which is live, without its value. */
  public MutationWriter copyCellWithoutValue(RowView cell) {
    return copy(cell, 0);
  }

  private MutationWriter copy(RowView cell, int valueLength) {
    if (valueLength < 0 || (cell.cellFlags() & RowFormat.CELL_COUNTER) != 0) {
      throw new IllegalArgumentException("a cell of column " + cell.column() + " without a value");
    }
    boolean hasPath = cell.pathLength() >= 0;
    if (hasPath) {
      checkPath(cell.column(), cell.segment(), cell.pathOffset(), cell.pathLength());
    }
    int flags = cell.cellFlags() & (RowFormat.CELL_PATH | RowFormat.CELL_KEY_FORM);
    boolean expiring = cell.cellIsExpiring();
    cellHeader(
        cell.column(), cell.cellTimestamp(), expiring ? flags | RowFormat.CELL_EXPIRING : flags);
    if (expiring) {
      row.putInt(cell.cellTtl()).putInt((int) cell.cellSeconds());
    }
    if (hasPath) {
      putPath(cell.segment(), cell.pathOffset(), cell.pathLength());
    }
    row.putVarint(valueLength).putBytes(cell.segment(), cell.valueOffset(), valueLength);
    return this;
  }

  /** Deletes a column's value. */
  public MutationWriter tombstone(int column, long timestamp, long seconds) {
    cellHeader(column, timestamp, RowFormat.CELL_TOMBSTONE);
    row.putInt((int) seconds);
    return this;
  }

  /** Deletes all older cells of a multi-cell column. Before the column's own cells. */
  public MutationWriter columnDeletion(int column, long timestamp, long seconds) {
    if (column <= pathColumn) {
      throw new IllegalArgumentException("deletion of column " + column + " follows its cells");
    }
    beginColumn(column);
    cellHeader(column, timestamp, RowFormat.CELL_COLUMN_DELETION);
    row.putInt((int) seconds);
    return this;
  }

  /**
   * Adds a cell of a multi-cell column, with the TTL of {@link #rowExpiry} if set.
   *
   * @throws IllegalArgumentException if the path is not greater than the previous one or longer
   *     than {@link RowFormat#PATH_LIMIT_BYTES}
   */
  public MutationWriter pathCell(
      int column,
      long timestamp,
      MemorySegment path,
      long pathOffset,
      int pathLength,
      MemorySegment value,
      long offset,
      int length) {
    boolean expiring = (rowFlags() & RowFormat.ROW_EXPIRING) != 0;
    checkPath(column, path, pathOffset, pathLength);
    cellHeader(column, timestamp, RowFormat.CELL_PATH | (expiring ? RowFormat.CELL_ROW_EXPIRY : 0));
    putPath(path, pathOffset, pathLength);
    row.putVarint(length).putBytes(value, offset, length);
    return this;
  }

  /** Deletes one cell of a multi-cell column; checks paths as {@link #pathCell} does. */
  public MutationWriter pathTombstone(
      int column,
      long timestamp,
      long seconds,
      MemorySegment path,
      long pathOffset,
      int pathLength) {
    checkPath(column, path, pathOffset, pathLength);
    cellHeader(column, timestamp, RowFormat.CELL_PATH | RowFormat.CELL_TOMBSTONE);
    row.putInt((int) seconds);
    putPath(path, pathOffset, pathLength);
    return this;
  }

  private void beginColumn(int column) {
    pathColumn = column;
    lastPathLength = NO_PATH;
  }

  private void checkPath(int column, MemorySegment path, long offset, int length) {
    if (length <= 0 || length > RowFormat.PATH_LIMIT_BYTES) {
      throw new IllegalArgumentException("invalid path length: " + length + " bytes");
    }
    if (column != pathColumn) {
      if (column < pathColumn) {
        throw new IllegalArgumentException("column " + column + " follows column " + pathColumn);
      }
      beginColumn(column);
    } else if (lastPathLength != NO_PATH
        && Bytes.compare(row.segment(), lastPathAt, lastPathLength, path, offset, length) >= 0) {
      throw new IllegalArgumentException("paths of column " + column + " are not ascending");
    }
  }

  private void putPath(MemorySegment path, long offset, int length) {
    row.putVarint(length);
    lastPathAt = row.size();
    lastPathLength = length;
    row.putBytes(path, offset, length);
  }

  private void cellHeader(int column, long timestamp, int flags) {
    base(timestamp);
    row.putVarint(column);
    if (timestamp == rowTimestamp) {
      row.putByte(flags);
    } else {
      row.putByte(flags | RowFormat.CELL_OWN_TIMESTAMP).putLong(timestamp);
    }
  }

  private void base(long timestamp) {
    if (!rowHasBase) {
      rowHasBase = true;
      rowTimestamp = timestamp;
      row.setLong(1, timestamp);
    }
  }

  private void addRowFlag(int flag) {
    row.setByte(0, rowFlags() | flag);
  }

  private int rowFlags() {
    return Bytes.getByte(row.segment(), 0);
  }

  /** Ends the row. */
  public MutationWriter endRow() {
    out.putVarint(row.size()).putBytes(row.segment(), 0, row.size());
    row.clear(KEPT_BYTES);
    return this;
  }

  /** Deletes the whole partition of this table as of a timestamp. */
  public MutationWriter partitionDeletion(long timestamp, long seconds) {
    out.putByte(RowFormat.ENTRY_PARTITION_DELETION).putLong(timestamp).putInt((int) seconds);
    return this;
  }

  /**
   * Deletes the rows between two range tombstone bounds: key suffixes that end in a bound's closing
   * tag.
   */
  public MutationWriter rangeDeletion(
      MemorySegment startSuffix,
      long startOffset,
      int startLength,
      MemorySegment endSuffix,
      long endOffset,
      int endLength,
      long timestamp,
      long seconds) {
    out.putByte(RowFormat.ENTRY_RANGE_DELETION);
    out.putVarint(startLength).putBytes(startSuffix, startOffset, startLength);
    out.putVarint(endLength).putBytes(endSuffix, endOffset, endLength);
    out.putLong(timestamp).putInt((int) seconds);
    return this;
  }

  /** Appends encoded entries from another mutation of the same partition and table. */
  public MutationWriter entries(MemorySegment source, long offset, long length) {
    out.putBytes(source, offset, length);
    return this;
  }

  /** Ends the entries of the table. */
  public MutationWriter endTable() {
    out.setInt(tableBytesAt, out.size() - tableBytesAt - 4);
    return this;
  }

  /** Ends the mutation. */
  public void finish() {
    out.setByte(tableCountAt, (tableCount & 0x7F) | 0x80);
    out.setByte(tableCountAt + 1, tableCount >>> 7);
  }
}
