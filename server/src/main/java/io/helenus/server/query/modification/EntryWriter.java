package io.helenus.server.query.modification;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.restriction.ClusteringRanges;
import io.helenus.server.query.restriction.KeyWriter;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.types.CollectionElements;
import io.helenus.server.types.PartitionKeys;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Writes the changes that one modification makes to one partition as entries of a mutation. One per
 * {@link WriteTimes}; shard thread only.
 */
final class EntryWriter {
  /** The size of an update without rows, by Cassandra's count for batches. */
  static final int EMPTY_UPDATE_BYTES = 29;

  /** The size of a cell without its path and value, by the same count. */
  static final int CELL_BYTES = 20;

  /** The deletion of a multi-cell column, which is counted whether or not there is one. */
  static final int COLUMN_DELETION_BYTES = 12;

  private static final int ROW_BYTES = 21;

  /** The TTL and expiry of a row, which only an INSERT sets. */
  private static final int EXPIRY_BYTES = 12;

  private static final int RANGES_BYTES = 4;
  private static final int RANGE_BYTES = 12;

  /** One share of a counter. */
  private static final int COUNTER_BYTES = 36;

  private static final int KEPT_BYTES = 16 << 10;

  private final ByteWriter suffix = new ByteWriter(128);
  private final ClusteringRanges ranges = new ClusteringRanges();
  private final KeyForms forms = new KeyForms();
  private final CollectionWriter collections;
  private final FieldWriter fields;
  private final WriteTimes times;
  private final boolean counting;
  private int countedBytes;

  /**
   * How often static columns are written: once for each row, as in Cassandra. Counters show it, and
   * lists that are appended to.
   */
  private int rowsOfStatics;

  private int deltaFactor = 1;

  /**
   * Creates a writer.
   *
   * @param counting whether {@link #takeCountedBytes} includes the clustering values of IN and of
   *     ranges, which are decoded for this
   */
  EntryWriter(WriteTimes times, CollectionElements.ListPaths listPaths, boolean counting) {
    this.times = times;
    this.counting = counting;
    this.collections = new CollectionWriter(times, listPaths);
    this.fields = new FieldWriter(times);
  }

  /** Returns the bytes written since the last call, by Cassandra's count for batches. */
  int takeCountedBytes() {
    int counted = countedBytes;
    countedBytes = 0;
    return counted;
  }

  /**
   * Writes the entries of the mutation's current partition.
   *
   * @return false if the modification changes nothing
   * @throws CqlException INVALID if a value must not be null or a key is too long
   */
  boolean write(ModificationPlan plan, BoundSlots bound, MutationWriter out) {
    return switch (plan.action()) {
      case INSERT, SET_CELLS -> {
        rowsOfStatics = 1;
        if (plan.keySlots().clustering() == null) {
          ranges.build(plan.clustering(), plan.keys(), bound);
          if (ranges.count() == 0) {
            yield false; // an empty IN: the static row is not written either
          }
          rowsOfStatics = plan.writesRows() ? ranges.count() : 1;
        }
        boolean statics = writeStatic(plan, bound, out);
        yield (plan.writesRows() && writeRows(plan, bound, out)) || statics;
      }
      case DELETE_ROWS -> writeRows(plan, bound, out);
      case DELETE_RANGES -> deleteRanges(plan, bound, out);
      case DELETE_PARTITION -> {
        out.partitionDeletion(times.deletionMicros(), times.nowSeconds());
        yield true;
      }
    };
  }

  private boolean writeStatic(ModificationPlan plan, BoundSlots bound, MutationWriter out) {
    if (!writesAny(plan.staticCells(), bound)) {
      return false;
    }
    suffix.clear().putByte(KeyFormat.SECTION_STATIC);
    deltaFactor = rowsOfStatics;
    int times = rowsOfStatics > 1 && accumulates(plan.staticCells(), bound) ? rowsOfStatics : 1;
    for (int i = 0; i < times; i++) {
      bound.nextRow();
      out.beginRow(suffix.segment(), 0, suffix.size());
      writeExpiry(out);
      writeCells(plan.staticCells(), bound, out);
      out.endRow();
    }
    deltaFactor = 1;
    return true;
  }

