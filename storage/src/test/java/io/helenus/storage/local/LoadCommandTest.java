package io.helenus.storage.local;

import static io.helenus.storage.row.RowFormat.NO_TIMESTAMP;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.engine.FilesToLoad;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.sim.SimulatedCrash;
import io.helenus.storage.local.SimStorage.Outcome;
import io.helenus.storage.manifest.LiveFile;
import io.helenus.storage.row.ColumnTranslation;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files of a snapshot are loaded into a table, and files with a partition are found. */
class LoadCommandTest {
  private static final int TABLE = 5;
  private static final int OTHER = 6;
  private static final String FOLDER = "snapshots/tag/k/t";
  private static final int PARTITIONS = 20;

  private final TestMutations mutations = new TestMutations();
  private SimStorage storage = new SimStorage(0, options(), SimStorage.tables(TABLE, OTHER));
  private String saved = "";

  private static io.helenus.storage.engine.StorageOptions options() {
    return TestStorageOptions.of(2, SyncMode.BATCH).build();
  }

  @BeforeEach
  void saveASnapshot() throws IOException {
    begin(42);
  }

  private void begin(long seed) throws IOException {
    storage = new SimStorage(seed, options(), SimStorage.tables(TABLE, OTHER));
    storage.open();
    for (int i = 0; i < PARTITIONS; i++) {
      put(i, 1, i, 7);
    }
    storage.flush();
    change(3, new ModelTable.DeletePartition(8));
    change(4, new ModelTable.DeleteRow(1, 9));
    Outcome outcome = new Outcome();
    storage.storage().snapshot(TABLE, FOLDER, false, outcome);
    storage.awaitSuccess(outcome);
    saved = contents(TABLE);
  }

  private void put(int partition, int clustering, int value, long timestamp) {
    TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
    cells.put(1, value);
    change(
        partition,
        new ModelTable.Put(false, clustering, true, timestamp, 0, ModelTable.NEVER, cells));
  }

  private void change(int partition, ModelTable.Action action) {
    storage.awaitSuccess(
        storage.apply(
            partition,
            mutations.begin(partition).table(TABLE, List.of(action), storage.nowSeconds()).end()));
  }

  private String contents(int table) {
    StringBuilder all = new StringBuilder();
    storage
        .scan(table)
        .partitions
        .forEach((key, text) -> all.append(key).append(": ").append(text));
    return all.toString();
  }

  private List<String> snapshotFiles() {
    return storage.files.list(FOLDER).stream().sorted().map(name -> FOLDER + "/" + name).toList();
  }

  private static FilesToLoad files(List<String> paths, int writtenAs) {
    return new FilesToLoad(
        paths,
        writtenAs,
        new ColumnTranslation(
            SimStorage.table(TABLE).columns().stream()
                .map(each -> new ColumnTranslation.Column(each.id(), each.id(), NO_TIMESTAMP))
                .toList()));
  }

  private @Nullable Exception load(int table, int writtenAs, List<String> paths) {
    Outcome outcome = new Outcome();
    storage.storage().load(table, files(paths, writtenAs), outcome);
    return storage.await(outcome).failure;
  }

  private long liveFiles() {
    return storage.storage().statistics(TABLE).files();
  }

  @Test
  void aTruncatedTableHasTheContentsOfTheSnapshotAgain() throws IOException {
    storage.truncate(TABLE);
    assertEquals("", contents(TABLE));
    assertNull(load(TABLE, TABLE, snapshotFiles()));
    assertEquals(saved, contents(TABLE));
    assertEquals(2, liveFiles(), "one file per shard");
    for (int shards : new int[] {2, 3, 1}) {
      storage.crash(true, shards);
      storage.world.runReady();
      assertEquals(saved, contents(TABLE), shards + " shards");
    }
    storage.compact();
    assertEquals(saved, contents(TABLE));
  }

  @Test
  void theFilesAreSplitByTheShardsOfTheNode() throws IOException {
    storage.truncate(TABLE);
    storage.crash(false, 3);
    storage.world.runReady();
    assertNull(load(TABLE, TABLE, snapshotFiles()));
    assertEquals(saved, contents(TABLE));
    assertEquals(3, liveFiles());
  }

