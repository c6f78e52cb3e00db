package io.helenus.storage.reply;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a data reply in the order of their keys, up to where all replies end. Copies
 * nothing but the places of the entries. One thread at a time; reusable.
 */
final class ReplyRun {
  /** Of a place: kind, partition, suffix and its length, tail and its length, value and its. */
  private static final int STRIDE = 8;

  private static final int NONE = -1;
  private static final int DELETION_KIND = 0;

  private final ReplyParser parser = new ReplyParser();
  private final ByteWriter key = new ByteWriter(128);
  private final ByteWriter stopValues = new ByteWriter(64);
  private final BoundView bound = new BoundView();
  private MemorySegment segment = MemorySegment.NULL;
  private List<Stop> stops = List.of();
  private int[] places = new int[16 * STRIDE];
  private int count;
  // of what is visible, in the order of keys: the place, or the stop as a negative number; the last
  // bound of its partition up to it; the partition's deletion
  private int[] shown = new int[16];
  private int[] bounds = new int[16];
  private int[] deletions = new int[16];
  private int[] stopAt = new int[4];
  private int size;
  private int firstStop;

  /** Takes the bytes of a reply. */
  void load(MemorySegment reply, boolean reversed) {
    segment = reply;
    count = 0;
    parser.begin(reply);
    while (parser.nextEntry()) {
      add();
    }
    if (reversed) {
      reverse();
    }
  }

  /** Takes nothing. */
  void clear() {
    segment = MemorySegment.NULL;
    count = 0;
    parser.clear();
  }

  private void add() {
    if ((count + 1) * STRIDE > places.length) {
      places = Arrays.copyOf(places, places.length * 2);
    }
    int at = count++ * STRIDE;
    places[at] = parser.kind();
    places[at + 1] = parser.prefixOffset();
    places[at + 2] = parser.prefixLength();
    places[at + 3] = parser.suffixOffset();
    places[at + 4] = parser.suffixLength();
    places[at + 5] = parser.tailOffset();
    places[at + 6] = parser.tailLength();
    places[at + 7] = parser.valueOffset();
  }

  /** Rows of a reversed reply descend, but not what comes before them nor the elements of a row. */
  private void reverse() {
    int first = 0;
    while (first < count && !isInRows(first)) {
      first++;
    }
    int[] ascending = places.clone();
    int to = first;
    int end = count;
    for (int i = count - 1; i >= first; i--) {
      if (kind(i) != ReplyFormat.ELEMENT || i == first || !isOfRowBefore(i)) {
        System.arraycopy(places, i * STRIDE, ascending, to * STRIDE, (end - i) * STRIDE);
        to += end - i;
        end = i;
      }
    }
    places = ascending;
  }

  /** Whether an entry has the key of the row before it: a row need not have an entry itself. */
  private boolean isOfRowBefore(int place) {
    return places[place * STRIDE + 3] == places[(place - 1) * STRIDE + 3];
  }

  private boolean isInRows(int place) {
    return kind(place) != DELETION_KIND
        && Bytes.getByte(segment, places[place * STRIDE + 3]) == KeyFormat.SECTION_ROWS;
  }

  private int kind(int place) {
    return places[place * STRIDE];
  }

  /** Where the reply ends; null if it is complete. */
  @Nullable Stop position() {
    return parser.position();
  }

  /** Adds the bounds from which on partitions are not complete. */
  void addGaps(List<Stop> target, ByteWriter keys) {
    for (int i = 0; i < count; i++) {
      if (kind(i) == ReplyFormat.GAP) {
        putPlaceKey(i);
        int offset = keys.size();
        keys.putBytes(key.segment(), 0, key.size());
        target.add(Stop.last(keys, offset, places[i * STRIDE + 2]));
      }
    }
  }

  // ---- what is visible

  /**
   * Shows the entries outside of what the stops hide: from each the rest of its partition, and from
   * the last one all that follows if {@code ends}; in a reversed read the rows before the only one.
   */
  void show(List<Stop> newStops, boolean reversed, boolean ends) {
    stops = newStops;
    stopValues.clear();
    if (stopAt.length < 2 * stops.size()) {
      stopAt = new int[2 * stops.size()];
    }
    size = 0;
    firstStop = NONE;
    if (reversed) {
      showDescending();
    } else if (stops.isEmpty() || stops.size() == 1 && isEnd(stops.get(0))) {
      showAll();
    } else {
      showAscending(ends);
    }
  }

