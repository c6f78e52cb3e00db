package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexTerms;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadLimits;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.engine.TermSink;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimulatedCrash;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.memory.PageDiscard;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The files of indexes: which there are, when they are built, and what damage to them does. */
class IndexFilesTest {
  private static final int TABLE = 1;
  private static final int TERMS = 5;
  private static final int VALUE_COLUMN = 1;

  /** The term of a value is its remainder. */
  private static final IndexTerms REMAINDERS =
      new IndexTerms() {
        @Override
        public void ofCell(
            MemorySegment path,
            long pathOffset,
            int pathLength,
            MemorySegment value,
            long valueOffset,
            int valueLength,
            TermSink sink) {
          ByteWriter term = new ByteWriter(16).putInt(Bytes.getInt(value, valueOffset) % TERMS);
          sink.term(term.segment(), 0, term.size());
        }
      };

  private SimStorage storage =
      new SimStorage(1, TestStorageOptions.of(1, SyncMode.PERIODIC).build(), tables());
  private final TestMutations mutations = new TestMutations();

  private static Tables tables(int... indexes) {
    List<IndexDescriptor> descriptors =
        java.util.Arrays.stream(indexes).mapToObj(IndexFilesTest::index).toList();
    return new Tables(1, List.of(SimStorage.table(TABLE, descriptors)), TABLE);
  }

  private static IndexDescriptor index(int id) {
    return new IndexDescriptor(id, IndexDescriptor.Source.CELLS, VALUE_COLUMN, REMAINDERS);
  }

  private void write(int partition, int clustering, int value) {
    TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
    cells.put(VALUE_COLUMN, value);
    long now = storage.world.clock().wallMicros();
    ModelTable.Put put =
        new ModelTable.Put(false, clustering, true, now, 0, ModelTable.NEVER, cells);
    storage.awaitSuccess(
        storage.apply(
            partition,
            mutations.begin(partition).table(TABLE, List.of(put), storage.nowSeconds()).end()));
  }

  private void changeTables(Tables tables) {
    storage.tables = tables;
    SimStorage.Outcome outcome = new SimStorage.Outcome();
    storage.storage().tablesChanged(tables, outcome);
    storage.awaitSuccess(outcome);
  }

  private boolean isBuilt(int indexId) {
    return storage.storage().isIndexBuilt(TABLE, indexId);
  }

  private void awaitBuilt(int indexId) {
    storage.world.runUntil(() -> isBuilt(indexId));
  }

  /** The number of rows that a read through an index returns. */
  private int found(int indexId, int term) {
    ReadRequest request = new ReadRequest().reset(TABLE, storage.nowSeconds()).wantsStatic(true);
    ByteWriter bytes = new ByteWriter(16).putInt(term).putInt(term + 1);
    request.index(indexId, bytes.segment(), 0, 4, bytes.segment(), 4, 4);
    TextSink sink = new TextSink(storage.nowSeconds());
    List<ReadCursor> cursors = new ArrayList<>();
    for (StorageEngine engine : storage.storage().engines()) {
      cursors.add(engine.read(request));
    }
    for (ReadCursor cursor : cursors) {
      storage.drive(cursor, sink);
    }
    return sink.rows;
  }

  /** Storage cannot know which of the rows that an index finds will be wanted. */
  @Test
  void whatAnIndexFindsIsNotLimited() throws IOException {
    storage.open();
    changeTables(tables(1));
    ByteWriter none = new ByteWriter(1);
    ReadRequest request = new ReadRequest().reset(TABLE, storage.nowSeconds());
    request.index(1, none.segment(), 0, 0, none.segment(), 0, 0);
    request.rowLimits(5, ReadLimits.NONE, false);
    StorageEngine engine = storage.storage().engines().getFirst();
    assertThrows(IllegalArgumentException.class, () -> engine.read(request));
  }

  private TreeSet<String> files(String end) throws IOException {
    TreeSet<String> names = new TreeSet<>();
    for (String name : storage.files.list("sstables")) {
      if (name.endsWith(end)) {
        names.add(name);
      }
    }
    return names;
  }

  private void writeRows(int count) {
    for (int i = 0; i < count; i++) {
      write(i % 7, i, i);
    }
  }

