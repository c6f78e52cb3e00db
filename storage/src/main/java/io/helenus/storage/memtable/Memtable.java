package io.helenus.storage.memtable;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.index.IndexFeed;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.row.Cells;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationEntry;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowMerge;
import io.helenus.storage.row.RowSplitter;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.vector.VectorFeed;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that one shard wrote to one table since the last flush, sorted, in native memory. An
 * empty memtable takes no native memory. Rows, static rows, their elements and partition deletions
 * are in one tree, range tombstone bounds in another. An overwrite is merged with the existing
 * version of the row or element, which is kept only while an open snapshot sees it. A change of an
 * element of a multi-cell column touches no other element, nor the row.
 *
 * <p>Shard thread only until {@link #freeze}; from then on any thread may read.
 */
public final class Memtable {
  private final int tableId;
  private final Slabs slabs;
  private final Records records;
  private final KeyTree rows;
  private final KeyTree bounds;
  private final BoundIndex boundIndex;
  private final EntryVersions rowVersions;
  private final Elements elements;
  private final ByteWriter key;
  private final ByteWriter endKey;
  private final ByteWriter merged;
  private final ByteWriter split;
  private final RowMerge merge;
  private final RowSplitter splitter;
  private final RowView newRow;
  private final RowView oldRow;
  private final RowView normalRow;
  private final MutationEntry entry;
  private final IndexRun[] indexes;
  private final VectorsOf[] vectors;
  private long smallestTimestamp = Long.MAX_VALUE;
  private int cellKinds;
  private long partitionDeletions;
  private long staticRows;
  private boolean frozen;
  private int users = 1;

  // within a mutation: whether the key of the last entry was that of the tree's last find, and
  // whether the current row's key is greater and nothing else will be sought in between
  private boolean isAfterRow;
  private boolean isNext;

  /** The run of an index. */
  private record IndexRun(int indexId, TermTree entries, IndexFeed feed) {
    static IndexRun of(IndexDescriptor index, Slabs slabs, Records records) {
      TermTree entries = new TermTree(slabs, records);
      return new IndexRun(index.id(), entries, new IndexFeed(index, entries));
    }
  }

  /** The vectors of an index. */
  private record VectorsOf(int indexId, VectorList list) {
    static VectorsOf of(IndexDescriptor index, Slabs slabs) {
      return new VectorsOf(index.id(), new VectorList(slabs, new VectorFeed(index)));
    }
  }

  /** An empty memtable of a table without indexes. */
  public Memtable(int tableId, SlabPool pool, Snapshots snapshots) {
    this(tableId, List.of(), pool, snapshots);
  }

  /** An empty memtable of a table, with a run for each of these indexes. */
  public Memtable(int tableId, List<IndexDescriptor> indexes, SlabPool pool, Snapshots snapshots) {
    this.tableId = tableId;
    Scratch scratch = snapshots.scratch();
    key = scratch.key;
    endKey = scratch.endKey;
    merged = scratch.merged;
    split = scratch.split;
    merge = scratch.merge;
    splitter = scratch.splitter;
    newRow = scratch.newRow;
    oldRow = scratch.oldRow;
    normalRow = scratch.normalRow;
    entry = scratch.entry;
    slabs = new Slabs(pool);
    records = new Records(slabs);
    rows = new KeyTree(slabs, records);
    bounds = new KeyTree(slabs, records);
    rowVersions = new EntryVersions(rows, records, snapshots);
    elements = new Elements(rows, records, rowVersions, snapshots);
    boundIndex = new BoundIndex(bounds, records, snapshots, scratch.bound);
    int ofVectors = 0;
    for (IndexDescriptor index : indexes) {
      ofVectors += index.vectors() == null ? 0 : 1;
    }
    this.indexes = new IndexRun[indexes.size() - ofVectors];
    vectors = new VectorsOf[ofVectors];
    int terms = 0;
    for (IndexDescriptor index : indexes) {
      if (index.vectors() == null) {
        this.indexes[terms++] = IndexRun.of(index, slabs, records);
      } else {
        vectors[--ofVectors] = VectorsOf.of(index, slabs);
      }
    }
  }

  /** The id of the table. */
  public int tableId() {
    return tableId;
  }

  /** Native memory used, in bytes. */
  public long memoryBytes() {
    return slabs.bytes();
  }

  /** Whether nothing has been applied. */
  public boolean isEmpty() {
    return slabs.bytes() == 0;
  }

  /** The number of rows, static rows, elements, partition deletions and range tombstone bounds. */
  public long entryCount() {
    return rows.size() + bounds.size();
  }

  /** The smallest timestamp in the memtable, in microseconds; Long.MAX_VALUE if it is empty. */
  public long smallestTimestamp() {
    return smallestTimestamp;
  }

  /** Whether there may be tombstones or expiring cells. */
  public boolean mayHoldDeadCells() {
    return (cellKinds
            & (RowFormat.CELL_TOMBSTONE | RowFormat.CELL_EXPIRING | RowFormat.CELL_ROW_EXPIRY))
        != 0;
  }

  /** Whether there may be partition deletions. */
  public boolean hasPartitionDeletions() {
    return partitionDeletions > 0;
  }

  /** Whether there may be static rows. */
  public boolean hasStaticRows() {
    return staticRows > 0;
  }

  /** Whether there may be range deletions. */
  public boolean hasBounds() {
    return bounds.size() > 0;
  }

  /** The entries of an index for these rows; null if they are not indexed by it. */
  public @Nullable TermTree index(int indexId) {
    for (IndexRun index : indexes) {
      if (index.indexId == indexId) {
        return index.entries;
      }
    }
    return null;
  }

  /** The vectors of an index in these rows; null if they are not indexed by it. */
  public @Nullable VectorList vectors(int indexId) {
    for (VectorsOf index : vectors) {
      if (index.indexId == indexId) {
        return index.list;
      }
    }
    return null;
  }

  /** Whether it should be flushed because searches compare all vectors of an index. */
  public boolean hasCostlyVectors() {
    for (VectorsOf index : vectors) {
      if (index.list.areCostly()) {
        return true;
      }
    }
    return false;
  }

  /** Ends writing. Afterwards the memtable may be passed to other threads for reading. */
  public void freeze() {
    frozen = true;
  }

  /** Adds a user. Shard thread. */
  public void retain() {
    if (users <= 0) {
      throw new IllegalStateException(
          "memtable of table " + tableId + " used after its last release");
    }
    users++;
  }

  /** Removes a user; the last one frees the memory. Shard thread. */
  public void release() {
    users--;
    if (users == 0) {
      slabs.free();
    }
  }

  /** Opens a cursor over rows, static rows and partition deletions as of a snapshot. */
  public void openRows(MemtableCursor cursor, long snapshot) {
    cursor.open(rows, records, false, partitionDeletions > 0, snapshot);
  }

  /** Opens a cursor over range tombstone bounds as of a snapshot. */
  public void openBounds(MemtableCursor cursor, long snapshot) {
    cursor.open(bounds, records, true, false, snapshot);
  }

  /** Cursors over everything, for a merge. */
  public List<EntryCursor> cursors() {
    List<EntryCursor> cursors = new ArrayList<>(2);
    MemtableCursor ofRows = new MemtableCursor();
    openRows(ofRows, Snapshots.ALL);
    cursors.add(ofRows);
    if (hasBounds()) {
      MemtableCursor ofBounds = new MemtableCursor();
      openBounds(ofBounds, Snapshots.ALL);
      cursors.add(ofBounds);
    }
    return cursors;
  }

  /**
   * Applies the entries of the view's current table. All tables of a mutation share one sequence
   * number. A malformed entry raises IllegalArgumentException or IndexOutOfBoundsException; the
   * entries before it remain applied.
   */
  public void apply(MutationView mutation, long sequence) {
    if (frozen || mutation.tableId() != tableId) {
      throw new IllegalStateException(
          "memtable of table " + tableId + " is frozen, or the mutation is of another table");
    }
    MemorySegment segment = mutation.segment();
    int prefix = mutation.prefixLength();
    key.clear().putBytes(segment, mutation.prefixOffset(), prefix);
    isAfterRow = false;
    long at = mutation.entriesOffset();
    long end = at + mutation.entriesLength();
    while (at < end) {
      at = entry.wrap(segment, at);
      switch (entry.kind()) {
        case RowFormat.ENTRY_ROW -> applyRow(segment, prefix, sequence);
        case RowFormat.ENTRY_PARTITION_DELETION -> {
          applyPartitionDeletion(segment, entry.valueOffset(), prefix, sequence);
          isAfterRow = false;
        }
        default -> {
          applyRangeDeletion(segment, prefix, sequence);
          isAfterRow = false;
        }
      }
    }
  }

  private void applyRow(MemorySegment segment, int prefix, long sequence) {
    long suffixAt = entry.suffixOffset();
    newRow.wrap(segment, entry.valueOffset(), entry.valueLength());
    isNext = isAfterRow && !newRow.hasDeletion() && isAscending(segment, prefix);
    key.truncate(prefix).putBytes(segment, suffixAt, entry.suffixLength());
    int kinds = noteTimestamps(newRow);
    for (IndexRun index : indexes) {
      index.feed.addRow(key.segment(), 0, key.size(), prefix, newRow);
      newRow.rewind();
    }
    for (VectorsOf index : vectors) {
      index.list.add(key.segment(), 0, key.size(), prefix, newRow);
      newRow.rewind();
    }
    if ((kinds & (RowFormat.CELL_PATH | RowFormat.CELL_COLUMN_DELETION)) != 0) {
      applyRowWithElements(segment, kinds, prefix, sequence);
      isAfterRow = false;
    } else {
      if (newRow.hasDeletion()) {
        elements.removeCovered(key, newRow);
      }
      putNormalRow(prefix, sequence);
      isAfterRow = true;
    }
    if (Bytes.getByte(segment, suffixAt) == KeyFormat.SECTION_STATIC) {
      staticRows++;
    }
  }

  /** Whether the row's key is greater than the one before it in the mutation. */
  private boolean isAscending(MemorySegment segment, int prefix) {
    return Bytes.compare(
            key.segment(),
            prefix,
            key.size() - prefix,
            segment,
            entry.suffixOffset(),
            entry.suffixLength())
        < 0;
  }

  /** Puts a row that has cells with paths or column deletions. */
  private void applyRowWithElements(MemorySegment segment, int kinds, int prefix, long sequence) {
    if (newRow.hasDeletion()) {
      elements.removeCovered(key, newRow);
    }
    if ((kinds & RowFormat.CELL_PATH) == 0) {
      putNormalRow(prefix, sequence);
      elements.put(newRow, prefix, sequence, true);
      return;
    }
    boolean hasRow = splitter.row(newRow, split.clear());
    if (hasRow) {
      newRow.wrap(split.segment(), 0, split.size());
      putNormalRow(prefix, sequence);
      newRow.wrap(segment, entry.valueOffset(), entry.valueLength());
    }
    elements.put(newRow, prefix, sequence, hasRow);
  }

  /** Tracks timestamps; returns the flags of all cells. */
  private int noteTimestamps(RowView row) {
    long smallest = row.hasDeletion() ? row.deletionTimestamp() : Long.MAX_VALUE;
    if (row.hasLiveness()) {
      smallest = Math.min(smallest, row.timestamp());
    }
    int kinds = 0;
    while (row.nextCell()) {
      smallest = Math.min(smallest, row.cellTimestamp());
      kinds |= row.cellFlags();
    }
    cellKinds |= kinds;
    smallestTimestamp = Math.min(smallestTimestamp, smallest);
    return kinds;
  }

  /** Puts {@code newRow}, without the cells that its own deletion covers. */
  private void putNormalRow(int prefix, long sequence) {
    if (newRow.hasDeletion() && (newRow.hasLiveness() || newRow.rewind().nextCell())) {
      merge.normalize(newRow, merged.clear());
      putRow(normalRow.wrap(merged.segment(), 0, merged.size()), prefix, sequence);
    } else {
      putRow(newRow, prefix, sequence);
    }
  }

  private void putRow(RowView row, int prefix, long sequence) {
    long record =
        isNext ? rows.findNext(key.segment(), key.size()) : rows.find(key.segment(), key.size());
    if (record == Slabs.NONE) {
      rowVersions.add(
          key.segment(), key.size(), prefix, sequence, row.segment(), row.offset(), row.length());
      return;
    }
    oldRow.wrap(records.segment(record), records.valueOffset(record), records.valueLength(record));
    if (RowMerge.covers(row, oldRow)) {
      rowVersions.replace(record, sequence, row.segment(), row.offset(), row.length());
    } else {
      // after the normalized row, if any
      int start = merged.size();
      merge.merge(row, oldRow, merged);
      rowVersions.replace(record, sequence, merged.segment(), start, merged.size() - start);
      merged.truncate(start);
    }
  }

  private void applyPartitionDeletion(MemorySegment segment, long at, int prefix, long sequence) {
    long timestamp = Bytes.getLong(segment, at);
    long seconds = Bytes.getInt(segment, at + 8) & 0xFFFFFFFFL;
    smallestTimestamp = Math.min(smallestTimestamp, timestamp);
    key.truncate(prefix).putByte(KeyFormat.SECTION_PARTITION_DELETION);
    long record = rows.find(key.segment(), key.size());
    if (record == Slabs.NONE) {
      rowVersions.add(key.segment(), key.size(), prefix, sequence, segment, at, 12);
    } else {
      MemorySegment old = records.segment(record);
      long oldAt = records.valueOffset(record);
      if (Cells.deletionWins(
          timestamp,
          seconds,
          Bytes.getLong(old, oldAt),
          Bytes.getInt(old, oldAt + 8) & 0xFFFFFFFFL)) {
        rowVersions.replace(record, sequence, segment, at, 12);
      }
    }
    partitionDeletions++;
  }

  private void applyRangeDeletion(MemorySegment segment, int prefix, long sequence) {
    long at = entry.valueOffset();
    long timestamp = Bytes.getLong(segment, at);
    long seconds = Bytes.getInt(segment, at + 8) & 0xFFFFFFFFL;
    smallestTimestamp = Math.min(smallestTimestamp, timestamp);
    endKey.clear().putBytes(key.segment(), 0, prefix);
    endKey.putBytes(segment, entry.endSuffixOffset(), entry.endSuffixLength());
    key.truncate(prefix).putBytes(segment, entry.suffixOffset(), entry.suffixLength());
    boundIndex.add(key, endKey, prefix, timestamp, seconds, sequence);
  }
}
