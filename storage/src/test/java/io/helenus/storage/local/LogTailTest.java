package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.local.SimStorage.Outcome;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Many small tables in a commit log that has reached its bound. */
class LogTailTest {
  private static final int TABLES = 200;
  private static final int LARGE = TABLES + 1;
  private static final int KIB = 1 << 10;

  private final TestMutations mutations = new TestMutations();

  private static TestStorageOptions options(SyncMode mode) {
    return TestStorageOptions.of(2, mode).commitLog(64 * KIB, 512L * KIB).memtableBytes(64L << 20);
  }

  private static SimStorage storage(SyncMode mode) throws IOException {
    int[] ids = new int[LARGE];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = i + 1;
    }
    SimStorage storage = new SimStorage(42, options(mode).build(), SimStorage.tables(ids));
    storage.open();
    return storage;
  }

  private Outcome put(SimStorage storage, int table, int partition, long timestamp) {
    return storage.apply(partition, mutation(storage, table, partition, timestamp));
  }

  private ByteWriter mutation(SimStorage storage, int table, int partition, long timestamp) {
    ModelTable.Put put =
        new ModelTable.Put(
            false,
            1,
            true,
            timestamp,
            0,
            ModelTable.NEVER,
            new TreeMap<>(Map.of(1, partition)),
            new ModelTable.Elements(timestamp % 2 == 0, new TreeMap<>(Map.of(7, partition))));
    return mutations.begin(partition).table(table, List.of(put), storage.nowSeconds()).end();
  }

  /** Writes a row to each table, those of every other table of a shard as one record. */
  private void rowEach(SimStorage storage, long timestamp) {
    Map<StorageEngine, ByteWriter> records = new HashMap<>();
    for (int table = 1; table <= TABLES; table++) {
      if (table % 2 == 0) {
        storage.awaitSuccess(put(storage, table, table, timestamp));
        continue;
      }
      ByteWriter mutation = mutation(storage, table, table, timestamp);
      records
          .computeIfAbsent(storage.engine(table), ignored -> new ByteWriter(1024))
          .putBytes(mutation.segment(), 0, mutation.size());
    }
    records.forEach(
        (engine, record) -> {
          Outcome outcome = new Outcome();
          engine.apply(record.segment(), 0, record.size(), outcome);
          storage.awaitSuccess(outcome);
        });
  }

  /** Writes several times the bound of the log into one table. */
  private void fill(SimStorage storage, int from, int count) {
    for (int i = from; i < from + count; i++) {
      Outcome outcome = put(storage, LARGE, i, 1);
      if (i % 20 == 0) {
        storage.awaitSuccess(outcome);
      }
    }
    storage.awaitSuccess(put(storage, LARGE, from, 2));
    storage.world.runReady();
    storage.endTicks();
  }

  private static int smallFiles(SimStorage storage) {
    int files = 0;
    for (int table = 1; table <= TABLES; table++) {
      files += storage.storage().statistics(table).files();
    }
    return files;
  }

  private static long logBytes(SimStorage storage) {
    long bytes = 0;
    for (var engine : storage.storage().engines()) {
      bytes += engine.commitLogStatistics().bytes();
    }
    return bytes;
  }

  @Test
  void smallMemtablesAreCopiedInsteadOfFlushed() throws IOException {
    for (SyncMode mode : SyncMode.values()) {
      SimStorage storage = storage(mode);
      rowEach(storage, 1);
      TreeMap<Integer, String> rows = new TreeMap<>();
      for (int table = 1; table <= TABLES; table++) {
        rows.put(table, storage.read(table, table));
      }
      for (int round = 0; round < 2; round++) {
        fill(storage, 1_000 + 6_000 * round, 6_000);
        assertEquals(0, smallFiles(storage), mode + ": no files of small tables");
        // the end of each copy begins the next
        storage.world.runUntil(() -> logBytes(storage) <= 512 * KIB);
        assertEquals(0, smallFiles(storage), mode + ": no files of small tables");
      }
      assertTrue(storage.storage().statistics(LARGE).files() > 0);
      storage.crash(true, 2);
      storage.world.runReady();
      for (int table = 1; table <= TABLES; table++) {
        assertEquals(rows.get(table), storage.read(table, table), mode + " table " + table);
      }
    }
  }

  @Test
  void whatWasTruncatedOrFlushedAfterTheCopyIsNotReplayed() throws IOException {
    for (SyncMode mode : SyncMode.values()) {
      SimStorage storage = storage(mode);
      rowEach(storage, 1);
      fill(storage, 1_000, 6_000);
      assertEquals(0, smallFiles(storage));
      storage.truncate(1);
      storage.crash(true, 2);
      storage.world.runReady();
      assertEquals("", storage.read(1, 1), mode + ": truncated");
      assertTrue(!storage.read(2, 2).isEmpty(), "" + mode);
    }
  }
}
