package io.helenus.storage.row;

/**
 * The flags of rows, cells, range tombstone bounds and mutation entries: storage/docs/rows.md.
 * Stateless.
 */
public final class RowFormat {
  /** Row flag: the row has a liveness at the base timestamp. */
  public static final int ROW_LIVENESS = 0x01;

  /** Row flag: TTL and expiry follow. */
  public static final int ROW_EXPIRING = 0x02;

  /** Row flag: a row deletion follows. */
  public static final int ROW_DELETION = 0x04;

  /** Cell flag: deleted. */
  public static final int CELL_TOMBSTONE = 0x01;

  /** Cell flag: the cell has its own TTL and expiry. */
  public static final int CELL_EXPIRING = 0x02;

  /** Cell flag: a timestamp other than the row's base timestamp. */
  public static final int CELL_OWN_TIMESTAMP = 0x04;

  /** Cell flag: a cell of a multi-cell column. */
  public static final int CELL_PATH = 0x08;

  /** Cell flag: deletes all older cells of its multi-cell column. */
  public static final int CELL_COLUMN_DELETION = 0x10;

  /** Cell flag: TTL and expiry are the row's. */
  public static final int CELL_ROW_EXPIRY = 0x20;

  /** Cell flag: the value holds counter shares. */
  public static final int CELL_COUNTER = 0x40;

  /** Cell flag: keeps the wire value of a clustering column; does not make the row exist. */
  public static final int CELL_KEY_FORM = 0x80;

  /** Bound flag: closes a range deletion. */
  public static final int BOUND_CLOSES = 0x01;

  /** Bound flag: opens a range deletion. */
  public static final int BOUND_OPENS = 0x02;

  /** Mutation entry: a row or static row. */
  public static final int ENTRY_ROW = 1;

  /** Mutation entry: a partition deletion. */
  public static final int ENTRY_PARTITION_DELETION = 2;

  /** Mutation entry: a range deletion. */
  public static final int ENTRY_RANGE_DELETION = 3;

  /**
   * The longest path of a cell: an element of 65,535 bytes as a key component, every byte escaped,
   * with tag and terminator.
   */
  public static final int PATH_LIMIT_BYTES = 2 * 65_535 + 3;

  /** The bytes of a deletion: timestamp i64, seconds u32. */
  public static final int DELETION_BYTES = 12;

  /** The timestamp of "no deletion": every real timestamp is greater. */
  public static final long NO_TIMESTAMP = Long.MIN_VALUE;

  private RowFormat() {}
}
