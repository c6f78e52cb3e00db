package io.helenus.server.query.selection;

import io.helenus.server.query.restriction.KeyLayout;
import io.helenus.server.types.CollectionCells;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.PartitionKeys;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The row that a read stands at, as slices: its partition's key and static row (copied once per
 * partition), its clustering key, and where the value of each column that is read lies. One thread
 * at a time.
 */
public final class CurrentRow {
  private static final int KEPT_BYTES = 64 << 10;

  private final RowView staticView = new RowView();
  private final ByteWriter prefix = new ByteWriter(128);
  private final ByteWriter partitionKey = new ByteWriter(128);
  private final ByteWriter staticBytes = new ByteWriter(64);
  private final ByteWriter decoded = new ByteWriter(64);
  private @Nullable KeyLayout keys;
  private @Nullable ReadColumns columns;
  private long nowSeconds;
  private int staticCount;
  private int cellCount;

  private boolean plain;
  private @Nullable CollectedCells staticCollections;
  private @Nullable CollectedCells rowCollections;

  private boolean partitionKeyDecoded;
  private int[] partOffsets = new int[4];
  private int[] partLengths = new int[4];

  private MemorySegment rowSegment = MemorySegment.NULL;
  private long[] offsets = new long[16];
  private int[] lengths = new int[16];
  private long[] timestamps = new long[16];
  private long[] expiries = new long[16];

  private MemorySegment clustering = MemorySegment.NULL;
  private long clusteringOffset;
  private int clusteringLength;
  private long[] componentOffsets = new long[5];
  private int componentsKnown;
  private long[] keyCellOffsets = new long[4];
  private int[] keyCellLengths = new int[4];

  /** Starts a read. */
  public void begin(KeyLayout layout, ReadColumns readColumns, long now) {
    keys = layout;
    columns = readColumns;
    nowSeconds = now;
    staticCount = readColumns.staticCount();
    cellCount = readColumns.count();
    plain = readColumns.isPlain();
    if (readColumns.hasCollections()) {
      beginCollections(readColumns);
    }
    if (cellCount > lengths.length) {
      offsets = new long[cellCount];
      lengths = new int[cellCount];
      timestamps = new long[cellCount];
      expiries = new long[cellCount];
    }
    if (layout.partitionCount() > partOffsets.length) {
      partOffsets = new int[layout.partitionCount()];
      partLengths = new int[layout.partitionCount()];
    }
    if (layout.clusteringCount() >= componentOffsets.length) {
      componentOffsets = new long[layout.clusteringCount() + 1];
      keyCellOffsets = new long[layout.clusteringCount()];
      keyCellLengths = new int[layout.clusteringCount()];
    }
  }

  private void beginCollections(ReadColumns readColumns) {
    if (rowCollections == null || staticCollections == null) {
      staticCollections = new CollectedCells();
      rowCollections = new CollectedCells();
    }
    staticCollections.begin(readColumns.staticCount());
    rowCollections.begin(readColumns.count());
  }

  /** A partition begins. */
  public void partition(MemorySegment segment, long offset, int length) {
    prefix.clear(KEPT_BYTES).putBytes(segment, offset, length);
    partitionKeyDecoded = false;
    Arrays.fill(lengths, 0, cellCount, -1);
    clusteringLength = 0;
    if (staticCollections != null && rowCollections != null) {
      staticCollections.clear();
      rowCollections.clear();
    }
  }

  /** The partition's static row; its bytes are copied. */
  public void staticRow(RowView row) {
    if (staticCount == 0) {
      return;
    }
    staticBytes.clear(KEPT_BYTES).putBytes(row.segment(), row.offset(), row.length());
    staticView.wrap(staticBytes.segment(), 0, staticBytes.size());
    if (plain) {
      readCells(staticView);
    } else {
      readEveryCell(staticView, staticCollections);
    }
  }

  /** A row. */
  public void row(MemorySegment key, long offset, int length, RowView row) {
    clustering = key;
    clusteringOffset = offset;
    clusteringLength = length;
    componentsKnown = 0;
    componentOffsets[0] = offset;
    rowSegment = row.segment();
    Arrays.fill(lengths, staticCount, cellCount, -1);
    if (plain) {
      readCells(row);
    } else {
      readEveryCell(row);
    }
  }

