package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.sim.SimulatedCrash;
import io.helenus.storage.local.SimStorage.Outcome;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Runs the same short scenario, crashing at each of its file operations in turn, and reopens the
 * storage.
 */
class CrashTest {
  private static final int TABLE = 3;
  private static final int SECOND_START_OPERATIONS = 40;
  private final TestMutations mutations = new TestMutations();
  private int acknowledged;
  private int requested;
  private boolean truncating;

  private Outcome put(SimStorage storage, int partition) {
    TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
    cells.put(1, partition);
    ModelTable.Put put = new ModelTable.Put(false, 1, true, 1, 0, ModelTable.NEVER, cells);
    return storage.apply(
        partition,
        mutations.begin(partition).table(TABLE, List.of(put), storage.nowSeconds()).end());
  }

  private void putSome(SimStorage storage, int count) {
    for (int i = 0; i < count; i++) {
      storage.awaitSuccess(put(storage, requested++));
      acknowledged = requested;
    }
  }

  private void live(SimStorage storage) {
    putSome(storage, 8);
    storage.flush();
    putSome(storage, 8);
    storage.flush();
    storage.compact();
    putSome(storage, 4);
    storage.flush();
    storage.compact();
    truncating = true;
    storage.truncate(TABLE);
    truncating = false;
    requested = 0;
    acknowledged = 0;
    putSome(storage, 5);
    storage.flush();
  }

  /** Returns whether the scenario crashed before its end. */
  private boolean crashAt(int operation, boolean powerLoss) throws IOException {
    SimStorage storage =
        new SimStorage(
            operation, TestStorageOptions.of(2, SyncMode.BATCH).build(), SimStorage.tables(TABLE));
    acknowledged = 0;
    requested = 0;
    truncating = false;
    storage.files.crashAfter(operation);
    boolean stopped = false;
    try {
      storage.open();
      live(storage);
    } catch (SimulatedCrash crash) {
      stopped = true;
    }
    int shards = 1 + operation % 4;
    String text = "operation " + operation + (powerLoss ? ", power loss" : ", kill");
    for (int i = 0; i < 2; i++) {
      storage.crash(powerLoss, shards);
      TextSink rows = storage.scan(TABLE);
      boolean whole = rows.rows == acknowledged || rows.rows == requested;
      assertTrue(whole || truncating && rows.rows == 0, text + ": " + rows.rows + " rows");
      if (!truncating) {
        for (int partition = 0; partition < acknowledged; partition++) {
          assertTrue(rows.partitions.containsKey(partition), text + ": partition " + partition);
        }
      }
      storage.world.runReady();
      storage.compact();
      assertEquals(rows.rows, storage.scan(TABLE).rows, text);
    }
    storage.world.runReady();
    long files = storage.files.paths().stream().filter(p -> p.startsWith("sstables/")).count();
    assertEquals(storage.storage().statistics(TABLE).files(), files, text + ": orphans");
    return stopped;
  }

  /**
   * Two starts that are killed at each of their operations, and a loss of power: the second start
   * must not forget what a log contains before the deletion of the log is durable.
   */
  @Test
  void truncatedRowsStayAwayWhenADeletedLogComesBack() throws IOException {
    int first = 1;
    boolean killed = true;
    while (killed) {
      int second = 1;
      killed = truncatedRowsComeBack(first, second);
      while (killed && second < SECOND_START_OPERATIONS) {
        second++;
        boolean again = truncatedRowsComeBack(first, second);
        assertTrue(again);
      }
      first++;
    }
    assertTrue(first > 10, first + " operations");
  }

  /** Returns whether the first start was killed before its end. */
  private boolean truncatedRowsComeBack(int first, int second) throws IOException {
    SimStorage storage =
        new SimStorage(
            31L * first + second,
            TestStorageOptions.of(1, SyncMode.BATCH).build(),
            SimStorage.tables(TABLE));
    storage.open();
    putSome(storage, 5);
    storage.truncate(TABLE);
    boolean killed = killedStart(storage, first);
    boolean again = killedStart(storage, second);
    assertTrue(again || second > 1);
    storage.crash(true, 1);
    assertEquals(0, storage.scan(TABLE).rows, "operations " + first + " and " + second);
    return killed;
  }

  private static boolean killedStart(SimStorage storage, int operations) throws IOException {
    storage.prepareCrash(false, 1);
    storage.files.crashAfter(operations);
    try {
      storage.open();
      storage.world.runReady();
      return false;
    } catch (SimulatedCrash crash) {
      return true;
    }
  }

  @Test
  void aPowerLossAtEveryOperationLeavesTheOldOrTheNewSetOfFiles() throws IOException {
    int operation = 1;
    while (crashAt(operation, true)) {
      operation++;
    }
    assertTrue(operation > 100, operation + " operations");
  }

  @Test
  void aKillAtEveryOperationLeavesTheOldOrTheNewSetOfFiles() throws IOException {
    int operation = 1;
    while (crashAt(operation, false)) {
      operation++;
    }
    assertTrue(operation > 100, operation + " operations");
  }

  @Test
  void aDeletionIsNotPurgedWhileOlderWritesAreStillToBeReplayed() throws IOException {
    SimStorage storage =
        new SimStorage(
            1,
            TestStorageOptions.of(1, SyncMode.BATCH)
                .memtableBytes(16L << 20)
                .commitLog(8 << 20, 32L << 20)
                .build(),
            SimStorage.tables(TABLE));
    storage.open();
    int deleted = 100_000;
    storage.awaitSuccess(
        storage.apply(
            deleted,
            mutations
                .begin(deleted)
                .table(TABLE, List.of(new ModelTable.DeletePartition(2)), storage.nowSeconds())
                .end()));
    // replayed with small memtables these fill several files, which are then compacted
    putSome(storage, 3_000);
    storage.awaitSuccess(put(storage, deleted));
    String empty = storage.read(TABLE, deleted);
    storage.world.runFor((SimStorage.GRACE_SECONDS + 1) * 1_000_000_000L);
    storage.crash(true, 1);
    assertTrue(storage.storage().statistics(TABLE).files() >= 4);
    storage.world.runReady();
    assertEquals(empty, storage.read(TABLE, deleted));
  }
}
