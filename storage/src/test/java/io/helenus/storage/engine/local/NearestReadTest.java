package io.helenus.storage.engine.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.IndexDescriptor.Similarity;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.sim.SimulatedCrash;
import io.helenus.storage.index.vector.VectorFile;
import java.io.IOException;
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

  private static VectorTable table(Similarity similarity) {
    return new VectorTable(new VectorOptions(12, similarity, 16, 100));
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
      List<String> files =
          table.storage.files.list("sstables").stream()
              .filter(file -> file.contains("." + VectorTable.INDEX + ".idx"))
              .toList();
      assertEquals(1, files.size(), files.toString());
      try (var file = table.storage.files.open("sstables/" + files.getFirst())) {
        VectorFile opened =
            VectorFile.open(
                VectorTable.TABLE,
                Objects.requireNonNull(
                    table
                        .tables(VectorTable.INDEX)
                        .live()
                        .iterator()
                        .next()
                        .index(VectorTable.INDEX)),
                file);
        assertTrue(opened.hasGraphs());
        opened.close();
      }
      assertEquals(expected, table.found(query, 10, r -> {}, ALL));
      table.storage.prepareCrash(true, 1);
      table.storage.open();
    }
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
    List<VectorTable.Found> expected = table.expected(query, 12, ALL, ALL);
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
        assertEquals(expected, table.found(query, 12, r -> {}, ALL), "damage at " + position);
      } catch (StorageException damage) {
        failed++;
      }
      table.storage.world.runUntil(
          () -> table.storage.storage().isIndexBuilt(VectorTable.TABLE, VectorTable.INDEX));
      assertEquals(expected, table.found(query, 12, r -> {}, ALL), "damage at " + position);
    }
    assertEquals(size, failed, "every byte is covered by a checksum");
  }
}