  private boolean isEnd(Stop stop) {
    Stop position = parser.position();
    return position != null && position.compare(stop) == 0;
  }

  /** Shows a reply that has no gaps and is the one that ends first, or all of it. */
  private void showAll() {
    int last = count;
    if (count > 0 && !stops.isEmpty()) {
      putPlaceKey(count - 1);
      last -= compareKey(stops.get(0)) == 0 ? 1 : 0; // a deletion is closed there
    }
    for (int i = 0; i < last; i++) {
      show(i);
    }
    if (!stops.isEmpty()) {
      showStop(0);
    }
  }

  private void showAscending(boolean ends) {
    int next = 0;
    Stop hiding = null;
    for (int i = 0; i < count; i++) {
      if (next < stops.size() || hiding != null) {
        putPlaceKey(i);
        while (next < stops.size() && compareKey(stops.get(next)) >= 0) {
          hiding = stops.get(next);
          showStop(next++);
        }
        if (hiding != null && (ends && next == stops.size() || isInPartitionOf(hiding))) {
          continue;
        }
        hiding = null;
      }
      if (kind(i) != ReplyFormat.GAP) {
        show(i);
      }
    }
    while (next < stops.size()) {
      showStop(next++);
    }
  }

  private void showDescending() {
    boolean stopped = stops.isEmpty();
    for (int i = 0; i < count; i++) {
      if (!stopped && isInRows(i)) {
        putPlaceKey(i);
        if (compareKey(stops.get(0)) <= 0) {
          continue;
        }
        stopped = true;
        showStop(0);
      }
      show(i);
    }
    if (!stopped) {
      showStop(0);
    }
    openAtStop();
  }

  /** The deletion in force behind the stop of a reversed read begins there. */
  private void openAtStop() {
    for (int i = 0; i < size && !stops.isEmpty(); i++) {
      if (shown[i] >= 0 && kind(shown[i]) == ReplyFormat.BOUND && isInRows(shown[i])) {
        bound.wrap(segment, valueOffset(i));
        stopValues.clear();
        BoundView.write(
            RowFormat.NO_TIMESTAMP, 0, bound.closedTimestamp(), bound.closedSeconds(), stopValues);
        stopAt[1] = stopValues.size();
        return;
      }
    }
  }

  private int compareKey(Stop stop) {
    return stop.orderOf(key);
  }

  private boolean isInPartitionOf(Stop stop) {
    int length = stop.prefixLength();
    return key.size() > length
        && Bytes.equal(key.segment(), 0, length, stop.segment(), stop.offset(), length);
  }

  private void show(int place) {
    append(place);
    int at = size - 1;
    boolean continues = at > 0 && samePartition(at - 1, at);
    bounds[at] = kind(place) == ReplyFormat.BOUND ? at : continues ? bounds[at - 1] : NONE;
    deletions[at] = kind(place) == DELETION_KIND ? at : continues ? deletions[at - 1] : NONE;
  }

  private void showStop(int stop) {
    append(-1 - stop);
    int at = size - 1;
    firstStop = firstStop == NONE ? at : firstStop;
    boolean continues = at > 0 && samePartition(at - 1, at);
    int before = continues ? bounds[at - 1] : NONE;
    deletions[at] = continues ? deletions[at - 1] : NONE;
    stopAt[2 * stop] = stopValues.size();
    long timestamp = RowFormat.NO_TIMESTAMP;
    long seconds = 0;
    if (before != NONE) {
      bound.wrap(valueSegment(before), valueOffset(before));
      timestamp = bound.openedTimestamp();
      seconds = bound.openedSeconds();
    }
    BoundView.write(timestamp, seconds, RowFormat.NO_TIMESTAMP, 0, stopValues);
    stopAt[2 * stop + 1] = stopValues.size();
    bounds[at] = at;
  }