  @Test
  void aNewIndexIsBuiltForExistingFilesAndMemtables() throws IOException {
    storage.open();
    writeRows(50);
    storage.flush();
    writeRows(100);
    changeTables(tables(1));
    assertFalse(isBuilt(1));
    assertEquals(100, found(1, 3), "all rows, since the index is not built");
    awaitBuilt(1);
    assertEquals(20, found(1, 3));
    assertEquals(2, files(".1.idx").size());
    write(3, 200, 203);
    assertEquals(21, found(1, 3), "a row in a memtable");
  }

  @Test
  void aDroppedIndexLeavesNoFiles() throws IOException {
    storage.tables = tables(1, 2);
    storage.open();
    writeRows(50);
    storage.flush();
    assertTrue(isBuilt(1) && isBuilt(2));
    assertEquals(2, files(".idx").size());
    changeTables(tables(2));
    storage.world.runFor(1_000_000L);
    assertFalse(isBuilt(1));
    assertTrue(files(".1.idx").isEmpty());
    assertEquals(10, found(2, 4));
  }

  @Test
  void filesOfIndexesGoWithTheirFiles() throws IOException {
    storage.tables = tables(1);
    storage.open();
    for (int i = 0; i < 3; i++) {
      writeRows(20 + i);
      storage.flush();
    }
    assertEquals(3, files(".idx").size());
    storage.compact();
    storage.world.runFor(1_000_000L);
    assertEquals(1, files(".idx").size());
    assertEquals(4, found(1, 3));
    storage.truncate(TABLE);
    storage.world.runFor(1_000_000L);
    assertTrue(files("").isEmpty());
    assertTrue(isBuilt(1));
  }

  /** Their files are split in the background, which has not begun when the reads start. */
  @Test
  void indexesAreUsedBeforeTheFilesAreSplitAfterAChangeOfShards() throws IOException {
    storage.tables = tables(1);
    storage.open();
    writeRows(50);
    storage.flush();
    for (int shards : new int[] {4, 3, 2}) {
      storage.crash(false, shards);
      assertEquals(10, found(1, 3), shards + " shards");
    }
  }

  @Test
  void missingFilesAreBuiltAndForeignOnesDeletedAtAStart() throws IOException {
    storage.tables = tables(1);
    storage.open();
    writeRows(30);
    storage.flush();
    String name = files(".idx").first();
    storage.prepareCrash(false, 1);
    storage.files.delete("sstables/" + name);
    storage.files.create("sstables/" + name.replace(".1.", ".9.")).close();
    storage.files.create("sstables/" + name + ".0").close();
    storage.open();
    assertEquals(30, found(1, 3), "all rows, since the index is not built");
    awaitBuilt(1);
    assertEquals(6, found(1, 3));
    assertEquals(new TreeSet<>(List.of(name)), files("idx"));
    assertTrue(files(".0").isEmpty());
  }

  /** They are read in several steps; the sink of the test refuses a partition that comes twice. */
  @Test
  void manyRowsOfAPartitionAreFound() throws IOException {
    storage.tables = tables(1);
    storage.open();
    TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>(Map.of(ModelTable.STATIC_COLUMN, 5));
    ModelTable.Put put = new ModelTable.Put(true, 0, false, 1, 0, ModelTable.NEVER, cells);
    storage.awaitSuccess(storage.apply(4, mutations.begin(4).table(TABLE, List.of(put), 1).end()));
    for (int i = 0; i < 2_500; i++) {
      write(4, i, TERMS * i + 2);
    }
    assertEquals(2_500, found(1, 2));
    storage.flush();
    assertEquals(2_500, found(1, 2));
    assertEquals(0, found(1, 3));
  }

  @Test
  void callersWaitUntilAnIndexIsBuilt() throws IOException {
    storage.open();
    writeRows(100);
    changeTables(tables(1));
    assertFalse(isBuilt(1));
    storage.awaitSuccess(whenBuilt(1)); // by the flush of the memtable
    assertEquals(20, found(1, 3));
    writeRows(100);
    storage.flush();
    changeTables(tables(1, 2));
    assertFalse(isBuilt(2));
    storage.awaitSuccess(whenBuilt(2)); // from files
    assertEquals(20, found(2, 3));
    storage.awaitSuccess(whenBuilt(2));
    assertEquals(
        "the index was dropped", String.valueOf(storage.await(whenBuilt(3)).failure.getMessage()));
  }

