package io.helenus.storage.memtable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.testing.Seeds;
import java.lang.foreign.Arena;
import java.util.Iterator;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MemtableTest {
  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private final SlabPool pool = new SlabPool(Arena.ofAuto());
  private final Snapshots snapshots = new Snapshots();
  private final Memtable memtable = new Memtable(1, pool, snapshots);
  private final ByteWriter prefix = new ByteWriter(16).putLong(5).putShort(0x4100).putByte(0);

  private static ByteWriter suffix(int number) {
    return new ByteWriter(16)
        .putByte(KeyFormat.SECTION_ROWS)
        .putByte(KeyFormat.TAG_VALUE)
        .putInt(number)
        .putByte(KeyFormat.TAG_END);
  }

  private MutationView row(int number, long timestamp, int valueBytes) {
    ByteWriter value = new ByteWriter(16);
    value.reserve(valueBytes);
    ByteWriter bytes = new ByteWriter(64);
    MutationWriter mutation = new MutationWriter(bytes);
    mutation.begin(5, 1, prefix.segment(), 0, prefix.size()).beginTable(1);
    ByteWriter suffix = suffix(number);
    mutation.beginRow(suffix.segment(), 0, suffix.size()).liveness(timestamp);
    mutation.cell(1, timestamp, value.segment(), 0, valueBytes).endRow().endTable().finish();
    MutationView view = new MutationView().wrap(bytes.segment(), 0, bytes.size());
    assertTrue(view.nextTable());
    return view;
  }

  private long timestampOf(int number, long snapshot) {
    try (MemtableCursor cursor = new MemtableCursor()) {
      memtable.openRows(cursor, snapshot);
      ByteWriter key = new ByteWriter(64).putBytes(prefix.segment(), 0, prefix.size());
      ByteWriter suffix = suffix(number);
      key.putBytes(suffix.segment(), 0, suffix.size());
      if (cursor.find(key.segment(), 0, key.size(), prefix.size()) != EntryCursor.Step.READY) {
        return -1;
      }
      return new RowView()
          .wrap(cursor.valueSegment(), cursor.valueOffset(), cursor.valueLength())
          .timestamp();
    }
  }

  @Test
  void anEmptyMemtableAllocatesNoMemory() {
    assertEquals(0, memtable.memoryBytes());
    assertEquals(0, pool.share().highWaterBytes());
    assertTrue(memtable.isEmpty());
    assertEquals(Long.MAX_VALUE, memtable.smallestTimestamp());
    memtable.apply(row(1, 10, 100), snapshots.next());
    assertEquals(4096, memtable.memoryBytes());
    assertEquals(10, memtable.smallestTimestamp());
  }

  @Test
  void theSlabsOfAReleasedMemtableAreReused() {
    for (int i = 0; i < 20_000; i++) {
      memtable.apply(row(i, 10, 100), snapshots.next());
    }
    long allocated = pool.share().usedBytes();
    memtable.freeze();
    memtable.release();
    assertEquals(0, pool.share().usedBytes());
    assertEquals(allocated, pool.keptBytes());
    Memtable next = new Memtable(1, pool, snapshots);
    for (int i = 0; i < 20_000; i++) {
      next.apply(row(i, 10, 100), snapshots.next());
    }
    assertEquals(allocated, pool.share().highWaterBytes());
    assertEquals(0, pool.keptBytes());
  }

  @Test
  void overwritingARowUsesNoMoreMemoryWithoutOpenSnapshots() {
    memtable.apply(row(1, 1, 100), snapshots.next());
    for (int i = 2; i < 10_000; i++) {
      memtable.apply(row(1, i, 100), snapshots.next());
    }
    assertEquals(4096, memtable.memoryBytes());
    assertEquals(9_999, timestampOf(1, Snapshots.ALL));
    assertEquals(1, memtable.entryCount());
  }

  @Test
  void everySnapshotKeepsSeeingItsOwnVersion() {
    Snapshots.Snapshot[] open = new Snapshots.Snapshot[20];
    for (int i = 0; i < open.length; i++) {
      memtable.apply(row(1, i + 1, 10 + i % 7), snapshots.next());
      open[i] = new Snapshots.Snapshot();
      snapshots.open(open[i]);
      memtable.apply(row(2, i + 1, 10), snapshots.next());
    }
    for (int i = 0; i < open.length; i++) {
      assertEquals(i + 1, timestampOf(1, open[i].sequence()));
      assertEquals(i == 0 ? -1 : i, timestampOf(2, open[i].sequence()));
    }
    // closed in any order
    for (int i = 0; i < open.length; i += 2) {
      snapshots.close(open[i]);
    }
    memtable.apply(row(1, 100, 10), snapshots.next());
    for (int i = 1; i < open.length; i += 2) {
      assertEquals(i + 1, timestampOf(1, open[i].sequence()));
      snapshots.close(open[i]);
    }
    assertEquals(Snapshots.NONE, snapshots.newestOpen());
    assertEquals(100, timestampOf(1, Snapshots.ALL));
  }

  @Test
  void theRowsOfAMutationMayComeInAnyOrder() throws Exception {
    seeds.each(
        4,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          Memtable several = new Memtable(1, pool, snapshots);
          TreeMap<Integer, Long> expected = new TreeMap<>();
          for (long timestamp = 1; timestamp < 2000; timestamp++) {
            several.apply(rows(random, timestamp, expected), snapshots.next());
          }
          try (MemtableCursor cursor = new MemtableCursor()) {
            several.openRows(cursor, Snapshots.ALL);
            Iterator<Map.Entry<Integer, Long>> each = expected.entrySet().iterator();
            EntryCursor.Step step = cursor.first();
            while (step == EntryCursor.Step.READY) {
              if (cursor.kind() == Entry.ROW) {
                checkRow(each.next(), cursor);
              }
              step = cursor.next();
            }
            assertFalse(each.hasNext());
          }
          several.release();
        });
  }

  private void checkRow(Map.Entry<Integer, Long> expected, MemtableCursor cursor) {
    long numberAt = cursor.keyOffset() + prefix.size() + 2;
    assertEquals(expected.getKey(), Bytes.getInt(cursor.keySegment(), numberAt));
    RowView row =
        new RowView().wrap(cursor.valueSegment(), cursor.valueOffset(), cursor.valueLength());
    assertEquals(expected.getValue(), Math.max(row.timestamp(), row.deletionTimestamp()));
  }

  /**
   * Up to ten rows, some with an element, inserted or deleted, often next to each other and often
   * ascending.
   */
  private MutationView rows(
      SplittableRandom random, long timestamp, TreeMap<Integer, Long> expected) {
    ByteWriter bytes = new ByteWriter(64);
    MutationWriter mutation = new MutationWriter(bytes);
    mutation.begin(5, 1, prefix.segment(), 0, prefix.size()).beginTable(1);
    int number = random.nextInt(5000);
    for (int i = random.nextInt(10); i >= 0; i--) {
      number += random.nextInt(8) == 0 ? random.nextInt(-20, 20) : 1 + random.nextInt(2);
      ByteWriter suffix = suffix(Math.abs(number));
      mutation.beginRow(suffix.segment(), 0, suffix.size());
      if (random.nextInt(8) == 0) {
        mutation.rowDeletion(timestamp, 1000);
      } else {
        mutation.liveness(timestamp);
        if (random.nextInt(4) == 0) {
          mutation.pathCell(1, timestamp, prefix.segment(), 0, 1, prefix.segment(), 0, 0);
        }
      }
      mutation.endRow();
      expected.put(Math.abs(number), timestamp);
    }
    mutation.endTable().finish();
    MutationView view = new MutationView().wrap(bytes.segment(), 0, bytes.size());
    assertTrue(view.nextTable());
    return view;
  }

  @Test
  void rowsLargerThanASlabGetTheirOwn() {
    memtable.apply(row(1, 1, 3_000_000), snapshots.next());
    memtable.apply(row(2, 2, 10), snapshots.next());
    memtable.apply(row(3, 3, 600_000), snapshots.next());
    memtable.apply(row(1, 4, 3_100_000), snapshots.next());
    assertEquals(4, timestampOf(1, Snapshots.ALL));
    assertEquals(2, timestampOf(2, Snapshots.ALL));
    assertEquals(3, timestampOf(3, Snapshots.ALL));
  }

  @Test
  void nothingIsAppliedToAFrozenMemtable() {
    memtable.freeze();
    MutationView view = row(1, 1, 10);
    assertThrows(IllegalStateException.class, () -> memtable.apply(view, snapshots.next()));
  }
}
