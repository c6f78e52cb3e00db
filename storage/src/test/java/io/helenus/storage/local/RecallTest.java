package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.GraphLimits;
import io.helenus.storage.engine.IndexDescriptor.Similarity;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How many of the nearest rows are found, and how long it takes: clustered vectors in a memtable
 * and eight files, in one file, and after a fifth of the rows were updated or deleted; all rows,
 * and those that an index on a number keeps. {@code -Dhelenus.recall.vectors=100000
 * -Dhelenus.recall.dimension=384 -Dhelenus.recall.queries=200} for a long run.
 */
class RecallTest {
  private static final int VECTORS = Integer.getInteger("helenus.recall.vectors", 4_500);
  private static final int DIMENSION = Integer.getInteger("helenus.recall.dimension", 16);
  private static final int QUERIES = Integer.getInteger("helenus.recall.queries", 10);
  private static final int WARM_UP_QUERIES = Math.min(QUERIES, 50);
  private static final int FILES = 8;

  /** A memtable is flushed when it has so many vectors. */
  private static final int MANY = 8192;

  private static final int PARTITIONS = 100;
  private static final int CLUSTERS = 200;

  /** A row's number is one of so many. */
  private static final int NUMBERS = 1000;

  /** The numbers below these keep 50, 10, 1 and 0.1 % of the rows; the first one all. */
  private static final int[] KEPT = {NUMBERS, 500, 100, 10, 1};

  private static final int[] COUNTS = {10, 100};

  private final Random random = new Random(1);
  private final float[][] centers = new float[CLUSTERS][DIMENSION];

  private static VectorTable table(Similarity similarity) throws IOException {
    VectorTable table =
        new VectorTable(
            new VectorOptions(DIMENSION, similarity, 16, 100),
            TestStorageOptions.of(1, SyncMode.PERIODIC)
                .commitLog(64 << 20, 64L << 30)
                .memtableBytes(64L << 30)
                .blockCacheBytes(4L << 30)
                .graphLimits(
                    new GraphLimits(
                        Math.min(GraphLimits.FEWEST_VECTORS, VECTORS / FILES), 64 << 20, 1)));
    table.compactionThreshold = 1000;
    table.storage.tables = table.tables(VectorTable.INDEX, VectorTable.NUMBERS);
    table.storage.open();
    return table;
  }

  private float[] vector() {
    float[] center = centers[random.nextInt(CLUSTERS)];
    float[] vector = new float[DIMENSION];
    double sum = 0;
    for (int i = 0; i < DIMENSION; i++) {
      vector[i] = center[i] + 0.5f * (float) random.nextGaussian();
      sum += vector[i] * vector[i];
    }
    for (int i = 0; i < DIMENSION; i++) {
      vector[i] /= (float) Math.sqrt(sum);
    }
    return vector;
  }

  private void write(VectorTable table, int row) {
    table.write(row % PARTITIONS, row / PARTITIONS, vector(), random.nextInt(NUMBERS));
  }

  private static int vectorFiles(VectorTable table) {
    return (int)
        table.storage.files.paths().stream()
            .filter(path -> path.endsWith("." + VectorTable.INDEX + ".idx"))
            .count();
  }

  @ParameterizedTest
  @EnumSource(Similarity.class)
  void nearlyAllOfTheNearestAreFound(Similarity similarity) throws IOException {
    for (float[] center : centers) {
      for (int i = 0; i < DIMENSION; i++) {
        center[i] = (float) random.nextGaussian();
      }
    }
    VectorTable table = table(similarity);
    int step = VECTORS / FILES - 1;
    for (int row = 0; row < VECTORS; row++) {
      write(table, row);
      if (step < MANY && row % step == step - 1) {
        table.storage.flush();
      } else if (row == (VECTORS / MANY - FILES + 1) * MANY) {
        table.storage.flush();
        table.storage.compact(); // the first files, so that there are eight in the end
      }
    }
    table.storage.world.runReady(); // flushes that have begun, and the graphs of their files
    assertTrue(vectorFiles(table) >= FILES, vectorFiles(table) + " files");
    check(table, similarity + ", memtable and " + vectorFiles(table) + " files");
    table.storage.flush();
    table.storage.compact();
    table.storage.world.runReady(); // deletes the old files
    assertEquals(1, vectorFiles(table));
    check(table, similarity + ", compacted");
    for (int i = 0; i < VECTORS / 5; i++) {
      int row = random.nextInt(VECTORS);
      if (i % 2 == 0) {
        write(table, row);
      } else {
        table.delete(row % PARTITIONS, row / PARTITIONS);
      }
    }
    table.storage.world.runReady();
    check(table, similarity + ", a fifth changed");
  }

