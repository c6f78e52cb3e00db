package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.sim.SimFileSystem.Faults;
import io.helenus.storage.env.sim.SimFileSystem.Operation;
import io.helenus.storage.local.SimStorage.Outcome;
import io.helenus.storage.manifest.LiveFile;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Links to the files of a table, which compactions leave alone. */
class SnapshotCommandTest {
  private static final int TABLE = 5;
  private static final String FOLDER = "snapshots/tag/k/t";

  private final TestMutations mutations = new TestMutations();
  private final SimStorage storage =
      new SimStorage(
          42, TestStorageOptions.of(2, SyncMode.BATCH).build(), SimStorage.tables(TABLE));

  @BeforeEach
  void open() throws IOException {
    storage.open();
    putAll(0, 20);
  }

  private void putAll(int from, int to) {
    for (int i = from; i < to; i++) {
      TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
      cells.put(1, i);
      ModelTable.Put put = new ModelTable.Put(false, 1, true, 7, 0, ModelTable.NEVER, cells);
      storage.awaitSuccess(
          storage.apply(
              i, mutations.begin(i).table(TABLE, List.of(put), storage.nowSeconds()).end()));
    }
  }

  private Outcome snapshot(boolean skipFlush) {
    Outcome outcome = new Outcome();
    storage.storage().snapshot(TABLE, FOLDER, skipFlush, outcome);
    return storage.await(outcome);
  }

  private List<String> names(String folder) {
    return storage.files.list(folder).stream().sorted().toList();
  }

  @Test
  void theFilesStayWhenACompactionReplacesThem() throws IOException {
    assertEquals(null, snapshot(false).failure);
    List<String> names = names(FOLDER);
    assertEquals(2, names.size(), "a file per shard");
    assertEquals(names, names(LiveFile.FOLDER));
    byte[] contents = storage.files.contents(FOLDER + "/" + names.getFirst());
    putAll(20, 40);
    storage.flush();
    storage.compact();
    storage.world.runReady();
    assertFalse(names(LiveFile.FOLDER).contains(names.getFirst()));
    storage.crash(true, 2);
    assertEquals(names, names(FOLDER), "the links are durable");
    assertArrayEquals(contents, storage.files.contents(FOLDER + "/" + names.getFirst()));
    assertEquals(40, storage.scan(TABLE).rows);
  }

  @Test
  void withoutAFlushTheMemtablesAreLeftOut() {
    assertEquals(null, snapshot(true).failure);
    assertEquals(List.of(), names(FOLDER));
    assertEquals(List.of(), names(LiveFile.FOLDER));
  }

  @Test
  void aFailedLinkFailsTheSnapshotAndReleasesTheFiles() {
    storage.files.faults(
        (operation, path) -> {
          if (operation == Operation.LINK) {
            throw new IOException("no more links");
          }
        });
    assertNotNull(snapshot(false).failure);
    storage.files.faults(Faults.NONE);
    List<String> before = names(LiveFile.FOLDER);
    putAll(20, 40);
    storage.flush();
    storage.compact();
    storage.world.runReady();
    before.forEach(name -> assertFalse(names(LiveFile.FOLDER).contains(name), name));
  }

  @Test
  void aTableThatDoesNotExistIsNamed() {
    Outcome outcome = new Outcome();
    storage.storage().snapshot(TABLE + 1, FOLDER, false, outcome);
    assertTrue(
        String.valueOf(storage.await(outcome).failure).contains("no table with id " + (TABLE + 1)));
  }
}
