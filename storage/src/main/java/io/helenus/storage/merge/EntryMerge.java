package io.helenus.storage.merge;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.Cells;
import io.helenus.storage.row.DroppedColumns;
import io.helenus.storage.row.ElementDeletions;
import io.helenus.storage.row.ElementValue;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowMerge;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges sorted runs into an equivalent one, deletions included, for flushes and compactions:
 *
 * <ol>
 *   <li>take the entries of the next key from all inputs that have it;
 *   <li>of partition deletions and of range deletions the newest wins; where the range deletion in
 *       force changes, emit a range tombstone bound;
 *   <li>merge the versions of a row or element, and remove the cells that these deletions cover or
 *       that belong to dropped columns; an element is also covered by the deletions in the entry of
 *       its row;
 *   <li>omit the deletions that the {@link PurgeRules} allow to purge.
 * </ol>
 *
 * Blocks while inputs read; not for shards. One thread.
 */
public final class EntryMerge extends Entry implements AutoCloseable {
  private final EntryCursor[] inputs;
  private final DroppedColumns dropped;
  private final PurgeRules rules;
  private final boolean purging;
  private final MergeHeap queue = new MergeHeap();
  private final RowAssembly assembly;
  private final BoundView bound = new BoundView();
  private final ByteWriter partition = new ByteWriter(256);
  private final ByteWriter value;
  private final ByteWriter upper = new ByteWriter(16);
  private final ByteWriter lower = new ByteWriter(16);

  // the current row, only in tables with multi-cell columns
  private final boolean multiCell;
  private final boolean needsLiveness;
  private final ElementView element = new ElementView();
  private final ElementValue newest = new ElementValue();
  private final ElementDeletions rowDeletions = new ElementDeletions();
  private final ByteWriter rowKey = new ByteWriter(256);
  // its entry if that is only needed in case an element remains
  private final ByteWriter withheld;
  private boolean showsWithheld;

  // the range deletion in force in each input, and the newest of them
  private final long[] openTimestamps;
  private final long[] openSeconds;
  private long inForceTimestamp;
  // the range deletion in force in the output
  private long outTimestamp;
  private long outSeconds;
  private long partitionTimestamp;
  private long partitionSeconds;
  private long purgeableBefore;
  private boolean started;
  // the number of partitions by number of inputs, and the partition each input last took part in
  private final long[] partitionsByInputs;
  private final long[] lastPartition;
  private long partitions;
  private int partitionInputs;
  private long inputEntries;

  /**
   * Merges runs of one table, fastest if those with the newest data come first. The inputs must
   * block rather than return WAITING.
   */
  public EntryMerge(
      List<EntryCursor> inputs, TableDescriptor table, PurgeRules rules, LargeSegments segments) {
    this.inputs = inputs.toArray(new EntryCursor[0]);
    this.rules = rules;
    assembly = new RowAssembly(segments, new AssembledBytes());
    value = ByteWriter.recycling(segments, 64);
    withheld = ByteWriter.recycling(segments, 64);
    dropped = table.droppedColumns();
    needsLiveness = table.rowsNeedLiveness();
    multiCell = table.multiCellColumns().length > 0;
    purging = rules.nowSeconds() != 0 || rules.gcBeforeSeconds() != 0;
    openTimestamps = new long[this.inputs.length];
    openSeconds = new long[this.inputs.length];
    partitionsByInputs = new long[this.inputs.length + 1];
    lastPartition = new long[this.inputs.length];
  }

  /**
   * Restricts the merge to keys in [lower, upper); an empty upper bound leaves the end open. Call
   * it before the first {@link #next}.
   */
  public EntryMerge range(byte[] lowerKey, byte[] upperKey) {
    lower.clear().putBytes(lowerKey);
    upper.clear().putBytes(upperKey);
    return this;
  }

  /** Moves to the next merged entry, which is valid until the next call; false at the end. */
  public boolean next() {
    if (!started) {
      start();
    } else if (showsWithheld) {
      showsWithheld = false;
      takeKey(queue.group(0), queue.group(0).keyLength());
      useValue(value);
      return true;
    } else {
      advanceGroup();
    }
    while (queue.popGroup()) {
      Entry first = queue.group(0);
      if (isBeyondUpper(first)) {
        return false;
      }
      if (!first.isInPartition(partition)) {
        beginPartition(first);
      }
      count();
      takeKey(first, first.keyLength());
      boolean remains =
          switch (first.kind()) {
            case Entry.PARTITION_DELETION -> mergePartitionDeletion();
            case Entry.STATIC_ROW -> mergeRow(partitionTimestamp);
            case Entry.ROW -> mergeRow(Math.max(partitionTimestamp, inForceTimestamp));
            case Entry.ELEMENT -> mergeElement(Math.max(partitionTimestamp, inForceTimestamp));
            default -> mergeBound();
          };
      if (remains) {
        return true;
      }
      advanceGroup();
    }
    return false;
  }

