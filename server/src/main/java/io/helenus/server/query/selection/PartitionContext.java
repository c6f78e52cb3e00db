package io.helenus.server.query.selection;

import io.helenus.server.query.restriction.KeyLayout;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.PartitionKeys;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The data shared by the rows of a partition: its key, decoded on first access to one of its
 * columns, and its static row. Both are copied, because later rows may be in other blocks. Confined
 * to one thread at a time.
 */
final class PartitionContext {
  private static final int KEPT_BYTES = 64 << 10;

  private final ByteWriter prefix = new ByteWriter(128);
  private final ByteWriter key = new ByteWriter(128);
  private final ByteWriter staticBytes;
  private final RowView staticView = new RowView();
  private final RowCells staticCells;
  private @Nullable KeyLayout layout;
  private int staticCount;
  private boolean decoded;
  private int[] offsets = new int[4];
  private int[] lengths = new int[4];

  PartitionContext(ElementBounds bounds, LargeSegments segments) {
    this.staticBytes = ByteWriter.recycling(segments, 64);
    this.staticCells = new RowCells(bounds, segments);
  }

  /** Starts a read. */
  void begin(KeyLayout keys, ReadColumns columns, boolean elementTimes, long nowSeconds) {
    layout = keys;
    staticCount = columns.staticCount();
    if (staticCount > 0) {
      staticCells.begin(columns, 0, staticCount, keys.clusteringCount(), elementTimes, nowSeconds);
    }
    if (keys.partitionCount() > offsets.length) {
      offsets = new int[keys.partitionCount()];
      lengths = new int[keys.partitionCount()];
    }
  }

  /** Ends the read and releases the memory of a large static row. */
  void end() {
    if (staticCount > 0) {
      staticBytes.clear(KEPT_BYTES);
      staticCells.end();
    }
  }

  /** Begins a partition. */
  void partition(MemorySegment segment, long offset, int length) {
    prefix.clear(KEPT_BYTES).putBytes(segment, offset, length);
    decoded = false;
    if (staticCount > 0) {
      staticCells.clear();
    }
  }

  /** Sets the partition's static row. */
  void staticRow(RowView row) {
    if (staticCount == 0) {
      return;
    }
    staticBytes.clear(KEPT_BYTES).putBytes(row.segment(), row.offset(), row.length());
    staticView.wrap(staticBytes.segment(), 0, staticBytes.size());
    staticCells.read(staticView);
  }

  /** The key prefix of the partition. */
  ByteWriter prefix() {
    return prefix;
  }

  /** The cells of the static row. */
  RowCells staticCells() {
    return staticCells;
  }

  /** Appends a column of the partition key as a [bytes] of the protocol. */
  void putKey(int position, ByteWriter out) {
    if (!decoded) {
      decode();
      decoded = true;
    }
    out.putInt(lengths[position]);
    out.putBytes(key.segment(), offsets[position], lengths[position]);
  }

  private void decode() {
    KeyLayout keys = layout();
    key.clear(KEPT_BYTES);
    if (keys.isLocal()) {
      decodeLocal(keys);
      return;
    }
    long end = KeyFormat.readPartitionKey(prefix.segment(), 0, key);
    if (end != prefix.size()) {
      throw new IllegalStateException(
          "malformed key prefix: " + prefix.size() + " bytes, decoded up to " + end);
    }
    if (keys.partitionCount() == 1) {
      offsets[0] = 0;
      lengths[0] = key.size();
      return;
    }
    long at = 0;
    for (int i = 0; i < keys.partitionCount(); i++) {
      offsets[i] = (int) at + 2;
      lengths[i] = PartitionKeys.componentLength(key.segment(), at);
      at = PartitionKeys.nextComponent(key.segment(), at);
    }
  }

  private void decodeLocal(KeyLayout keys) {
    long at = 0;
    for (int i = 0; i < keys.partitionCount(); i++) {
      KeyEncoding encoding = keys.partitionEncoding(i);
      offsets[i] = key.size();
      at = encoding.read(prefix.segment(), at, false, key);
      lengths[i] = key.size() - offsets[i];
    }
  }

  private KeyLayout layout() {
    if (layout == null) {
      throw new IllegalStateException("no read has started");
    }
    return layout;
  }
}
