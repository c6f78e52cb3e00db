package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.row.ShareId;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which starts use the id of counter shares again. */
class CounterShareClaimTest {
  private static final int TABLE = 1;

  private static SimStorage open(SyncMode mode) throws IOException {
    SimStorage storage =
        new SimStorage(1, TestStorageOptions.of(2, mode).build(), SimStorage.tables(TABLE));
    assertNotNull(storage.open());
    return storage;
  }

  private static ShareId claim(SimStorage storage) {
    ShareId[] ids = new ShareId[2];
    for (int shard = 0; shard < 2; shard++) {
      SimStorage.Outcome outcome = new SimStorage.Outcome();
      storage.storage().engines().get(shard).claimCounterShare(outcome);
      storage.awaitSuccess(outcome);
      ids[shard] = storage.storage().engines().get(shard).counterShare();
    }
    assertNotNull(ids[0]);
    assertEquals(ids[0], ids[1], "one id for all shards");
    return ids[0];
  }

  private static void stopAndStart(SimStorage storage) throws IOException {
    storage.storage().close();
    assertNotNull(storage.open());
  }

  @ParameterizedTest
  @EnumSource(SyncMode.class)
  void orderlyStopKeepsTheId(SyncMode mode) throws IOException {
    SimStorage storage = open(mode);
    assertNull(storage.storage().engines().getFirst().counterShare(), "not before it is needed");
    ShareId first = claim(storage);
    stopAndStart(storage);
    assertEquals(first, claim(storage));
    // a run without increments does not forget the id
    stopAndStart(storage);
    stopAndStart(storage);
    assertEquals(first, claim(storage));
  }

  @ParameterizedTest
  @EnumSource(
      value = SyncMode.class,
      names = {"BATCH", "GROUP"})
  void crashKeepsTheIdIfEveryAcknowledgedRecordWasSynced(SyncMode mode) throws IOException {
    SimStorage storage = open(mode);
    ShareId first = claim(storage);
    assertNotNull(storage.crash(true, 2));
    assertEquals(first, claim(storage));
  }

  @Test
  void crashInPeriodicModeTakesAnotherId() throws IOException {
    SimStorage storage = open(SyncMode.PERIODIC);
    ShareId first = claim(storage);
    assertNotNull(storage.crash(true, 2));
    ShareId second = claim(storage);
    assertNotEquals(first, second);
    // a run without increments cannot lose any, but does not make up for those lost before it
    assertNotNull(storage.crash(true, 2));
    stopAndStart(storage);
    ShareId third = claim(storage);
    assertNotEquals(second, third);
    stopAndStart(storage);
    assertNotNull(storage.crash(true, 2));
    assertEquals(third, claim(storage), "the crashed run had no increments");
  }
}
