package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.engine.StorageActivity;
import io.helenus.storage.engine.StorageActivity.Kind;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.engine.TableStatistics;
import io.helenus.storage.local.SimStorage.Outcome;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ActivityTest {
  private static final int TABLE = 5;
  private static final int ROWS = 3000;
  private final TestMutations mutations = new TestMutations();
  private final SimStorage storage =
      new SimStorage(
          42, TestStorageOptions.of(1, SyncMode.PERIODIC).build(), SimStorage.tables(TABLE));

  private void putRows(int partition, long timestamp) {
    for (int i = 0; i < ROWS; i++) {
      TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
      cells.put(1, i);
      ModelTable.Put put =
          new ModelTable.Put(false, i, true, timestamp, 0, ModelTable.NEVER, cells);
      storage.awaitSuccess(
          storage.apply(
              partition,
              mutations.begin(partition).table(TABLE, List.of(put), storage.nowSeconds()).end()));
    }
    storage.flush();
  }

  private StorageActivity activity() {
    return storage.storage().activity();
  }

  @Test
  void aCompactionIsReportedWhileItRunsAndAfterwards() throws IOException {
    storage.open();
    putRows(1, 1);
    putRows(1, 2);
    putRows(2, 3);
    storage.compact();
    putRows(1, 4);
    StorageActivity before = activity();
    assertEquals(List.of(), before.tasks());
    assertTrue(before.flushes().completed() >= 4, before::toString);
    long bytes = storage.storage().statistics(TABLE).fileBytes();
    int files = storage.storage().statistics(TABLE).files();

    Outcome outcome = new Outcome();
    storage.storage().compact(TABLE, outcome);
    List<StorageActivity.Task> seen = new ArrayList<>();
    storage.world.runUntil(
        () -> {
          seen.addAll(activity().tasks());
          return outcome.done;
        });
    assertTrue(seen.stream().allMatch(task -> task.kind() == Kind.COMPACTION), seen::toString);
    assertTrue(seen.stream().allMatch(task -> task.tableId() == TABLE));
    assertTrue(seen.stream().allMatch(task -> task.totalBytes() == bytes));
    assertTrue(seen.stream().allMatch(task -> task.files() == files));
    assertTrue(seen.stream().anyMatch(task -> task.progressBytes() == 0));
    assertTrue(
        seen.stream().anyMatch(task -> task.progressBytes() > 0 && task.progressBytes() < bytes),
        seen::toString);

    StorageActivity after = activity();
    assertEquals(List.of(), after.tasks());
    assertEquals(before.compactions().completed() + 1, after.compactions().completed());
    assertEquals(0, after.compactions().active() + after.compactions().pending());
    StorageActivity.FinishedCompaction last = after.finished().getLast();
    assertEquals(TABLE, last.tableId());
    assertEquals(bytes, last.bytesIn());
    assertEquals(storage.storage().statistics(TABLE).fileBytes(), last.bytesOut());
    assertEquals(files, last.mergedPartitions().size());
    assertEquals(1, last.mergedPartitions().getFirst(), "partition 2 is in one file");
    assertEquals(2, last.mergedPartitions().stream().mapToLong(each -> each).sum());
    TableStatistics compacted = storage.storage().statistics(TABLE);
    assertTrue(compacted.largestPartitionBytes() > ROWS);
    assertTrue(compacted.contents().rows() > 0, compacted::toString);
    assertTrue(compacted.contents().blocks() > 0, compacted::toString);
    assertTrue(compacted.contents().bytes() >= compacted.largestPartitionBytes());
    assertEquals(0, storage.storage().statistics(TABLE + 1).files());
  }

  @Test
  void aTruncatedTableLeavesNoTaskBehind() throws IOException {
    storage.open();
    putRows(1, 1);
    putRows(1, 2);
    Outcome outcome = new Outcome();
    storage.storage().compact(TABLE, outcome);
    storage.world.runUntil(() -> outcome.done || !activity().tasks().isEmpty());
    storage.truncate(TABLE);
    storage.world.runReady();
    assertEquals(List.of(), activity().tasks());
    assertEquals(0, activity().compactions().active() + activity().compactions().pending());
    assertEquals(0, activity().flushes().active() + activity().flushes().pending());
  }
}