  /**
   * Whether a column that is written twice shows it: a list has more elements, or a value varies.
   */
  private static boolean accumulates(CellOperation[] cells, BoundSlots bound) {
    for (CellOperation cell : cells) {
      if (cell instanceof CellOperation.ChangeCollection change
          && (bound.varies() || change.cells().isList())) {
        return true;
      }
    }
    return false;
  }

  private boolean writeRows(ModificationPlan plan, BoundSlots bound, MutationWriter out) {
    int[] slots = plan.keySlots().clustering();
    // the keys are built also if nothing is written, as this refuses null
    if (slots != null) {
      suffix.clear(KEPT_BYTES);
      KeyWriter.putRowSuffix(plan.keys(), bound, slots, suffix);
      refuseEmptyKey(plan, suffix.segment(), 0);
    } else {
      ranges.buildRows(plan.clustering(), plan.keys(), bound);
      for (int i = 0; i < ranges.count(); i++) {
        refuseEmptyKey(plan, ranges.segment(), ranges.lowerOffset(i));
      }
    }
    if (plan.action() == ModificationPlan.Action.SET_CELLS
        && !writesAny(plan.regularCells(), bound)) {
      return false;
    }
    if (slots != null) {
      long keyBytes = 0;
      for (int slot : slots) {
        keyBytes += bound.length(slot);
      }
      PartitionKeys.validateLength(keyBytes);
      countedBytes += (int) keyBytes;
      writeRow(suffix.segment(), 0, suffix.size(), plan, bound, out);
      return true;
    }
    forms.gather(plan.clustering(), plan.keys(), bound);
    try {
      for (int i = 0; i < ranges.count(); i++) {
        checkLength(plan, i);
        writeRow(ranges.segment(), ranges.lowerOffset(i), ranges.lowerLength(i), plan, bound, out);
      }
    } finally {
      forms.clear();
    }
    return ranges.count() > 0;
  }

  /**
   * Checks the total length of a row's clustering values, and counts it for a batch. The key bytes
   * are an upper bound of their length, except for values that cannot be recovered from them.
   */
  private void checkLength(ModificationPlan plan, int range) {
    int length = ranges.lowerLength(range);
    if (counting || length > PartitionKeys.LIMIT_BYTES || !forms.isEmpty()) {
      long valueBytes =
          forms.valueBytes(ranges.segment(), ranges.lowerOffset(range), length, plan.keys());
      PartitionKeys.validateLength(valueBytes);
      countedBytes += (int) valueBytes;
    }
  }

  /** Refuses an empty clustering value if it is the only one of a COMPACT STORAGE table. */
  static void refuseEmptyKey(ModificationPlan plan, MemorySegment key, long offset) {
    if (plan.table().isCompact()
        && plan.keys().clusteringCount() == 1
        && plan.keys().isEmptyClustering(0, key, offset + 1)) {
      throw CqlException.invalid(
          "Invalid empty or null value for column "
              + plan.table().clusteringColumns().getFirst().name());
    }
  }

  private void writeRow(
      MemorySegment segment,
      long offset,
      int length,
      ModificationPlan plan,
      BoundSlots bound,
      MutationWriter out) {
    bound.nextRow();
    countedBytes += ROW_BYTES;
    out.beginRow(segment, offset, length);
    if (plan.action() == ModificationPlan.Action.DELETE_ROWS) {
      out.rowDeletion(times.timestampMicros(), times.nowSeconds()).endRow();
      return;
    }
    if (plan.action() == ModificationPlan.Action.INSERT) {
      out.liveness(times.timestampMicros());
      countedBytes += times.ttlSeconds() > 0 ? EXPIRY_BYTES : 0;
    }
    writeExpiry(out);
    if (!forms.isEmpty()) {
      forms.write(segment, offset, plan.keys(), times.timestampMicros(), out);
    }
    writeCells(plan.regularCells(), bound, out);
    out.endRow();
  }

  private void writeExpiry(MutationWriter out) {
    if (times.ttlSeconds() > 0) {
      out.rowExpiry(times.ttlSeconds(), times.expirySeconds());
    }
  }