  private SimStorage.Outcome whenBuilt(int indexId) {
    SimStorage.Outcome outcome = new SimStorage.Outcome();
    storage.storage().whenIndexBuilt(TABLE, indexId, outcome);
    return outcome;
  }

  @Test
  void anIndexIsBuiltAgainOnRequest() throws IOException {
    storage.tables = tables(1);
    storage.open();
    SimStorage.Outcome empty = new SimStorage.Outcome();
    storage.storage().rebuildIndex(TABLE, 1, empty);
    storage.awaitSuccess(empty);
    for (int i = 0; i < 3; i++) {
      writeRows(10);
      storage.flush();
    }
    SimStorage.Outcome outcome = new SimStorage.Outcome();
    storage.storage().rebuildIndex(TABLE, 1, outcome);
    storage.world.runUntil(() -> !isBuilt(1));
    storage.awaitSuccess(outcome);
    assertTrue(isBuilt(1));
    assertEquals(2, found(1, 3));
    assertEquals(3, files(".idx").size());
    SimStorage.Outcome dropped = new SimStorage.Outcome();
    storage.storage().rebuildIndex(TABLE, 1, dropped);
    changeTables(tables());
    assertEquals(
        "the index was dropped", String.valueOf(storage.await(dropped).failure.getMessage()));
  }

  @Test
  void aTableWithoutTermsHasAFileToo() throws IOException {
    storage.tables = tables(1);
    storage.open();
    TreeMap<Integer, @Nullable Integer> others = new TreeMap<>(Map.of(2, 5));
    ModelTable.Put put = new ModelTable.Put(false, 1, true, 1, 0, ModelTable.NEVER, others);
    storage.awaitSuccess(storage.apply(1, mutations.begin(1).table(TABLE, List.of(put), 1).end()));
    storage.flush();
    storage.crash(false, 1);
    assertTrue(isBuilt(1));
    for (int term = 0; term < TERMS; term++) {
      assertEquals(0, found(1, term));
    }
  }

  @Test
  void entriesThatExceedTheirMemoryAreSortedInParts() throws IOException {
    storage.memories =
        () -> new NodeMemory(Map.of(Use.COMPACTION, 1L << 20), PageDiscard.NONE, 1 << 20);
    storage.open();
    writeRows(8_000);
    storage.flush();
    int[] parts = {0};
    storage.files.faults(
        (operation, path) -> {
          if (operation == SimFileSystem.Operation.CREATE && path.contains(".idx.")) {
            parts[0]++;
          }
        });
    changeTables(tables(1));
    awaitBuilt(1);
    assertTrue(parts[0] > 2, parts[0] + " parts");
    assertEquals(files(".sst").size(), files(".idx").size());
    assertEquals(files("").size(), files(".sst").size() + files(".idx").size());
    for (int term = 0; term < TERMS; term++) {
      assertEquals(1_600, found(1, term));
    }
  }

  /** The read that meets damage may fail, but it is never answered from a damaged file. */
  @Test
  void aDamagedFileIsBuiltAgain() throws IOException {
    storage.tables = tables(1);
    storage.open();
    writeRows(20);
    storage.flush();
    String path = "sstables/" + files(".idx").first();
    long size;
    try (var file = storage.files.open(path)) {
      size = file.size();
    }
    for (long position = 0; position < size; position++) {
      storage.prepareCrash(false, 1);
      storage.files.flip(path, position, (int) (position % 8));
      storage.open();
      try {
        int rows = found(1, 3);
        assertTrue(rows == 4 || rows == 20, rows + " rows with damage at " + position);
      } catch (StorageException expected) {
        assertTrue(expected.getMessage().contains(path), expected.getMessage());
      }
      awaitBuilt(1);
      assertEquals(4, found(1, 3), "after damage at " + position);
    }
  }