  @Test
  void theNewerOfTwoVersionsOfACellIsVisibleWhereverItComesFrom() {
    put(3, 1, 100, 6); // older than the deletion in the snapshot
    put(5, 1, 100, 6);
    put(6, 1, 100, 9);
    put(7, 2, 100, 6);
    change(8, new ModelTable.DeletePartition(8));
    String merged = contents(TABLE);
    storage.truncate(TABLE);
    put(3, 1, 100, 6);
    put(5, 1, 100, 6);
    put(6, 1, 100, 9);
    put(7, 2, 100, 6);
    change(8, new ModelTable.DeletePartition(8));
    assertNull(load(TABLE, TABLE, snapshotFiles()));
    assertEquals(merged, contents(TABLE));
    assertNull(load(TABLE, TABLE, snapshotFiles()), "loading it again changes nothing");
    assertEquals(merged, contents(TABLE));
  }

  @Test
  void anotherTableCanBeLoaded() {
    assertNull(load(OTHER, TABLE, snapshotFiles()));
    assertEquals(saved, contents(OTHER));
    storage.flush();
    storage.compact();
    assertEquals(saved, contents(OTHER));
  }

  @Test
  void filesThatCannotBeUsedAreNamedAndNothingIsLoaded() {
    String first = snapshotFiles().getFirst();
    storage.truncate(TABLE);
    assertTrue(
        message(load(TABLE, OTHER, snapshotFiles()))
            .contains("was written for the table with id 5, not 6"));
    assertNotNull(load(TABLE, TABLE, List.of(first, FOLDER + "/absent.sst")));
    storage.files.flip(first, storage.files.contents(first).length / 3, 2);
    assertTrue(message(load(TABLE, TABLE, snapshotFiles())).contains(first));
    assertEquals("", contents(TABLE));
    assertEquals(0, liveFiles());
    assertEquals(List.of(), storage.files.list(LiveFile.FOLDER));
  }

  private static String message(@Nullable Exception failure) {
    return String.valueOf(assertNotNullException(failure).getMessage());
  }

  private static Exception assertNotNullException(@Nullable Exception failure) {
    assertNotNull(failure);
    return failure;
  }

  @Test
  void aTruncationDuringTheLoadRemovesWhatWasLoaded() {
    Outcome loaded = new Outcome();
    storage.storage().load(TABLE, files(snapshotFiles(), TABLE), loaded);
    storage.truncate(TABLE);
    Exception failure = storage.await(loaded).failure;
    storage.world.runReady();
    assertEquals("", contents(TABLE), () -> "the load ended with " + failure);
    assertEquals(List.of(), storage.files.list(LiveFile.FOLDER));
  }

  @Test
  void aCrashLeavesAllOrNothing() throws IOException {
    int nothing = 0;
    int all = 0;
    for (int operation = 1; all < 2; operation++) {
      begin(operation);
      storage.truncate(TABLE);
      storage.files.crashAfter(operation);
      try {
        Exception failure = load(TABLE, TABLE, snapshotFiles());
        assertNull(failure);
        storage.world.runReady();
      } catch (SimulatedCrash crash) {
        // as intended
      }
      storage.crash(operation % 2 == 0, 2);
      String after = contents(TABLE);
      assertTrue(after.isEmpty() || after.equals(saved), () -> "half loaded: " + after);
      nothing += after.isEmpty() ? 1 : 0;
      all += after.isEmpty() ? 0 : 1;
      assertTrue(operation < 200, "the load never ends");
    }
    assertTrue(nothing > 2, "crashes before the end were tried");
  }

  @Test
  void theFilesWithAPartitionAreFound() {
    put(0, 2, 1, 10);
    storage.flush();
    List<String> found = find(0);
    assertEquals(2, found.size(), "the row of the first flush and that of the last: " + found);
    assertEquals(1, find(1).size());
    assertEquals(List.of(), find(PARTITIONS + 1));
    storage.compact();
    assertEquals(1, find(0).size());
    assertEquals(1, find(3).size(), "a deletion counts");
  }

  private List<String> find(int partition) {
    List<String> found = new ArrayList<>();
    Outcome outcome = new Outcome();
    storage.storage().findFiles(TABLE, TestKeys.prefix(partition).toArray(), found::add, outcome);
    storage.awaitSuccess(outcome);
    return found;
  }
}
