package io.helenus.storage.index.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.Similarity;
import io.helenus.storage.engine.IndexDescriptor.Source;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.engine.IndexTerms;
import io.helenus.storage.env.DiskFileSystem;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.memory.LargeSegments;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How many of the nearest vectors a search of graphs finds, and how long it takes. Clustered
 * vectors; {@code -Dhelenus.recall.vectors=100000 -Dhelenus.recall.dimension=384} for a long run.
 */
class RecallTest {
  private static final int VECTORS = Integer.getInteger("helenus.recall.vectors", 6_000);
  private static final int DIMENSION = Integer.getInteger("helenus.recall.dimension", 32);
  private static final int CLUSTERS = 200;
  private static final int QUERIES = 50;

  @TempDir Path folder;
  private final Random random = new Random(1);
  private final LargeSegments memory = new LargeSegments();

  /** Time of the processor, because tests share it with others. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private float[][] vectors() {
    float[][] centers = new float[CLUSTERS][DIMENSION];
    for (float[] center : centers) {
      for (int i = 0; i < DIMENSION; i++) {
        center[i] = (float) random.nextGaussian();
      }
    }
    float[][] vectors = new float[VECTORS + QUERIES][DIMENSION];
    for (float[] vector : vectors) {
      float[] center = centers[random.nextInt(CLUSTERS)];
      double sum = 0;
      for (int i = 0; i < DIMENSION; i++) {
        vector[i] = center[i] + 0.5f * (float) random.nextGaussian();
        sum += vector[i] * vector[i];
      }
      for (int i = 0; i < DIMENSION; i++) {
        vector[i] /= (float) Math.sqrt(sum);
      }
    }
    return vectors;
  }

  private VectorFile write(
      FileSystem files, IndexDescriptor index, String name, float[][] vectors, int from, int to)
      throws IOException {
    FileSystem.File file = files.create(name);
    FileSystem.File keys = files.create(name + ".0");
    VectorFileWriter.Graphs graphs = new VectorFileWriter.Graphs(1000, 64 << 20);
    try (VectorFileWriter writer = new VectorFileWriter(1, index, file, keys, graphs, memory)) {
      ByteWriter key = new ByteWriter(16);
      for (int i = from; i < to; i++) {
        key.clear().putLong(i).putByte(2);
        writer.add(key.segment(), 0, 9, 8, vectors[i], VectorScore.squaredLength(vectors[i]));
      }
      writer.finish();
    }
    return VectorFile.open(1, index, file);
  }

  private static VectorScore score(VectorOptions options, float[] query) {
    ByteWriter bytes = new ByteWriter(4 * query.length);
    for (float each : query) {
      bytes.putInt(Float.floatToRawIntBits(each));
    }
    return new VectorScore(options, bytes.segment(), 0, bytes.size());
  }

  private static List<Integer> expected(
      VectorOptions options, float[][] all, float[] query, int k) {
    VectorScore score = score(options, query);
    TopScores top = new TopScores();
    top.begin(k, Long.MAX_VALUE);
    for (int i = 0; i < VECTORS; i++) {
      top.add(score.of(all[i], VectorScore.squaredLength(all[i])), i);
    }
    return Arrays.stream(top.descending()).mapToObj(TopScores::ordinal).toList();
  }

  @ParameterizedTest
  @EnumSource(Similarity.class)
  void nearlyAllOfTheNearestAreFound(Similarity similarity) throws IOException {
    VectorOptions options = new VectorOptions(DIMENSION, similarity, 16, 100);
    IndexDescriptor index = new IndexDescriptor(1, Source.VECTORS, 1, new IndexTerms() {}, options);
    DiskFileSystem files = new DiskFileSystem(folder);
    float[][] vectors = vectors();
    for (int count : new int[] {1, 4}) {
      List<VectorFile> open = new ArrayList<>();
      long start = cpuNanos();
      for (int i = 0; i < count; i++) {
        open.add(
            write(
                files,
                index,
                count + "-" + i,
                vectors,
                (int) ((long) VECTORS * i / count),
                (int) ((long) VECTORS * (i + 1) / count)));
      }
      System.out.printf(
          "%s: %d files built in %.1f s%n", similarity, count, (cpuNanos() - start) / 1e9);
      for (int k : new int[] {10, 100}) {
        double recall = recall(options, open, vectors, k);
        assertTrue(recall >= 0.95, similarity + ", k = " + k + ": " + recall);
      }
      open.forEach(VectorFile::close);
    }
  }

  private double recall(VectorOptions options, List<VectorFile> files, float[][] vectors, int k) {
    int right = 0;
    long[] nanos = new long[QUERIES];
    for (int q = 0; q < QUERIES; q++) {
      float[] query = vectors[VECTORS + q];
      List<Integer> expected = expected(options, vectors, query, k);
      long start = cpuNanos();
      NearestCandidates found = new NearestCandidates();
      NearestSearch search =
          new NearestSearch(
              score(options, query),
              files.stream().map(VectorFile::reader).toList(),
              KeyRestriction.range(new ByteWriter(1).segment(), 0, 0, 0, memory));
      assertTrue(search.next(k, found));
      nanos[q] = cpuNanos() - start;
      Set<Integer> ids = new HashSet<>();
      for (int i = 0; i < found.size(); i++) {
        ids.add((int) Bytes.getLong(found.keys().segment(), found.keyOffset(i)));
      }
      assertEquals(k, ids.size());
      ids.retainAll(expected);
      right += ids.size();
    }
    Arrays.sort(nanos);
    double recall = (double) right / QUERIES / k;
    System.out.printf(
        "  k = %d: recall %.3f, p50 %.2f ms, p99 %.2f ms%n",
        k, recall, nanos[QUERIES / 2] / 1e6, nanos[QUERIES * 99 / 100] / 1e6);
    return recall;
  }
}
