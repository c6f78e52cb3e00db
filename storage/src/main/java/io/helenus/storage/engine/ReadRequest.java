package io.helenus.storage.engine;

import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;

/**
 * What to read of one table: either slices of one partition, or all partitions of a range of key
 * prefixes. Mutable and reusable: {@link #reset}, then fill. Byte ranges are copied in. The cursor
 * reads it while it is open, so it is not reset before the cursor is closed. One thread at a time.
 *
 * <p>A slice of a partition is a half-open range of key suffixes within section 2, [lower, upper):
 * for one row, lower is its suffix and upper empty with {@link #addRow}; for clustering slices the
 * bounds end in a bound's closing tag. Slices are ascending and disjoint; a reversed read walks
 * them backwards.
 */
public final class ReadRequest {
  private final ByteWriter bytes = new ByteWriter(128);
  private int tableId;
  private boolean partition;
  private boolean reversed;
  private boolean wantsStatic;
  private boolean wantsRows = true;
  private long nowSeconds;
  private int lowerLength;
  private int upperLength;
  private int[] slices = new int[8];
  private int sliceCount;
  private int[] columns = new int[0];
  private int tombstoneLimit = Integer.MAX_VALUE;
  private int columnCount;

  /** Starts anew: all of the table, forward, rows only. */
  public ReadRequest reset(int newTableId, long newNowSeconds) {
    bytes.clear();
    tableId = newTableId;
    nowSeconds = newNowSeconds;
    partition = false;
    reversed = false;
    wantsStatic = false;
    wantsRows = true;
    lowerLength = 0;
    upperLength = 0;
    sliceCount = 0;
    columnCount = -1;
    tombstoneLimit = Integer.MAX_VALUE;
    return this;
  }

  /** Reads one partition; before any slice. With no slice added: all its rows. */
  public ReadRequest partition(MemorySegment prefix, long offset, int length) {
    partition = true;
    lowerLength = length;
    bytes.clear().putBytes(prefix, offset, length);
    return this;
  }

  /**
   * Reads the partitions whose prefixes lie in [lower, upper); a length of 0 leaves that end open.
   * Either may be any byte string, e.g. the 8 bytes of a token.
   */
  public ReadRequest partitions(
      MemorySegment lower,
      long lowerOffset,
      int lowerBytes,
      MemorySegment upper,
      long upperOffset,
      int upperBytes) {
    partition = false;
    lowerLength = lowerBytes;
    upperLength = upperBytes;
    bytes.clear().putBytes(lower, lowerOffset, lowerBytes).putBytes(upper, upperOffset, upperBytes);
    return this;
  }

  /** Adds the slice [lower, upper) of key suffixes, section byte included. */
  public ReadRequest addSlice(
      MemorySegment lower,
      long lowerOffset,
      int lowerBytes,
      MemorySegment upper,
      long upperOffset,
      int upperBytes) {
    if (sliceCount * 3 + 3 > slices.length) {
      slices = java.util.Arrays.copyOf(slices, slices.length * 2 + 4);
    }
    int at = sliceCount * 3;
    slices[at] = bytes.size();
    slices[at + 1] = lowerBytes;
    slices[at + 2] = upperBytes;
    sliceCount++;
    bytes.putBytes(lower, lowerOffset, lowerBytes).putBytes(upper, upperOffset, upperBytes);
    return this;
  }

  /**
   * Adds the slice of exactly one row, by its key suffix, section byte and closing tag included.
   */
  public ReadRequest addRow(MemorySegment suffix, long offset, int length) {
    return addSlice(suffix, offset, length, suffix, offset, 0);
  }

  /** Descending clustering order. */
  public ReadRequest reversed(boolean value) {
    reversed = value;
    return this;
  }

  /** Also the static row. */
  public ReadRequest wantsStatic(boolean value) {
    wantsStatic = value;
    return this;
  }

  /** Whether regular rows are read at all. */
  public ReadRequest wantsRows(boolean value) {
    wantsRows = value;
    return this;
  }

  /**
   * The only columns whose values matter, ascending ids: lets a read of one row stop early at newer
   * files. Without it: all columns. The array is not copied.
   */
  public ReadRequest columns(int[] ascendingIds) {
    columns = ascendingIds;
    columnCount = ascendingIds.length;
    return this;
  }

  /**
   * How many tombstones the read may meet; with one more it ends with {@link
   * TombstoneLimitException}. Without it: any number.
   */
  public ReadRequest tombstoneLimit(int count) {
    tombstoneLimit = count;
    return this;
  }

  /** How many tombstones the read may meet. */
  public int tombstoneLimit() {
    return tombstoneLimit;
  }

  /** The table. */
  public int tableId() {
    return tableId;
  }

  /** The second at which expiry is judged. */
  public long nowSeconds() {
    return nowSeconds;
  }

  /** Whether one partition is read. */
  public boolean isPartition() {
    return partition;
  }

  /** Whether rows come in descending order. */
  public boolean isReversed() {
    return reversed;
  }

  /** Whether the static row is asked for. */
  public boolean isStaticWanted() {
    return wantsStatic;
  }

  /** Whether regular rows are asked for. */
  public boolean areRowsWanted() {
    return wantsRows;
  }

  /** The memory that all offsets refer to. */
  public MemorySegment segment() {
    return bytes.segment();
  }

  /**
   * The length of the partition's prefix, or of the lower end of the range; it starts at offset 0.
   */
  public int lowerLength() {
    return lowerLength;
  }

  /** The length of the upper end of the range; it starts at offset {@link #lowerLength}. */
  public int upperLength() {
    return upperLength;
  }

  /** How many slices; 0 means all rows. */
  public int sliceCount() {
    return sliceCount;
  }

  /**
   * Where the lower bound of a slice starts; its upper bound starts {@link #sliceLowerLength}
   * later.
   */
  public int sliceOffset(int slice) {
    return slices[slice * 3];
  }

  /** The length of a slice's lower bound. */
  public int sliceLowerLength(int slice) {
    return slices[slice * 3 + 1];
  }

  /** The length of a slice's upper bound; 0 means exactly the one row of the lower bound. */
  public int sliceUpperLength(int slice) {
    return slices[slice * 3 + 2];
  }

  /** Whether only some columns matter. */
  public boolean hasColumns() {
    return columnCount >= 0;
  }

  /** The columns that matter, ascending. */
  public int[] columns() {
    return columns;
  }
}
