package io.helenus.storage.memtable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.testing.Seeds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Elements of multi-cell columns in a memtable. The tests count work, not time. */
class ElementTest {
  private static final int COLUMN = 3;

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private final SlabPool pool = new SlabPool(Arena.ofAuto());
  private final Snapshots snapshots = new Snapshots();
  private final Memtable memtable = new Memtable(1, pool, snapshots);
  private final ByteWriter prefix = new ByteWriter(16).putLong(5).putShort(0x4100).putByte(0);
  private final ByteWriter path = new ByteWriter(8);
  private final ByteWriter value = new ByteWriter(16).putLong(1).putLong(2);

  private void apply(int row, Consumer<MutationWriter> cells) {
    apply(memtable, snapshots.next(), row, cells);
  }

  private void apply(Memtable target, long sequence, int row, Consumer<MutationWriter> cells) {
    ByteWriter suffix =
        new ByteWriter(16)
            .putByte(KeyFormat.SECTION_ROWS)
            .putByte(KeyFormat.TAG_VALUE)
            .putInt(row)
            .putByte(KeyFormat.TAG_END);
    ByteWriter bytes = new ByteWriter(64);
    MutationWriter mutation = new MutationWriter(bytes);
    mutation.begin(5, 1, prefix.segment(), 0, prefix.size()).beginTable(1);
    mutation.beginRow(suffix.segment(), 0, suffix.size());
    cells.accept(mutation);
    mutation.endRow().endTable().finish();
    MutationView view = new MutationView().wrap(bytes.segment(), 0, bytes.size());
    assertTrue(view.nextTable());
    target.apply(view, sequence);
  }

  private void put(MutationWriter row, int number, long timestamp) {
    path.clear().putInt(number);
    row.pathCell(COLUMN, timestamp, path.segment(), 0, 4, value.segment(), 0, value.size());
  }

  private void remove(MutationWriter row, int number, long timestamp) {
    path.clear().putInt(number);
    row.pathTombstone(COLUMN, timestamp, 1000, path.segment(), 0, 4);
  }

  private void fill(int row, int size) {
    apply(
        row,
        writer -> {
          writer.liveness(10);
          for (int i = 0; i < size; i++) {
            put(writer, 2 * i, 10);
          }
        });
  }

  private record Place(MemorySegment segment, long offset) {}

  private Map<Place, Integer> records(long snapshot) {
    Map<Place, Integer> records = new HashMap<>();
    try (MemtableCursor cursor = new MemtableCursor()) {
      memtable.openRows(cursor, snapshot);
      EntryCursor.Step step = cursor.first();
      while (step == EntryCursor.Step.READY) {
        Place place = new Place(cursor.keySegment(), cursor.keyOffset());
        records.put(place, cursor.keyLength() + cursor.valueLength());
        step = cursor.next();
      }
    }
    return records;
  }

  /** The entries that a change writes, as their number and bytes. */
  private String written(int row, Consumer<MutationWriter> change) {
    // an open snapshot prevents that records are overwritten in place
    Snapshots.Snapshot before = new Snapshots.Snapshot();
    snapshots.open(before);
    apply(row, change);
    Map<Place, Integer> after = records(Snapshots.ALL);
    after.keySet().removeAll(records(before.sequence()).keySet());
    snapshots.close(before);
    int bytes = after.values().stream().mapToInt(Integer::intValue).sum();
    return after.size() + " entries, " + bytes + " bytes";
  }

  @Test
  void changingAnElementCostsTheSameInLargeAndSmallCollections() {
    fill(1, 10);
    fill(2, 10_000);
    String append = written(1, row -> put(row, 100_000, 20));
    assertTrue(append.startsWith("1 entries"), append);
    assertEquals(append, written(2, row -> put(row, 100_000, 20)));
    assertEquals(
        written(1, row -> put(row, 10, 20)), written(2, row -> put(row, 10, 20)), "overwrite");
    assertEquals(
        written(1, row -> remove(row, 8, 20)), written(2, row -> remove(row, 8, 20)), "removal");
  }

  @Test
  void appendsUseTheSameMemoryInLargeAndSmallCollections() {
    fill(1, 10);
    long small = growth(1);
    fill(2, 10_000);
    long large = growth(2);
    assertTrue(large <= 2 * small, small + " and " + large);
  }

  private long growth(int row) {
    long before = memtable.memoryBytes();
    for (int i = 0; i < 20_000; i++) {
      int number = 100_000 + i;
      apply(row, writer -> put(writer, number, 20));
    }
    return memtable.memoryBytes() - before;
  }

  @Test
  void overwritingACollectionRemovesTheElementsThatItCovers() {
    for (int i = 0; i < 1000; i++) {
      long timestamp = 100 + 10L * i;
      int first = 3 * i;
      apply(
          1,
          row -> {
            row.columnDeletion(COLUMN, timestamp - 1, 1000);
            put(row, first, timestamp);
            put(row, first + 1, timestamp);
          });
    }
    // the row with the column deletion, and the last two elements
    assertEquals(3, memtable.entryCount());
    apply(1, row -> row.rowDeletion(100_000, 1000));
    assertEquals(1, memtable.entryCount());
  }

