package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Hashing;
import io.helenus.storage.engine.KeyRanges;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.merge.DeletionsInForce;
import io.helenus.storage.merge.ReadMerge;
import io.helenus.storage.read.ShardReadCursor.Outcome;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;

/**
 * Reads what a replica sends to a coordinator (storage/docs/raw-read.md), by sections of keys: of
 * one partition the static row and the slices, in their order; of a range of partitions all of it.
 * In each all sources are merged, whatever columns they have; those of a single row only if their
 * filters admit it, and without a merge if it has no elements and no deletion covers it. Every step
 * can pause at a missing block and be repeated. Shard thread only; reusable.
 */
final class RawRead {
  private static final int PASSED_LIMIT = 32;
  private static final int STATIC_SECTION = -1;

  private final ShardReadCursor owner;
  private final SourceSet set;
  private final ReadTally tally;
  private final ReadMerge merge;
  private final RawUnit unit;
  private final RawOutput output = new RawOutput();
  private final DeletionsInForce deletions = new DeletionsInForce();
  private final ByteWriter lower = new ByteWriter(256);
  private final ByteWriter upper = new ByteWriter(256);
  private final ByteWriter skipTo = new ByteWriter(256);
  private final ByteWriter rowKey = new ByteWriter(256);

  private ReadRequest request = new ReadRequest();
  private boolean reversed;
  private boolean started;
  private int section;
  private boolean begun;
  private boolean sought;
  private boolean skipping;
  private int passed;

  // of a section with a single row: its hash, whether its entries are looked up, and the next one
  private boolean multiCell;
  private long rowHash;
  private boolean lookedUp;
  private int nextSource;

  RawRead(ShardReadCursor owner, SourceSet set, ReadTally tally, ReadMerge merge, RawUnit unit) {
    this.owner = owner;
    this.set = set;
    this.tally = tally;
    this.merge = merge;
    this.unit = unit;
  }

  /** Whether the reply has no position at its end. */
  boolean isComplete() {
    return output.isComplete();
  }

  void open(ReadRequest newRequest, TableSources sources, int limitBytes) {
    request = newRequest;
    unit.open(newRequest, sources, tally);
    output.open(newRequest, limitBytes, deletions);
    KeyRanges keys = newRequest.keys();
    reversed = keys.isReversed();
    multiCell = sources.multiCellColumns().length > 0;
    started = false;
    begun = false;
    skipping = false;
    section = 0;
    if (keys.isPartition()) {
      output.beginPartition(newRequest.segment(), 0, keys.lowerLength());
      // without any section the partition's deletion would be missed
      section = keys.isStaticWanted() || !keys.areRowsWanted() ? STATIC_SECTION : 0;
    }
  }

  Outcome advance(ByteWriter out) {
    if (!started) {
      started = true;
      output.begin(out);
    }
    while (section < sections()) {
      Outcome outcome = readSection();
      if (outcome != Outcome.DONE) {
        return outcome;
      }
      if (output.hasEnded()) {
        return Outcome.DONE;
      }
      section++;
      if (section < sections() && owner.isTimeUp()) {
        return Outcome.YIELD;
      }
    }
    output.endPartition();
    output.end();
    return Outcome.DONE;
  }

  private int sections() {
    if (!request.keys().isPartition()) {
      return 1;
    }
    return request.keys().areRowsWanted() ? Math.max(1, request.keys().sliceCount()) : 0;
  }

  private Outcome readSection() {
    if (!begun) {
      begun = true;
      beginSection();
    }
    if (lookedUp) {
      if (!lookUp()) {
        return Outcome.WAITING;
      }
      if (lookedUp) {
        enterSection();
        endUnit();
        endSection();
        return Outcome.DONE;
      }
      beginMerge();
    }
    if (!sought) {
      if (!seekAll()) {
        return Outcome.WAITING;
      }
      sought = true;
      enterSection();
    }
    Outcome outcome = mergeSection();
    if (outcome == Outcome.DONE) {
      endSection();
    }
    return outcome;
  }

  private void endSection() {
    begun = false;
    if (isSlice() && !output.hasEnded()) {
      countCutRange();
      output.rangeAtEdge(reversed ? lower : upper, false);
    }
  }

  private boolean isSlice() {
    return request.keys().isPartition() && section != STATIC_SECTION;
  }

  // ---- the keys of a section

