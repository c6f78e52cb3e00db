package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.RowDifference;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Collects what one replica lacks, as mutations, while the entries of the merge pass in the order
 * of keys. Shard thread only.
 */
final class ReplicaLack {
  private final EntryCursor own;
  private final ReadRequest request;
  private final int @Nullable [] selected;
  private final long epoch;
  private final ElementSelection selection = new ElementSelection();
  private final RowDifference difference = new RowDifference();
  private final ByteWriter mutations = new ByteWriter(256);
  private final MutationWriter mutation = new MutationWriter(mutations);
  private final ByteWriter row = new ByteWriter(256);
  private final ByteWriter entry = new ByteWriter(256);
  private final ByteWriter partition = new ByteWriter(128);
  private final ByteWriter rangeStart = new ByteWriter(128);
  private final RowView merged = new RowView();
  private final RowView version = new RowView();
  private final ElementView element = new ElementView();
  private final ElementView ownElement = new ElementView();
  private final BoundView bound = new BoundView();
  private int[] offsets = new int[4];
  private int count;
  private boolean begun;
  private boolean hasOwn;
  // the range deletions in force in the merge and in the replica, and the one that it lacks
  private long mergedTimestamp;
  private long mergedSeconds;
  private long ownTimestamp;
  private long ownSeconds;
  private long lackedTimestamp = RowFormat.NO_TIMESTAMP;
  private long lackedSeconds;

  ReplicaLack(EntryCursor own, ReadRequest request, TableSources sources, long epoch) {
    this.own = own;
    this.request = request;
    this.epoch = epoch;
    selected = request.columns().areRestricted() ? request.columns().ids() : null;
    selection.open(request, sources.multiCellColumns());
    difference.begin(request.nowSeconds());
    hasOwn = own.first() == EntryCursor.Step.READY;
  }

  void beginPartition(ByteWriter prefix) {
    endPartition();
    partition.clear().putBytes(prefix.segment(), 0, prefix.size());
    mergedTimestamp = RowFormat.NO_TIMESTAMP;
    mergedSeconds = 0;
    ownTimestamp = RowFormat.NO_TIMESTAMP;
    ownSeconds = 0;
    lackedTimestamp = RowFormat.NO_TIMESTAMP;
    lackedSeconds = 0;
  }

  void endPartition() {
    if (begun) {
      begun = false;
      mutation.endTable().finish();
      offsets[count] = mutations.size();
    }
  }

  private MutationWriter mutation() {
    if (!begun) {
      begun = true;
      if (count + 2 > offsets.length) {
        offsets = Arrays.copyOf(offsets, 2 * offsets.length);
      }
      offsets[count++] = mutations.size();
      long token = KeyFormat.token(partition.segment(), 0);
      mutation.begin(token, epoch, partition.segment(), 0, partition.size());
      mutation.beginTable(request.tableId());
    }
    return mutation;
  }

  /** Compares the next entry of the merge, which opens this range deletion if it is a bound. */
  void compare(Entry next, long timestamp, long seconds) {
    int order = passOwn(next);
    boolean same = hasOwn && order == 0;
    switch (next.kind()) {
      case Entry.PARTITION_DELETION -> {
        if (!same || !sameValue(next)) {
          mutation()
              .partitionDeletion(
                  Bytes.getLong(next.valueSegment(), next.valueOffset()),
                  Bytes.getInt(next.valueSegment(), next.valueOffset() + 8) & 0xFFFFFFFFL);
        }
      }
      case Entry.BOUND -> {
        mergedTimestamp = timestamp;
        mergedSeconds = seconds;
        if (same) {
          takeOwnBound();
        }
        rangeChanged(next);
      }
      case Entry.ELEMENT -> {
        if (!same || !sameValue(next)) {
          compareElement(next, same);
        }
      }
      default -> {
        if (!same || !sameValue(next)) {
          compareRow(next, same);
        }
      }
    }
    if (same) {
      hasOwn = own.next() == EntryCursor.Step.READY;
    }
  }

