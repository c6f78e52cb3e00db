package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.sim.SimFileSystem.Operation;
import io.helenus.storage.local.SimStorage.Outcome;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Truncations that all members of a cluster carry out: mutations of earlier epochs come after. */
class TruncationEpochTest {
  private static final int TABLE = 1;
  private static final int OTHER = 2;

  private final TestMutations mutations = new TestMutations();

  private static SimStorage storage(SyncMode mode) {
    return new SimStorage(
        1, TestStorageOptions.of(2, mode).build(), SimStorage.tables(TABLE, OTHER));
  }

  /** A mutation of both tables. */
  private Outcome put(SimStorage storage, int value) {
    TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
    cells.put(1, value);
    List<ModelTable.Put> put =
        List.of(new ModelTable.Put(false, value, true, value, 0, ModelTable.NEVER, cells));
    return storage.apply(
        1,
        mutations
            .begin(1)
            .table(TABLE, put, storage.nowSeconds())
            .table(OTHER, put, storage.nowSeconds())
            .end());
  }

  private static void truncate(SimStorage storage, long epoch) {
    Outcome outcome = new Outcome();
    storage.storage().truncate(List.of(TABLE), epoch, outcome);
    storage.awaitSuccess(outcome);
  }

  private static void assertRows(SimStorage storage, int inTable, int inOther) {
    assertEquals(inTable, storage.scan(TABLE).rows);
    assertEquals(inOther, storage.scan(OTHER).rows);
  }

  @ParameterizedTest
  @EnumSource(SyncMode.class)
  void aMutationOfAnEarlierEpochIsAcknowledgedWithoutEffect(SyncMode mode) throws IOException {
    SimStorage storage = storage(mode);
    storage.open();
    mutations.epoch = 5;
    storage.awaitSuccess(put(storage, 1));
    truncate(storage, 6);
    assertEquals(6, storage.storage().truncationEpoch(TABLE));
    assertRows(storage, 0, 1);
    storage.awaitSuccess(put(storage, 2));
    assertRows(storage, 0, 2);
    mutations.epoch = 6;
    storage.awaitSuccess(put(storage, 3));
    assertRows(storage, 1, 3);
    // also from the log, and from files
    storage.crash(false, 1);
    assertEquals(6, storage.storage().truncationEpoch(TABLE));
    assertRows(storage, 1, 3);
    mutations.epoch = 5;
    storage.awaitSuccess(put(storage, 4));
    storage.flush();
    storage.crash(false, 2);
    assertRows(storage, 1, 4);
    // a truncation of this node alone takes the row, but forgets no epoch
    storage.truncate(TABLE);
    storage.awaitSuccess(put(storage, 5));
    storage.crash(false, 2);
    assertEquals(6, storage.storage().truncationEpoch(TABLE));
    assertRows(storage, 0, 5);
  }

  /** In batch mode a mutation becomes visible after its sync, here after the truncation. */
  @ParameterizedTest
  @EnumSource(SyncMode.class)
  void aMutationOnItsWayIntoTheLogIsCovered(SyncMode mode) throws IOException {
    SimStorage storage = storage(mode);
    storage.open();
    mutations.epoch = 5;
    Outcome written = put(storage, 1);
    Outcome truncated = new Outcome();
    storage.storage().truncate(List.of(TABLE), 6, truncated);
    storage.world.runReady();
    storage.awaitSuccess(written);
    storage.awaitSuccess(truncated);
    assertRows(storage, 0, 1);
    storage.crash(false, 1);
    assertRows(storage, 0, 1);
  }

  @ParameterizedTest
  @EnumSource(SyncMode.class)
  void whatCouldNotBeRecordedIsNotSaidToBeDone(SyncMode mode) throws IOException {
    SimStorage storage = storage(mode);
    storage.open();
    mutations.epoch = 5;
    storage.awaitSuccess(put(storage, 1));
    storage.files.faults(
        (operation, path) -> {
          if (operation == Operation.WRITE && path.startsWith("manifest/")) {
            throw new IOException("no manifest");
          }
        });
    Outcome outcome = new Outcome();
    storage.storage().truncate(List.of(TABLE), 6, outcome);
    assertNotNull(storage.await(outcome).failure);
    assertEquals(0, storage.storage().truncationEpoch(TABLE));
    storage.files.faults((operation, path) -> {});
    truncate(storage, 6);
    assertRows(storage, 0, 1);
  }
}
