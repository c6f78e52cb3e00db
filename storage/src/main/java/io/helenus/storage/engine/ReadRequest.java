package io.helenus.storage.engine;

import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;

/**
 * What to read from a table: either slices of one partition, or all partitions of a range of key
 * prefixes. Mutable and reusable: call {@link #reset}, then set what to read. Bytes are copied into
 * the request. An open cursor refers to its request, which must not be reset before the cursor is
 * closed. One thread at a time.
 *
 * <p>A slice of a partition is a half-open range of key suffixes within section 2, [lower, upper).
 * A single row, added with {@link #addRow}, has its suffix as lower bound and an empty upper bound;
 * other slices have bounds that end in a bound's closing tag. Slices are ascending and disjoint; a
 * reversed read walks them backwards.
 */
public final class ReadRequest {
  /** {@link #elementsUpperLength} of a selection of the one element whose path is the lower end. */
  public static final int ONE_ELEMENT = -1;

  private final ByteWriter bytes = new ByteWriter(128);
  private int tableId;
  private boolean partition;
  private boolean reversed;
  private boolean wantsStatic;
  private boolean wantsRows = true;
  private boolean wantsDeadRows;
  private long nowSeconds;
  private int lowerLength;
  private int upperLength;
  private int[] slices = new int[8];
  private int sliceCount;
  private int[] columns = new int[0];
  private int tombstoneLimit = Integer.MAX_VALUE;
  private int columnCount;
  private int indexId;
  private int termsOffset;
  private int termsLowerLength;
  private int termsUpperLength;
  private int vectorIndexId;
  private int vectorOffset;
  private int vectorLength;
  private int nearestCount;
  // of each selection of elements: column, offset, length of lower, length of upper
  private int[] elements = new int[8];
  private int elementCount;

  /** Resets to reading the whole table, forward, rows only. */
  public ReadRequest reset(int newTableId, long newNowSeconds) {
    bytes.clear();
    tableId = newTableId;
    nowSeconds = newNowSeconds;
    partition = false;
    reversed = false;
    wantsStatic = false;
    wantsRows = true;
    wantsDeadRows = false;
    lowerLength = 0;
    upperLength = 0;
    sliceCount = 0;
    columnCount = -1;
    elementCount = 0;
    tombstoneLimit = Integer.MAX_VALUE;
    indexId = 0;
    vectorIndexId = 0;
    return this;
  }

  /**
   * Resets to reading the same table at the same time, with the same columns, elements and limit of
   * tombstones as another request, but nothing yet.
   */
  public ReadRequest resetLike(ReadRequest other) {
    reset(other.tableId, other.nowSeconds);
    wantsStatic = other.wantsStatic;
    wantsRows = other.wantsRows;
    wantsDeadRows = other.wantsDeadRows;
    tombstoneLimit = other.tombstoneLimit;
    columns = other.columns;
    columnCount = other.columnCount;
    return this;
  }

  /** Adds the selections of elements of another request. */
  public ReadRequest addElementsOf(ReadRequest other) {
    for (int i = 0; i < other.elementCount; i++) {
      int at = other.elementsOffset(i);
      int lower = other.elementsLowerLength(i);
      int upper = other.elementsUpperLength(i);
      if (upper == ONE_ELEMENT) {
        addElement(other.elementsColumn(i), other.segment(), at, lower);
      } else {
        addElements(
            other.elementsColumn(i),
            other.segment(),
            at,
            lower,
            other.segment(),
            at + lower,
            upper);
      }
    }
    return this;
  }

  /** Reads one partition: all rows, unless slices are added afterwards. */
  public ReadRequest partition(MemorySegment prefix, long offset, int length) {
    partition = true;
    lowerLength = length;
    bytes.clear().putBytes(prefix, offset, length);
    return this;
  }