  private void takeKey(Entry entry, int length) {
    keySegment = entry.keySegment();
    keyOffset = entry.keyOffset();
    keyLength = length;
    prefixLength = entry.prefixLength();
  }

  private void start() {
    started = true;
    queue.clear(false, 0, 0);
    for (int i = 0; i < inputs.length; i++) {
      take(inputs[i].seek(lower.segment(), 0, lower.size(), 0), i);
    }
  }

  private void take(EntryCursor.Step step, int input) {
    switch (step) {
      case READY -> queue.push(inputs[input], input);
      case END -> inputs[input].close();
      case WAITING -> throw new IllegalStateException("a merge needs inputs that block");
    }
  }

  private void advanceGroup() {
    if (queue.groupCount() == 1) {
      advanceOnly(queue.groupId(0));
      return;
    }
    for (int i = queue.groupCount() - 1; i >= 0; i--) {
      take(queue.group(i).next(), queue.groupId(i));
    }
  }

  private void advanceOnly(int input) {
    EntryCursor.Step step = inputs[input].next();
    if (step == EntryCursor.Step.READY) {
      queue.pushOnly(inputs[input], input);
    } else {
      take(step, input);
    }
  }

  private boolean isBeyondUpper(Entry entry) {
    return upper.size() > 0 && entry.compareKey(upper.segment(), 0, upper.size()) >= 0;
  }

  private void count() {
    inputEntries += queue.groupCount();
    for (int i = 0; i < queue.groupCount(); i++) {
      int input = queue.groupId(i);
      if (lastPartition[input] != partitions) {
        lastPartition[input] = partitions;
        partitionInputs++;
      }
    }
  }

  /** The number of input entries merged so far. */
  public long inputEntries() {
    return inputEntries;
  }

  /**
   * The number of partitions that were in one input, in two inputs, and so on. Valid after the last
   * entry.
   */
  public List<Long> mergedPartitions() {
    List<Long> merged = new ArrayList<>();
    for (int i = 1; i < partitionsByInputs.length; i++) {
      merged.add(partitionsByInputs[i] + (i == partitionInputs ? 1 : 0));
    }
    return merged;
  }

  private void beginPartition(Entry entry) {
    partitionsByInputs[partitionInputs]++;
    partitionInputs = 0;
    partitions++;
    partition.clear().putBytes(entry.keySegment(), entry.keyOffset(), entry.prefixLength());
    Arrays.fill(openTimestamps, RowFormat.NO_TIMESTAMP);
    inForceTimestamp = RowFormat.NO_TIMESTAMP;
    outTimestamp = RowFormat.NO_TIMESTAMP;
    outSeconds = 0;
    partitionTimestamp = RowFormat.NO_TIMESTAMP;
    partitionSeconds = 0;
    purgeableBefore =
        rules.gcBeforeSeconds() == 0
            ? Long.MIN_VALUE
            : rules.purgeable().purgeableBefore(partition.segment(), 0, partition.size());
  }

  private boolean isPurgeable(long timestamp, long seconds) {
    return timestamp < purgeableBefore && seconds < rules.gcBeforeSeconds();
  }

  private boolean mergePartitionDeletion() {
    for (int i = 0; i < queue.groupCount(); i++) {
      Entry entry = queue.group(i);
      MemorySegment segment = entry.valueSegment();
      long timestamp = Bytes.getLong(segment, entry.valueOffset());
      long seconds = Bytes.getInt(segment, entry.valueOffset() + 8) & 0xFFFFFFFFL;
      if (Cells.deletionWins(timestamp, seconds, partitionTimestamp, partitionSeconds)) {
        partitionTimestamp = timestamp;
        partitionSeconds = seconds;
      }
    }
    value.clear().putLong(partitionTimestamp).putInt((int) partitionSeconds);
    useValue(value);
    return !isPurgeable(partitionTimestamp, partitionSeconds);
  }

  private void useValue(ByteWriter bytes) {
    valueSegment = bytes.segment();
    valueOffset = 0;
    valueLength = bytes.size();
  }