  private void beginSection() {
    sought = false;
    passed = 0;
    lookedUp = false;
    if (!request.keys().isPartition()) {
      lower.clear().putBytes(request.segment(), 0, request.keys().lowerLength());
      upper.clear();
      upper.putBytes(request.segment(), request.keys().lowerLength(), request.keys().upperLength());
      deletions.begin(set.count(), false);
      merge.begin(set.count(), false, lower, 0);
      return;
    }
    int prefixLength = request.keys().lowerLength();
    lower.clear().putBytes(request.segment(), 0, prefixLength);
    upper.clear().putBytes(request.segment(), 0, prefixLength);
    rowHash = putEdges();
    if (rowHash == 0 || multiCell) {
      beginMerge();
      return;
    }
    deletions.begin(set.count(), false);
    lookedUp = true;
    nextSource = 0;
    unit.begin(rowKey.segment(), 0, rowKey.size(), RowFormat.NO_TIMESTAMP);
  }

  private void beginMerge() {
    boolean descends = reversed && section != STATIC_SECTION;
    int prefixLength = request.keys().lowerLength();
    deletions.begin(set.count(), descends);
    merge.begin(set.count(), descends, lower, prefixLength);
    if (rowHash != 0) {
      excludeFiles(prefixLength);
    }
  }

  /**
   * Takes the entries of the single row from all sources; false if a block is missing. Where a
   * deletion covers it, the section is to be merged instead, which writes that too.
   */
  private boolean lookUp() {
    int prefixLength = request.keys().lowerLength();
    for (; nextSource < set.count(); nextSource++) {
      if (set.isFile(nextSource)
          && !set.mayConcernRow(nextSource, rowKey.segment(), prefixLength, rowHash)) {
        continue;
      }
      EntryCursor cursor = set.cursor(nextSource);
      EntryCursor.Step step = cursor.find(rowKey.segment(), 0, rowKey.size(), prefixLength);
      if (step == EntryCursor.Step.WAITING) {
        return false;
      }
      if (cursor.partitionTimestamp() != RowFormat.NO_TIMESTAMP
          || cursor.openTimestamp() != RowFormat.NO_TIMESTAMP) {
        unit.drop();
        lookedUp = false;
        return true;
      }
      if (step == EntryCursor.Step.READY) {
        unit.add(cursor);
      }
    }
    unit.endEntry();
    return true;
  }

  /**
   * Appends the ends of a section of a partition, and sets the key of a single row, whose hash it
   * returns.
   */
  private long putEdges() {
    int count = request.keys().sliceCount();
    if (section == STATIC_SECTION) {
      lower.putByte(KeyFormat.SECTION_STATIC);
      upper.putByte(KeyFormat.SECTION_STATIC + 1);
      return hashOfRow();
    }
    if (count == 0) {
      lower.putByte(KeyFormat.SECTION_ROWS).putByte(KeyFormat.TAG_BOUND_BEFORE);
      upper.putByte(KeyFormat.SECTION_ROWS).putByte(KeyFormat.TAG_BOUND_AFTER);
      return 0;
    }
    int slice = reversed ? count - 1 - section : section;
    int offset = request.keys().sliceOffset(slice);
    int lowerLength = request.keys().sliceLowerLength(slice);
    int upperLength = request.keys().sliceUpperLength(slice);
    lower.putBytes(request.segment(), offset, lowerLength);
    if (upperLength > 0) {
      upper.putBytes(request.segment(), (long) offset + lowerLength, upperLength);
      return 0;
    }
    long hash = hashOfRow();
    upper.putBytes(request.segment(), offset, lowerLength);
    lower.setByte(lower.size() - 1, KeyFormat.TAG_BOUND_BEFORE);
    upper.setByte(upper.size() - 1, KeyFormat.TAG_BOUND_AFTER);
    return hash;
  }

  private long hashOfRow() {
    rowKey.clear().putBytes(lower.segment(), 0, lower.size());
    return Hashing.xxh3(rowKey.segment(), 0, rowKey.size());
  }

  /** Leaves out the files that have neither the only row nor a deletion that may cover it. */
  private void excludeFiles(int prefixLength) {
    for (int i = 0; i < set.count(); i++) {
      if (set.isFile(i) && !set.mayConcernRow(i, rowKey.segment(), prefixLength, rowHash)) {
        merge.exclude(i);
      }
    }
  }

  private boolean seekAll() {
    boolean complete = true;
    int prefixLength = request.keys().isPartition() ? request.keys().lowerLength() : 0;
    boolean descends = reversed && section != STATIC_SECTION;
    for (int i = 0; i < set.count(); i++) {
      if (merge.needsSeek(i)) {
        EntryCursor cursor = set.cursor(i);
        EntryCursor.Step step =
            descends
                ? cursor.seekBefore(upper.segment(), 0, upper.size(), prefixLength)
                : cursor.seek(lower.segment(), 0, lower.size(), prefixLength);
        if (step != EntryCursor.Step.WAITING && prefixLength > 0) {
          deletions.sought(cursor, i);
        }
        complete &= merge.sought(cursor, i, step, set.largestTimestamp(i));
      }
    }
    return complete;
  }

