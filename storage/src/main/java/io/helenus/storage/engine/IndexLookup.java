package io.helenus.storage.engine;

import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;

/**
 * The indexes by which a {@link ReadRequest} finds its rows: the terms to look up in one index, the
 * vector to search another one for, both, or neither. Set through the request, which owns the
 * bytes. One thread at a time.
 */
public final class IndexLookup {
  private static final int TERMS = 0x01;
  private static final int NEAREST = 0x02;

  private final ByteWriter bytes;
  private int indexId;
  private int termsOffset;
  private int termsLowerLength;
  private int termsUpperLength;
  private int vectorIndexId;
  private int vectorOffset;
  private int vectorLength;
  private int nearestCount;

  IndexLookup(ByteWriter bytes) {
    this.bytes = bytes;
  }

  /** Resets to no lookup. */
  void reset() {
    indexId = 0;
    vectorIndexId = 0;
  }

  /** Takes all from another request, whose bytes have been copied. */
  void copy(IndexLookup other) {
    indexId = other.indexId;
    termsOffset = other.termsOffset;
    termsLowerLength = other.termsLowerLength;
    termsUpperLength = other.termsUpperLength;
    vectorIndexId = other.vectorIndexId;
    vectorOffset = other.vectorOffset;
    vectorLength = other.vectorLength;
    nearestCount = other.nearestCount;
  }

  void terms(
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
  }

  void nearest(int id, MemorySegment vector, long offset, int length, int count) {
    vectorIndexId = id;
    vectorOffset = bytes.size();
    vectorLength = length;
    nearestCount = count;
    bytes.putBytes(vector, offset, length);
  }

  void addAllOf(IndexLookup other) {
    MemorySegment from = other.bytes.segment();
    if (other.indexId != 0) {
      int at = other.termsOffset;
      int lower = other.termsLowerLength;
      terms(other.indexId, from, at, lower, from, (long) at + lower, other.termsUpperLength);
    }
    if (other.vectorIndexId != 0) {
      nearest(
          other.vectorIndexId, from, other.vectorOffset, other.vectorLength, other.nearestCount);
    }
  }

  // ---- bytes

  void encode(ByteWriter out) {
    out.putByte((indexId != 0 ? TERMS : 0) | (vectorIndexId != 0 ? NEAREST : 0));
    MemorySegment segment = bytes.segment();
    if (indexId != 0) {
      out.putVarint(indexId);
      RequestReader.putBytes(out, segment, termsOffset, termsLowerLength);
      RequestReader.putBytes(out, segment, (long) termsOffset + termsLowerLength, termsUpperLength);
    }
    if (vectorIndexId != 0) {
      out.putVarint(vectorIndexId);
      RequestReader.putBytes(out, segment, vectorOffset, vectorLength);
      out.putVarint(nearestCount);
    }
  }

  void decode(RequestReader in) {
    int flags = in.flags("flags of the lookup", TERMS | NEAREST);
    MemorySegment segment = in.segment();
    if ((flags & TERMS) != 0) {
      int id = in.number("index", 1, Integer.MAX_VALUE);
      int lower = in.length("first term");
      long lowerAt = in.skip(lower);
      int upper = in.length("end of the terms");
      terms(id, segment, lowerAt, lower, segment, in.skip(upper), upper);
    }
    if ((flags & NEAREST) != 0) {
      int id = in.number("index of vectors", 1, Integer.MAX_VALUE);
      int length = in.length("vector");
      long vectorAt = in.skip(length);
      in.require(length > 0 && length % Float.BYTES == 0, "not a vector of floats");
      int count = in.number("number of nearest rows", 1, Integer.MAX_VALUE);
      nearest(id, segment, vectorAt, length, count);
    }
  }

  // ---- what is looked up

  /** Whether an index of either kind is used. */
  public boolean isAny() {
    return indexId != 0 || vectorIndexId != 0;
  }

  /** The index to look terms up in; 0 for none. */
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
}