  private void append(int what) {
    if (size == shown.length) {
      shown = Arrays.copyOf(shown, 2 * size);
      bounds = Arrays.copyOf(bounds, 2 * size);
      deletions = Arrays.copyOf(deletions, 2 * size);
    }
    shown[size++] = what;
  }

  private boolean samePartition(int a, int b) {
    if (!isStop(a) && !isStop(b) && prefixAt(a) == prefixAt(b)) {
      return true;
    }
    int length = prefixLength(a);
    return length == prefixLength(b)
        && Bytes.equal(
            prefixSegment(a), prefixAt(a), length, prefixSegment(b), prefixAt(b), length);
  }

  private MemorySegment prefixSegment(int index) {
    return isStop(index) ? stop(index).segment() : segment;
  }

  private long prefixAt(int index) {
    return isStop(index) ? stop(index).offset() : places[shown[index] * STRIDE + 1];
  }

  // ---- access by index

  /** The number of visible entries. */
  int size() {
    return size;
  }

  /** Whether the entry is a stop. */
  boolean isStop(int index) {
    return shown[index] < 0;
  }

  /** The index of the first stop; -1 for none. */
  int firstStop() {
    return firstStop;
  }

  private Stop stop(int index) {
    return stops.get(-1 - shown[index]);
  }

  int prefixLength(int index) {
    return isStop(index) ? stop(index).prefixLength() : places[shown[index] * STRIDE + 2];
  }

  /** Replaces the contents of a writer with the key of an entry. */
  void putKey(int index, ByteWriter target) {
    if (isStop(index)) {
      Stop stop = stop(index);
      target.clear().putBytes(stop.segment(), stop.offset(), stop.length());
    } else {
      putPlaceKey(shown[index], target);
    }
  }

  /**
   * Replaces the key of an entry with that of the next one if both are of the same partition, and
   * neither is a stop or a deletion of it; returns whether it has.
   */
  boolean putNextKey(int index, ByteWriter target) {
    if (isStop(index) || isStop(index + 1)) {
      return false;
    }
    int at = shown[index] * STRIDE;
    int next = shown[index + 1] * STRIDE;
    if (places[at + 1] != places[next + 1] || places[next] == DELETION_KIND) {
      return false;
    }
    target.truncate(places[next + 2]);
    putSuffix(next, target);
    return true;
  }

  private void putPlaceKey(int place) {
    putPlaceKey(place, key);
  }

  private void putPlaceKey(int place, ByteWriter target) {
    int at = place * STRIDE;
    target.clear().putBytes(segment, places[at + 1], places[at + 2]);
    if (places[at] == DELETION_KIND) {
      target.putByte(KeyFormat.SECTION_PARTITION_DELETION);
      return;
    }
    putSuffix(at, target);
  }

  private void putSuffix(int at, ByteWriter target) {
    target.putBytes(segment, places[at + 3], places[at + 4]);
    if (places[at] == ReplyFormat.ELEMENT) {
      target.putBytes(segment, places[at + 5], places[at + 6]);
    }
  }

  /** Compares the key of an entry with a slice. */
  int compare(int index, MemorySegment other, long offset, int length) {
    putKey(index, key);
    return Bytes.compare(key.segment(), 0, key.size(), other, offset, length);
  }

  MemorySegment valueSegment(int index) {
    return isStop(index) ? stopValues.segment() : segment;
  }

  long valueOffset(int index) {
    if (isStop(index)) {
      return stopAt[2 * (-1 - shown[index])];
    }
    int at = places[shown[index] * STRIDE + 7];
    return kind(shown[index]) == DELETION_KIND ? at : Bytes.varintEnd(segment, at);
  }

  int valueLength(int index) {
    if (isStop(index)) {
      int stop = -1 - shown[index];
      return stopAt[2 * stop + 1] - stopAt[2 * stop];
    }
    return kind(shown[index]) == DELETION_KIND
        ? RowFormat.DELETION_BYTES
        : (int) Bytes.getVarint(segment, places[shown[index] * STRIDE + 7]);
  }

  /** The last bound of its partition up to an entry; -1 for none. */
  int boundUpTo(int index) {
    return bounds[index];
  }

  /** The deletion of the partition of an entry; -1 for none. */
  int partitionDeletion(int index) {
    return deletions[index];
  }
}
