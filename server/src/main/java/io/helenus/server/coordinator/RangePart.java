package io.helenus.server.coordinator;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.KeyRanges;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.KeyFormat;

/** Parts of reads of token ranges. Stateless. */
final class RangePart {
  private RangePart() {}

  /** A request for the partitions of another whose tokens are in a range, both ends included. */
  static ReadRequest of(ReadRequest whole, long firstToken, long lastToken) {
    KeyRanges keys = whole.keys();
    ByteWriter lower = new ByteWriter(64);
    ByteWriter upper = new ByteWriter(64);
    KeyFormat.putToken(firstToken, lower);
    int lowerLength = keys.lowerLength();
    int upperLength = keys.upperLength();
    if (lowerLength > 0 && compare(whole, 0, lowerLength, lower) > 0) {
      lower.clear().putBytes(whole.segment(), 0, lowerLength);
    }
    if (lastToken < Long.MAX_VALUE) {
      KeyFormat.putToken(lastToken + 1, upper);
    }
    if (upperLength > 0
        && (upper.size() == 0 || compare(whole, lowerLength, upperLength, upper) < 0)) {
      upper.clear().putBytes(whole.segment(), lowerLength, upperLength);
    }
    return new ReadRequest()
        .resetLike(whole)
        .partitions(lower.segment(), 0, lower.size(), upper.segment(), 0, upper.size())
        .addSlicesOf(whole)
        .addElementsOf(whole)
        .addLookupOf(whole);
  }

  private static int compare(ReadRequest request, int offset, int length, ByteWriter bound) {
    return Bytes.compare(request.segment(), offset, length, bound.segment(), 0, bound.size());
  }
}
