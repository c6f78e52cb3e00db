package io.helenus.storage.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.KeyRanges;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;

/**
 * Restricts a scan to the tokens of one shard, for tables with files that hold rows of other shards
 * too, until those are split. Stateless.
 */
final class ClampedRequest {
  private ClampedRequest() {}

  /** A request as far as it concerns a shard: itself, unless files hold rows of other shards. */
  static ReadRequest ofShard(
      TableStore store, ReadRequest request, StorageContext context, int shard) {
    return store.hasSharedFiles() && !request.keys().isPartition()
        ? of(request, context, shard)
        : request;
  }

  /** A copy of a request for a range of partitions, restricted to the shard's tokens. */
  static ReadRequest of(ReadRequest request, StorageContext context, int shard) {
    ByteWriter bounds = new ByteWriter(16);
    KeyFormat.putToken(context.shardMap().firstToken(shard), bounds);
    boolean last = shard + 1 == context.shardMap().count();
    if (!last) {
      KeyFormat.putToken(context.shardMap().firstToken(shard + 1), bounds);
    }
    MemorySegment requested = request.segment();
    KeyRanges keys = request.keys();
    int lowerLength = keys.lowerLength();
    int upperLength = keys.upperLength();
    boolean keepLower = Bytes.compare(requested, 0, lowerLength, bounds.segment(), 0, 8) >= 0;
    boolean keepUpper =
        last
            || upperLength > 0
                && Bytes.compare(requested, lowerLength, upperLength, bounds.segment(), 8, 8) <= 0;
    return new ReadRequest()
        .resetLike(request)
        .partitions(
            keepLower ? requested : bounds.segment(),
            0,
            keepLower ? lowerLength : 8,
            keepUpper ? requested : bounds.segment(),
            keepUpper ? lowerLength : 8,
            keepUpper ? upperLength : 8)
        .addSlicesOf(request)
        .addElementsOf(request)
        .addLookupOf(request);
  }
}
