package io.helenus.storage.nearest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.Similarity;
import io.helenus.storage.engine.IndexDescriptor.Source;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.engine.IndexTerms;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.vector.KeyRange;
import io.helenus.storage.vector.NearestSearch;
import io.helenus.storage.vector.VectorRun;
import io.helenus.storage.vector.VectorScore;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Searches off the shard, with the tasks of the shard and of the search run one by one. */
class CandidateBatchesTest {
  private static final VectorOptions OPTIONS = new VectorOptions(2, Similarity.EUCLIDEAN, 8, 16);
  private static final int VECTORS = 40;

  private final ArrayDeque<Runnable> searches = new ArrayDeque<>();
  private final ArrayDeque<Runnable> shard = new ArrayDeque<>();
  private final List<String> events = new ArrayList<>();
  private final CandidateBatches batches =
      new CandidateBatches(
          new VectorReads(
              searches::add,
              shard::add,
              failure -> {
                throw new AssertionError(failure);
              },
              new LargeSegments()),
          new VectorSources(
              new IndexDescriptor(3, Source.VECTORS, 1, new IndexTerms() {}, OPTIONS),
              List.of(),
              List.of(),
              List.of(),
              counts -> events.add(counts.comparedVectors() + " compared"),
              () -> events.add("damage")),
          () -> events.add("idle"));

  private static MemorySegment vector(float x) {
    return new ByteWriter(8)
        .putInt(Float.floatToRawIntBits(x))
        .putInt(Float.floatToRawIntBits(0))
        .segment();
  }

  /**
   * The vectors (0, 0), (1, 0) and so on; a run that says it has more than these cannot be read.
   */
  private void begin(int size) {
    long bytes = VectorRun.entryBytes(2, 5);
    MemorySegment memory = new ByteWriter((int) bytes * VECTORS).segment();
    MemorySegment[] segments = new MemorySegment[VECTORS];
    long[] offsets = new long[VECTORS];
    Arrays.fill(segments, memory);
    for (int i = 0; i < VECTORS; i++) {
      offsets[i] = i * bytes;
      ByteWriter key = new ByteWriter(8).putInt(i).putByte(2);
      VectorRun.write(
          memory, offsets[i], key.segment(), 0, 5, 4, new float[] {i, 0}, (float) i * i);
    }
    VectorRun run = new VectorRun(2, segments, offsets, new MemorySegment[0], new long[0], size);
    batches.begin(
        new NearestSearch(
            new VectorScore(OPTIONS, vector(0), 0, 8),
            KeyRange.range(vector(0), 0, 0, 0),
            null,
            List.of(new NearestSearch.Part(run, null))),
        new BatchSizes(20, 1));
  }

  private static void run(ArrayDeque<Runnable> tasks) {
    tasks.remove().run();
  }

  @Test
  void batchesFollowEachOtherUntilThereAreNoMoreVectors() {
    assertFalse(batches.hasBegun());
    begin(VECTORS);
    assertTrue(batches.hasBegun());
    batches.search(0);
    batches.whenReady(() -> events.add("ready"));
    assertTrue(batches.isSearching());
    run(searches);
    assertTrue(batches.isSearching(), "until the shard knows");
    run(shard);
    assertEquals(List.of("ready"), events);
    assertFalse(batches.isSearching());
    assertFalse(batches.isLast());
    assertEquals(30, batches.found().size(), "half as many more than are wanted");
    for (int i = 0; i < 30; i++) {
      assertTrue(batches.hasNext());
      assertEquals(i, batches.next());
      assertEquals(i, Bytes.getInt(batches.found().keys().segment(), batches.found().keyOffset(i)));
    }
    assertFalse(batches.hasNext());
    batches.search(10);
    run(searches);
    run(shard);
    assertEquals(10, batches.found().size());
    assertTrue(batches.isLast());
    assertEquals(List.of("ready"), events, "a continuation is called once");
    batches.close(5);
    assertEquals(List.of("ready", VECTORS + " compared"), events);
  }

  @Test
  void aFailedSearchIsContainedAndReported() {
    begin(VECTORS + 1);
    batches.search(0);
    run(searches);
    run(shard);
    assertEquals(List.of("damage"), events);
    StorageException failure = assertThrows(StorageException.class, batches::requireNoFailure);
    assertEquals(
        "index 3 cannot be searched: Index 40 out of bounds for length 40", failure.getMessage());
  }

  @Test
  void aSearchThatRunsWhenTheReadIsClosedIsCancelledAndEndsLater() {
    begin(VECTORS);
    batches.search(0);
    batches.whenReady(() -> events.add("ready"));
    batches.close(5);
    assertEquals(List.of("0 compared"), events);
    assertTrue(batches.isSearching(), "what it reads must stay");
    run(searches);
    run(shard);
    assertFalse(batches.isSearching());
    assertEquals(0, batches.found().size());
    assertEquals(List.of("0 compared", "idle"), events);
  }

  @Test
  void nothingIsCountedWithoutASearch() {
    batches.close(5);
    assertEquals(List.of(), events);
  }
}
