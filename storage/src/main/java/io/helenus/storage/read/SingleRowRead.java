package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Hashing;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.merge.ReadMerge;
import io.helenus.storage.merge.RowAssembly;
import io.helenus.storage.read.ShardReadCursor.Outcome;
import io.helenus.storage.row.DroppedColumns;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.EntryCursor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a row by its key:
 *
 * <ol>
 *   <li>its entry, from one source after the other, newest data first, until older data cannot
 *       change the result;
 *   <li>in tables with multi-cell columns the elements that the request needs: a single element
 *       from one source after the other, a range of them with a merge;
 *   <li>if nothing read so far makes the row exist, all elements up to one that does.
 * </ol>
 *
 * Every step can pause at a missing block and be repeated. Shard thread only; reusable.
 */
final class SingleRowRead {
  private enum State {
    NOT_BEGUN,
    ENTRY,
    ELEMENTS,
    /** Looking for an element that makes the row exist. */
    EXISTENCE,
    DONE
  }

  private final ShardReadCursor owner;
  private final SourceSet set;
  private final ReadTally tally;
  private final ReadMerge merge;
  private final RowAssembly assembly;
  private final JoinedRow joined;
  private final ByteWriter key = new ByteWriter(256);
  private final ByteWriter lower = new ByteWriter(256);
  private final ByteWriter upper = new ByteWriter(256);

  private ReadRequest request = new ReadRequest();
  private DroppedColumns dropped = DroppedColumns.NONE;
  private boolean multiCell;
  private boolean needLiveness;
  private int prefixLength;
  private State state = State.NOT_BEGUN;
  private boolean countsRange;
  private int nextSource;
  private long rowHash;
  private @Nullable RowAssembly older;
  private @Nullable RowView newest;
  private long newestDeletion;
  private long partitionDeletion;
  private long rangeDeletion;

  // while reading elements: the sources that may have any, and the current range
  private boolean[] concerned = new boolean[8];
  private int sourceCount;
  private int range;
  private boolean rangeBegun;
  private boolean rangeSought;
  private int rangePrefix;

  SingleRowRead(
      ShardReadCursor owner,
      SourceSet set,
      ReadTally tally,
      ReadMerge merge,
      RowAssembly assembly,
      JoinedRow joined) {
    this.owner = owner;
    this.set = set;
    this.tally = tally;
    this.merge = merge;
    this.assembly = assembly;
    this.joined = joined;
  }

  /**
   * Opens it.
   *
   * @param newOlder where to assemble rows as they are without the newest memtable, too; null if
   *     they are not wanted; not in tables with multi-cell columns
   * @param newNewest instead of the newest memtable a version of the only row, null if there is
   *     none
   */
  void open(
      ReadRequest newRequest,
      TableSources sources,
      @Nullable RowAssembly newOlder,
      @Nullable RowView newNewest) {
    older = newOlder;
    newest = newNewest;
    request = newRequest;
    dropped = sources.dropped();
    multiCell = sources.multiCellColumns().length > 0;
    needLiveness = sources.table().rowsNeedLiveness();
    prefixLength = newRequest.keys().lowerLength();
    state = State.NOT_BEGUN;
  }

  /**
   * Starts a row.
   *
   * @param countRange whether to count a range deletion of the row as tombstones
   */
  void begin(ByteWriter rowKey, boolean countRange) {
    key.clear().putBytes(rowKey.segment(), 0, rowKey.size());
    countsRange = countRange;
    assembly.clear();
    newestDeletion = RowFormat.NO_TIMESTAMP;
    if (older != null) {
      older.clear();
    }
    if (newest != null) {
      assembly.add(newest.segment(), newest.offset(), newest.length());
    }
    nextSource = 0;
    partitionDeletion = RowFormat.NO_TIMESTAMP;
    rangeDeletion = RowFormat.NO_TIMESTAMP;
    rowHash = 0;
    state = State.ENTRY;
  }

  /** Whether a row has been started and not ended. */
  boolean isBegun() {
    return state != State.NOT_BEGUN;
  }

