package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.PartitionNotes;
import io.helenus.storage.engine.PartitionNotes.Partition;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PartitionNotesTest {
  private static final int TABLE = 5;
  private static final int ROWS = 8000;
  private static final int AT_ONCE = 500;

  private final TestMutations mutations = new TestMutations();
  private final SimStorage storage =
      new SimStorage(
          42,
          TestStorageOptions.of(2, SyncMode.BATCH)
              .commitLog(1 << 20, 64L << 20)
              .memtableBytes(64L << 20)
              .build(),
          SimStorage.tables(TABLE));

  private void put(int partition, int rows) {
    apply(partition, rows, row -> put(row, 0, ModelTable.NEVER));
  }

  private void expiring(int partition, int rows) {
    long expiry = storage.nowSeconds() + 1000;
    apply(partition, rows, row -> put(row, 1000, expiry));
  }

  private static ModelTable.Action put(int row, int ttl, long expiry) {
    TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
    cells.put(1, row);
    return new ModelTable.Put(false, row, true, 7, ttl, expiry, cells);
  }

  private void delete(int partition, int rows) {
    apply(partition, rows, row -> new ModelTable.DeleteRow(row, 9));
  }

  private void apply(int partition, int rows, IntFunction<ModelTable.Action> action) {
    for (int from = 0; from < rows; from += AT_ONCE) {
      int end = Math.min(rows, from + AT_ONCE);
      List<ModelTable.Action> actions = IntStream.range(from, end).mapToObj(action).toList();
      storage.awaitSuccess(
          storage.apply(
              partition,
              mutations.begin(partition).table(TABLE, actions, storage.nowSeconds()).end()));
    }
  }

  private PartitionNotes notes() {
    return storage.storage().partitionNotes(TABLE);
  }

  private static List<Integer> keys(List<Partition> partitions) {
    return partitions.stream().map(PartitionNotesTest::key).toList();
  }

  private static int key(Partition partition) {
    ByteWriter prefix = new ByteWriter(64).putBytes(partition.prefix());
    return TestKeys.partitionKey(prefix.segment(), 0);
  }

  private Partition only(List<Partition> partitions) {
    assertEquals(1, partitions.size());
    return partitions.getFirst();
  }

  @Test
  void aFlushNotesLargePartitionsAndThoseWithManyTombstones() throws IOException {
    storage.open();
    put(1, ROWS);
    put(2, 1);
    put(3, 2 * ROWS);
    delete(4, 1000);
    delete(5, 999);
    expiring(6, 1500);
    assertEquals(List.of(), notes().partitions());
    storage.flush();
    List<Partition> largest = notes().largest();
    assertEquals(List.of(3, 1), keys(largest));
    assertEquals(List.of(2 * ROWS, ROWS), largest.stream().map(each -> (int) each.rows()).toList());
    // the key of the partition counts once, that of each row with the row
    long row = (largest.get(0).bytes() - largest.get(1).bytes()) / ROWS;
    assertEquals(largest.get(1).prefix().length, largest.get(1).bytes() - ROWS * row);
    Partition deleted = only(notes().tombstoneHeavy());
    assertEquals(4, key(deleted));
    assertEquals(1000, deleted.tombstones());
    long[] counts = notes().countsBySize();
    assertEquals(6, Arrays.stream(counts).sum());
    assertEquals(1, counts[PartitionNotes.sizeClass(largest.get(0).bytes())]);
    long[] cells = notes().countsByCells();
    assertEquals(6, Arrays.stream(cells).sum());
    assertEquals(1, cells[PartitionNotes.sizeClass(2 * ROWS)]);
    assertEquals(1, cells[PartitionNotes.sizeClass(ROWS)]);
    assertEquals(3, cells[0], "one cell, or none");
  }

  @Test
  void theyAreKnownAfterARestart() throws IOException {
    storage.open();
    put(1, ROWS);
    delete(4, 1000);
    storage.flush();
    long bytes = only(notes().largest()).bytes();
    storage.crash(false, 2);
    assertEquals(bytes, only(notes().largest()).bytes());
    assertEquals(ROWS, only(notes().largest()).rows());
    assertEquals(1000, only(notes().tombstoneHeavy()).tombstones());
    assertEquals(2, Arrays.stream(notes().countsBySize()).sum());
  }

  @Test
  void aPartitionInSeveralFilesIsTheirSumUntilACompactionMergesThem() throws IOException {
    storage.open();
    put(1, ROWS);
    storage.flush();
    Partition first = only(notes().largest());
    put(1, ROWS);
    storage.flush();
    Partition sum = only(notes().largest());
    assertEquals(2, sum.files());
    assertEquals(2 * first.bytes(), sum.bytes());
    assertEquals(2 * ROWS, sum.rows());
    storage.compact();
    Partition merged = only(notes().largest());
    assertEquals(1, merged.files());
    assertEquals(first.bytes(), merged.bytes());
    assertEquals(ROWS, merged.rows());
  }

  @Test
  void aFileThatSeveralShardsShareCountsOnce() throws IOException {
    storage.open();
    for (int partition = 0; partition < 20; partition++) {
      put(partition, 1);
    }
    put(1, ROWS);
    storage.flush();
    storage.crash(false, 3);
    assertEquals(20, Arrays.stream(notes().countsBySize()).sum());
    assertEquals(1, only(notes().largest()).files());
    assertEquals(ROWS, only(notes().largest()).rows());
  }

  @Test
  void onlyTheFirstOfManyAreListed() {
    PartitionNotes.Builder builder = new PartitionNotes.Builder();
    for (int i = 0; i < 1000; i++) {
      long bytes = PartitionNotes.LARGE_BYTES + (i * 7919L) % 1000;
      long tombstones = PartitionNotes.MANY_TOMBSTONES + i;
      builder.count(bytes, i);
      if (builder.isListed(bytes, tombstones)) {
        builder.list(new Partition(new byte[] {(byte) i}, 1, bytes, 1, tombstones));
      }
    }
    PartitionNotes notes = builder.build();
    assertTrue(notes.partitions().size() <= 2 * PartitionNotes.LISTED);
    List<Long> sizes = notes.largest().stream().map(Partition::bytes).toList();
    assertEquals(
        IntStream.range(0, PartitionNotes.LISTED)
            .mapToObj(i -> PartitionNotes.LARGE_BYTES + 999 - i)
            .toList(),
        sizes);
    List<Long> tombstones = notes.tombstoneHeavy().stream().map(Partition::tombstones).toList();
    assertEquals(PartitionNotes.MANY_TOMBSTONES + 999, tombstones.getFirst());
    assertEquals(PartitionNotes.LISTED, tombstones.size());
    assertEquals(1, notes.countsBySize()[16]);
    assertEquals(999, notes.countsBySize()[17]);
    assertEquals(
        List.of(2L, 1L, 2L, 4L), Arrays.stream(notes.countsByCells()).limit(4).boxed().toList());
  }
}