  private boolean mergeRow(long deletion) {
    assembly.clear();
    for (int i = 0; i < queue.groupCount(); i++) {
      Entry entry = queue.group(i);
      assembly.add(entry.valueSegment(), entry.valueOffset(), entry.valueLength());
    }
    assembly.cover(deletion, dropped);
    if (multiCell) {
      beginRow(keyLength);
    }
    if (purging) {
      boolean lived = !assembly.isEmpty() && assembly.row().hasLiveness();
      assembly.purge(rules, purgeableBefore, multiCell, needsLiveness);
      if (needsLiveness && lived && (assembly.isEmpty() || !assembly.row().hasLiveness())) {
        rowDeletions.coverAll();
      }
    }
    if (assembly.isEmpty()) {
      return false;
    }
    RowView row = assembly.row();
    if (multiCell && purging && RowMerge.isFormBefore(row, purgeableBefore)) {
      withheld.putBytes(row.segment(), row.offset(), row.length());
      return false;
    }
    valueSegment = row.segment();
    valueOffset = row.offset();
    valueLength = row.length();
    return true;
  }

  /** Starts the row whose key begins the current key, with the deletions of its assembled entry. */
  private void beginRow(int rowKeyLength) {
    rowKey.clear().putBytes(keySegment, keyOffset, rowKeyLength);
    withheld.clear();
    rowDeletions.clear();
    if (!assembly.isEmpty()) {
      rowDeletions.load(assembly.row());
    }
  }

  private boolean mergeElement(long deletion) {
    Entry first = queue.group(0);
    assembly.clear();
    first.view(element);
    int rowKeyLength = element.rowKeyLength();
    if (rowKeyLength != rowKey.size() || !first.isElementOf(rowKey)) {
      beginRow(rowKeyLength);
    }
    long covering = Math.max(deletion, rowDeletions.covering(element.column()));
    Entry plain = dropped.isEmpty() ? newestPlain() : null;
    if (plain != null ? newest.timestamp() <= covering : !assembleElement(covering)) {
      return false;
    }
    if (withheld.size() > 0) {
      if (plain != null) {
        value.clear().putBytes(plain.valueSegment(), plain.valueOffset(), plain.valueLength());
      }
      showsWithheld = true;
      takeKey(first, rowKeyLength);
      useValue(withheld);
      withheld.clear();
    } else if (plain != null) {
      valueSegment = plain.valueSegment();
      valueOffset = plain.valueOffset();
      valueLength = plain.valueLength();
    } else {
      useValue(value);
    }
    return true;
  }

  /** The newest version of an element; null if that takes more than comparing timestamps. */
  private @Nullable Entry newestPlain() {
    Entry version = queue.group(0);
    if (!newest.take(version.valueSegment(), version.valueOffset(), version.valueLength())) {
      return null;
    }
    for (int i = 1; i < queue.groupCount(); i++) {
      Entry other = queue.group(i);
      long before = newest.timestamp();
      if (!newest.takeNewer(other.valueSegment(), other.valueOffset(), other.valueLength())) {
        return null;
      }
      if (newest.timestamp() != before) {
        version = other;
      }
    }
    return version;
  }

  /** Writes what is left of an element to {@code value}; false if nothing is. */
  private boolean assembleElement(long covering) {
    int rowKeyLength = element.rowKeyLength();
    for (int i = 0; i < queue.groupCount(); i++) {
      assembly.addElement(queue.group(i), element);
    }
    assembly.cover(covering, dropped);
    if (purging) {
      assembly.purge(rules, purgeableBefore, false, false);
    }
    if (assembly.isEmpty()) {
      return false;
    }
    RowView row = assembly.row();
    value.clear().putVarint(keyLength - rowKeyLength);
    value.putBytes(row.segment(), row.offset(), row.length());
    return true;
  }

  private boolean mergeBound() {
    for (int i = 0; i < queue.groupCount(); i++) {
      Entry entry = queue.group(i);
      bound.wrap(entry.valueSegment(), entry.valueOffset());
      openTimestamps[queue.groupId(i)] = bound.openedTimestamp();
      openSeconds[queue.groupId(i)] = bound.openedSeconds();
    }
    long timestamp = RowFormat.NO_TIMESTAMP;
    long seconds = 0;
    for (int i = 0; i < openTimestamps.length; i++) {
      if (Cells.deletionWins(openTimestamps[i], openSeconds[i], timestamp, seconds)) {
        timestamp = openTimestamps[i];
        seconds = openSeconds[i];
      }
    }
    inForceTimestamp = timestamp;
    if (timestamp <= partitionTimestamp || isPurgeable(timestamp, seconds)) {
      timestamp = RowFormat.NO_TIMESTAMP;
      seconds = 0;
    }
    if (timestamp == outTimestamp && seconds == outSeconds) {
      return false;
    }
    BoundView.write(outTimestamp, outSeconds, timestamp, seconds, value.clear());
    useValue(value);
    outTimestamp = timestamp;
    outSeconds = seconds;
    return true;
  }

  /** Closes the inputs and releases its memory. */
  @Override
  public void close() {
    assembly.free();
    value.clear(0);
    withheld.clear(0);
    for (EntryCursor input : inputs) {
      input.close();
    }
  }
}