  /** A row that may keep the spelling of its key, or has multi-cell columns. */
  private void readEveryCell(RowView row) {
    if (rowCollections != null) {
      rowCollections.clear();
    }
    Arrays.fill(keyCellLengths, -1);
    readEveryCell(row, rowCollections);
  }

  /** The partition has no rows: what stands here is its static row alone. */
  public void noRow() {
    clusteringLength = 0;
    Arrays.fill(lengths, staticCount, cellCount, -1);
    if (rowCollections != null) {
      rowCollections.clear();
    }
  }

  private ReadColumns layout() {
    if (columns == null) {
      throw new IllegalStateException("no read has begun");
    }
    return columns;
  }

  private KeyLayout keys() {
    if (keys == null) {
      throw new IllegalStateException("no read has begun");
    }
    return keys;
  }

  private void readCells(RowView row) {
    ReadColumns read = layout();
    row.rewind();
    while (row.nextCell()) {
      int slot = read.slot(row.column());
      if (slot >= 0 && row.cellIsLive(nowSeconds)) {
        take(slot, row);
      }
    }
  }

  private void take(int slot, RowView row) {
    offsets[slot] = row.valueOffset();
    lengths[slot] = row.valueLength();
    timestamps[slot] = row.cellTimestamp();
    expiries[slot] = row.cellIsExpiring() ? row.cellSeconds() : -1;
  }

  /** Reads the cells of a row whose columns may have several, or which keeps key spellings. */
  private void readEveryCell(RowView row, @Nullable CollectedCells collections) {
    ReadColumns read = layout();
    row.rewind();
    while (row.nextCell()) {
      int slot = read.slot(row.column());
      if (!row.cellIsLive(nowSeconds)) {
        continue;
      }
      if (slot < ReadColumns.NOT_READ) {
        int position = ReadColumns.clusteringPosition(slot);
        keyCellOffsets[position] = row.valueOffset();
        keyCellLengths[position] = row.valueLength();
      } else if (slot >= 0) {
        CollectionCells collection = read.collection(slot);
        if (collection == null || collections == null) {
          take(slot, row);
        } else {
          collections.add(slot, collection, row);
        }
      }
    }
  }

  /** The key prefix of the partition. */
  public ByteWriter prefix() {
    return prefix;
  }

  /** Whether there is a row, and not only a static one. */
  public boolean hasRow() {
    return clusteringLength > 0;
  }

  /** What the clustering key lies in. */
  public MemorySegment clusteringSegment() {
    return clustering;
  }

  /** Where the clustering key starts. */
  public long clusteringOffset() {
    return clusteringOffset;
  }

  /** The length of the clustering key with its closing tag; 0 where there is no row. */
  public int clusteringLength() {
    return clusteringLength;
  }

  /** Where the component of a clustering column starts. */
  public long componentOffset(int position) {
    KeyLayout layout = keys();
    while (componentsKnown < position) {
      componentOffsets[componentsKnown + 1] =
          layout
              .clusteringEncoding(componentsKnown)
              .skip(
                  clustering,
                  componentOffsets[componentsKnown],
                  layout.isDescending(componentsKnown));
      componentsKnown++;
    }
    return componentOffsets[position];
  }

  /** What a cell's value lies in. */
  private MemorySegment cellSegment(int slot) {
    return slot < staticCount ? staticBytes.segment() : rowSegment;
  }

  /** Appends an input of the selection as a [bytes] of the protocol. */
  void put(SelectionInput input, ByteWriter out) {
    int index = input.index();
    switch (input.kind()) {
      case CELL -> putCell(index, out);
      case CLUSTERING -> putClustering(index, out);
      case PARTITION_KEY -> putPartitionKey(index, out);
      case WRITE_TIME, TIME_TO_LIVE -> putFact(input.kind(), index, out);
      case CELLS, WRITE_TIMES, LATEST_WRITE_TIME, TIMES_TO_LIVE ->
          putCollected(input.kind(), index, out);
    }
  }