  /**
   * The first queries of a state take longer: the JVM has not compiled what they need, and no page
   * of a new file has been touched.
   */
  private void warmUp(VectorTable table) {
    for (int q = 0; q < WARM_UP_QUERIES; q++) {
      float[] query = vector();
      for (int kept : KEPT) {
        List<VectorTable.Found> unused = found(table, query, COUNTS[0], kept);
      }
    }
  }

  private void check(VectorTable table, String state) {
    warmUp(table);
    Tally[][] tallies = new Tally[KEPT.length][COUNTS.length];
    for (int f = 0; f < KEPT.length; f++) {
      for (int c = 0; c < COUNTS.length; c++) {
        tallies[f][c] = new Tally();
      }
    }
    for (int q = 0; q < QUERIES; q++) {
      float[] query = vector();
      List<VectorTable.Found> all =
          table.expected(query, Integer.MAX_VALUE, partition -> true, number -> true);
      for (int f = 0; f < KEPT.length; f++) {
        for (int c = 0; c < COUNTS.length; c++) {
          ask(table, query, all, KEPT[f], COUNTS[c], tallies[f][c], q);
        }
      }
    }
    for (int f = 0; f < KEPT.length; f++) {
      for (int c = 0; c < COUNTS.length; c++) {
        String line =
            String.format(
                "%s, %.1f %% kept, k = %d: %s",
                state, 100.0 * KEPT[f] / NUMBERS, COUNTS[c], tallies[f][c]);
        System.out.println(line);
        assertTrue(tallies[f][c].recall() >= 0.95, line);
      }
    }
  }

  private static void ask(
      VectorTable table,
      float[] query,
      List<VectorTable.Found> all,
      int kept,
      int count,
      Tally tally,
      int q) {
    table.storage.world.runReady(); // the flush of a memtable that has been searched much
    long start = cpuNanos();
    List<VectorTable.Found> found = found(table, query, count, kept);
    tally.nanos[q] = cpuNanos() - start;
    Set<VectorTable.Found> nearest =
        all.stream()
            .filter(row -> row(table, row).number() < kept)
            .limit(count)
            .collect(Collectors.toSet());
    tally.wanted += nearest.size();
    nearest.retainAll(new HashSet<>(found));
    tally.right += nearest.size();
    for (VectorTable.Found row : found) {
      assertNotNull(row(table, row), row + " was deleted");
    }
  }

  private static VectorTable.Row row(VectorTable table, VectorTable.Found found) {
    return table.model.get(List.of(found.partition(), found.clustering()));
  }

  /** The outcome of all queries of a kind. */
  private static final class Tally {
    final long[] nanos = new long[QUERIES];
    int wanted;
    int right;

    double recall() {
      return (double) right / wanted;
    }

    @Override
    public String toString() {
      long[] sorted = nanos.clone();
      Arrays.sort(sorted);
      return String.format(
          "recall %.3f, CPU p50 %.2f ms, p99 %.2f ms",
          recall(), sorted[QUERIES / 2] / 1e6, sorted[QUERIES * 99 / 100] / 1e6);
    }
  }

  /** Time of the processor, because tests share it with others. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static List<VectorTable.Found> found(VectorTable table, float[] query, int k, int kept) {
    ByteWriter terms = new ByteWriter(8).putInt(0).putInt(kept);
    return table.found(
        query,
        k,
        request -> {
          if (kept < NUMBERS) {
            request.index(VectorTable.NUMBERS, terms.segment(), 0, 4, terms.segment(), 4, 4);
          }
        },
        number -> number < kept);
  }
}
