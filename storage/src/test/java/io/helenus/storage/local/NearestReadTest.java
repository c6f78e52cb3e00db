package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.Similarity;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.sim.SimulatedCrash;
import io.helenus.storage.testing.TestStorageOptions;
import io.helenus.storage.vector.VectorFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads of nearest rows compared with a model. */
class NearestReadTest {
  private static final IntPredicate ALL = number -> true;
  private final Random random = new Random(7);

  /** A table of vectors that have codes. */
  private static VectorTable table(Similarity similarity) {
    return new VectorTable(new VectorOptions(64, similarity, 16, 100));
  }

  private void check(VectorTable table) {
    for (int i = 0; i < 4; i++) {
      float[] query = table.random(random);
      for (int count : new int[] {1, 10, 100}) {
        assertEquals(
            table.expected(query, count, ALL, ALL), table.found(query, count, r -> {}, ALL));
        IntPredicate few = number -> number % 50 == 3;
        assertEquals(
            table.expected(query, count, ALL, few),
            table.found(query, count, r -> {}, few),
            "the sink rejects most rows");
        checkPartition(table, query, count);
        checkTerm(table, query, count);
      }
    }
  }

  private static void checkPartition(VectorTable table, float[] query, int count) {
    ByteWriter prefix = TestKeys.prefix(3);
    assertEquals(
        table.expected(query, count, partition -> partition == 3, ALL),
        table.found(query, count, r -> r.partition(prefix.segment(), 0, prefix.size()), ALL));
  }

  private static void checkTerm(VectorTable table, float[] query, int count) {
    for (int width : new int[] {1, 7}) {
      IntPredicate numbers = number -> number >= 5 && number < 5 + width;
      ByteWriter terms = new ByteWriter(8).putInt(5).putInt(5 + width);
      assertEquals(
          table.expected(query, count, ALL, numbers),
          table.found(
              query,
              count,
              r -> r.index(VectorTable.NUMBERS, terms.segment(), 0, 4, terms.segment(), 4, 4),
              numbers));
    }
  }

  private void change(VectorTable table, int changes) {
    for (int i = 0; i < changes; i++) {
      int partition = random.nextInt(9);
      int clustering = random.nextInt(80);
      switch (random.nextInt(8)) {
        case 0 -> table.delete(partition, clustering);
        case 1 -> table.deleteVector(partition, clustering);
        default -> table.write(partition, clustering, table.random(random), random.nextInt(100));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Similarity.class)
  void rowsOfMemtablesAndFilesAreFoundInOrder(Similarity similarity) throws IOException {
    VectorTable table = table(similarity);
    table.storage.open();
    check(table);
    for (int i = 0; i < 5; i++) {
      change(table, 150);
      check(table);
      table.writeStatic(3, i);
      table.storage.flush();
      check(table);
    }
    change(table, 50);
    table.storage.crash(false, 1);
    check(table);
    table.storage.crash(false, 2);
    table.storage.world.runUntil(
        () -> table.storage.storage().isIndexBuilt(VectorTable.TABLE, VectorTable.INDEX));
    check(table);
    table.storage.compact();
    check(table);
  }

  /** So many rows have the terms that they are not listed: as files tell, or after many entries. */
  @Test
  void rowsOfManyTermsAreFound() throws IOException {
    VectorTable table = table(Similarity.COSINE);
    table.storage.open();
    for (int i = 0; i < 6_000; i++) {
      table.write(i % 9, i, table.random(random), random.nextInt(100));
      if (i % 2_900 == 2_899) {
        table.storage.flush();
      }
    }
    for (int width : new int[] {30, 50, 70, 94}) {
      IntPredicate numbers = number -> number >= 5 && number < 5 + width;
      ByteWriter terms = new ByteWriter(8).putInt(5).putInt(5 + width);
      for (int count : new int[] {1, 10, 100}) {
        float[] query = table.random(random);
        assertEquals(
            table.expected(query, count, ALL, numbers),
            table.found(
                query,
                count,
                r -> r.index(VectorTable.NUMBERS, terms.segment(), 0, 4, terms.segment(), 4, 4),
                numbers));
      }
    }
  }

  @Test
  void equalVectorsAreEachFoundOnce() throws IOException {
    VectorTable table = table(Similarity.EUCLIDEAN);
    table.storage.open();
    float[] same = table.random(random);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 40; i++) {
        table.write(i % 3, i, same, i);
      }
      assertEquals(40, table.found(same, 1000, r -> {}, ALL).size());
      if (round < 2) {
        table.storage.flush();
      }
    }
    assertEquals(40, table.found(same, 1000, r -> {}, ALL).stream().distinct().count());
  }

