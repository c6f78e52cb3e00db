package io.helenus.server.query.modification;

import io.helenus.server.query.restriction.ClusteringRanges;
import io.helenus.server.query.restriction.KeyLayout;
import io.helenus.server.query.restriction.KeyWriter;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.types.CollectionCells;
import io.helenus.server.types.CollectionElements;
import io.helenus.server.types.PartitionKeys;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Writes what one modification does to one partition as entries of a mutation. One per shard. */
final class EntryWriter {
  /** What Cassandra counts of an update with no rows. */
  static final int EMPTY_UPDATE_BYTES = 25;

  private static final int ROW_BYTES = 25;
  private static final int CELL_BYTES = 20;
  private static final int KEPT_BYTES = 16 << 10;

  private final ByteWriter suffix = new ByteWriter(128);
  private final ClusteringRanges ranges = new ClusteringRanges();
  private final KeySpellings spellings = new KeySpellings();
  private final CollectionElements elements = new CollectionElements();
  private final CollectionElements.ListPaths listPaths;
  private final WriteTimes times;
  private int countedBytes;

  EntryWriter(WriteTimes times, CollectionElements.ListPaths listPaths) {
    this.times = times;
    this.listPaths = listPaths;
  }

  /** The size of what was written since the last call, as Cassandra counts it for batches. */
  int takeCountedBytes() {
    int counted = countedBytes;
    countedBytes = 0;
    return counted;
  }

  /**
   * Writes the entries.
   *
   * @return whether there were any
   */
  boolean write(ModificationPlan plan, BoundSlots bound, MutationWriter out) {
    return switch (plan.action()) {
      case INSERT, SET_CELLS -> {
        if (plan.clusteringSlots() == null && hasNoRows(plan, bound)) {
          yield false;
        }
        boolean statics = writeStatic(plan, bound, out);
        yield (plan.writesRows() && writeRows(plan, bound, out)) || statics;
      }
      case DELETE_ROWS -> writeRows(plan, bound, out);
      case DELETE_RANGES -> deleteRanges(plan, bound, out);
      case DELETE_PARTITION -> {
        out.partitionDeletion(times.timestampMicros(), times.nowSeconds());
        yield true;
      }
    };
  }

  /** Whether an IN without values leaves no rows: then the static row is not written either. */
  private boolean hasNoRows(ModificationPlan plan, BoundSlots bound) {
    ranges.build(plan.clustering(), plan.keys(), bound);
    return ranges.count() == 0;
  }

  private boolean writeStatic(ModificationPlan plan, BoundSlots bound, MutationWriter out) {
    if (!hasCells(plan.staticCells(), bound)) {
      return false;
    }
    suffix.clear().putByte(KeyFormat.SECTION_STATIC);
    out.beginRow(suffix.segment(), 0, suffix.size());
    writeExpiry(out);
    writeCells(plan.staticCells(), plan, bound, out);
    out.endRow();
    return true;
  }

  private boolean writeRows(ModificationPlan plan, BoundSlots bound, MutationWriter out) {
    if (plan.action() == ModificationPlan.Action.SET_CELLS
        && !hasCells(plan.regularCells(), bound)) {
      return false;
    }
    int[] slots = plan.clusteringSlots();
    if (slots != null) {
      suffix.clear(KEPT_BYTES);
      KeyWriter.putRowSuffix(plan.keys(), bound, slots, suffix);
      long keyBytes = 0;
      for (int slot : slots) {
        keyBytes += bound.length(slot);
      }
      PartitionKeys.validateLength(keyBytes);
      countedBytes += (int) keyBytes;
      writeRow(suffix.segment(), 0, suffix.size(), plan, bound, out);
      return true;
    }
    ranges.build(plan.clustering(), plan.keys(), bound);
    spellings.gather(plan.clustering(), plan.keys(), bound);
    for (int i = 0; i < ranges.count(); i++) {
      countedBytes += ranges.lowerLength(i);
      validateLength(plan, i);
      writeRow(ranges.segment(), ranges.lowerOffset(i), ranges.lowerLength(i), plan, bound, out);
    }
    spellings.clear();
    return ranges.count() > 0;
  }

  /**
   * Refuses a row whose clustering values are too long together. Key bytes are never shorter than
   * the values, but for values whose spelling they lose.
   */
  private void validateLength(ModificationPlan plan, int range) {
    if (ranges.lowerLength(range) > PartitionKeys.LIMIT_BYTES || !spellings.isEmpty()) {
      PartitionKeys.validateLength(
          spellings.valueBytes(ranges.segment(), ranges.lowerOffset(range), plan.keys()));
    }
  }

  private void writeRow(
      MemorySegment segment,
      long offset,
      int length,
      ModificationPlan plan,
      BoundSlots bound,
      MutationWriter out) {
    countedBytes += ROW_BYTES;
    out.beginRow(segment, offset, length);
    if (plan.action() == ModificationPlan.Action.DELETE_ROWS) {
      out.rowDeletion(times.timestampMicros(), times.nowSeconds()).endRow();
      return;
    }
    if (plan.action() == ModificationPlan.Action.INSERT) {
      out.liveness(times.timestampMicros());
    }
    writeExpiry(out);
    if (!spellings.isEmpty()) {
      spellings.write(segment, offset, plan.keys(), times.timestampMicros(), out);
    }
    writeCells(plan.regularCells(), plan, bound, out);
    out.endRow();
  }