  /** Passes over the replica's entries before a key; the order of the next one and the key. */
  private int passOwn(Entry next) {
    while (hasOwn) {
      int order = own.compareKey(next.keySegment(), next.keyOffset(), next.keyLength());
      if (order >= 0) {
        return order;
      }
      if (own.kind() == Entry.BOUND && own.isInPartition(partition)) {
        takeOwnBound();
        rangeChanged(own);
      }
      hasOwn = own.next() == EntryCursor.Step.READY;
    }
    return 1;
  }

  private void takeOwnBound() {
    bound.wrap(own.valueSegment(), own.valueOffset());
    ownTimestamp = bound.openedTimestamp();
    ownSeconds = bound.openedSeconds();
  }

  /** One of the deletions in force has changed at a bound: ends or starts one that is lacked. */
  private void rangeChanged(Entry at) {
    boolean lacks = mergedTimestamp != ownTimestamp || mergedSeconds != ownSeconds;
    long timestamp = lacks ? mergedTimestamp : RowFormat.NO_TIMESTAMP;
    long seconds = lacks ? mergedSeconds : 0;
    if (timestamp == lackedTimestamp && seconds == lackedSeconds) {
      return;
    }
    long from = at.keyOffset() + at.prefixLength();
    int length = at.keyLength() - at.prefixLength();
    if (lackedTimestamp != RowFormat.NO_TIMESTAMP) {
      mutation()
          .rangeDeletion(
              rangeStart.segment(),
              0,
              rangeStart.size(),
              at.keySegment(),
              from,
              length,
              lackedTimestamp,
              lackedSeconds);
    }
    lackedTimestamp = timestamp;
    lackedSeconds = timestamp == RowFormat.NO_TIMESTAMP ? 0 : seconds;
    rangeStart.clear().putBytes(at.keySegment(), from, length);
  }

  private boolean sameValue(Entry next) {
    return next.valueLength() == own.valueLength()
        && Bytes.equal(
            next.valueSegment(),
            next.valueOffset(),
            next.valueLength(),
            own.valueSegment(),
            own.valueOffset(),
            own.valueLength());
  }

  private void compareRow(Entry next, boolean same) {
    merged.wrap(next.valueSegment(), next.valueOffset(), next.valueLength());
    if (same) {
      version.wrap(own.valueSegment(), own.valueOffset(), own.valueLength());
    }
    if (difference.row(merged, same ? version : null, selected, row.clear())) {
      addRow(next, next.keyLength());
    }
  }

  private void compareElement(Entry next, boolean same) {
    next.view(element);
    wrapCell(next, element, merged);
    if (same) {
      wrapCell(own, own.view(ownElement), version);
    }
    boolean known = selection.needs(element);
    if (difference.element(merged, same ? version : null, known, element, row.clear())) {
      addRow(next, element.rowKeyLength());
    }
  }

  private static void wrapCell(Entry from, ElementView view, RowView cell) {
    long at = view.rowOffset();
    cell.wrap(from.valueSegment(), at, from.valueOffset() + from.valueLength() - at);
    boolean hasCell = cell.nextCell();
    assert hasCell;
  }

  /** Adds the row that has been written, with the key at the start of that of an entry. */
  private void addRow(Entry of, int rowKeyLength) {
    int from = of.prefixLength();
    entry.clear().putByte(RowFormat.ENTRY_ROW).putVarint(rowKeyLength - from);
    entry.putBytes(of.keySegment(), of.keyOffset() + from, rowKeyLength - from);
    entry.putVarint(row.size()).putBytes(row.segment(), 0, row.size());
    MutationWriter target = mutation();
    target.entries(entry.segment(), 0, entry.size());
  }

  ByteWriter mutations() {
    return mutations;
  }

  int count() {
    return count;
  }

  int offset(int index) {
    return offsets[index];
  }
}