  /**
   * Reads the partitions whose prefixes are in [lower, upper); a length of 0 leaves that end open.
   * Bounds may be any byte strings, such as the 8 bytes of a token.
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
    beginSlice(lowerBytes, upperBytes);
    bytes.putBytes(lower, lowerOffset, lowerBytes).putBytes(upper, upperOffset, upperBytes);
    return this;
  }

  /** The bounds are the bytes that are appended next. */
  private void beginSlice(int lowerBytes, int upperBytes) {
    if (sliceCount * 3 + 3 > slices.length) {
      slices = java.util.Arrays.copyOf(slices, slices.length * 2 + 4);
    }
    int at = sliceCount * 3;
    slices[at] = bytes.size();
    slices[at + 1] = lowerBytes;
    slices[at + 2] = upperBytes;
    sliceCount++;
  }

  /** Adds a single row by its key suffix, section byte and closing tag included. */
  public ReadRequest addRow(MemorySegment suffix, long offset, int length) {
    return addSlice(suffix, offset, length, suffix, offset, 0);
  }

  /** Adds a single row by its key suffix in an array. */
  public ReadRequest addRow(byte[] suffix) {
    beginSlice(suffix.length, 0);
    bytes.putBytes(suffix);
    return this;
  }

  /** Sets whether rows are read in descending order. */
  public ReadRequest reversed(boolean value) {
    reversed = value;
    return this;
  }

  /** Sets whether the static row is read. */
  public ReadRequest wantsStatic(boolean value) {
    wantsStatic = value;
    return this;
  }

  /** Sets whether regular rows are read. */
  public ReadRequest wantsRows(boolean value) {
    wantsRows = value;
    return this;
  }

  /**
   * Sets whether rows that do not exist are read too: what is left of those that have expired or
   * been deleted. No columns must be restricted.
   */
  public ReadRequest wantsDeadRows(boolean value) {
    wantsDeadRows = value;
    return this;
  }

  /**
   * Restricts the columns whose values are needed, by ascending id, which lets a read of one row
   * skip older files, and any read the elements of other multi-cell columns. Rows may still have
   * cells of other columns. The array is not copied.
   */
  public ReadRequest columns(int[] ascendingIds) {
    columns = ascendingIds;
    columnCount = ascendingIds.length;
    return this;
  }

  /**
   * Restricts the elements needed of a multi-cell column to those with paths in [lower, upper); a
   * length of 0 leaves that end open; a path followed by a zero byte as upper end includes the
   * element with that path. Rows may still have more elements. Several selections are added in
   * ascending order of column and path and do not overlap. After the partition or range.
   */
  public ReadRequest addElements(
      int column,
      MemorySegment lower,
      long lowerOffset,
      int lowerBytes,
      MemorySegment upper,
      long upperOffset,
      int upperBytes) {
    if (elementCount * 4 + 4 > elements.length) {
      elements = java.util.Arrays.copyOf(elements, elements.length * 2);
    }
    int at = elementCount * 4;
    elements[at] = column;
    elements[at + 1] = bytes.size();
    elements[at + 2] = lowerBytes;
    elements[at + 3] = upperBytes;
    elementCount++;
    bytes.putBytes(lower, lowerOffset, lowerBytes).putBytes(upper, upperOffset, upperBytes);
    return this;
  }

  /** Restricts the elements needed of a multi-cell column, as above, to the one with a path. */
  public ReadRequest addElement(int column, MemorySegment path, long offset, int length) {
    addElements(column, path, offset, length, path, offset, 0);
    elements[elementCount * 4 - 1] = ONE_ELEMENT;
    return this;
  }

  /**
   * Restricts the rows that are needed to those that an index finds under a term in [lower, upper);
   * a length of 0 leaves that end open. The upper end for a single term is the next byte string of
   * the same length. The read may still return others: the index tells which rows need not be
   * looked at. Its rows come in the order of their keys. Call it after {@link #partition} or {@link
   * #partitions}.
   */
  public ReadRequest index(
      int id,
      MemorySegment lower,
      long lowerOffset,
      int lowerBytes,
      MemorySegment upper,
      long upperOffset,
      int upperBytes) {
    indexId = id;
    termsOffset = bytes.size();
    termsLowerLength = lowerBytes;
    termsUpperLength = upperBytes;
    bytes.putBytes(lower, lowerOffset, lowerBytes).putBytes(upper, upperOffset, upperBytes);
    return this;
  }

