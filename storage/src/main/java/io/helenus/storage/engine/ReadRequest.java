package io.helenus.storage.engine;

import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;

/**
 * What to read from a table: either slices of one partition, or all partitions of a range of key
 * prefixes. Mutable and reusable: call {@link #reset}, then set what to read. Bytes are copied into
 * the request. An open cursor refers to its request, which must not be reset before the cursor is
 * closed. One thread at a time.
 *
 * <p>It has four parts, which are set here and read from the parts: the {@linkplain KeyRanges
 * keys}, the {@linkplain ColumnSelection columns and elements}, the {@linkplain IndexLookup
 * indexes} to use, and the {@linkplain ReadLimits limits}. All offsets refer to {@link #segment}.
 */
public final class ReadRequest {
  private static final int VERSION = 1;

  private final ByteWriter bytes = new ByteWriter(128);
  private final KeyRanges keys = new KeyRanges(bytes);
  private final ColumnSelection columns = new ColumnSelection(bytes);
  private final IndexLookup lookup = new IndexLookup(bytes);
  private final ReadLimits limits = new ReadLimits();
  private int tableId;
  private long nowSeconds;

  /** Resets to reading the whole table, forward, rows only. */
  public ReadRequest reset(int newTableId, long newNowSeconds) {
    bytes.clear();
    tableId = newTableId;
    nowSeconds = newNowSeconds;
    keys.reset();
    columns.reset();
    lookup.reset();
    limits.reset();
    return this;
  }

  /**
   * Resets to reading the same table at the same time, with the same columns and limits as another
   * request and the same kinds of rows in the same direction, but all of them.
   */
  public ReadRequest resetLike(ReadRequest other) {
    bytes.clear();
    tableId = other.tableId;
    nowSeconds = other.nowSeconds;
    keys.resetLike(other.keys);
    columns.resetLike(other.columns);
    lookup.reset();
    limits.resetLike(other.limits);
    return this;
  }

  /** Makes this the same request as another one, of which it keeps nothing but the column ids. */
  public ReadRequest copy(ReadRequest other) {
    bytes.clear().putBytes(other.bytes.segment(), 0, other.bytes.size());
    tableId = other.tableId;
    nowSeconds = other.nowSeconds;
    keys.copy(other.keys);
    columns.copy(other.columns);
    lookup.copy(other.lookup);
    limits.resetLike(other.limits);
    return this;
  }

  /** Adds the slices of another request. */
  public ReadRequest addSlicesOf(ReadRequest other) {
    keys.addSlicesOf(other.keys);
    return this;
  }

  /** Adds the selections of elements of another request. */
  public ReadRequest addElementsOf(ReadRequest other) {
    columns.addElementsOf(other.columns);
    return this;
  }

  /** Uses the indexes that another request uses, in the same way. */
  public ReadRequest addLookupOf(ReadRequest other) {
    lookup.addAllOf(other.lookup);
    return this;
  }

  /** Reads one partition: all rows, unless slices are added afterwards. */
  public ReadRequest partition(MemorySegment prefix, long offset, int length) {
    keys.partition(prefix, offset, length);
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
    keys.partitions(lower, lowerOffset, lowerBytes, upper, upperOffset, upperBytes);
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
    keys.addSlice(lower, lowerOffset, lowerBytes, upper, upperOffset, upperBytes);
    return this;
  }

  /** Adds a single row by its key suffix, section byte and closing tag included. */
  public ReadRequest addRow(MemorySegment suffix, long offset, int length) {
    return addSlice(suffix, offset, length, suffix, offset, 0);
  }

  /** Adds a single row by its key suffix in an array. */
  public ReadRequest addRow(byte[] suffix) {
    keys.addRow(suffix);
    return this;
  }

  /** Sets whether rows are read in descending order. */
  public ReadRequest reversed(boolean value) {
    keys.reversed(value);
    return this;
  }

  /** Sets whether the static row is read. */
  public ReadRequest wantsStatic(boolean value) {
    keys.wantsStatic(value);
    return this;
  }

  /** Sets whether regular rows are read. */
  public ReadRequest wantsRows(boolean value) {
    keys.wantsRows(value);
    return this;
  }