  /** Whether a run writes any of these cells, not counting stored wire values of the key. */
  private static boolean writesAny(CellOperation[] cells, BoundSlots bound) {
    for (CellOperation cell : cells) {
      if (writes(cell, bound)) {
        return true;
      }
    }
    return false;
  }

  private static boolean writes(CellOperation cell, BoundSlots bound) {
    return switch (cell) {
      case CellOperation.Set set -> bound.length(set.slot()) != BoundSlots.UNSET;
      case CellOperation.ChangeCollection change -> CollectionWriter.writes(change, bound);
      case CellOperation.ChangeFields change -> FieldWriter.writes(change, bound);
      case CellOperation.Count count -> CounterDelta.isSet(count, bound);
      case CellOperation.Delete ignored -> true;
      case CellOperation.KeepForm ignored -> false;
      case CellOperation.Sum ignored -> throw notWritten();
    };
  }

  private void writeCells(CellOperation[] cells, BoundSlots bound, MutationWriter out) {
    for (CellOperation cell : cells) {
      // tested before the switch: almost every cell of a hot statement is set, and a type test is
      // cheaper than the dispatch of a pattern switch
      if (cell instanceof CellOperation.Set set) {
        set(set, bound, out);
      } else {
        writeOther(cell, bound, out);
      }
    }
  }

  private void set(CellOperation.Set set, BoundSlots bound, MutationWriter out) {
    int slot = set.slot();
    int length = bound.length(slot);
    if (length >= 0) {
      out.cell(
          set.column(), times.timestampMicros(), bound.segment(slot), bound.offset(slot), length);
      countedBytes += CELL_BYTES + length;
    } else if (length == BoundSlots.NULL) {
      delete(set.column(), out);
    }
  }

  private void writeOther(CellOperation cell, BoundSlots bound, MutationWriter out) {
    switch (cell) {
      case CellOperation.Set set -> set(set, bound, out);
      case CellOperation.Delete(int column) -> delete(column, out);
      case CellOperation.KeepForm keep -> keepForm(keep, bound, out);
      case CellOperation.Sum ignored -> throw notWritten();
      case CellOperation.Count count -> count(count, bound, out);
      case CellOperation.ChangeCollection change ->
          countedBytes += collections.write(change, bound, out);
      case CellOperation.ChangeFields change -> countedBytes += fields.write(change, bound, out);
    }
  }

  private static IllegalStateException notWritten() {
    return new IllegalStateException("sums need a read");
  }

  private void count(CellOperation.Count count, BoundSlots bound, MutationWriter out) {
    if (CounterDelta.isSet(count, bound)) {
      long delta = CounterDelta.of(count, bound);
      out.counterDelta(count.column(), times.timestampMicros(), deltaFactor * delta);
      countedBytes += CELL_BYTES + COUNTER_BYTES;
    }
  }

  private void delete(int column, MutationWriter out) {
    out.tombstone(column, times.timestampMicros(), times.nowSeconds());
    countedBytes += CELL_BYTES;
  }

  private void keepForm(CellOperation.KeepForm keep, BoundSlots bound, MutationWriter out) {
    int slot = keep.slot();
    MemorySegment segment = bound.segment(slot);
    if (!keep.encoding().isCanonical(segment, bound.offset(slot), bound.length(slot))) {
      out.keyForm(
          keep.column(), times.timestampMicros(), segment, bound.offset(slot), bound.length(slot));
    }
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
          times.deletionMicros(),
          times.nowSeconds());
    }
    if (counting) {
      countRanges(plan);
    }
    return ranges.count() > 0;
  }

  private void countRanges(ModificationPlan plan) {
    countedBytes += ranges.count() > 0 ? RANGES_BYTES : 0;
    MemorySegment bounds = ranges.segment();
    for (int i = 0; i < ranges.count(); i++) {
      long keyBytes =
          forms.valueBytes(bounds, ranges.lowerOffset(i), ranges.lowerLength(i), plan.keys())
              + forms.valueBytes(bounds, ranges.upperOffset(i), ranges.upperLength(i), plan.keys());
      countedBytes += RANGE_BYTES + (int) keyBytes;
    }
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
