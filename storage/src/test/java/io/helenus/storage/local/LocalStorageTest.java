package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.engine.TableStatistics;
import io.helenus.storage.engine.TombstoneLimitException;
import io.helenus.storage.engine.WriteRefusedException;
import io.helenus.storage.env.sim.SimFileSystem.Operation;
import io.helenus.storage.local.SimStorage.Outcome;
import io.helenus.storage.log.LogFiles;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LocalStorageTest {
  private static final int TABLE = 5;
  private final TestMutations mutations = new TestMutations();

  private static SimStorage storage(int shards, SyncMode mode) {
    return new SimStorage(
        42, TestStorageOptions.of(shards, mode).build(), SimStorage.tables(TABLE, TABLE + 1));
  }

  private Outcome put(
      SimStorage storage, int partition, int clustering, long timestamp, int value) {
    return storage.apply(partition, mutation(TABLE, partition, clustering, timestamp, value));
  }

  private ByteWriter mutation(int table, int partition, int clustering, long timestamp, int value) {
    TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
    cells.put(1, value);
    ModelTable.Put put =
        new ModelTable.Put(false, clustering, true, timestamp, 0, ModelTable.NEVER, cells);
    return mutations.begin(partition).table(table, List.of(put), 0).end();
  }

  private void putAll(SimStorage storage, int from, int to, long timestamp) {
    for (int i = from; i < to; i++) {
      storage.awaitSuccess(put(storage, i, 1, timestamp, i));
    }
  }

  private static String row(long timestamp, int value) {
    return "1 row@" + timestamp + " c1=" + value + "@" + timestamp + "\n";
  }

  private static void assertRows(SimStorage storage, int from, int to, long timestamp) {
    for (int i = from; i < to; i++) {
      assertEquals(row(timestamp, i), storage.read(TABLE, i), "partition " + i);
    }
    assertEquals(to - from, storage.scan(TABLE).rows);
  }

  @Test
  void writesAreReadFromMemoryThenFromFilesThenAfterCompactionAndRestart() throws IOException {
    for (SyncMode mode : SyncMode.values()) {
      SimStorage storage = storage(2, mode);
      storage.open();
      putAll(storage, 0, 50, 7);
      assertRows(storage, 0, 50, 7);
      storage.flush();
      assertRows(storage, 0, 50, 7);
      putAll(storage, 50, 100, 7);
      storage.flush();
      assertRows(storage, 0, 100, 7);
      storage.compact();
      assertRows(storage, 0, 100, 7);
      assertEquals(2, storage.storage().statistics(TABLE).files());
      storage.crash(false, 2);
      assertRows(storage, 0, 100, 7);
    }
  }

  @Test
  void mutationsThatFollowOneAnotherAreAppliedTogether() throws IOException {
    SimStorage storage = storage(1, SyncMode.BATCH);
    storage.open();
    ByteWriter record = new ByteWriter(1024);
    for (int i = 0; i < 40; i++) {
      ByteWriter mutation = mutation(TABLE, i, 1, 3, i);
      record.putBytes(mutation.segment(), 0, mutation.size());
    }
    Outcome written = storage.apply(0, record);
    storage.endTicks();
    assertEquals(0, storage.scan(TABLE).rows, "not synced yet");
    storage.awaitSuccess(written);
    for (int shards : new int[] {1, 4, 2}) {
      assertRows(storage, 0, 40, 3);
      storage.crash(true, shards);
    }
    storage.flush();
    storage.crash(true, 1);
    assertRows(storage, 0, 40, 3);

    ByteWriter unknown = mutation(TABLE + 7, 41, 1, 3, 41);
    Outcome refused = storage.apply(0, record.putBytes(unknown.segment(), 0, unknown.size()));
    storage.world.runReady();
    storage.endTicks();
    assertInstanceOf(WriteRefusedException.class, refused.failure);
    assertRows(storage, 0, 40, 3);
  }

  @Test
  void acknowledgedWritesAreReplayedAfterACrashIntoAnyNumberOfShards() throws IOException {
    SimStorage storage = storage(2, SyncMode.BATCH);
    storage.open();
    putAll(storage, 0, 40, 1);
    for (int shards : new int[] {1, 4, 3, 2, 4}) {
      storage.crash(true, shards);
      assertRows(storage, 0, 40, 1);
    }
  }

  @Test
  void filesSharedAfterAChangeOfShardsAreSplit() throws IOException {
    SimStorage storage = storage(1, SyncMode.BATCH);
    storage.open();
    putAll(storage, 0, 60, 1);
    storage.flush();
    assertEquals(1, storage.storage().statistics(TABLE).files());
    storage.crash(true, 4);
    assertRows(storage, 0, 60, 1);
    storage.world.runReady();
    assertRows(storage, 0, 60, 1);
    assertEquals(4, storage.storage().statistics(TABLE).files());
    storage.compact();
    assertRows(storage, 0, 60, 1);
    storage.crash(false, 2);
    assertRows(storage, 0, 60, 1);
    assertEquals(4, storage.storage().statistics(TABLE).files());
  }

  @Test
  void scansOfSharedFilesObeyTheTombstoneLimit() throws IOException {
    SimStorage storage = storage(1, SyncMode.BATCH);
    storage.open();
    for (int i = 0; i < 60; i++) {
      List<ModelTable.Action> deletion = List.of(new ModelTable.DeleteRow(1, 1));
      storage.awaitSuccess(
          storage.apply(i, mutations.begin(i).table(TABLE, deletion, storage.nowSeconds()).end()));
    }
    storage.flush();
    storage.crash(false, 2);
    ReadRequest request = new ReadRequest().reset(TABLE, storage.nowSeconds()).tombstoneLimit(1);
    assertThrows(
        TombstoneLimitException.class,
        () ->
            storage.drive(
                storage.storage().engines().get(0).read(request),
                new TextSink(storage.nowSeconds())));
  }

  @Test
  void oldSegmentsAreDeletedOnceTheirRecordsAreFlushed() throws IOException {
    SimStorage storage = storage(2, SyncMode.BATCH);
    storage.open();
    putAll(storage, 0, 40, 1);
    storage.crash(true, 2);
    storage.world.runReady();
    for (LogFiles.OldLog log : LogFiles.find(storage.files)) {
      long start = log.logId() / LogFiles.SHARDS_LIMIT;
      assertTrue(start == 1 || start == 2, storage.files.paths().toString());
    }
    storage.crash(true, 2);
    assertRows(storage, 0, 40, 1);
  }

  @Test
  void memtablesAboveTheirShareAreFlushedAndCompactedAndTheLogIsReleased() throws IOException {
    SimStorage storage = storage(2, SyncMode.PERIODIC);
    storage.open();
    for (int i = 0; i < 6_000; i++) {
      storage.awaitSuccess(put(storage, i % 700, i, 1 + i, i));
    }
    storage.world.runFor(5_000_000_000L);
    TableStatistics statistics = storage.storage().statistics(TABLE);
    assertTrue(statistics.files() >= 2 && statistics.files() < 16, statistics.toString());
    long logs = storage.files.paths().stream().filter(p -> p.startsWith("commitlog/")).count();
    assertTrue(logs <= 2 * (2 + 2 + 8), storage.files.paths().toString());
    assertEquals(6_000, storage.scan(TABLE).rows);
    storage.crash(false, 1);
    assertEquals(6_000, storage.scan(TABLE).rows);
  }

  @Test
  void aTruncatedTableStaysEmptyAfterReplay() throws IOException {
    for (boolean flushed : new boolean[] {false, true}) {
      SimStorage storage = storage(2, SyncMode.BATCH);
      storage.open();
      putAll(storage, 0, 20, 1);
      if (flushed) {
        storage.flush();
        putAll(storage, 20, 30, 1);
      }
      storage.truncate(TABLE);
      assertEquals(0, storage.scan(TABLE).rows);
      putAll(storage, 5, 8, 1);
      storage.crash(true, 4);
      assertRows(storage, 5, 8, 1);
      storage.truncate(TABLE);
      storage.crash(true, 1);
      assertEquals(0, storage.scan(TABLE).rows);
    }
  }

  @Test
  void recordsOfADroppedTableAreSkipped() throws IOException {
    SimStorage storage = storage(2, SyncMode.BATCH);
    storage.open();
    putAll(storage, 0, 20, 1);
    storage.flush();
    putAll(storage, 20, 40, 1);
    storage.tables = SimStorage.tables(TABLE + 1);
    Outcome dropped = new Outcome();
    storage.storage().tablesChanged(storage.tables, dropped);
    storage.awaitSuccess(dropped);
    assertThrows(StorageException.class, () -> storage.scan(TABLE));
    WriteRefusedException refused =
        (WriteRefusedException) storage.await(put(storage, 1, 1, 9, 9)).failure;
    assertTrue(refused != null && refused.reason() == WriteRefusedException.Reason.UNKNOWN_TABLE);
    storage.world.runReady();
    assertTrue(storage.files.paths().stream().noneMatch(path -> path.startsWith("sstables/")));
    storage.crash(true, 2);
    assertThrows(StorageException.class, () -> storage.scan(TABLE));
  }

  @Test
  void aRecordOfAnUnknownTablePreventsStartup() throws IOException {
    SimStorage storage = storage(1, SyncMode.BATCH);
    storage.open();
    putAll(storage, 0, 3, 1);
    storage.tables = SimStorage.tables(TABLE - 1);
    StorageException refused = assertThrows(StorageException.class, () -> storage.crash(false, 1));
    assertTrue(String.valueOf(refused.getMessage()).contains("table " + TABLE));
  }

  @Test
  void aFullDiskRefusesWritesButNotReadsAndRecoversWithoutRestart() throws IOException {
    SimStorage storage = storage(1, SyncMode.BATCH);
    storage.open();
    storage.files.capacity(120_000);
    int written = 0;
    Exception failure = null;
    while (failure == null) {
      failure = storage.await(put(storage, written, 1, 1, written)).failure;
      written += failure == null ? 1 : 0;
    }
    WriteRefusedException refused = (WriteRefusedException) failure;
    assertEquals(WriteRefusedException.Reason.DISK_FULL, refused.reason());
    assertRows(storage, 0, written, 1);
    storage.files.capacity(Long.MAX_VALUE);
    storage.world.runFor(2_000_000_000L);
    putAll(storage, written, written + 200, 1);
    assertRows(storage, 0, written + 200, 1);
    assertEquals(List.of(), storage.fatal);
    storage.crash(true, 2);
    assertRows(storage, 0, written + 200, 1);
  }

  @Test
  void aFailedSyncAcknowledgesNothingAndIsFatal() throws IOException {
    SimStorage storage = storage(1, SyncMode.BATCH);
    storage.open();
    putAll(storage, 0, 5, 1);
    storage.files.faults(
        (operation, path) -> {
          if (operation == Operation.SYNC) {
            throw new IOException("input/output error");
          }
        });
    Outcome outcome = put(storage, 5, 1, 1, 5);
    storage.endTicks();
    storage.world.runReady();
    assertTrue(!outcome.done && storage.fatal.size() == 1);
    assertEquals("", storage.read(TABLE, 5));
  }

  @Test
  void aReadErrorFailsTheReadAndNeverYieldsWrongRows() throws IOException {
    SimStorage storage = storage(1, SyncMode.BATCH);
    storage.open();
    putAll(storage, 0, 500, 1);
    storage.flush();
    storage.crash(false, 1);
    storage.files.faults(
        (operation, path) -> {
          if (operation == Operation.READ && path.startsWith("sstables/")) {
            throw new IOException("input/output error");
          }
        });
    assertThrows(StorageException.class, () -> storage.scan(TABLE));
    storage.files.faults((operation, path) -> {});
    assertRows(storage, 0, 500, 1);
  }

  @Test
  void writesAreRefusedWhileFlushesDoNotKeepUpAndAcceptedAfterwards() throws IOException {
    SimStorage storage = storage(1, SyncMode.PERIODIC);
    storage.open();
    storage.awaitSuccess(put(storage, 0, 1, 1, 0));
    // no flush ever succeeds
    storage.files.faults(
        (operation, path) -> {
          if (operation == Operation.CREATE && path.startsWith("sstables/")) {
            throw new IOException("not now");
          }
        });
    List<Outcome> outcomes = new ArrayList<>();
    Outcome last = new Outcome();
    while (!last.done || last.failure == null) {
      last = put(storage, outcomes.size() + 1, 1, 1, outcomes.size() + 1);
      outcomes.add(last);
      storage.endTicks();
      if (outcomes.size() % 100 == 0) {
        storage.world.runReady();
      }
    }
    WriteRefusedException refused = (WriteRefusedException) last.failure;
    assertTrue(
        refused != null
            && (refused.reason() == WriteRefusedException.Reason.OVERLOADED
                || refused.reason() == WriteRefusedException.Reason.DISK_FULL));
    storage.files.faults((operation, path) -> {});
    storage.world.runFor(3_000_000_000L);
    int written = 1;
    for (Outcome outcome : outcomes) {
      assertTrue(outcome.done);
      written += outcome.failure == null ? 1 : 0;
    }
    assertEquals(written, storage.scan(TABLE).rows);
    storage.awaitSuccess(put(storage, 1_000_000, 1, 1, 7));
  }

  @Test
  void aMutationLargerThanASegmentIsRefused() throws IOException {
    SimStorage storage = storage(1, SyncMode.BATCH);
    storage.open();
    ByteWriter large = new ByteWriter(40_000);
    while (large.size() < 40_000) {
      large.putByte(1);
    }
    WriteRefusedException refused =
        (WriteRefusedException) storage.await(storage.apply(1, large)).failure;
    assertTrue(refused != null && refused.reason() == WriteRefusedException.Reason.TOO_LARGE);
  }

  @Test
  void truncatingAnEmptyTableDoesNoIo() throws IOException {
    SimStorage storage = storage(2, SyncMode.BATCH);
    storage.open();
    putAll(storage, 0, 5, 1);
    storage.truncate(TABLE);
    storage.world.runReady();
    long operations = storage.files.operations();
    storage.truncate(TABLE);
    assertEquals(operations, storage.files.operations());
    storage.crash(true, 2);
    assertEquals(0, storage.scan(TABLE).rows);
  }

  @Test
  void verifyNamesTheFileWithTheFlippedBit() throws IOException {
    SimStorage storage = storage(1, SyncMode.BATCH);
    storage.open();
    putAll(storage, 0, 300, 1);
    storage.flush();
    List<String> problems = new ArrayList<>();
    Outcome sound = new Outcome();
    storage.storage().verify(0, problems::add, sound);
    storage.awaitSuccess(sound);
    assertEquals(List.of(), problems);
    String path =
        storage.files.paths().stream()
            .filter(p -> p.startsWith("sstables/"))
            .findFirst()
            .orElseThrow();
    storage.files.flip(path, 500, 3);
    Outcome damaged = new Outcome();
    storage.storage().verify(TABLE, problems::add, damaged);
    storage.awaitSuccess(damaged);
    assertEquals(1, problems.size());
    assertTrue(problems.get(0).contains(path), problems.get(0));
  }

  @Test
  void aCheckOfStoppedStorageListsDamageAndChangesNothing() throws IOException {
    SimStorage storage = storage(1, SyncMode.BATCH);
    storage.open();
    putAll(storage, 0, 300, 1);
    storage.flush();
    putAll(storage, 300, 310, 1);
    List<String> damage = new ArrayList<>();
    StorageCheck check = new StorageCheck(storage.files, damage::add, damage::add);
    assertEquals(1, check.checkTables());
    assertEquals(1, check.checkLogs());
    assertEquals(List.of(), damage);
    for (String path : storage.files.paths()) {
      if (path.startsWith("sstables/") || path.startsWith("commitlog/0")) {
        storage.files.flip(path, 100, 3);
      }
    }
    assertEquals(1, check.checkTables());
    assertEquals(1, check.checkLogs());
    assertEquals(2, damage.size(), damage::toString);
    assertTrue(damage.get(0).contains("sstables/"), damage.get(0));
    assertTrue(damage.get(1).contains("commitlog/"), damage.get(1));
    assertTrue(damage.get(1).contains("offset 64"), damage.get(1));
  }

  @Test
  void aCleanStopLeavesNoLogToReplay() throws IOException {
    SimStorage storage = storage(2, SyncMode.PERIODIC);
    storage.open();
    putAll(storage, 0, 30, 1);
    storage.flush();
    storage.world.runReady();
    storage.storage().close();
    assertTrue(storage.files.paths().stream().noneMatch(path -> path.startsWith("commitlog/")));
    storage.world.forgetTasks();
    storage.open();
    assertRows(storage, 0, 30, 1);
  }

  @Test
  void tablesOfLocalKeysStayOnTheFirstShard() throws IOException {
    SimStorage storage = storage(4, SyncMode.BATCH);
    storage.open();
    TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
    cells.put(1, 77);
    ModelTable.Put put = new ModelTable.Put(false, 1, true, 3, 0, ModelTable.NEVER, cells);
    ByteWriter prefix = new ByteWriter(8).putInt(1).putShort(0);
    ByteWriter mutation =
        mutations
            .begin(Long.MIN_VALUE, prefix)
            .table(TABLE, List.of(put), storage.nowSeconds())
            .end();
    Outcome outcome = new Outcome();
    storage.storage().engines().get(0).apply(mutation.segment(), 0, mutation.size(), outcome);
    storage.awaitSuccess(outcome);
    for (int shards : new int[] {2, 1, 4}) {
      storage.crash(true, shards);
      assertEquals(row(3, 77), readLocal(storage, prefix));
      storage.flush();
      storage.compact();
      assertEquals(row(3, 77), readLocal(storage, prefix));
      assertEquals(1, storage.storage().statistics(TABLE).files());
    }
  }

  private static String readLocal(SimStorage storage, ByteWriter prefix) {
    ReadRequest request = new ReadRequest();
    request.reset(TABLE, storage.nowSeconds()).partition(prefix.segment(), 0, prefix.size());
    TextSink sink = new TextSink(request.nowSeconds(), (segment, offset) -> 1);
    storage.drive(storage.storage().engines().get(0).read(request), sink);
    return sink.partition(1);
  }
}
