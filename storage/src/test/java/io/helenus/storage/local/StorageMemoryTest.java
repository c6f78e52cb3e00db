package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.engine.WriteRefusedException;
import io.helenus.storage.local.SimStorage.Outcome;
import io.helenus.storage.memory.MemoryShare;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.memory.PageDiscard;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What storage takes of each share of memory, and that it gives it back. */
class StorageMemoryTest {
  private static final int TABLE = 5;
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  private final ByteWriter bytes = new ByteWriter(64);
  private final MutationWriter writer = new MutationWriter(bytes);
  private final Random random = new Random(7);

  private static SimStorage storage(TestStorageOptions options, Map<Use, Long> limits)
      throws IOException {
    SimStorage storage = new SimStorage(42, options.build(), SimStorage.tables(TABLE));
    storage.memories = () -> new NodeMemory(limits, PageDiscard.NONE, 64 * MIB);
    storage.open();
    return storage;
  }

  /** A row whose value cannot be compressed. */
  private Outcome put(SimStorage storage, int partition, int clustering, int valueBytes) {
    byte[] value = new byte[valueBytes];
    random.nextBytes(value);
    ByteWriter cell = new ByteWriter(valueBytes).putBytes(value);
    ByteWriter prefix = TestKeys.prefix(partition);
    ByteWriter suffix = TestKeys.suffix(clustering, KeyFormat.TAG_END);
    bytes.clear();
    writer.begin(TestKeys.token(partition), 1, prefix.segment(), 0, prefix.size());
    writer.beginTable(TABLE).beginRow(suffix.segment(), 0, suffix.size());
    writer.liveness(1).cell(1, 1, cell.segment(), 0, cell.size());
    writer.endRow().endTable().finish();
    return storage.apply(partition, bytes);
  }

  @Test
  void largeCellsAreFlushedAndMergedInFewBuffersWhichAreGivenBack() throws IOException {
    TestStorageOptions options =
        TestStorageOptions.of(1, SyncMode.PERIODIC)
            .commitLog(MIB, 64L * MIB)
            .memtableBytes(64L * MIB);
    SimStorage storage = storage(options, Map.of());
    MemoryShare share = storage.memory.share(Use.COMPACTION);
    for (int file = 0; file < 3; file++) {
      for (int i = 0; i < 4; i++) {
        storage.awaitSuccess(put(storage, 4 * file + i, 1, 256 * KIB));
      }
      storage.flush();
      assertEquals(0, share.usedBytes());
    }
    // a plain and a compressed block, each with a header
    long flush = share.highWaterBytes();
    assertTrue(flush > MIB && flush < 2 * MIB, "" + flush);
    storage.compact();
    assertEquals(1, storage.storage().statistics(TABLE).files());
    assertEquals(0, share.usedBytes());
    // a block of each input, one more while a cursor moves, and those of a flush
    assertTrue(share.highWaterBytes() < flush + 5 * MIB / 2, "" + share.highWaterBytes());
    assertEquals(0, storage.memory.share(Use.MEMTABLES).usedBytes());
    // the log keeps a buffer of up to 1 MiB
    assertTrue(storage.memory.share(Use.BUFFERS).usedBytes() <= MIB);
  }

  @Test
  void aFilterIsBuiltInTheShareOfCompactions() throws IOException {
    TestStorageOptions options =
        TestStorageOptions.of(1, SyncMode.PERIODIC)
            .commitLog(MIB, 64L * MIB)
            .memtableBytes(64L * MIB);
    SimStorage storage = storage(options, Map.of());
    for (int i = 0; i < 6_000; i++) {
      Outcome outcome = put(storage, i, 1, 10);
      if (i % 50 == 0) {
        storage.awaitSuccess(outcome);
      }
    }
    storage.flush();
    MemoryShare share = storage.memory.share(Use.COMPACTION);
    assertTrue(share.highWaterBytes() > 400 << 10, "" + share.highWaterBytes());
    assertEquals(0, share.usedBytes());
  }

  @Test
  void compactionsThatDoNotFitRunOneAfterTheOther() throws IOException {
    for (long limit : new long[] {1, Long.MAX_VALUE}) {
      SimStorage storage =
          storage(
              TestStorageOptions.of(4, SyncMode.PERIODIC).commitLog(MIB, 64L * MIB),
              Map.of(Use.COMPACTION, limit));
      for (int file = 0; file < 2; file++) {
        for (int i = 0; i < 400; i++) {
          storage.awaitSuccess(put(storage, i, file, 2_000));
        }
        storage.flush();
      }
      Outcome done = new Outcome();
      storage.storage().compact(0, done);
      int most = 0;
      while (!done.done) {
        boolean[] stepped = new boolean[1];
        storage.endTicks();
        storage.world.runUntil(
            () -> {
              boolean stop = stepped[0] || done.done;
              stepped[0] = true;
              return stop;
            });
        most = Math.max(most, storage.storage().activity().tasks().size());
      }
      assertNull(done.failure);
      assertEquals(4, storage.storage().statistics(TABLE).files());
      assertEquals(0, storage.memory.share(Use.COMPACTION).usedBytes());
      if (limit == 1) {
        assertEquals(1, most);
      } else {
        assertTrue(most > 1, "they run at once if they fit");
      }
    }
  }

  @Test
  void aFloodOfWritesStaysWithinTwiceTheMemtables() throws IOException {
    for (SyncMode mode : SyncMode.values()) {
      long memtables = 2L * MIB;
      TestStorageOptions options =
          TestStorageOptions.of(1, mode).commitLog(MIB, 64L * MIB).memtableBytes(memtables);
      SimStorage storage = storage(options, Map.of());
      MemoryShare share = storage.memory.share(Use.MEMTABLES);
      List<Outcome> outcomes = new ArrayList<>();
      int largest = 150_000;
      for (int i = 0; i < 300; i++) {
        outcomes.add(put(storage, i, 1, random.nextInt(10) == 0 ? largest : 5_000));
        storage.endTicks();
        if (i % 7 == 0) {
          storage.world.runReady();
        }
      }
      long most = share.highWaterBytes();
      assertTrue(most <= 2 * memtables + 2 * MIB, mode + " " + most);
      assertTrue(most > memtables, mode + " " + most);
      int refused = 0;
      for (Outcome outcome : outcomes) {
        storage.await(outcome);
        if (outcome.failure instanceof WriteRefusedException why) {
          assertEquals(WriteRefusedException.Reason.OVERLOADED, why.reason());
          refused++;
        } else {
          assertNull(outcome.failure);
        }
      }
      assertTrue(refused < outcomes.size(), mode + " " + refused);
      storage.flush();
      assertEquals(0, share.usedBytes(), "" + mode);
    }
  }

  @Test
  void aTableWithOneRowTakesFourKibibytes() throws IOException {
    int[] ids = new int[100];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = TABLE + i;
    }
    SimStorage storage =
        new SimStorage(
            42,
            TestStorageOptions.of(2, SyncMode.PERIODIC).memtableBytes(64L * MIB).build(),
            SimStorage.tables(ids));
    storage.open();
    TestMutations mutations = new TestMutations();
    for (int id : ids) {
      ModelTable.Put put =
          new ModelTable.Put(false, 1, true, 1, 0, ModelTable.NEVER, new TreeMap<>(Map.of(1, 1)));
      storage.awaitSuccess(storage.apply(id, mutations.begin(id).table(id, List.of(put), 1).end()));
    }
    assertEquals(ids.length * 4096L, storage.memory.share(Use.MEMTABLES).usedBytes());
  }
}