  /** Reads on: DONE, WAITING or YIELD. */
  Outcome advance() {
    if (state == State.ENTRY) {
      if (!gatherEntry()) {
        return Outcome.WAITING;
      }
      state = State.DONE;
      if (multiCell) {
        joined.begin(key, deletion());
        beginElements(State.ELEMENTS);
      }
    }
    if (state == State.ELEMENTS) {
      Outcome outcome = readSelected();
      if (outcome != Outcome.DONE) {
        return outcome;
      }
      state = State.DONE;
      if (!joined.exists() && !joined.selection().isAll()) {
        joined.restart();
        beginElements(State.EXISTENCE);
      }
    }
    if (state == State.EXISTENCE) {
      Outcome outcome = readAll();
      if (outcome != Outcome.DONE) {
        return outcome;
      }
      state = State.DONE;
    }
    return Outcome.DONE;
  }

  /** The size of the row, which has been read. */
  long bytes() {
    if (multiCell) {
      return joined.bytes();
    }
    return assembly.isEmpty() ? 0 : assembly.row().length();
  }

  /** Ends the row; null if there is none. Valid until the next one is started. */
  @Nullable RowView end() {
    state = State.NOT_BEGUN;
    if (multiCell) {
      return joined.end();
    }
    return assembly.isEmpty() ? null : assembly.row();
  }

  /** The row without the newest memtable, if it was wanted; null if there is none. */
  @Nullable RowView older() {
    return older == null || older.isEmpty() ? null : older.row();
  }

  /** The deletion that covers the row; not that of the newest memtable if it is kept apart. */
  private long deletion() {
    return Math.max(partitionDeletion, rangeDeletion);
  }

  // ---- the entry

  /** Assembles the row's entry; false if a block is missing. */
  private boolean gatherEntry() {
    RowAssembly withoutNewest = older;
    for (; nextSource < set.count(); nextSource++) {
      if (set.isFile(nextSource)) {
        if (isDecided(set.largestTimestamp(nextSource))) {
          break;
        }
        if (rowHash == 0) {
          rowHash = Hashing.xxh3(key.segment(), 0, key.size());
        }
        if (!set.mayConcernRow(nextSource, key.segment(), prefixLength, rowHash)) {
          note(nextSource, false);
          continue;
        }
      }
      EntryCursor cursor = set.cursor(nextSource);
      EntryCursor.Step step = cursor.find(key.segment(), 0, key.size(), prefixLength);
      if (step == EntryCursor.Step.WAITING) {
        return false;
      }
      note(nextSource, true);
      boolean ready = step == EntryCursor.Step.READY;
      if (ready) {
        assembly.add(cursor.valueSegment(), cursor.valueOffset(), cursor.valueLength());
      }
      if (withoutNewest != null && newest == null && set.isNewest(nextSource)) {
        long deletion = Math.max(cursor.partitionTimestamp(), cursor.openTimestamp());
        newestDeletion = Math.max(newestDeletion, deletion);
        continue;
      }
      partitionDeletion = Math.max(partitionDeletion, cursor.partitionTimestamp());
      rangeDeletion = Math.max(rangeDeletion, cursor.openTimestamp());
      if (withoutNewest != null && ready) {
        withoutNewest.add(cursor.valueSegment(), cursor.valueOffset(), cursor.valueLength());
      }
    }
    sourceCount = nextSource;
    nextSource = 0;
    if (countsRange && rangeDeletion > partitionDeletion) {
      tally.countBounds(2); // the range deletion, clipped to this row, has two bounds
    }
    assembly.cover(Math.max(deletion(), newestDeletion), dropped);
    if (withoutNewest != null) {
      withoutNewest.cover(deletion(), dropped);
    }
    return true;
  }

  private void note(int source, boolean isConcerned) {
    if (source >= concerned.length) {
      concerned = Arrays.copyOf(concerned, 2 * source);
    }
    concerned[source] = isConcerned;
  }

  /** Whether data up to a timestamp can no longer change the result for the row. */
  private boolean isDecided(long largestTimestamp) {
    long deletion = Math.max(partitionDeletion, rangeDeletion);
    if (deletion >= largestTimestamp) {
      return true;
    }
    if (older != null
        || assembly.isEmpty()
        || !request.columns().areRestricted()
        || !dropped.isEmpty()) {
      return false;
    }
    RowView row = assembly.row();
    if (row.deletionTimestamp() >= largestTimestamp) {
      return true;
    }
    long threshold = Math.max(largestTimestamp, deletion);
    boolean exists = row.isLive(request.nowSeconds()) && row.timestamp() > threshold;
    int[] columns = request.columns().ids();
    int at = 0;
    row.rewind();
    while (row.nextCell()) {
      if (row.cellTimestamp() <= threshold) {
        continue;
      }
      exists |= !needLiveness && row.cellMakesRowLive(request.nowSeconds());
      while (at < columns.length && columns[at] < row.column()) {
        return false;
      }
      // a column deletion too: it covers all older elements
      boolean whole = row.pathLength() < 0 && (row.cellFlags() & RowFormat.CELL_COUNTER) == 0;
      if (whole && at < columns.length && columns[at] == row.column()) {
        at++;
      }
    }
    return exists && at == columns.length;
  }

