package io.helenus.storage.engine;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The keys that a {@link ReadRequest} covers: one partition or the partitions of a range of key
 * prefixes, slices of rows in it, the direction, and which kinds of rows are read. Set through the
 * request, which owns the bytes. One thread at a time.
 *
 * <p>A slice is a half-open range of key suffixes within section 2, [lower, upper). A single row
 * has its suffix as lower bound and an empty upper bound; other slices have bounds that end in a
 * bound's closing tag. Slices are ascending and disjoint; a reversed read walks them backwards.
 */
public final class KeyRanges {
  private static final int PARTITION = 0x01;
  private static final int REVERSED = 0x02;
  private static final int STATIC = 0x04;
  private static final int ROWS = 0x08;
  private static final int DEAD_ROWS = 0x10;
  private static final int ALL_FLAGS = 0x1F;

  private final ByteWriter bytes;
  private boolean partition;
  private boolean reversed;
  private boolean wantsStatic;
  private boolean wantsRows = true;
  private boolean wantsDeadRows;
  private int lowerLength;
  private int upperLength;
  // of each slice: offset, length of lower, length of upper
  private int[] slices = new int[24];
  private int sliceCount;

  KeyRanges(ByteWriter bytes) {
    this.bytes = bytes;
  }

  /** Resets to all partitions, forward, rows only. */
  void reset() {
    partition = false;
    reversed = false;
    wantsStatic = false;
    wantsRows = true;
    wantsDeadRows = false;
    lowerLength = 0;
    upperLength = 0;
    sliceCount = 0;
  }

  /** Takes which kinds of rows are read, and in which direction, from another request. */
  void resetLike(KeyRanges other) {
    reset();
    reversed = other.reversed;
    wantsStatic = other.wantsStatic;
    wantsRows = other.wantsRows;
    wantsDeadRows = other.wantsDeadRows;
  }

  /** Takes all from another request, whose bytes have been copied. */
  void copy(KeyRanges other) {
    resetLike(other);
    partition = other.partition;
    lowerLength = other.lowerLength;
    upperLength = other.upperLength;
    sliceCount = other.sliceCount;
    if (slices.length < 3 * sliceCount) {
      slices = new int[other.slices.length];
    }
    System.arraycopy(other.slices, 0, slices, 0, 3 * sliceCount);
  }

  void partition(MemorySegment prefix, long offset, int length) {
    partition = true;
    lowerLength = length;
    upperLength = 0;
    bytes.clear().putBytes(prefix, offset, length);
  }

  void partitions(
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
  }

  void addSlice(
      MemorySegment lower,
      long lowerOffset,
      int lowerBytes,
      MemorySegment upper,
      long upperOffset,
      int upperBytes) {
    beginSlice(lowerBytes, upperBytes);
    bytes.putBytes(lower, lowerOffset, lowerBytes).putBytes(upper, upperOffset, upperBytes);
  }

  void addRow(byte[] suffix) {
    beginSlice(suffix.length, 0);
    bytes.putBytes(suffix);
  }

  /** The bounds are the bytes that are appended next. */
  private void beginSlice(int lowerBytes, int upperBytes) {
    if (sliceCount * 3 + 3 > slices.length) {
      slices = Arrays.copyOf(slices, slices.length * 2);
    }
    int at = sliceCount * 3;
    slices[at] = bytes.size();
    slices[at + 1] = lowerBytes;
    slices[at + 2] = upperBytes;
    sliceCount++;
  }

  void addSlicesOf(KeyRanges other) {
    for (int i = 0; i < other.sliceCount; i++) {
      MemorySegment from = other.bytes.segment();
      int at = other.sliceOffset(i);
      int lower = other.sliceLowerLength(i);
      addSlice(from, at, lower, from, (long) at + lower, other.sliceUpperLength(i));
    }
  }

  void reversed(boolean value) {
    reversed = value;
  }

  void wantsStatic(boolean value) {
    wantsStatic = value;
  }

  void wantsRows(boolean value) {
    wantsRows = value;
  }

