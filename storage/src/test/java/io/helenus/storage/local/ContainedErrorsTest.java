package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.ContainedErrorException;
import io.helenus.storage.env.sim.SimFileSystem.Operation;
import io.helenus.storage.local.SimStorage.Outcome;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Errors thrown by the file system in the middle of flush, compaction, reads and the logs. */
class ContainedErrorsTest {
  private static final int TABLE = 5;
  private static final long SECOND = 1_000_000_000L;
  private final TestMutations mutations = new TestMutations();
  private final SimStorage storage =
      new SimStorage(
          42, TestStorageOptions.of(1, SyncMode.BATCH).build(), SimStorage.tables(TABLE));
  private int attempts;

  private static Error nativeMemory() {
    return new OutOfMemoryError("Cannot reserve 65536 bytes of direct buffer memory");
  }

  /** Makes every such operation below a folder throw; {@link #attempts} counts them. */
  private void fail(Operation failing, String folder, Error error) {
    storage.files.faults(
        (operation, path) -> {
          if (operation == failing && path.startsWith(folder)) {
            attempts++;
            error.fillInStackTrace();
            throw error;
          }
        });
  }

  private void heal() {
    storage.files.faults((operation, path) -> {});
  }

  private ByteWriter mutation(int partition, int value) {
    TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
    cells.put(1, value);
    ModelTable.Put put = new ModelTable.Put(false, 1, true, 7, 0, ModelTable.NEVER, cells);
    return mutations.begin(partition).table(TABLE, List.of(put), storage.nowSeconds()).end();
  }

  private void putAll(int from, int to) {
    for (int i = from; i < to; i++) {
      storage.awaitSuccess(storage.apply(i, mutation(i, i)));
    }
  }

  private void assertRows(int to) {
    for (int i = 0; i < to; i++) {
      assertEquals("1 row@7 c1=" + i + "@7\n", storage.read(TABLE, i), "partition " + i);
    }
    assertEquals(to, storage.scan(TABLE).rows);
  }

  private Outcome flush() {
    Outcome outcome = new Outcome();
    storage.storage().flush(0, outcome);
    return storage.await(outcome);
  }

  private List<String> sstables() {
    List<String> found = new ArrayList<>();
    for (String path : storage.files.paths()) {
      if (path.startsWith("sstables/")) {
        found.add(path);
      }
    }
    return found;
  }

  @Test
  void aFlushWithoutNativeMemoryFailsAndIsRetried() throws IOException {
    storage.open();
    putAll(0, 20);
    fail(Operation.WRITE, "sstables/", nativeMemory());
    Exception failure = flush().failure;
    assertInstanceOf(ContainedErrorException.class, failure);
    assertTrue(String.valueOf(failure).contains("raise memory in helenus.yaml"), "" + failure);
    assertEquals(List.of(), sstables(), "the unfinished file is deleted");
    assertRows(20);
    heal();
    storage.world.runFor(2 * SECOND);
    assertEquals(1, storage.storage().statistics(TABLE).files());
    assertEquals(null, flush().failure);
    assertRows(20);
    assertEquals(List.of(), storage.fatal);
    storage.crash(false, 1);
    assertRows(20);
  }

  @Test
  void failingFlushesAreRetriedOncePerSecondHoweverOftenRequested() throws IOException {
    storage.open();
    putAll(0, 1);
    fail(Operation.CREATE, "sstables/", nativeMemory());
    for (int i = 1; i <= 10; i++) {
      for (int j = 0; j < 10; j++) {
        storage.storage().flush(0, new Outcome());
        storage.world.runReady();
      }
      storage.world.runFor(SECOND);
    }
    assertTrue(attempts > 5 && attempts <= 12, attempts + " attempts in ten seconds");
  }

  @Test
  void everyWaiterIsNotifiedOfAFailedFlush() throws IOException {
    storage.open();
    putAll(0, 1);
    fail(Operation.SYNC, "sstables/", nativeMemory());
    Outcome first = new Outcome();
    Outcome second = new Outcome();
    storage.storage().flush(0, first);
    storage.await(storage.apply(1, mutation(1, 1)));
    storage.storage().flush(0, second);
    storage.world.runFor(SECOND / 2);
    assertNotNull(first.failure);
    assertNotNull(second.failure);
  }

