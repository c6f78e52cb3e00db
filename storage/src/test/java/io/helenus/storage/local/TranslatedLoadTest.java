package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.engine.FilesToLoad;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.local.SimStorage.Outcome;
import io.helenus.storage.row.ColumnTranslation;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files are loaded into a table whose columns have other ids. */
class TranslatedLoadTest {
  private static final String FOLDER = "snapshots/tag/k/t";
  private static final int PARTITIONS = 8;

  private static final RandomColumns.Filter ALL = (column, timestamp) -> true;

  private SimStorage storage = new SimStorage(0, options(), SimStorage.tables());

  private static io.helenus.storage.engine.StorageOptions options() {
    return TestStorageOptions.of(2, SyncMode.BATCH).build();
  }

  private void open(long seed, RandomColumns... tables) throws IOException {
    storage =
        new SimStorage(
            seed,
            options(),
            new Tables(
                1, Arrays.stream(tables).map(RandomColumns::descriptor).toList(), tables.length));
    storage.open();
  }

  private TreeMap<Integer, String> read(RandomColumns table, RandomColumns.Filter filter) {
    RandomColumns.Sink sink = table.new Sink(storage.nowSeconds(), filter);
    for (StorageEngine engine : storage.storage().engines()) {
      ReadRequest request = new ReadRequest();
      request.reset(table.tableId, storage.nowSeconds()).wantsStatic(true);
      storage.drive(engine.read(request), sink);
    }
    return sink.rows;
  }

  private List<String> snapshot(RandomColumns table) {
    Outcome outcome = new Outcome();
    storage.storage().snapshot(table.tableId, FOLDER, false, outcome);
    storage.awaitSuccess(outcome);
    return storage.files.list(FOLDER).stream().sorted().map(name -> FOLDER + "/" + name).toList();
  }

  private static ColumnTranslation translation(
      RandomColumns from, RandomColumns to, List<Integer> columns, int again, long droppedAt) {
    return new ColumnTranslation(
        columns.stream()
            .map(
                i ->
                    new ColumnTranslation.Column(
                        from.ids[i], to.ids[i], i == again ? droppedAt : RowFormat.NO_TIMESTAMP))
            .toList());
  }

  private void write(
      RandomColumns table, int partition, long seed, long latest, List<Integer> columns) {
    storage.awaitSuccess(
        storage.apply(
            partition,
            table.mutation(
                partition, new SimRandomness(seed), latest, storage.nowSeconds(), columns)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void randomRowsAreTheSameUnderOtherIds(long seed) throws IOException {
    SimRandomness random = new SimRandomness(seed);
    RandomColumns saved = new RandomColumns(1, RandomColumns.randomIds(random));
    RandomColumns loaded = new RandomColumns(2, RandomColumns.randomIds(random));
    open(seed, saved, loaded);
    List<Integer> all = IntStream.range(0, RandomColumns.COUNT).boxed().toList();
    List<Integer> kept = new ArrayList<>(all);
    int dropped = kept.remove(random.below(kept.size()));
    int again = kept.get(random.below(kept.size()));
    long now = storage.world.clock().wallMicros();
    long droppedAt = now - 500_000;
    for (int i = 0; i < 400; i++) {
      write(saved, random.below(PARTITIONS), random.nextLong(), now, all);
      if (random.percent(1)) {
        storage.flush();
      }
    }
    List<String> files = snapshot(saved);
    Outcome outcome = new Outcome();
    storage
        .storage()
        .load(
            2,
            new FilesToLoad(files, 1, translation(saved, loaded, kept, again, droppedAt)),
            outcome);
    storage.awaitSuccess(outcome);
    RandomColumns.Filter filter =
        (column, timestamp) -> column != dropped && (column != again || timestamp > droppedAt);
    assertTrue(read(saved, filter).size() > 10, "rows are compared");
    assertEquals(read(saved, filter), read(loaded, ALL));

    // what the deletions of the files cover stays covered, and what they do not is visible
    List<Integer> later = new ArrayList<>(kept);
    later.remove(Integer.valueOf(again));
    for (int i = 0; i < 200; i++) {
      int partition = random.below(PARTITIONS);
      long sameForBoth = random.nextLong();
      write(saved, partition, sameForBoth, now - 200_000, later);
      write(loaded, partition, sameForBoth, now - 200_000, later);
    }
    assertEquals(read(saved, filter), read(loaded, ALL));
    storage.flush();
    storage.compact();
    assertEquals(read(saved, filter), read(loaded, ALL), "after a compaction");
    storage.crash(true, 3);
    storage.world.runReady();
    assertEquals(read(saved, filter), read(loaded, ALL), "after a crash");
  }

  @Test
  void moreFilesThanCanBeReadInAllOrdersAreRefused() throws IOException {
    int[] ids = IntStream.rangeClosed(1, RandomColumns.COUNT).toArray();
    int[] others = IntStream.of(ids).map(id -> RandomColumns.COUNT + 1 - id).toArray();
    RandomColumns saved = new RandomColumns(1, ids);
    RandomColumns loaded = new RandomColumns(2, others);
    open(1, saved, loaded);
    List<Integer> all = IntStream.range(0, RandomColumns.COUNT).boxed().toList();
    write(saved, 1, 5, storage.world.clock().wallMicros(), all);
    String file = snapshot(saved).getFirst();
    ColumnTranslation columns = translation(saved, loaded, all, -1, 0);
    Outcome outcome = new Outcome();
    storage.storage().load(2, new FilesToLoad(Collections.nCopies(251, file), 1, columns), outcome);
    Exception failure = storage.await(outcome).failure;
    assertNotNull(failure);
    assertTrue(String.valueOf(failure.getMessage()).contains("cannot be read at once"));
    assertEquals(0, storage.storage().statistics(2).files());
  }
}