  void wantsDeadRows(boolean value) {
    wantsDeadRows = value;
  }

  // ---- bytes

  void encode(ByteWriter out) {
    out.putByte(
        (partition ? PARTITION : 0)
            | (reversed ? REVERSED : 0)
            | (wantsStatic ? STATIC : 0)
            | (wantsRows ? ROWS : 0)
            | (wantsDeadRows ? DEAD_ROWS : 0));
    MemorySegment segment = bytes.segment();
    RequestReader.putBytes(out, segment, 0, lowerLength);
    if (!partition) {
      RequestReader.putBytes(out, segment, lowerLength, upperLength);
    }
    out.putVarint(sliceCount);
    for (int i = 0; i < sliceCount; i++) {
      int at = sliceOffset(i);
      int lower = sliceLowerLength(i);
      RequestReader.putBytes(out, segment, at, lower);
      RequestReader.putBytes(out, segment, (long) at + lower, sliceUpperLength(i));
    }
  }

  void decode(RequestReader in) {
    int flags = in.flags("flags of keys", ALL_FLAGS);
    reversed = (flags & REVERSED) != 0;
    wantsStatic = (flags & STATIC) != 0;
    wantsRows = (flags & ROWS) != 0;
    wantsDeadRows = (flags & DEAD_ROWS) != 0;
    int lower = in.length("prefix");
    long lowerAt = in.skip(lower);
    if ((flags & PARTITION) != 0) {
      in.require(lower > 0, "no prefix");
      partition(in.segment(), lowerAt, lower);
    } else {
      in.require(!reversed, "only a read of one partition can be reversed");
      int upper = in.length("upper end");
      long upperAt = in.skip(upper);
      partitions(in.segment(), lowerAt, lower, in.segment(), upperAt, upper);
      in.require(
          upper == 0 || compare(0, lower, lower, upper) <= 0, "a range ends before its start");
    }
    int count = in.count("number of slices");
    for (int i = 0; i < count; i++) {
      decodeSlice(in);
    }
  }

  private void decodeSlice(RequestReader in) {
    int lower = in.length("lower bound");
    long lowerAt = in.skip(lower);
    int upper = in.length("upper bound");
    long upperAt = in.skip(upper);
    addSlice(in.segment(), lowerAt, lower, in.segment(), upperAt, upper);
    int at = sliceOffset(sliceCount - 1);
    if (upper == 0) {
      in.require(isSuffix(at, lower) && closingTag(at, lower) == KeyFormat.TAG_END, "not a row");
    } else {
      in.require(isBound(at, lower) && isBound(at + lower, upper), "not the bounds of a slice");
      in.require(compare(at, lower, at + lower, upper) <= 0, "a slice ends before its start");
    }
    in.require(sliceCount == 1 || isAfterSlice(sliceCount - 2, at, lower), "slices overlap");
  }

  private boolean isSuffix(int at, int length) {
    return length > 1 && Bytes.getUnsignedByte(bytes.segment(), at) == KeyFormat.SECTION_ROWS;
  }

  private boolean isBound(int at, int length) {
    if (!isSuffix(at, length)) {
      return false;
    }
    int tag = closingTag(at, length);
    return tag == KeyFormat.TAG_BOUND_BEFORE || tag == KeyFormat.TAG_BOUND_AFTER;
  }

  private int closingTag(int at, int length) {
    return Bytes.getUnsignedByte(bytes.segment(), at + length - 1L);
  }

  private boolean isAfterSlice(int slice, int at, int length) {
    int before = sliceOffset(slice);
    int lower = sliceLowerLength(slice);
    int upper = sliceUpperLength(slice);
    return upper == 0
        ? compare(before, lower, at, length) < 0
        : compare(before + lower, upper, at, length) <= 0;
  }

  private int compare(int at, int length, int otherAt, int otherLength) {
    MemorySegment segment = bytes.segment();
    return Bytes.compare(segment, at, length, segment, otherAt, otherLength);
  }

  // ---- what is read

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
}