  private void putPartitionKey(int position, ByteWriter out) {
    decodePartitionKey();
    out.putInt(partLengths[position]);
    out.putBytes(partitionKey.segment(), partOffsets[position], partLengths[position]);
  }

  private void putFact(SelectionInput.Kind kind, int slot, ByteWriter out) {
    boolean writeTime = kind == SelectionInput.Kind.WRITE_TIME;
    if (lengths[slot] < 0 || (!writeTime && expiries[slot] < 0)) {
      out.putInt(-1);
    } else if (writeTime) {
      out.putInt(8).putLong(timestamps[slot]);
    } else {
      out.putInt(4).putInt((int) (expiries[slot] - nowSeconds));
    }
  }

  private void putCollected(SelectionInput.Kind kind, int slot, ByteWriter out) {
    CollectedCells collected = collected(slot);
    switch (kind) {
      case CELLS -> collected.putValue(slot, out);
      case WRITE_TIMES -> collected.putWriteTimes(slot, out);
      case LATEST_WRITE_TIME -> collected.putLatestWriteTime(slot, out);
      case TIMES_TO_LIVE -> collected.putTimesToLive(slot, nowSeconds, out);
      case PARTITION_KEY, CLUSTERING, CELL, WRITE_TIME, TIME_TO_LIVE ->
          throw new IllegalStateException(kind + " is of one cell");
    }
  }

  private CollectedCells collected(int slot) {
    CollectedCells collected = slot < staticCount ? staticCollections : rowCollections;
    if (collected == null) {
      throw new IllegalStateException("slot " + slot + " is of a column of one cell");
    }
    return collected;
  }

  private void putCell(int slot, ByteWriter out) {
    int length = lengths[slot];
    out.putInt(length);
    if (length > 0) {
      out.putBytes(cellSegment(slot), offsets[slot], length);
    }
  }

  private void putClustering(int position, ByteWriter out) {
    if (clusteringLength == 0) {
      out.putInt(-1);
      return;
    }
    if (layout().hasKeyCells() && keyCellLengths[position] >= 0) {
      out.putInt(keyCellLengths[position]);
      out.putBytes(rowSegment, keyCellOffsets[position], keyCellLengths[position]);
      return;
    }
    KeyLayout layout = keys();
    long next =
        layout
            .clusteringEncoding(position)
            .readWithLength(
                clustering, componentOffset(position), layout.isDescending(position), out);
    if (componentsKnown == position) {
      componentOffsets[++componentsKnown] = next;
    }
  }

  private void decodePartitionKey() {
    if (partitionKeyDecoded) {
      return;
    }
    partitionKeyDecoded = true;
    partitionKey.clear(KEPT_BYTES);
    KeyLayout layout = keys();
    int count = layout.partitionCount();
    if (layout.isLocal()) {
      long at = 0;
      for (int i = 0; i < count; i++) {
        KeyEncoding encoding = layout.partitionEncoding(i);
        partOffsets[i] = partitionKey.size();
        at = encoding.read(prefix.segment(), at, false, partitionKey);
        partLengths[i] = partitionKey.size() - partOffsets[i];
      }
      return;
    }
    long end = KeyFormat.readPartitionKey(prefix.segment(), 0, partitionKey);
    if (end != prefix.size()) {
      throw new IllegalStateException("a key prefix of " + prefix.size() + " bytes ends at " + end);
    }
    if (count == 1) {
      partOffsets[0] = 0;
      partLengths[0] = partitionKey.size();
      return;
    }
    long at = 0;
    for (int i = 0; i < count; i++) {
      partOffsets[i] = (int) at + 2;
      partLengths[i] = PartitionKeys.componentLength(partitionKey.segment(), at);
      at = PartitionKeys.nextComponent(partitionKey.segment(), at);
    }
  }

  /** An input of the selection as an array, null for null. Not for the hot path. */
  public byte @Nullable [] bytes(SelectionInput input) {
    decoded.clear(KEPT_BYTES);
    put(input, decoded);
    int length = Bytes.getInt(decoded.segment(), 0);
    return length < 0 ? null : Bytes.toArray(decoded.segment(), 4, length);
  }
}
