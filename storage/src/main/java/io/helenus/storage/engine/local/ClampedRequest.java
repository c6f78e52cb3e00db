package io.helenus.storage.engine.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ColumnSelection;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;

/**
 * Restricts a scan to the tokens of one shard, for tables with files that hold rows of other shards
 * too, until those are split. Stateless.
 */
final class ClampedRequest {
  private ClampedRequest() {}

  /** A copy of a request for a range of partitions, restricted to the shard's tokens. */
  static ReadRequest of(ReadRequest request, StorageContext context, int shard) {
    ByteWriter bounds = new ByteWriter(16);
    KeyFormat.putToken(context.shardMap().firstToken(shard), bounds);
    boolean last = shard + 1 == context.shardMap().count();
    if (!last) {
      KeyFormat.putToken(context.shardMap().firstToken(shard + 1), bounds);
    }
    MemorySegment requested = request.segment();
    int lowerLength = request.keys().lowerLength();
    int upperLength = request.keys().upperLength();
    boolean keepLower = Bytes.compare(requested, 0, lowerLength, bounds.segment(), 0, 8) >= 0;
    boolean keepUpper =
        last
            || upperLength > 0
                && Bytes.compare(requested, lowerLength, upperLength, bounds.segment(), 8, 8) <= 0;
    ReadRequest clamped = new ReadRequest().reset(request.tableId(), request.nowSeconds());
    clamped.partitions(
        keepLower ? requested : bounds.segment(),
        0,
        keepLower ? lowerLength : 8,
        keepUpper ? requested : bounds.segment(),
        keepUpper ? lowerLength : 8,
        keepUpper ? upperLength : 8);
    copyOptions(request, clamped);
    return clamped;
  }

  private static void copyOptions(ReadRequest from, ReadRequest to) {
    to.reversed(from.keys().isReversed());
    to.wantsStatic(from.keys().isStaticWanted()).wantsRows(from.keys().areRowsWanted());
    to.tombstoneLimit(from.limits().tombstones());
    if (from.columns().areRestricted()) {
      to.columns(from.columns().ids());
    }
    for (int i = 0; i < from.columns().elementsCount(); i++) {
      copyElements(from, i, to);
    }
    for (int i = 0; i < from.keys().sliceCount(); i++) {
      int lower = from.keys().sliceOffset(i);
      int lowerLength = from.keys().sliceLowerLength(i);
      to.addSlice(
          from.segment(),
          lower,
          lowerLength,
          from.segment(),
          lower + lowerLength,
          from.keys().sliceUpperLength(i));
    }
    if (from.lookup().indexId() != 0) {
      copyTerms(from, to);
    }
    if (from.lookup().vectorIndexId() != 0) {
      to.nearest(
          from.lookup().vectorIndexId(),
          from.segment(),
          from.lookup().vectorOffset(),
          from.lookup().vectorLength(),
          from.lookup().nearestCount());
    }
  }

  private static void copyTerms(ReadRequest from, ReadRequest to) {
    int lower = from.lookup().termsOffset();
    int lowerLength = from.lookup().termsLowerLength();
    to.index(
        from.lookup().indexId(),
        from.segment(),
        lower,
        lowerLength,
        from.segment(),
        lower + lowerLength,
        from.lookup().termsUpperLength());
  }

  private static void copyElements(ReadRequest from, int selection, ReadRequest to) {
    int column = from.columns().elementsColumn(selection);
    int lower = from.columns().elementsOffset(selection);
    int lowerLength = from.columns().elementsLowerLength(selection);
    int upperLength = from.columns().elementsUpperLength(selection);
    if (upperLength == ColumnSelection.ONE_ELEMENT) {
      to.addElement(column, from.segment(), lower, lowerLength);
    } else {
      to.addElements(
          column,
          from.segment(),
          lower,
          lowerLength,
          from.segment(),
          lower + lowerLength,
          upperLength);
    }
  }
}