  private void writeExpiry(MutationWriter out) {
    if (times.ttlSeconds() > 0) {
      out.rowExpiry(times.ttlSeconds(), times.expirySeconds());
    }
  }

  /** Whether any cell is set; those that only keep a key's spelling do not count. */
  private static boolean hasCells(ModificationPlan.Cells cells, BoundSlots bound) {
    for (int i = 0; i < cells.count(); i++) {
      int slot = cells.slots()[i];
      if (slot == ModificationPlan.DELETED
          || (cells.keyPositions()[i] < 0 && bound.length(slot) != BoundSlots.UNSET)) {
        return true;
      }
    }
    return false;
  }

  private void writeCells(
      ModificationPlan.Cells cells, ModificationPlan plan, BoundSlots bound, MutationWriter out) {
    int[] columns = cells.columns();
    int[] slots = cells.slots();
    int[] keyPositions = cells.keyPositions();
    long timestamp = times.timestampMicros();
    for (int i = 0; i < columns.length; i++) {
      int slot = slots[i];
      if (keyPositions[i] != ModificationPlan.Cells.PLAIN) {
        writeOther(cells, i, plan, bound, out);
        continue;
      }
      int length = slot == ModificationPlan.DELETED ? BoundSlots.NULL : bound.length(slot);
      if (length >= 0) {
        out.cell(columns[i], timestamp, bound.segment(slot), bound.offset(slot), length);
        countedBytes += CELL_BYTES + length;
      } else if (length == BoundSlots.NULL) {
        out.tombstone(columns[i], timestamp, times.nowSeconds());
        countedBytes += CELL_BYTES;
      }
    }
  }

  /** Writes what is not one cell of an ordinary column. */
  private void writeOther(
      ModificationPlan.Cells cells,
      int index,
      ModificationPlan plan,
      BoundSlots bound,
      MutationWriter out) {
    int column = cells.columns()[index];
    int slot = cells.slots()[index];
    CollectionCells collection = cells.collections()[index];
    if (collection == null) {
      if (!isCanonical(plan.keys(), cells.keyPositions()[index], bound, slot)) {
        out.keySpelling(
            column,
            times.timestampMicros(),
            bound.segment(slot),
            bound.offset(slot),
            bound.length(slot));
      }
    } else if (slot == ModificationPlan.DELETED || bound.length(slot) != BoundSlots.UNSET) {
      replaceCollection(column, collection, bound, slot, out);
    }
  }

  /**
   * A multi-cell column gets another value: what it had goes, by a deletion that is a microsecond
   * older than the new cells; where the statement deletes it there are none.
   */
  private void replaceCollection(
      int column, CollectionCells collection, BoundSlots bound, int slot, MutationWriter out) {
    long timestamp = times.timestampMicros();
    if (slot == ModificationPlan.DELETED) {
      out.columnDeletion(column, timestamp, times.nowSeconds());
      countedBytes += CELL_BYTES;
      return;
    }
    out.columnDeletion(column, timestamp - 1, times.nowSeconds());
    countedBytes += CELL_BYTES;
    if (bound.length(slot) == BoundSlots.NULL) {
      return;
    }
    elements.split(collection, bound.segment(slot), bound.offset(slot), listPaths);
    for (int i = 0; i < elements.count(); i++) {
      out.pathCell(
          column,
          timestamp,
          elements.segment(),
          elements.pathOffset(i),
          elements.pathLength(i),
          elements.segment(),
          elements.valueOffset(i),
          elements.valueLength(i));
      countedBytes += CELL_BYTES + elements.pathLength(i) + elements.valueLength(i);
    }
  }

  private static boolean isCanonical(KeyLayout keys, int position, BoundSlots bound, int slot) {
    return keys.clusteringEncoding(position)
        .isCanonical(bound.segment(slot), bound.offset(slot), bound.length(slot));
  }

  private boolean deleteRanges(ModificationPlan plan, BoundSlots bound, MutationWriter out) {
    refuseNullBounds(plan, bound);
    ranges.build(plan.clustering(), plan.keys(), bound);
    for (int i = 0; i < ranges.count(); i++) {
      out.rangeDeletion(
          ranges.segment(),
          ranges.lowerOffset(i),
          ranges.lowerLength(i),
          ranges.segment(),
          ranges.upperOffset(i),
          ranges.upperLength(i),
          times.timestampMicros(),
          times.nowSeconds());
    }
    return ranges.count() > 0;
  }

  private static void refuseNullBounds(ModificationPlan plan, BoundSlots bound) {
    if (plan.clustering().getLast() instanceof Restriction.Slice slice) {
      refuseNull(slice.lower(), slice, bound);
      refuseNull(slice.upper(), slice, bound);
    }
  }

  private static void refuseNull(
      Restriction.@Nullable Bound end, Restriction.Slice slice, BoundSlots bound) {
    if (end != null && !end.value().isTuple()) {
      for (int slot : end.value().slots()) {
        KeyWriter.requireSet(bound.length(slot), slice.firstColumn().name());
      }
    }
  }
}
