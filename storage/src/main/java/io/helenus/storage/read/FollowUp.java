package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.KeyRanges;
import io.helenus.storage.engine.ReadLimits;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Makes the requests to replicas that follow the first one of a read. In a range of partitions the
 * rest of a partition is asked for before the range behind it. Shard thread only.
 */
public final class FollowUp {
  private static final int DOUBLINGS = 12;

  private final ReadRequest first;

  /** Null until there is a second request, which most reads do not have. */
  private @Nullable ReadRequest made;

  private @Nullable ByteWriter edgeBytes;
  private int rounds;
  private byte @Nullable [] partition;

  /** Of a read by this request, which must not change. */
  public FollowUp(ReadRequest first) {
    this.first = first;
  }

  /** The request to send. */
  public ReadRequest request() {
    ReadRequest later = made;
    return later == null ? first : later;
  }

  /** The prefix of the partition whose rest alone is asked for before the read goes on; or null. */
  public byte @Nullable [] partition() {
    return partition;
  }

  /**
   * Makes the request from a key on, or to a key in a reversed read.
   *
   * @param stopPrefix the length of the key's prefix if the replies ended there; otherwise 0
   */
  public void goOn(ByteWriter key, int stopPrefix) {
    rounds++;
    partition = null;
    if (first.keys().isPartition()) {
      int prefixLength = first.keys().lowerLength();
      ofPartition(key.segment(), prefixLength);
      addSlices(key.segment(), prefixLength, key.size() - prefixLength);
    } else if (stopPrefix == 0) {
      ofRange(key);
    } else if (isEdgeOfPartition(key, stopPrefix)) {
      edge().clear().putBytes(key.segment(), 0, stopPrefix).putByte(KeyFormat.SECTION_ROWS + 1);
      ofRange(edge());
    } else {
      partition = Bytes.toArray(key.segment(), 0, stopPrefix);
      ofPartition(key.segment(), stopPrefix);
      addSlices(key.segment(), stopPrefix, key.size() - stopPrefix);
    }
    next().addElementsOf(first).addLookupOf(first);
    next()
        .rowLimits(
            doubled(first.limits().rows()),
            doubled(first.limits().rowsPerPartition()),
            first.limits().doStaticRowsCount());
  }

  private int doubled(int limit) {
    long more = (long) limit << Math.min(rounds, DOUBLINGS);
    return limit == ReadLimits.NONE ? limit : (int) Math.min(more, ReadLimits.NONE - 1);
  }

  private void putEdge(int tag) {
    edge().clear().putByte(KeyFormat.SECTION_ROWS).putByte(tag);
  }

  private static boolean isEdgeOfPartition(ByteWriter key, int prefixLength) {
    return key.size() == prefixLength + 2
        && Bytes.getByte(key.segment(), prefixLength + 1L) == KeyFormat.TAG_BOUND_AFTER;
  }

  private void ofPartition(MemorySegment key, int prefixLength) {
    // what an index finds is read in parts, each of which has the static row
    boolean wantsStatic = first.lookup().isAny() && first.keys().isStaticWanted();
    next().resetLike(first).partition(key, 0, prefixLength).wantsStatic(wantsStatic);
  }

  private void ofRange(ByteWriter lower) {
    next()
        .resetLike(first)
        .partitions(
            lower.segment(),
            0,
            lower.size(),
            first.segment(),
            first.keys().lowerLength(),
            first.keys().upperLength())
        .addSlicesOf(first);
  }

  /** Adds what is left of the slices behind a key suffix, or before it if reversed. */
  private void addSlices(MemorySegment key, long at, int length) {
    KeyRanges keys = first.keys();
    boolean reversed = keys.isReversed();
    if (keys.sliceCount() == 0) {
      putEdge(reversed ? KeyFormat.TAG_BOUND_BEFORE : KeyFormat.TAG_BOUND_AFTER);
      if (reversed) {
        next().addSlice(edge().segment(), 0, edge().size(), key, at, length);
      } else {
        next().addSlice(key, at, length, edge().segment(), 0, edge().size());
      }
    }
    MemorySegment segment = first.segment();
    for (int i = 0; i < keys.sliceCount(); i++) {
      long lower = keys.sliceOffset(i);
      int lowerLength = keys.sliceLowerLength(i);
      long upper = lower + lowerLength;
      int upperLength = keys.sliceUpperLength(i);
      boolean lowerIsBehind = Bytes.compare(segment, lower, lowerLength, key, at, length) >= 0;
      boolean upperIsBehind =
          upperLength > 0 && Bytes.compare(segment, upper, upperLength, key, at, length) > 0;
      boolean isSplit = upperLength > 0 && lowerIsBehind != upperIsBehind;
      if (!isSplit && lowerIsBehind != reversed) {
        next().addSlice(segment, lower, lowerLength, segment, upper, upperLength);
      } else if (isSplit && reversed) {
        next().addSlice(segment, lower, lowerLength, key, at, length);
      } else if (isSplit) {
        next().addSlice(key, at, length, segment, upper, upperLength);
      }
    }
    if (next().keys().sliceCount() == 0) {
      next().addSlice(key, at, length, key, at, length);
    }
  }

  private ReadRequest next() {
    ReadRequest present = made;
    if (present == null) {
      present = new ReadRequest();
      made = present;
    }
    return present;
  }

  private ByteWriter edge() {
    ByteWriter present = edgeBytes;
    if (present == null) {
      present = new ByteWriter(64);
      edgeBytes = present;
    }
    return present;
  }
}