  /**
   * Reads the rows whose vectors are the most similar to a vector, by an index of vectors. In each
   * shard they come best first, not in the order of keys, each with its partition and, if wanted,
   * its static row before it, until the sink has {@linkplain RowSink.Next#KEPT kept} as many as are
   * asked for. The order is that of the rows' present vectors; a few of the nearest may be missing.
   * What else the request restricts (a partition, slices, the terms of {@link #index}) is what is
   * searched. Call it last.
   *
   * @param vector the bytes of its floats
   * @param count how many rows the sink is going to keep, at least 1
   */
  public ReadRequest nearest(int id, MemorySegment vector, long offset, int length, int count) {
    vectorIndexId = id;
    vectorOffset = bytes.size();
    vectorLength = length;
    nearestCount = count;
    bytes.putBytes(vector, offset, length);
    return this;
  }

  /** The index of vectors by which the nearest rows are read; 0 for any other read. */
  public int vectorIndexId() {
    return vectorIndexId;
  }

  /** Where the vector starts that rows are compared with. */
  public int vectorOffset() {
    return vectorOffset;
  }

  /** The length of that vector in bytes. */
  public int vectorLength() {
    return vectorLength;
  }

  /** How many of the nearest rows the sink is going to keep in a shard. */
  public int nearestCount() {
    return nearestCount;
  }

  /** The index to use; 0 for none. */
  public int indexId() {
    return indexId;
  }

  /** Where the smallest term starts; the upper end starts {@link #termsLowerLength} later. */
  public int termsOffset() {
    return termsOffset;
  }

  /** The length of the smallest term; 0 for an open end. */
  public int termsLowerLength() {
    return termsLowerLength;
  }

  /** The length of the upper end of the terms, which is excluded; 0 for an open end. */
  public int termsUpperLength() {
    return termsUpperLength;
  }

  /**
   * Sets how many tombstones the read may encounter before it fails with {@link
   * TombstoneLimitException}; unlimited by default.
   */
  public ReadRequest tombstoneLimit(int count) {
    tombstoneLimit = count;
    return this;
  }

  /** The number of tombstones that the read may encounter. */
  public int tombstoneLimit() {
    return tombstoneLimit;
  }

  /** The table. */
  public int tableId() {
    return tableId;
  }

  /** The time at which expiry is evaluated, in seconds since 1970. */
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

  /** Whether the static row is read. */
  public boolean isStaticWanted() {
    return wantsStatic;
  }

  /** Whether regular rows are read. */
  public boolean areRowsWanted() {
    return wantsRows;
  }

  /** Whether rows that do not exist are read too. */
  public boolean areDeadRowsWanted() {
    return wantsDeadRows;
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

  /** The number of slices; 0 means all rows. */
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

  /** The number of selections of elements. */
  public int elementsCount() {
    return elementCount;
  }

  /** The column of a selection of elements. */
  public int elementsColumn(int selection) {
    return elements[selection * 4];
  }

  /**
   * Where the lower end of a selection of elements starts; the upper end starts {@link
   * #elementsLowerLength} later.
   */
  public int elementsOffset(int selection) {
    return elements[selection * 4 + 1];
  }

  /** The length of the lower end of a selection of elements. */
  public int elementsLowerLength(int selection) {
    return elements[selection * 4 + 2];
  }

  /** The length of the upper end of a selection of elements, or {@link #ONE_ELEMENT}. */
  public int elementsUpperLength(int selection) {
    return elements[selection * 4 + 3];
  }

  /** Whether only some columns are needed. */
  public boolean hasColumns() {
    return columnCount >= 0;
  }

  /** The ids of the needed columns, ascending. */
  public int[] columns() {
    return columns;
  }
}