  /** What happens to the indexes of a table with rows, some of them in files, up to a crash. */
  private interface Scenario {
    void run();
  }

  /**
   * Crashes at one of the operations of a scenario, starts twice with the indexes that there are
   * then, and checks that these find all rows and that there are no other files.
   *
   * @return whether the scenario crashed before its end
   */
  private boolean crashAt(
      int operation, boolean powerLoss, int[] before, Scenario scenario, int... after)
      throws IOException {
    storage =
        new SimStorage(operation, TestStorageOptions.of(2, SyncMode.BATCH).build(), tables(before));
    storage.open();
    for (int i = 0; i < 2; i++) {
      writeRows(30 + i);
      storage.flush();
    }
    writeRows(40);
    boolean stopped = false;
    storage.files.crashAfter(operation);
    try {
      scenario.run();
    } catch (SimulatedCrash crash) {
      stopped = true;
    }
    String text = "operation " + operation + (powerLoss ? ", power loss" : ", kill");
    storage.tables = tables(after);
    for (int start = 0; start < 2; start++) {
      storage.crash(powerLoss, 1 + operation % 3);
      for (int index : after) {
        int rows = found(index, 3);
        // a shard whose index is not built returns all its rows
        assertTrue(rows >= 8 && rows <= 40, text + ": " + rows + " rows");
      }
      storage.world.runReady();
      for (int index : after) {
        awaitBuilt(index);
        for (int term = 0; term < TERMS; term++) {
          assertEquals(8, found(index, term), text + ", term " + term);
        }
      }
      storage.world.runFor(60_000_000_000L);
      assertEquals(files(".sst").size() * after.length, files(".idx").size(), text + files(""));
      assertEquals(files("").size(), files(".sst").size() + files(".idx").size(), text);
    }
    return stopped;
  }

  /** Crashes at every operation of a scenario; returns how many it has. */
  private int crashEverywhere(int[] before, Scenario scenario, int... after) throws IOException {
    int most = 0;
    for (boolean powerLoss : new boolean[] {false, true}) {
      int operation = 1;
      while (crashAt(operation, powerLoss, before, scenario, after)) {
        operation++;
      }
      most = Math.max(most, operation - 1);
    }
    return most;
  }

  private void build() {
    changeTables(tables(1, 2));
    awaitBuilt(1);
    awaitBuilt(2);
    storage.world.runFor(1_000_000L);
  }

  private void drop() {
    changeTables(tables(2));
    storage.world.runFor(1_000_000L);
  }

  @Test
  void aBuildThatIsInterruptedAtAnyOperationIsCompletedAfterTheStart() throws IOException {
    int operations = crashEverywhere(new int[0], this::build, 1, 2);
    assertTrue(operations > 20, operations + " operations");
  }

  /** The definition of the index was not durable. */
  @Test
  void aBuildThatIsInterruptedAtAnyOperationLeavesNoFilesWithoutItsIndex() throws IOException {
    int operations = crashEverywhere(new int[] {2}, this::build, 2);
    assertTrue(operations > 10, operations + " operations");
  }

  @Test
  void aDropThatIsInterruptedAtAnyOperationLeavesNoFiles() throws IOException {
    int operations = crashEverywhere(new int[] {1, 2}, this::drop, 2);
    assertTrue(operations >= 4, operations + " operations");
  }

  /** The end of the index was not durable. */
  @Test
  void anIndexWhoseDropIsInterruptedAtAnyOperationIsBuiltAgain() throws IOException {
    int operations = crashEverywhere(new int[] {1, 2}, this::drop, 1, 2);
    assertTrue(operations >= 4, operations + " operations");
  }

  /** As when a damaged file was found, or by nodetool rebuild_index. */
  @Test
  void aRebuildThatIsInterruptedAtAnyOperationIsCompletedAfterTheStart() throws IOException {
    Scenario rebuild =
        () -> {
          SimStorage.Outcome outcome = new SimStorage.Outcome();
          storage.storage().rebuildIndex(TABLE, 1, outcome);
          storage.awaitSuccess(outcome);
        };
    int operations = crashEverywhere(new int[] {1, 2}, rebuild, 1, 2);
    assertTrue(operations > 10, operations + " operations");
  }
}
