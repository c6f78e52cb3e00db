package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.sim.FileSystemBug;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimulatedCrash;
import io.helenus.storage.local.SimStorage.Outcome;
import io.helenus.storage.log.LogFiles;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Crashes of a node with many tables that have a row each. */
class KeptRecordsTest {
  private static final int KIB = 1 << 10;
  private static final int TRUNCATED = 1;
  private static final int FLUSHED = 2;
  private static final int DROPPED = 3;
  private static final int GROWN = 4;
  private static final int OVERWRITTEN = 5;

  private final TestMutations mutations = new TestMutations();
  private int segmentBytes = 256 * KIB;
  private int shards = 2;

  /** What has been asked for and done in {@link #live}. */
  private int requested;

  private int done;

  private SimStorage storage(long seed, SyncMode mode, int tables) {
    SimStorage storage =
        new SimStorage(seed, TestStorageOptions.of(shards, mode).build(), tables(1, tables));
    setOptions(storage);
    return storage;
  }

  private static Tables tables(int first, int last) {
    return SimStorage.tables(IntStream.rangeClosed(first, last).toArray());
  }

  private void setOptions(SimStorage storage) {
    storage.options =
        TestStorageOptions.of(shards, storage.options.syncMode())
            .commitLog(segmentBytes, 64L * segmentBytes)
            .memtableBytes(64L << 20)
            .build();
  }

  private void prepareCrash(SimStorage storage, boolean powerLoss) {
    storage.prepareCrash(powerLoss, shards);
    setOptions(storage);
  }

  private void restart(SimStorage storage, boolean powerLoss) throws IOException {
    prepareCrash(storage, powerLoss);
    storage.open();
    storage.world.runReady();
  }

  private Outcome put(SimStorage storage, int table, int partition, int value) {
    TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
    cells.put(1, value);
    ModelTable.Put put = new ModelTable.Put(false, 1, true, value, 0, ModelTable.NEVER, cells);
    return storage.apply(
        partition,
        mutations.begin(partition).table(table, List.of(put), storage.nowSeconds()).end());
  }

  private void rowEach(SimStorage storage, int tables, int value) {
    for (int table = 1; table <= tables; table++) {
      storage.awaitSuccess(put(storage, table, table, value));
    }
  }

