package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.PartitionLimits;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PartitionLimitsTest {
  private static final int TABLE = 5;

  private record Report(int table, int partition, long bytes, long tombstones) {}

  private final List<Report> reports = new ArrayList<>();
  private final TestMutations mutations = new TestMutations();

  private SimStorage storage(long bytes, long tombstones) {
    PartitionLimits limits = new PartitionLimits(bytes, tombstones, this::onExceeded);
    return new SimStorage(
        42,
        TestStorageOptions.of(1, SyncMode.BATCH).partitionLimits(limits).build(),
        SimStorage.tables(TABLE));
  }

  private void onExceeded(int table, byte[] prefix, long bytes, long tombstones) {
    ByteWriter key = new ByteWriter(prefix.length).putBytes(prefix);
    reports.add(new Report(table, TestKeys.partitionKey(key.segment(), 0), bytes, tombstones));
  }

  private void apply(SimStorage storage, int partition, ModelTable.Action action) {
    storage.awaitSuccess(
        storage.apply(
            partition,
            mutations.begin(partition).table(TABLE, List.of(action), storage.nowSeconds()).end()));
  }

  private void put(SimStorage storage, int partition, int rows) {
    for (int i = 0; i < rows; i++) {
      TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
      cells.put(1, i);
      apply(storage, partition, new ModelTable.Put(false, i, true, 7, 0, ModelTable.NEVER, cells));
    }
  }

  private void delete(SimStorage storage, int partition, int rows) {
    for (int i = 0; i < rows; i++) {
      apply(storage, partition, new ModelTable.DeleteRow(i, 9));
    }
  }

  @Test
  void flushesAndCompactionsReportPartitionsAboveALimit() throws IOException {
    SimStorage storage = storage(300, 3);
    storage.open();
    put(storage, 1, 20);
    put(storage, 2, 1);
    delete(storage, 3, 4);
    delete(storage, 4, 3);
    storage.flush();
    assertEquals(2, reports.size(), reports::toString);
    Report large = reports.stream().filter(each -> each.partition == 1).findFirst().orElseThrow();
    assertTrue(large.bytes > 300, reports::toString);
    assertEquals(0, large.tombstones);
    assertEquals(TABLE, large.table);
    Report deleted = reports.stream().filter(each -> each.partition == 3).findFirst().orElseThrow();
    assertEquals(4, deleted.tombstones);
    reports.clear();
    put(storage, 2, 20);
    storage.flush();
    storage.compact();
    assertEquals(
        List.of(2, 2),
        reports.stream().map(Report::partition).filter(each -> each == 2).toList(),
        reports::toString);
  }

  @Test
  void nothingIsReportedAtTheLimits() throws IOException {
    SimStorage storage = storage(Long.MAX_VALUE, 4);
    storage.open();
    put(storage, 1, 20);
    delete(storage, 3, 4);
    storage.flush();
    assertEquals(List.of(), reports);
  }
}
