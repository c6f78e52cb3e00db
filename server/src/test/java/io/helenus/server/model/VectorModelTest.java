package io.helenus.server.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.conformance.NodeUnderTest;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random vectors, updates, deletions and TTLs, with flushes, compactions and restarts: what ORDER
 * BY … ANN OF answers is compared with the similarities of all rows, read from the same table
 * without the order. {@code -Dmodel.seeds=100} and {@code -Dmodel.steps=1000} for a long run.
 */
class VectorModelTest {
  private static final int SEEDS = Integer.getInteger("model.seeds", 3);
  private static final int STEPS = Integer.getInteger("model.steps", 200);
  private static final double RECALL = 0.95;

  /** With codes, and without. */
  private static final List<Integer> DIMENSIONS = List.of(8, 64);

  private static final int PARTITIONS = 6;
  private static final int ROWS = 20;
  private static final int GROUPS = 4;
  private static final List<CqlType> TYPES =
      List.of(ScalarType.INT, ScalarType.INT, ScalarType.FLOAT);
  private static final List<String> FUNCTIONS = List.of("cosine", "euclidean", "dot_product");
  private static final Comparator<Row> BEST_FIRST =
      Comparator.comparingDouble((Row row) -> row.similarity()).reversed();

  @RegisterExtension final Seeds seeds = Seeds.from(1);
  @TempDir Path folder;

  private int wanted;
  private int found;

  /** A row as text, and how similar it is. */
  private record Row(String key, float similarity) {}

  @Test
  void theNearestRowsAreThoseOfAllRows() throws Exception {
    try (NodeUnderTest node = new NodeUnderTest()) {
      node.start(folder, 2);
      long ignored = seeds.each(SEEDS, seed -> new Run(node, seed).run());
    }
    assertTrue(wanted > 0, "no query found any row");
    assertTrue(found >= RECALL * wanted, found + " of " + wanted + " rows were found");
  }

  /** One seed. */
  private final class Run {
    private final ModelSession session;
    private final Random random;
    private final String function;
    private final String table;
    private final int dimension;

    Run(NodeUnderTest node, long seed) throws IOException {
      random = new Random(seed);
      session = new ModelSession(node, random);
      function = FUNCTIONS.get(Math.floorMod(seed, FUNCTIONS.size()));
      table = "model.vectors" + Long.toUnsignedString(seed);
      dimension = DIMENSIONS.get(Math.floorMod(seed, DIMENSIONS.size()));
    }

    void run() throws IOException {
      session.send(
          "CREATE TABLE "
              + table
              + " (k int, c int, v vector<float, "
              + dimension
              + ">, n int, s int static, PRIMARY KEY (k, c))");
      session.send(
          "CREATE INDEX ON "
              + table
              + " (v) USING 'sai' WITH OPTIONS = {'similarity_function': '"
              + function
              + "'}");
      session.send("CREATE INDEX ON " + table + " (n) USING 'sai'");
      session.send("CREATE INDEX ON " + table + " (s) USING 'sai'");
      String built = "SELECT index_name FROM system.\"IndexInfo\" WHERE table_name = 'model'";
      while (session.poll(built, List.of(ScalarType.TEXT)).lines().count() < 3) {
        session.send("SELECT k FROM " + table);
      }
      for (int step = 0; step < STEPS; step++) {
        long ignored = session.pass(random.nextInt(4));
        session.disturb();
        write();
        write();
        compare();
      }
      session.send("DROP TABLE " + table);
      session.close();
    }

    private String vector() {
      double[] values = new double[dimension];
      double square = 0;
      for (int i = 0; i < dimension; i++) {
        values[i] = random.nextGaussian() + 0.1;
        square += values[i] * values[i];
      }
      List<String> texts = new ArrayList<>();
      for (double value : values) {
        texts.add(String.format(Locale.ROOT, "%.6f", value / Math.sqrt(square)));
      }
      return "[" + String.join(", ", texts) + "]";
    }

    private void write() {
      int k = random.nextInt(PARTITIONS);
      String row = " WHERE k = " + k + " AND c = " + random.nextInt(ROWS);
      String update =
          "UPDATE " + table + (random.nextInt(5) == 0 ? " USING TTL " + random.nextInt(60) : "");
      switch (random.nextInt(16)) {
        case 0 -> session.send("DELETE FROM " + table + row);
        case 1 -> session.send("DELETE v FROM " + table + row);
        case 2 -> session.send("DELETE FROM " + table + " WHERE k = " + k + " AND c > 15");
        case 3 -> session.send(update + " SET s = " + random.nextInt(GROUPS) + " WHERE k = " + k);
        case 4, 5 -> session.send(update + " SET n = " + random.nextInt(GROUPS) + row);
        default ->
            session.send(update + " SET v = " + vector() + ", n = " + random.nextInt(GROUPS) + row);
      }
    }

    private String restriction() {
      return switch (random.nextInt(6)) {
        case 0 -> " WHERE n = " + random.nextInt(GROUPS);
        case 1 -> " WHERE n > " + random.nextInt(GROUPS);
        case 2 -> " WHERE s = " + random.nextInt(GROUPS);
        case 3 -> " WHERE k = " + random.nextInt(PARTITIONS);
        case 4 -> " WHERE k = " + random.nextInt(PARTITIONS) + " AND c < " + random.nextInt(ROWS);
        default -> "";
      };
    }

    private void compare() {
      String vector = vector();
      String select = "SELECT k, c, similarity_" + function + "(v, " + vector + ") FROM " + table;
      String where = restriction();
      int limit = 1 + random.nextInt(random.nextBoolean() ? 5 : 200);
      List<Row> all = rows(select + where + " ALLOW FILTERING");
      String query = select + where + " ORDER BY v ANN OF " + vector + " LIMIT " + limit;
      List<Row> nearest = rows(query);
      Map<String, Float> live = new HashMap<>();
      all.forEach(row -> live.put(row.key(), row.similarity()));
      for (Row row : nearest) {
        assertEquals(live.remove(row.key()), row.similarity(), () -> query + ": " + row.key());
      }
      assertEquals(nearest.stream().sorted(BEST_FIRST).toList(), nearest, query);
      List<Row> best = all.stream().sorted(BEST_FIRST).limit(limit).toList();
      assertEquals(best.size(), nearest.size(), query);
      wanted += best.size();
      float least = best.isEmpty() ? 0 : best.getLast().similarity();
      found += (int) nearest.stream().filter(row -> row.similarity() >= least).count();
    }

    /** The rows with a vector. */
    private List<Row> rows(String statement) {
      List<Row> rows = new ArrayList<>();
      session
          .read(statement, TYPES)
          .lines()
          .filter(line -> !line.isEmpty() && !line.endsWith("null"))
          .forEach(
              line -> {
                int end = line.lastIndexOf(" | ");
                rows.add(
                    new Row(line.substring(0, end), Float.parseFloat(line.substring(end + 3))));
              });
      return rows;
    }
  }
}
