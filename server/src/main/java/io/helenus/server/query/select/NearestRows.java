package io.helenus.server.query.select;

import io.helenus.server.functions.VectorSimilarity;
import io.helenus.server.query.selection.ClusteringKey;
import io.helenus.server.query.selection.CurrentRow;
import io.helenus.server.query.selection.SelectedRows;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import java.util.Arrays;

/**
 * Keeps the rows of a read whose vectors are the most similar to one: as many as the LIMIT, of
 * equally similar ones those that come first in the order of keys. At most twice as many are
 * encoded at a time. The order of a row is its similarity and then its key. One read at a time.
 */
final class NearestRows {
  private final NearestOrder order;
  private final int limit;
  private final PostSort sort;
  private final ByteWriter wanted;
  private final ByteWriter value;
  private final ByteWriter key = new ByteWriter(64);
  private byte[] worst = {};

  /** Starts a read, whose vector is neither null nor unset. */
  NearestRows(NearestOrder order, int limit, BoundSlots bound, PostSort sort) {
    this.order = order;
    this.limit = limit;
    this.sort = sort;
    int slot = order.slot();
    int length = bound.length(slot);
    wanted = new ByteWriter(length).putBytes(bound.segment(slot), bound.offset(slot), length);
    value = new ByteWriter(Integer.BYTES + length);
  }

  /** Makes a request, which has all else, one for the nearest rows. */
  void addTo(ReadRequest request) {
    if (order.indexId() > 0) {
      request.nearest(order.indexId(), wanted.segment(), 0, wanted.size(), limit);
    }
  }

  /** Takes an accepted row; returns false if its vector cannot be compared. */
  boolean take(CurrentRow row, SelectedRows rows) {
    value.clear();
    row.put(order.input(), value);
    if (Bytes.getInt(value.segment(), 0) < 0) {
      return false;
    }
    VectorSimilarity similarity = order.similarity();
    float found =
        similarity.of(value.segment(), Integer.BYTES, wanted.segment(), 0, order.dimension());
    boolean ordinary = found > 0 && found < Float.POSITIVE_INFINITY;
    if (!ordinary
        && (Float.isNaN(found)
            || similarity.objection(value.segment(), Integer.BYTES, order.dimension()) != null)) {
      return false;
    }
    putKey(found, row);
    byte[] place = key.toArray();
    if (worst.length > 0 && Arrays.compareUnsigned(place, worst) >= 0) {
      return true;
    }
    sort.add(place, rows);
    rows.add();
    rows.makeRoom();
    if (sort.count() > 2 * limit) {
      worst = sort.keep(limit, rows);
    }
    return true;
  }

  /** The bytes by which rows are sorted, more similar ones first. */
  private void putKey(float similarity, CurrentRow row) {
    int bits = Float.floatToIntBits(similarity + 0f);
    // ascending for all floats, then reversed
    int ascending = bits < 0 ? ~bits : bits | Integer.MIN_VALUE;
    ByteWriter prefix = row.prefix();
    ClusteringKey clustering = row.clustering();
    key.clear()
        .putInt(~ascending)
        .putBytes(prefix.segment(), 0, prefix.size())
        .putBytes(clustering.segment(), clustering.offset(), clustering.length());
  }
}