  @Test
  void aCompactionWithoutNativeMemoryFailsAndIsRetriedLater() throws IOException {
    storage.open();
    putAll(0, 20);
    storage.flush();
    putAll(20, 40);
    storage.flush();
    fail(Operation.WRITE, "sstables/", nativeMemory());
    Outcome outcome = new Outcome();
    storage.storage().compact(0, outcome);
    assertInstanceOf(ContainedErrorException.class, storage.await(outcome).failure);
    assertEquals(2, sstables().size());
    assertEquals(0, storage.storage().activity().compactions().active());
    assertRows(40);
    heal();
    storage.compact();
    assertEquals(1, storage.storage().statistics(TABLE).files());
    assertRows(40);
    assertEquals(List.of(), storage.fatal);
  }

  @Test
  void failingCompactionsAreRetriedOncePerMinute() throws IOException {
    storage.open();
    storage.files.faults(
        (operation, path) -> {
          boolean compacting = storage.storage().activity().compactions().active() > 0;
          if (compacting && operation == Operation.CREATE) {
            attempts++;
            throw nativeMemory();
          }
        });
    for (int i = 0; i < 8; i++) {
      putAll(i, i + 1);
      storage.flush();
    }
    storage.world.runFor(SECOND);
    assertEquals(1, attempts);
    storage.world.runFor(60 * SECOND);
    assertEquals(2, attempts);
    heal();
    storage.world.runFor(61 * SECOND);
    assertTrue(storage.storage().statistics(TABLE).files() < 8);
    assertRows(8);
  }

  @Test
  void aFailedBlockLoadFailsItsReadersAndIsRetriedForTheNext() throws IOException {
    storage.open();
    putAll(0, 200);
    storage.flush();
    storage.crash(false, 1);
    for (Error error : List.of(nativeMemory(), new StackOverflowError(), new LinkageError())) {
      fail(Operation.READ, "sstables/", error);
      StorageException failure = assertThrows(StorageException.class, () -> storage.read(TABLE, 3));
      assertTrue(String.valueOf(failure.getMessage()).contains("sstables/"), failure.getMessage());
      assertThrows(StorageException.class, () -> storage.scan(TABLE));
      heal();
    }
    assertRows(200);
    assertEquals(List.of(), storage.fatal);
  }

  @Test
  void aTruncationThatFailsLeavesTheTableAsItWas() throws IOException {
    storage.open();
    putAll(0, 5);
    storage.flush();
    putAll(5, 10);
    fail(Operation.WRITE, "manifest/", nativeMemory());
    Outcome outcome = new Outcome();
    storage.storage().truncate(TABLE, outcome);
    assertInstanceOf(ContainedErrorException.class, storage.await(outcome).failure);
    heal();
    assertRows(10);
    storage.flush();
    storage.truncate(TABLE);
    assertEquals(0, storage.scan(TABLE).rows);
  }

  @Test
  void heapExhaustionHaltsWhereverItOccurs() throws IOException {
    Error heap = new OutOfMemoryError("Java heap space");
    storage.open();
    putAll(0, 20);
    fail(Operation.WRITE, "sstables/", heap);
    assertNotNull(flush().failure);
    assertTrue(storage.fatal.contains(heap));
    heal();
    storage.world.runFor(2 * SECOND);
    storage.crash(false, 1);
    storage.fatal.clear();
    fail(Operation.READ, "sstables/", heap);
    assertThrows(StorageException.class, () -> storage.scan(TABLE));
    assertTrue(storage.fatal.contains(heap));
  }

  @Test
  void anErrorInTheLogHalts() throws IOException {
    storage.open();
    putAll(0, 5);
    Error broken = new AssertionError("broken");
    fail(Operation.SYNC, "commitlog/", broken);
    Outcome outcome = storage.apply(5, mutation(5, 5));
    storage.endTicks();
    assertThrows(AssertionError.class, storage.world::runReady);
    assertEquals(List.of(broken), storage.fatal);
    assertTrue(!outcome.done);
  }

  @Test
  void aMutationThatCannotBeAppliedHalts() throws IOException {
    storage.open();
    putAll(0, 5);
    ByteWriter whole = mutation(5, 5);
    try (Arena arena = Arena.ofConfined()) {
      // shorter than the declared length: copying it to the log fails halfway
      MemorySegment cut = arena.allocate(whole.size() - 1L);
      MemorySegment.copy(whole.segment(), 0, cut, 0, cut.byteSize());
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> storage.engine(5).apply(cut, 0, whole.size(), new Outcome()));
    }
    assertEquals(1, storage.fatal.size());
  }
}