  /** Writes the range deletion that is in force where the section begins. */
  private void enterSection() {
    if (isSlice()) {
      countCutRange();
      output.rangeAtEdge(reversed ? upper : lower, true);
    }
  }

  private void countCutRange() {
    if (!lookedUp && merge.isRangeDeleted()) {
      tally.countBounds(1);
    }
  }

  // ---- the merge

  private Outcome mergeSection() {
    while (true) {
      if (!merge.advanceConsumed()) {
        return Outcome.WAITING;
      }
      boolean more = merge.nextGroup() && !isBeyond(merge.first());
      if (unit.isBegun() && !(more && unit.continuesWith(merge.first()))) {
        endUnit();
      }
      if (!more || output.hasEnded()) {
        return Outcome.DONE;
      }
      EntryCursor first = merge.first();
      if (!request.keys().isPartition() && !first.isInPartition(output.partition())) {
        beginPartition(first);
        if (output.hasEnded()) {
          return Outcome.DONE;
        }
      }
      take(first);
      if (output.hasEnded()) {
        return Outcome.DONE;
      }
      if (owner.isTimeUp()) {
        return Outcome.YIELD;
      }
    }
  }

  private boolean isBeyond(EntryCursor cursor) {
    if (reversed && section != STATIC_SECTION) {
      // a bound at the end of the slice says what is in force beyond it
      return cursor.compareKey(lower.segment(), 0, lower.size()) <= 0;
    }
    return upper.size() > 0 && cursor.compareKey(upper.segment(), 0, upper.size()) >= 0;
  }

  private void beginPartition(EntryCursor first) {
    output.endPartition();
    output.beginPartition(first.keySegment(), first.keyOffset(), first.prefixLength());
    deletions.begin(set.count(), false);
    merge.beginPartition();
    skipping = false;
    passed = 0;
  }

  private void take(EntryCursor first) {
    if (skipping) {
      skip(KeyFormat.SECTION_ROWS + 1);
      return;
    }
    int kind = first.kind();
    if (kind == Entry.PARTITION_DELETION) {
      deletions.applyPartitionDeletion(merge);
      merge.applyPartitionDeletion();
      merge.consume();
      return;
    }
    boolean isStatic =
        Bytes.getByte(first.keySegment(), first.keyOffset() + first.prefixLength())
            == KeyFormat.SECTION_STATIC;
    if (isStatic ? !request.keys().isStaticWanted() : !request.keys().areRowsWanted()) {
      skipping = !isStatic;
      skip(isStatic ? KeyFormat.SECTION_ROWS : KeyFormat.SECTION_ROWS + 1);
    } else if (kind == Entry.BOUND) {
      takeBounds(first);
    } else {
      unit.take(
          merge,
          isStatic
              ? deletions.partitionTimestamp()
              : Math.max(deletions.partitionTimestamp(), deletions.rangeTimestamp()));
      merge.consume();
      if (!multiCell) {
        endUnit();
      }
    }
  }

  /** Passes over the rest of a section of the partition, at first entry by entry. */
  private void skip(int nextSection) {
    if (++passed > PASSED_LIMIT) {
      skipTo.clear().putBytes(output.partition().segment(), 0, output.partition().size());
      skipTo.putByte(nextSection);
      merge.consumeTo(skipTo);
    } else {
      merge.consume();
    }
  }

  private void takeBounds(EntryCursor first) {
    long timestamp = deletions.rangeTimestamp();
    long seconds = deletions.rangeSeconds();
    deletions.applyBounds(merge);
    if (merge.applyBounds(tally.graceSince())) {
      tally.countBounds(1);
    }
    if (deletions.rangeTimestamp() != timestamp || deletions.rangeSeconds() != seconds) {
      if (isSlice() && isEdge(first)) {
        output.rangeAtEdge(reversed ? upper : lower, true);
      } else {
        output.rangeAt(first.keySegment(), first.keyOffset(), first.keyLength());
      }
    }
    merge.consume();
  }

  /** Whether a bound is where the section begins. */
  private boolean isEdge(EntryCursor first) {
    ByteWriter edge = reversed ? upper : lower;
    return first.compareKey(edge.segment(), 0, edge.size()) == 0;
  }

  private void endUnit() {
    if (!unit.end(reversed && section != STATIC_SECTION)) {
      return;
    }
    if (unit.key().size() == output.partition().size() + 1) {
      output.staticRow(unit);
    } else {
      skipping = output.row(unit);
    }
  }
}
