package io.helenus.server.query.selection;

import io.helenus.server.types.CollectionCells;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.row.ElementValue;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.RowView;
import java.util.Arrays;

/**
 * The multi-cell columns of one row, assembled from their cells in storage order: the collection in
 * its wire format and, if needed, the timestamp and expiry of each cell. Confined to one thread at
 * a time.
 */
final class CollectedCells {
  private static final int KEPT_BYTES = 64 << 10;
  private static final int FACT_BYTES = 16;
  private static final long NEVER = ElementValue.NEVER;

  private final ByteWriter values;
  private final ByteWriter facts;
  private int[] valueOffsets = new int[4];
  private int[] valueLengths = new int[4];
  private int[] factOffsets = new int[4];
  private int[] counts = new int[4];
  private int slots;
  private boolean times;

  CollectedCells(LargeSegments segments) {
    values = ByteWriter.recycling(segments, 256);
    facts = ByteWriter.recycling(segments, 256);
  }

  /** Starts a read of this many slots, with or without timestamps and expiries. */
  void begin(int slotCount, boolean withTimes) {
    slots = slotCount;
    times = withTimes;
    if (slotCount > counts.length) {
      valueOffsets = new int[slotCount];
      valueLengths = new int[slotCount];
      factOffsets = new int[slotCount];
      counts = new int[slotCount];
    }
    clear();
  }

  /** Starts the next row. */
  void clear() {
    values.clear(KEPT_BYTES);
    facts.clear(KEPT_BYTES);
    Arrays.fill(counts, 0, slots, 0);
  }

  /** Adds the live cell at the view's position. */
  void add(int slot, CollectionCells cells, RowView cell) {
    begin(slot);
    cells.read(cell, values);
    if (times) {
      facts.putLong(cell.cellTimestamp());
      facts.putLong(cell.cellIsExpiring() ? cell.cellSeconds() : NEVER);
    }
    valueLengths[slot] = values.size() - valueOffsets[slot];
  }

  /** Adds an element. */
  void add(int slot, CollectionCells cells, ElementView element, ElementValue value) {
    begin(slot);
    cells.read(
        element.pathSegment(),
        element.pathOffset(),
        value.segment(),
        value.valueOffset(),
        value.valueLength(),
        values);
    if (times) {
      facts.putLong(value.timestamp()).putLong(value.expirySeconds());
    }
    valueLengths[slot] = values.size() - valueOffsets[slot];
  }

  private void begin(int slot) {
    if (counts[slot]++ == 0) {
      valueOffsets[slot] = values.reserve(4);
      factOffsets[slot] = facts.size();
    }
  }

  /** Appends the collection as a [bytes]; null if it has no cells. */
  void putValue(int slot, ByteWriter out) {
    if (isPresent(slot, out)) {
      values.setInt(valueOffsets[slot], counts[slot]);
      out.putInt(valueLengths[slot]);
      out.putBytes(values.segment(), valueOffsets[slot], valueLengths[slot]);
    }
  }

  /** Appends the only element: the element of a set, or the value of a map. */
  void putElement(int slot, boolean ofMap, ByteWriter out) {
    if (isPresent(slot, out)) {
      long at = valueOffsets[slot] + 4L;
      if (ofMap) {
        at += 4L + Bytes.getInt(values.segment(), at);
      }
      out.putBytes(values.segment(), at, 4L + Bytes.getInt(values.segment(), at));
    }
  }

  /** Appends the remaining TTL of the only element; null without a TTL. */
  void putTimeToLive(int slot, long nowSeconds, ByteWriter out) {
    if (isPresent(slot, out)) {
      long expiry = Bytes.getLong(facts.segment(), factAt(slot, 0) + Long.BYTES);
      if (expiry == NEVER) {
        out.putInt(-1);
      } else {
        out.putInt(4).putInt((int) (expiry - nowSeconds));
      }
    }
  }

  /** Appends the timestamps as a list. */
  void putWriteTimes(int slot, ByteWriter out) {
    if (isPresent(slot, out)) {
      out.putInt(4 + counts[slot] * 12).putInt(counts[slot]);
      for (int i = 0; i < counts[slot]; i++) {
        out.putInt(8).putLong(timestamp(slot, i));
      }
    }
  }

  /** Appends the latest timestamp. */
  void putLatestWriteTime(int slot, ByteWriter out) {
    if (isPresent(slot, out)) {
      long latest = Long.MIN_VALUE;
      for (int i = 0; i < counts[slot]; i++) {
        latest = Math.max(latest, timestamp(slot, i));
      }
      out.putInt(8).putLong(latest);
    }
  }

  /** Appends the remaining TTLs as a list, null for cells without a TTL. */
  void putTimesToLive(int slot, long nowSeconds, ByteWriter out) {
    if (isPresent(slot, out)) {
      int lengthAt = out.reserve(4);
      out.putInt(counts[slot]);
      for (int i = 0; i < counts[slot]; i++) {
        long expiry = Bytes.getLong(facts.segment(), factAt(slot, i) + Long.BYTES);
        if (expiry == NEVER) {
          out.putInt(-1);
        } else {
          out.putInt(4).putInt((int) (expiry - nowSeconds));
        }
      }
      out.setInt(lengthAt, out.size() - lengthAt - 4);
    }
  }

  private boolean isPresent(int slot, ByteWriter out) {
    if (counts[slot] == 0) {
      out.putInt(-1);
      return false;
    }
    return true;
  }

  private long timestamp(int slot, int index) {
    return Bytes.getLong(facts.segment(), factAt(slot, index));
  }

  private long factAt(int slot, int index) {
    return factOffsets[slot] + (long) FACT_BYTES * index;
  }
}
