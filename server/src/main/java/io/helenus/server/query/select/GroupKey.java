package io.helenus.server.query.select;

import io.helenus.server.query.selection.ClusteringKey;
import io.helenus.server.query.selection.CurrentRow;
import io.helenus.server.query.selection.Grouping;
import io.helenus.server.query.selection.SelectedRows;
import io.helenus.server.query.value.Expression;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * What all rows of a group have in common within a partition: the first clustering columns, and the
 * value of a function of the next one if GROUP BY has one. Reused. Confined to one thread at a
 * time.
 */
final class GroupKey {
  private final ByteWriter key = new ByteWriter(64);
  private final ByteWriter ofRow = new ByteWriter(64);

  /** Whether the current row is of another group. */
  boolean differs(Grouping grouping, CurrentRow row, SelectedRows rows) {
    ClusteringKey clustering = row.clustering();
    int length = equalLength(grouping, clustering);
    Expression function = grouping.function();
    if (function == null) {
      return !isEqual(clustering.segment(), clustering.offset(), length);
    }
    ofRow.clear().putBytes(clustering.segment(), clustering.offset(), length);
    byte[] value = rows.ofCurrentRow(function);
    if (value != null) {
      ofRow.putByte(1).putBytes(value);
    }
    return !isEqual(ofRow.segment(), 0, ofRow.size());
  }

  private boolean isEqual(MemorySegment segment, long offset, int length) {
    return Bytes.equal(key.segment(), 0, key.size(), segment, offset, length);
  }

  /** The length of the clustering columns that all rows of a group have in common. */
  private static int equalLength(Grouping grouping, ClusteringKey clustering) {
    return (int) (clustering.componentOffset(grouping.equalColumns()) - clustering.offset());
  }

  /** Takes the key of the current row, about which {@link #differs} has been asked. */
  void take(Grouping grouping, CurrentRow row) {
    key.clear();
    if (grouping.function() == null) {
      ClusteringKey clustering = row.clustering();
      key.putBytes(clustering.segment(), clustering.offset(), equalLength(grouping, clustering));
    } else {
      key.putBytes(ofRow.segment(), 0, ofRow.size());
    }
  }
}