  private void grow(SimStorage storage, int table, int rows) {
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      outcomes.add(put(storage, table, 1_000 + i, 3));
    }
    outcomes.forEach(storage::awaitSuccess);
  }

  private static String row(int value) {
    return "1 row@" + value + " c1=" + value + "@" + value + "\n";
  }

  private static void assertRowEach(SimStorage storage, int tables, int value, String what) {
    for (int table = 1; table <= tables; table++) {
      assertEquals(row(value), storage.read(table, table), what + ", table " + table);
    }
  }

  private static int files(SimStorage storage, int firstTable, int lastTable) {
    int files = 0;
    for (int table = firstTable; table <= lastTable; table++) {
      files += storage.storage().statistics(table).files();
    }
    return files;
  }

  /** The number of logs of earlier starts; those of the current one are the newest. */
  private static int oldLogs(SimStorage storage) throws IOException {
    List<LogFiles.OldLog> logs = LogFiles.find(storage.files);
    long current = logs.getLast().logId() / LogFiles.SHARDS_LIMIT;
    return (int) logs.stream().filter(log -> log.logId() / LogFiles.SHARDS_LIMIT < current).count();
  }

  private static long oldLogBytes(SimStorage storage) throws IOException {
    List<LogFiles.OldLog> logs = LogFiles.find(storage.files);
    long current = logs.getLast().logId() / LogFiles.SHARDS_LIMIT;
    long bytes = 0;
    for (LogFiles.OldLog log : logs) {
      if (log.logId() / LogFiles.SHARDS_LIMIT < current) {
        for (LogFiles.OldSegment segment : log.segments()) {
          bytes += storage.files.contents(segment.path()).length;
        }
      }
    }
    assertTrue(bytes > 0);
    return bytes;
  }

  @Test
  void smallMemtablesAreCopiedToOneLogInsteadOfFlushed() throws IOException {
    for (SyncMode mode : SyncMode.values()) {
      SimStorage storage = storage(1, mode, 200);
      storage.open();
      rowEach(storage, 200, 1);
      for (int i = 0; i < 4; i++) {
        shards = 1 + i;
        restart(storage, i % 2 == 0 && mode != SyncMode.PERIODIC);
        assertRowEach(storage, 200, 1, mode + ", restart " + i);
        assertEquals(0, files(storage, 1, 200));
        assertEquals(1, oldLogs(storage), storage.files.paths()::toString);
        assertEquals(oldLogBytes(storage), storage.storage().oldLogBytes());
      }
      shards = 2;
      rowEach(storage, 100, 2);
      restart(storage, false);
      assertRowEach(storage, 100, 2, mode + ", overwritten");
      assertEquals(row(1), storage.read(101, 101));
      assertEquals(0, files(storage, 1, 200));
    }
  }

  @Test
  void largeMemtablesAndWhatExceedsTheLimitAreFlushed() throws IOException {
    segmentBytes = 64 * KIB;
    int limitBytes = segmentBytes / 4;
    SimStorage storage = storage(1, SyncMode.BATCH, 201);
    storage.open();
    rowEach(storage, 201, 1);
    grow(storage, 200, 600);
    for (int table = 150; table < 200; table++) {
      grow(storage, table, 8);
    }
    restart(storage, true);
    assertRowEach(storage, 201, 1, "restart");
    assertEquals(601, storage.scan(200).rows);
    assertEquals(0, files(storage, 1, 149));
    assertEquals(2, files(storage, 200, 200));
    int given = files(storage, 150, 199);
    assertTrue(given > 0 && given < 100, given + " files");
    long kept =
        storage.files.contents(LogFiles.find(storage.files).getFirst().segments().getFirst().path())
            .length;
    assertTrue(kept > limitBytes - 2 * KIB && kept < limitBytes + KIB, kept + " bytes");
  }

  @Test
  void whatIsFlushedDuringTheReplayDoesNotComeBackWithoutItsDeletion() throws IOException {
    shards = 1;
    int flushed = 0;
    // with one of these numbers, nothing is left in memory after the flush
    for (int rows = 1; rows <= 160; rows++) {
      SimStorage storage = storage(1, SyncMode.BATCH, 1);
      storage.open();
      ModelTable.DeletePartition deletion = new ModelTable.DeletePartition(10);
      storage.awaitSuccess(
          storage.apply(
              5, mutations.begin(5).table(1, List.of(deletion), storage.nowSeconds()).end()));
      storage.flush();
      storage.awaitSuccess(put(storage, 1, 5, 1));
      grow(storage, 1, rows);
      prepareCrash(storage, false);
      storage.options =
          TestStorageOptions.of(shards, SyncMode.BATCH)
              .commitLog(segmentBytes, 64L * segmentBytes)
              .memtableBytes(16 * KIB)
              .build();
      if (rows % 2 == 0) {
        // the old logs remain
        storage.files.faults(
            (operation, path) -> {
              if (operation == SimFileSystem.Operation.DELETE && path.startsWith("commitlog/")) {
                throw new IOException(path + " cannot be deleted");
              }
            });
      }
      storage.open();
      storage.world.runReady();
      flushed += files(storage, 1, 1) - 1;
      storage.world.runFor(2 * SimStorage.GRACE_SECONDS * 1_000_000_000L);
      Outcome compacted = new Outcome();
      storage.storage().compact(1, compacted);
      storage.awaitSuccess(compacted);
      storage.files.faults(SimFileSystem.Faults.NONE);
      restart(storage, false);
      assertEquals("", storage.read(1, 5), rows + " rows");
    }
    assertTrue(flushed > 0, "memtables are flushed during the replay");
  }

  private static void stop(SimStorage storage) {
    Outcome flushed = new Outcome();
    storage.storage().flushBeforeStop(flushed);
    storage.awaitSuccess(flushed);
    storage.world.runReady();
    storage.storage().close();
  }

  @Test
  void aCleanStopFlushesFewSmallMemtablesAndLeavesNoLog() throws IOException {
    SimStorage storage = storage(1, SyncMode.PERIODIC, 20);
    storage.open();
    rowEach(storage, 20, 1);
    restart(storage, false);
    stop(storage);
    assertTrue(storage.files.paths().stream().noneMatch(path -> path.startsWith("commitlog/")));
    assertEquals(20, files(storage, 1, 20));
    restart(storage, true);
    assertRowEach(storage, 20, 1, "after a clean stop");
  }

  @Test
  void aCleanStopLeavesManySmallMemtablesInTheLog() throws IOException {
    for (SyncMode mode : SyncMode.values()) {
      SimStorage storage = storage(1, mode, 101);
      storage.open();
      rowEach(storage, 101, 1);
      grow(storage, 101, 1_000);
      for (int i = 0; i < 3; i++) {
        stop(storage);
        assertEquals(0, files(storage, 1, 100));
        assertEquals(2, files(storage, 101, 101));
        restart(storage, true);
        assertRowEach(storage, 101, 1, mode + ", stop " + i);
        assertEquals(1_001, storage.scan(101).rows);
      }
      storage.flush();
      storage.world.runReady();
      storage.storage().close();
      assertTrue(storage.files.paths().stream().noneMatch(path -> path.startsWith("commitlog/")));
      restart(storage, true);
      assertRowEach(storage, 101, 1, mode + ", after a flush");
    }
  }

  @Test
  void withoutRoomForTheCopiesTheMemtablesAreFlushed() throws IOException {
    SimStorage storage = storage(1, SyncMode.BATCH, 50);
    storage.open();
    rowEach(storage, 50, 1);
    prepareCrash(storage, true);
    storage.files.faults(
        (operation, path) -> {
          // the kept log belongs to a start of its own, the second one
          if (operation == SimFileSystem.Operation.WRITE
              && path.contains("free-0000000000000400")) {
            throw new IOException(path + ": no space left");
          }
        });
    storage.open();
    storage.world.runReady();
    assertEquals(50, files(storage, 1, 50));
    assertEquals(0, oldLogs(storage), storage.files.paths()::toString);
    assertRowEach(storage, 50, 1, "flushed");
    restart(storage, true);
    assertRowEach(storage, 50, 1, "flushed, after a restart");
  }

  @Test
  void nothingReplayedIsFlushedBeforeTheOldLogsAreSynced() throws IOException {
    for (int seed = 1; seed <= 20; seed++) {
      SimStorage storage = storage(seed, SyncMode.PERIODIC, 20);
      storage.open();
      rowEach(storage, 20, 1);
      prepareCrash(storage, false);
      Set<String> unsynced = new TreeSet<>();
      for (LogFiles.OldLog log : LogFiles.find(storage.files)) {
        log.segments().forEach(segment -> unsynced.add(segment.path()));
      }
      storage.files.faults(
          (operation, path) -> {
            if (operation == SimFileSystem.Operation.SYNC) {
              unsynced.remove(path);
            } else if (path.startsWith("sstables/")) {
              assertEquals(Set.of(), unsynced, operation + " " + path);
            }
          });
      storage.open();
      storage.flush();
      assertEquals(20, files(storage, 1, 20));
    }
  }

  /**
   * Restarts after a crash, with changes of several tables right after it, and crashes at a file
   * operation of that. Returns whether it came to that.
   */
  private boolean crashAt(int operation, SyncMode mode, UnaryOperator<FileSystem> bug)
      throws IOException {
    shards = 2;
    segmentBytes = 16 * KIB; // for every record twice, if there are both the old and the kept log
    boolean powerLoss = mode != SyncMode.PERIODIC;
    SimStorage storage = storage(operation, mode, 13);
    storage.open();
    rowEach(storage, 13, 1);
    grow(storage, 13, 120);
    prepareCrash(storage, powerLoss);
    storage.wrapper = bug;
    storage.files.crashAfter(operation);
    boolean crashed = false;
    requested = 0;
    done = 0;
    try {
      storage.open();
      int steps = 10 * (operation % 5);
      while (steps > 0 && storage.world.step()) {
        steps--;
      }
      live(storage);
      storage.world.runFor(1_000_000_000L);
    } catch (SimulatedCrash crash) {
      crashed = true;
    }
    shards = 1 + operation % 3;
    for (int i = 0; i < 2; i++) {
      prepareCrash(storage, powerLoss);
      storage.open();
      check(storage, "operation " + operation + ", restart " + i);
      storage.world.runReady();
      check(storage, "operation " + operation + ", after restart " + i);
    }
    for (int table = OVERWRITTEN; table <= 12; table++) {
      assertEquals(0, files(storage, table, table), "operation " + operation + ", table " + table);
    }
    assertTrue(oldLogs(storage) <= 1, storage.files.paths()::toString);
    return crashed;
  }

  private void live(SimStorage storage) {
    requested = TRUNCATED;
    storage.truncate(TRUNCATED);
    done = TRUNCATED;
    requested = FLUSHED;
    Outcome flushed = new Outcome();
    storage.storage().flush(FLUSHED, flushed);
    storage.awaitSuccess(flushed);
    done = FLUSHED;
    storage.tables = without(DROPPED);
    requested = DROPPED;
    Outcome dropped = new Outcome();
    storage.storage().tablesChanged(storage.tables, dropped);
    storage.awaitSuccess(dropped);
    done = DROPPED;
    requested = GROWN;
    grow(storage, GROWN, 120);
    flushed = new Outcome();
    storage.storage().flush(GROWN, flushed);
    storage.awaitSuccess(flushed);
    done = GROWN;
    requested = OVERWRITTEN;
    storage.awaitSuccess(put(storage, OVERWRITTEN, OVERWRITTEN, 2));
    done = OVERWRITTEN;
  }

  private static Tables without(int table) {
    return SimStorage.tables(IntStream.rangeClosed(1, 13).filter(id -> id != table).toArray());
  }

  private void check(SimStorage storage, String what) {
    for (int table = 1; table <= 13; table++) {
      if (table == DROPPED && requested >= DROPPED) {
        continue;
      }
      String read = storage.read(table, table);
      String text = what + ", table " + table;
      if (table == TRUNCATED && requested >= TRUNCATED) {
        boolean empty = read.isEmpty();
        assertTrue(empty || done < TRUNCATED && read.equals(row(1)), text);
        done = empty ? Math.max(done, TRUNCATED) : done;
      } else if (table == OVERWRITTEN && requested >= OVERWRITTEN) {
        assertTrue(read.equals(row(2)) || done < OVERWRITTEN && read.equals(row(1)), text);
      } else {
        assertEquals(row(1), read, text);
      }
    }
    assertEquals(121, storage.scan(13).rows, what);
    if (done >= GROWN) {
      assertEquals(121, storage.scan(GROWN).rows, what);
    }
  }

  private void crashAtEveryOperation(SyncMode mode, UnaryOperator<FileSystem> bug)
      throws IOException {
    int operation = 1;
    while (crashAt(operation, mode, bug)) {
      operation++;
    }
    assertTrue(operation > 50, operation + " operations");
  }

  @Test
  void aKillAtEveryOperationOfTheRestartLosesNothing() throws IOException {
    crashAtEveryOperation(SyncMode.PERIODIC, files -> files);
  }

  @Test
  void aPowerLossAtEveryOperationOfTheRestartLosesNothing() throws IOException {
    crashAtEveryOperation(SyncMode.BATCH, files -> files);
    crashAtEveryOperation(SyncMode.GROUP, files -> files);
  }

  @Test
  void aKeptLogThatIsNotSyncedIsDetected() {
    Throwable found =
        assertThrows(
            Throwable.class,
            () ->
                crashAtEveryOperation(
                    SyncMode.BATCH,
                    files ->
                        FileSystemBug.dropSyncs(
                            files, path -> path.contains("free-0000000000000400"))));
    boolean lost =
        found instanceof AssertionError && String.valueOf(found.getMessage()).contains("restart");
    assertTrue(lost || found instanceof StorageException, () -> "" + found);
  }
}