  @Test
  void anIndexThatIsNotBuiltIsRefused() throws IOException {
    VectorTable table = table(Similarity.COSINE);
    table.storage.tables = table.tables();
    table.storage.open();
    change(table, 30);
    table.storage.flush();
    changeTables(table, VectorTable.INDEX, VectorTable.NUMBERS);
    float[] query = table.random(random);
    try {
      List<VectorTable.Found> found = table.found(query, 10, r -> {}, ALL);
      throw new AssertionError(found.toString());
    } catch (StorageException expected) {
      assertTrue(expected.getMessage().contains("index 1 of table 1"), expected.getMessage());
    }
    table.storage.world.runUntil(
        () ->
            table.storage.storage().isIndexBuilt(VectorTable.TABLE, VectorTable.INDEX)
                && table.storage.storage().isIndexBuilt(VectorTable.TABLE, VectorTable.NUMBERS));
    check(table);
  }

  private static void changeTables(VectorTable table, int... indexes) {
    table.storage.tables = table.tables(indexes);
    SimStorage.Outcome outcome = new SimStorage.Outcome();
    table.storage.storage().tablesChanged(table.storage.tables, outcome);
    table.storage.awaitSuccess(outcome);
  }

  private static void awaitBuilt(VectorTable table) {
    table.storage.world.runUntil(
        () -> table.storage.storage().isIndexBuilt(VectorTable.TABLE, VectorTable.INDEX));
  }

  /** Returns whether the scenario crashed before its end. */
  private boolean crashAt(int operation, boolean powerLoss) throws IOException {
    VectorTable table = table(Similarity.COSINE);
    table.storage.tables = table.tables();
    table.storage.open();
    change(table, 40);
    table.storage.flush();
    change(table, 10);
    if (powerLoss) {
      table.storage.flush(); // what is only in the log may be lost
    }
    boolean stopped = false;
    table.storage.files.crashAfter(operation);
    try {
      changeTables(table, VectorTable.INDEX);
      awaitBuilt(table);
      table.storage.flush();
      table.storage.compact();
      changeTables(table);
      table.storage.world.runReady();
    } catch (SimulatedCrash crash) {
      stopped = true;
    }
    table.storage.tables = table.tables(VectorTable.INDEX);
    table.storage.crash(powerLoss, 1 + operation % 2);
    awaitBuilt(table);
    float[] query = table.random(random);
    assertEquals(
        table.expected(query, 100, ALL, ALL),
        table.found(query, 100, r -> {}, ALL),
        "crash at " + operation);
    table.storage.flush();
    table.storage.world.runReady();
    List<String> files =
        table.storage.files.paths().stream().filter(p -> p.startsWith("sstables/")).toList();
    long rows = files.stream().filter(p -> p.endsWith(".sst")).count();
    assertEquals(rows, files.stream().filter(p -> p.endsWith(".idx")).count(), files.toString());
    assertEquals(2 * rows, files.size(), files.toString());
    return stopped;
  }

  @Test
  void aCrashAtAnyStepOfABuildOrDropLeavesNothingBehind() throws IOException {
    for (boolean powerLoss : new boolean[] {false, true}) {
      int operation = 1;
      while (crashAt(operation, powerLoss)) {
        operation++;
      }
      assertTrue(operation > 20, operation + " operations");
    }
  }

  @Test
  void graphsAreBuiltAfterTheFlushAndReplaceTheFile() throws IOException {
    VectorTable table = table(Similarity.COSINE);
    table.storage.open();
    for (int i = 0; i < 60; i++) {
      table.write(i % 3, i, table.random(random), i);
    }
    float[] query = table.random(random);
    List<VectorTable.Found> expected = table.expected(query, 10, ALL, ALL);
    table.storage.flush();
    assertEquals(expected, table.found(query, 10, r -> {}, ALL));
    table.storage.world.runReady();
    for (int start = 0; start < 2; start++) {
      assertEquals(List.of(true), graphs(table));
      assertEquals(expected, table.found(query, 10, r -> {}, ALL));
      table.storage.prepareCrash(true, 1);
      table.storage.open();
    }
  }

  /** For each file of vectors, whether it has graphs. */
  private static List<Boolean> graphs(VectorTable table) throws IOException {
    List<Boolean> all = new ArrayList<>();
    for (String name : table.storage.files.list("sstables")) {
      if (name.contains("." + VectorTable.INDEX + ".idx")) {
        all.add(hasGraphs(table, "sstables/" + name));
      }
    }
    return all;
  }

