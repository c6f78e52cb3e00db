package io.helenus.storage.engine.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
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
    int lowerLength = request.lowerLength();
    int upperLength = request.upperLength();
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
    to.reversed(from.isReversed());
    to.wantsStatic(from.isStaticWanted()).wantsRows(from.areRowsWanted());
    to.tombstoneLimit(from.tombstoneLimit());
    if (from.hasColumns()) {
      to.columns(from.columns().ids());
    }
    for (int i = 0; i < from.elementsCount(); i++) {
      copyElements(from, i, to);
    }
    for (int i = 0; i < from.sliceCount(); i++) {
      int lower = from.sliceOffset(i);
      int lowerLength = from.sliceLowerLength(i);
      to.addSlice(
          from.segment(),
          lower,
          lowerLength,
          from.segment(),
          lower + lowerLength,
          from.sliceUpperLength(i));
    }
    if (from.indexId() != 0) {
      copyTerms(from, to);
    }
    if (from.vectorIndexId() != 0) {
      to.nearest(
          from.vectorIndexId(),
          from.segment(),
          from.vectorOffset(),
          from.vectorLength(),
          from.nearestCount());
    }
  }

  private static void copyTerms(ReadRequest from, ReadRequest to) {
    int lower = from.termsOffset();
    int lowerLength = from.termsLowerLength();
    to.index(
        from.indexId(),
        from.segment(),
        lower,
        lowerLength,
        from.segment(),
        lower + lowerLength,
        from.termsUpperLength());
  }

  private static void copyElements(ReadRequest from, int selection, ReadRequest to) {
    int column = from.elementsColumn(selection);
    int lower = from.elementsOffset(selection);
    int lowerLength = from.elementsLowerLength(selection);
    int upperLength = from.elementsUpperLength(selection);
    if (upperLength == ReadRequest.ONE_ELEMENT) {
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