  // ---- its elements

  private void beginElements(State newState) {
    state = newState;
    range = 0;
    rangeBegun = false;
  }

  private Outcome readSelected() {
    ElementSelection selection = joined.selection();
    if (selection.isAll() && selection.count() != 1) {
      return readAll();
    }
    for (; range < selection.count(); range++) {
      if (!rangeBegun) {
        beginRange(selection);
      }
      if (selection.isOne(range)) {
        if (!findElement()) {
          return Outcome.WAITING;
        }
      } else {
        Outcome outcome = readRange();
        if (outcome != Outcome.DONE) {
          return outcome;
        }
      }
      rangeBegun = false;
    }
    return Outcome.DONE;
  }

  private void beginRange(ElementSelection selection) {
    rangeBegun = true;
    selection.putLower(range, beginKey(lower));
    if (selection.isOne(range)) {
      joined.beginElement();
      nextSource = 0;
    } else {
      upper.clear();
      if (selection.hasUpper(range)) {
        selection.putUpper(range, beginKey(upper));
      }
      beginMerge(key.size() + ElementView.COLUMN_BYTES);
    }
  }

  private ByteWriter beginKey(ByteWriter target) {
    return target.clear().putBytes(key.segment(), 0, key.size());
  }

  /** Reads the element with the key {@code lower}; false if a block is missing. */
  private boolean findElement() {
    for (; nextSource < sourceCount; nextSource++) {
      if (concerned[nextSource]) {
        EntryCursor cursor = set.cursor(nextSource);
        EntryCursor.Step step = cursor.find(lower.segment(), 0, lower.size(), 0);
        if (step == EntryCursor.Step.WAITING) {
          return false;
        }
        if (step == EntryCursor.Step.READY) {
          joined.addVersion(cursor);
        }
      }
    }
    joined.endElement();
    return true;
  }

  private Outcome readAll() {
    if (!rangeBegun) {
      rangeBegun = true;
      ElementSelection.putStart(beginKey(lower));
      upper.clear();
      beginMerge(key.size());
    }
    return readRange();
  }

  /** Starts a merge of elements whose keys start with the same bytes as {@code lower}. */
  private void beginMerge(int sharedLength) {
    rangeSought = false;
    rangePrefix = sharedLength;
    merge.beginElements(set.count(), lower, sharedLength);
    for (int i = 0; i < set.count(); i++) {
      if (i >= sourceCount || !concerned[i]) {
        merge.exclude(i);
      }
    }
  }

  /** Merges the elements from {@code lower} to {@code upper}, or all with the shared bytes. */
  private Outcome readRange() {
    if (!rangeSought) {
      if (!seekAll()) {
        return Outcome.WAITING;
      }
      rangeSought = true;
    }
    while (true) {
      if (!merge.advanceConsumed()) {
        return Outcome.WAITING;
      }
      if (!merge.nextGroup() || isBeyond(merge.first())) {
        return Outcome.DONE;
      }
      int taken = joined.takeElement(merge);
      if (state == State.EXISTENCE && joined.exists()) {
        return Outcome.DONE;
      }
      if (owner.isTimeUp(taken)) {
        return Outcome.YIELD;
      }
    }
  }

  private boolean isBeyond(EntryCursor cursor) {
    return upper.size() > 0
        && cursor.compareKey(rangePrefix, upper.segment(), 0, upper.size()) >= 0;
  }

  private boolean seekAll() {
    boolean complete = true;
    for (int i = 0; i < set.count(); i++) {
      if (merge.needsSeek(i)) {
        EntryCursor cursor = set.cursor(i);
        complete &=
            merge.sought(
                cursor,
                i,
                cursor.seek(lower.segment(), 0, lower.size(), 0),
                set.largestTimestamp(i));
      }
    }
    return complete;
  }
}