  private static boolean hasGraphs(VectorTable table, String path) throws IOException {
    TableDescriptor descriptor = table.tables(VectorTable.INDEX).live().iterator().next();
    IndexDescriptor index = Objects.requireNonNull(descriptor.index(VectorTable.INDEX));
    try (var file = table.storage.files.open(path)) {
      VectorFile opened = VectorFile.open(VectorTable.TABLE, index, file);
      boolean hasGraphs = opened.hasGraphs();
      opened.close();
      return hasGraphs;
    }
  }

  @Test
  void filesWithoutGraphsAreMergedBeforeTheyGetAny() throws IOException {
    VectorTable table = table(Similarity.COSINE);
    table.storage.open();
    for (int i = 0; i < 45; i++) {
      table.write(i % 3, i, table.random(random), i);
      if (i % 15 == 14) {
        table.storage.flush();
        table.storage.world.runReady();
      }
    }
    assertEquals(List.of(false, false, false), graphs(table), "each has few vectors");
    assertEquals(false, hasGraphsAtFirst(table, 4));
    assertEquals(List.of(true), graphs(table));
    for (int i = 0; i < 15; i++) {
      table.write(i % 3, i, table.random(random), i);
    }
    table.storage.flush();
    assertEquals(true, hasGraphsAtFirst(table, 6), "most vectors had graphs");
    assertEquals(List.of(true), graphs(table));
    float[] query = table.random(random);
    assertEquals(table.expected(query, 10, ALL, ALL), table.found(query, 10, r -> {}, ALL));
  }

  /** Merges all files; whether the new one has graphs as soon as it is there. */
  private static boolean hasGraphsAtFirst(VectorTable table, int number) throws IOException {
    String path = "sstables/" + VectorTable.TABLE + "-" + number + "." + VectorTable.INDEX + ".idx";
    table.storage.storage().compact(0, failure -> {});
    table.storage.world.runUntil(() -> table.storage.files.exists(path));
    boolean first = hasGraphs(table, path);
    table.storage.world.runReady();
    return first;
  }

  @Test
  void aMemtableThatIsSearchedMuchIsFlushed() throws IOException {
    VectorTable table =
        new VectorTable(
            new VectorOptions(12, Similarity.COSINE, 16, 100),
            TestStorageOptions.of(1, SyncMode.PERIODIC).memtableBytes(16 << 20));
    table.storage.open();
    float[] query = table.random(random);
    int searches = 0;
    for (int i = 0; i < 1200; i++) {
      table.write(i % 30, i, table.random(random), i);
    }
    while (graphs(table).isEmpty() && searches < 2000) {
      assertEquals(1, table.found(query, 1, r -> {}, ALL).size());
      table.storage.world.runReady();
      searches++;
    }
    assertEquals(1000, searches);
    assertEquals(List.of(true), graphs(table));
    assertEquals(table.expected(query, 10, ALL, ALL), table.found(query, 10, r -> {}, ALL));
  }

  /** The read that meets damage may fail, but it is never answered from a damaged file. */
  @Test
  void aDamagedFileIsBuiltAgain() throws IOException {
    VectorTable table = table(Similarity.COSINE);
    table.storage.open();
    for (int i = 0; i < 12; i++) {
      table.write(i % 3, i, table.random(random), i);
    }
    table.storage.flush();
    float[] query = table.random(random);
    String name =
        table.storage.files.list("sstables").stream()
            .filter(file -> file.endsWith("." + VectorTable.INDEX + ".idx"))
            .findFirst()
            .orElseThrow();
    String path = "sstables/" + name;
    long size;
    try (var file = table.storage.files.open(path)) {
      size = file.size();
    }
    int failed = 0;
    for (long position = 0; position < size; position++) {
      table.storage.prepareCrash(false, 1);
      table.storage.files.flip(path, position, (int) (position % 8));
      table.storage.open();
      try {
        checkTerm(table, query, 12); // seeks some of the keys
        checkAll(table, query, position);
      } catch (StorageException damage) {
        failed++;
      }
      table.storage.world.runUntil(
          () -> table.storage.storage().isIndexBuilt(VectorTable.TABLE, VectorTable.INDEX));
      checkTerm(table, query, 12);
      checkAll(table, query, position);
    }
    assertEquals(size, failed, "every byte is covered by a checksum");
  }

  private static void checkAll(VectorTable table, float[] query, long damaged) {
    assertEquals(
        table.expected(query, 12, ALL, ALL),
        table.found(query, 12, r -> {}, ALL),
        "damage at " + damaged);
  }
}