  /**
   * Sets whether rows that do not exist are read too: what is left of those that have expired or
   * been deleted. No columns must be restricted.
   */
  public ReadRequest wantsDeadRows(boolean value) {
    keys.wantsDeadRows(value);
    return this;
  }

  /**
   * Restricts the columns whose values are needed, by ascending id, which lets a read of one row
   * skip older files, and any read the elements of other multi-cell columns. Rows may still have
   * cells of other columns. The array is not copied.
   */
  public ReadRequest columns(int[] ascendingIds) {
    columns.ids(ascendingIds);
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
    columns.addElements(column, lower, lowerOffset, lowerBytes, upper, upperOffset, upperBytes);
    return this;
  }

  /** Restricts the elements needed of a multi-cell column, as above, to the one with a path. */
  public ReadRequest addElement(int column, MemorySegment path, long offset, int length) {
    columns.addElement(column, path, offset, length);
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
    lookup.terms(id, lower, lowerOffset, lowerBytes, upper, upperOffset, upperBytes);
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
    lookup.nearest(id, vector, offset, length, count);
    return this;
  }

  /**
   * Sets how many tombstones the read may encounter before it fails with {@link
   * TombstoneLimitException}; unlimited by default.
   */
  public ReadRequest tombstoneLimit(int count) {
    limits.tombstones(count);
    return this;
  }

  /**
   * Limits the rows that a read passes on, as {@link ReadLimits} describes; without such limits,
   * which is the default, its sink decides. Not with an index.
   *
   * @param rows the number of rows after which the read ends, or {@link ReadLimits#NONE}
   * @param perPartition the number after which the rest of a partition is skipped, or NONE
   * @param staticRowsCount whether the static row of a partition without rows counts as a row
   */
  public ReadRequest rowLimits(int rows, int perPartition, boolean staticRowsCount) {
    limits.rows(rows, perPartition, staticRowsCount);
    return this;
  }

  // ---- bytes

  /** Appends the request as bytes: storage/docs/read-request.md. */
  public void encode(ByteWriter out) {
    out.putByte(VERSION).putVarint(tableId).putLong(nowSeconds);
    keys.encode(out);
    columns.encode(out);
    lookup.encode(out);
    limits.encode(out);
  }

  /**
   * Makes this the request that {@link #encode} wrote.
   *
   * @throws MalformedRequestException if the bytes are anything else; this request is then one for
   *     nothing that exists
   */
  public ReadRequest decode(MemorySegment segment, long offset, long length) {
    RequestReader in = new RequestReader(segment, offset, length);
    try {
      decode(in);
      return this;
    } catch (MalformedRequestException e) {
      reset(0, 0);
      throw e;
    }
  }

  private void decode(RequestReader in) {
    int version = in.unsignedByte("version");
    if (version != VERSION) {
      throw in.malformed("version " + version + " is unknown to this release");
    }
    int table = in.number("table", 0, Integer.MAX_VALUE);
    reset(table, in.int64("time"));
    keys.decode(in);
    columns.decode(in);
    in.require(
        !keys.areDeadRowsWanted() || !columns.areRestricted(),
        "rows that do not exist, and not all columns");
    lookup.decode(in);
    in.require(
        keys.isPartition() || keys.sliceCount() == 0 || lookup.isAny(), "slices without an index");
    limits.decode(in);
    in.require(!lookup.isAny() || !limits.limitRows(), "limits of rows with an index");
    in.requireEnd();
  }

  // ---- what is read

  /** The table. */
  public int tableId() {
    return tableId;
  }

  /** The time at which expiry is evaluated, in seconds since 1970. */
  public long nowSeconds() {
    return nowSeconds;
  }

  /** The memory that all offsets refer to. */
  public MemorySegment segment() {
    return bytes.segment();
  }

  /** The keys that are read. */
  public KeyRanges keys() {
    return keys;
  }

  /** The columns and elements that are needed. */
  public ColumnSelection columns() {
    return columns;
  }

  /** The indexes that are used. */
  public IndexLookup lookup() {
    return lookup;
  }

  /** How much is read. */
  public ReadLimits limits() {
    return limits;
  }
}