  /** Replaces the column by the elements from one number to another. */
  private void replace(long timestamp, int from, int to) {
    apply(
        1,
        row -> {
          row.columnDeletion(COLUMN, timestamp - 1, 1000);
          for (int i = from; i < to; i++) {
            put(row, i, timestamp);
          }
        });
  }

  @Test
  void elementsThatAreReplacedAreOverwrittenInPlace() {
    replace(10, 0, 3);
    long before = memtable.memoryBytes();
    Map<Place, Integer> places = records(Snapshots.ALL);
    for (int i = 0; i < 10_000; i++) {
      replace(20 + 10L * i, 0, 3);
    }
    assertEquals(places, records(Snapshots.ALL));
    assertEquals(before, memtable.memoryBytes());
  }

  @Test
  void onlyTheReplacedElementsOfSeveralRemain() {
    replace(10, 2, 8);
    replace(20, 5, 11);
    // the row with the column deletion, and six elements
    assertEquals(7, memtable.entryCount());
    replace(30, 0, 1);
    assertEquals(2, memtable.entryCount());
    // older than what is there
    replace(25, 0, 3);
    assertEquals(4, memtable.entryCount());
    replace(40, 9, 9);
    assertEquals(1, memtable.entryCount());
  }

  @Test
  void elementsThatASnapshotSeesAreNotRemoved() {
    apply(1, row -> put(row, 7, 10));
    Snapshots.Snapshot open = new Snapshots.Snapshot();
    snapshots.open(open);
    apply(1, row -> row.columnDeletion(COLUMN, 20, 1000));
    assertEquals(1, records(open.sequence()).size());
    assertEquals(2, records(Snapshots.ALL).size());
    snapshots.close(open);
    // a newer element is not covered
    apply(1, row -> put(row, 8, 30));
    apply(1, row -> row.columnDeletion(COLUMN, 25, 1000));
    assertEquals(2, records(Snapshots.ALL).size());
  }

  /** The visible elements of all rows, without those that a deletion of their row covers. */
  private static Map<String, Long> visible(Memtable memtable) {
    Map<String, Long> visible = new TreeMap<>();
    RowView row = new RowView();
    ElementView element = new ElementView();
    try (MemtableCursor cursor = new MemtableCursor()) {
      memtable.openRows(cursor, Snapshots.ALL);
      Map<Integer, Long> deletions = new HashMap<>();
      EntryCursor.Step step = cursor.first();
      while (step == EntryCursor.Step.READY) {
        MemorySegment key = cursor.keySegment();
        long end = cursor.keyOffset() + cursor.keyLength();
        MemorySegment cells = cursor.valueSegment();
        long from = cursor.valueOffset();
        long to = from + cursor.valueLength();
        if (Bytes.getByte(key, end - 1) == KeyFormat.TAG_ELEMENT) {
          element.wrap(key, cursor.keyOffset(), cursor.keyLength(), cells, from);
          row.wrap(cells, element.rowOffset(), to - element.rowOffset());
          assertTrue(row.nextCell());
          int number = Bytes.getInt(key, element.pathOffset());
          int ofRow = Bytes.getInt(key, element.pathOffset() - 9);
          if (row.cellTimestamp() > deletions.getOrDefault(element.column(), 0L)) {
            visible.put(ofRow + " " + element.column() + " " + number, row.cellTimestamp());
          }
        } else {
          deletions.clear();
          row.wrap(cells, from, to - from);
          while (row.nextCell()) {
            deletions.put(row.column(), row.cellTimestamp());
          }
        }
        step = cursor.next();
      }
    }
    return visible;
  }

  @Test
  void removingCoveredElementsChangesNothingVisible() throws Exception {
    seeds.each(
        20,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          Snapshots withSnapshot = new Snapshots();
          withSnapshot.open(new Snapshots.Snapshot());
          Memtable removing = new Memtable(1, pool, new Snapshots());
          Memtable keeping = new Memtable(1, pool, withSnapshot);
          for (int i = 0; i < 2000; i++) {
            long bits = random.nextLong();
            int row = random.nextInt(20);
            long timestamp = 10 + i + random.nextInt(3) * 5L;
            Consumer<MutationWriter> change = writer -> change(writer, bits, timestamp);
            apply(removing, i, row, change);
            apply(keeping, i, row, change);
          }
          assertEquals(visible(keeping), visible(removing));
          assertTrue(removing.entryCount() < keeping.entryCount());
        });
  }

  /** Appends to or replaces two columns, with elements that the bits select. */
  private void change(MutationWriter row, long bits, long timestamp) {
    for (int column = COLUMN; column < COLUMN + 2; column++) {
      int selected = (int) (bits >>> (column == COLUMN ? 0 : 32));
      if (selected < 0) {
        row.columnDeletion(column, timestamp - 1, 1000);
      }
      for (int i = 0; i < 10; i++) {
        if ((selected >>> (2 * i) & 3) == 0) {
          path.clear().putInt(i);
          row.pathCell(column, timestamp, path.segment(), 0, 4, value.segment(), 0, value.size());
        }
      }
    }
  }
}
