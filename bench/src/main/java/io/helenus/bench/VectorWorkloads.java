package io.helenus.bench;

import io.helenus.bench.LanguageWorkload.Definition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Loads on a table with a storage-attached index on vectors: writes, and searches for the nearest
 * ones with and without another restriction. The searches find the rows of {@code vector-write},
 * which has to run before them; {@code vector-overwrite} goes on writing, without filling the table
 * at its start. Stateless.
 */
final class VectorWorkloads {
  private static final int ROWS = 20_000;
  private static final int DIMENSION = 384;
  private static final int NEAREST = 10;

  /** Vectors lie around so many centres, as those of texts or pictures do. */
  private static final int CENTRES = 200;

  private static final float SPREAD = 0.4f;

  /** Of each of these values of a there is a tenth, so that the restriction keeps 2,000 rows. */
  private static final int VALUES_OF_A = 10;

  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE IF NOT EXISTS bench.vectors (k bigint PRIMARY KEY, a int, v vector<float, "
              + DIMENSION
              + ">)",
          "CREATE INDEX IF NOT EXISTS ON bench.vectors (v) USING 'sai'",
          "CREATE INDEX IF NOT EXISTS ON bench.vectors (a) USING 'sai'");

  private VectorWorkloads() {}

  /** All of them. */
  static Stream<Definition> all() {
    return Stream.of(
        write("vector-write", VectorWorkloads::fill),
        write("vector-overwrite", connection -> {}),
        nearest("vector-nearest", ""),
        nearest("vector-filtered", "WHERE a = ? "));
  }

  private static float[] vector(Random random) {
    Random centre = new Random(random.nextInt(CENTRES));
    float[] vector = new float[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      vector[i] = (float) (centre.nextGaussian() + SPREAD * random.nextGaussian());
    }
    return vector;
  }

  private static void put(ByteBuffer values, float[] vector) {
    values.putInt(DIMENSION * Float.BYTES);
    for (float element : vector) {
      values.putFloat(element);
    }
  }

  private static String literal(float[] vector) {
    StringBuilder text = new StringBuilder("[");
    for (float element : vector) {
      text.append(text.length() == 1 ? "" : ",");
      text.append(String.format(Locale.ROOT, "%.4f", element));
    }
    return text.append(']').toString();
  }

  private static void fill(LoadConnection connection) throws IOException {
    Random random = new Random(1);
    for (int k = 0; k < ROWS; k++) {
      connection.query(
          "INSERT INTO bench.vectors (k, a, v) VALUES ("
              + k
              + ", "
              + k % VALUES_OF_A
              + ", "
              + literal(vector(random))
              + ")");
    }
  }

  private static Definition write(String name, LanguageWorkload.Filler filler) {
    return new Definition(
        name,
        TABLES,
        filler,
        "INSERT INTO bench.vectors (k, a, v) VALUES (?, ?, ?)",
        (workload, connection, random, due) -> {
          int key = random.nextInt(ROWS);
          ByteBuffer values = connection.execute(workload.prepared(), 3, due);
          LanguageWorkload.putLong(values, key);
          LanguageWorkload.putInt(values, key % VALUES_OF_A);
          put(values, vector(random));
          connection.end();
        });
  }

  private static Definition nearest(String name, String where) {
    return new Definition(
        name,
        TABLES,
        connection -> {},
        "SELECT k FROM bench.vectors " + where + "ORDER BY v ANN OF ? LIMIT " + NEAREST,
        (workload, connection, random, due) -> {
          ByteBuffer values = connection.execute(workload.prepared(), where.isEmpty() ? 1 : 2, due);
          if (!where.isEmpty()) {
            LanguageWorkload.putInt(values, random.nextInt(VALUES_OF_A));
          }
          put(values, vector(random));
          connection.end();
        });
  }
}
