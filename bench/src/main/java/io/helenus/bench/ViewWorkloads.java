package io.helenus.bench;

import io.helenus.bench.LanguageWorkload.Definition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Loads on tables with a materialized view, which the server must allow
 * (materialized_views_enabled), and on the same tables without one. Stateless.
 */
final class ViewWorkloads {
  private static final int ROWS = 20_000;
  private static final int ROWS_PER_STATEMENT = 25;
  private static final int WIDE_COLUMNS = 20;

  private ViewWorkloads() {}

  /** All of them. */
  static Stream<Definition> all() {
    return Stream.of(
        insert("view-insert-0", "bench.inserted0", false),
        insert("view-insert", "bench.inserted1", true),
        move("view-move-0", "bench.moved0", false),
        move("view-move", "bench.moved1", true),
        change("view-write-0", "bench.narrow0", 2, false),
        change("view-write", "bench.narrow1", 2, true),
        change("view-write-wide-0", "bench.wide0", WIDE_COLUMNS, false),
        change("view-write-wide", "bench.wide1", WIDE_COLUMNS, true),
        read());
  }

  /** A table with a column v, which is the partition key of its view, and texts t1, t2, … */
  private static List<String> tables(String table, int columns, boolean hasView) {
    String texts =
        IntStream.range(1, columns)
            .mapToObj(i -> "t" + i + " text")
            .collect(Collectors.joining(", "));
    List<String> tables = new ArrayList<>();
    tables.add(
        "CREATE TABLE IF NOT EXISTS " + table + " (k bigint PRIMARY KEY, v bigint, " + texts + ")");
    if (hasView) {
      tables.add(
          "CREATE MATERIALIZED VIEW IF NOT EXISTS "
              + table
              + "_by_v AS SELECT * FROM "
              + table
              + " WHERE k IS NOT NULL AND v IS NOT NULL PRIMARY KEY (v, k)");
    }
    return List.copyOf(tables);
  }

  private static void fill(LoadConnection connection, String table, int columns)
      throws java.io.IOException {
    String names =
        IntStream.range(1, columns).mapToObj(i -> ", t" + i).collect(Collectors.joining());
    String texts =
        IntStream.range(1, columns)
            .mapToObj(i -> ", 'value " + i + "'")
            .collect(Collectors.joining());
    for (int from = 0; from < ROWS; from += ROWS_PER_STATEMENT) {
      StringBuilder batch = new StringBuilder("BEGIN UNLOGGED BATCH");
      for (int k = from; k < from + ROWS_PER_STATEMENT; k++) {
        batch.append(" INSERT INTO ").append(table).append(" (k, v").append(names);
        batch.append(") VALUES (").append(k).append(", ").append(k).append(texts).append(");");
      }
      connection.query(batch + " APPLY BATCH");
    }
  }

  /** Changes one column, which is not in the view's key. */
  private static Definition change(String name, String table, int columns, boolean hasView) {
    return new Definition(
        name,
        tables(table, columns, hasView),
        connection -> fill(connection, table, columns),
        "UPDATE " + table + " SET t1 = ? WHERE k = ?",
        (workload, connection, random, due) -> {
          int key = random.nextInt(ROWS);
          ByteBuffer values = connection.execute(workload.prepared(), 2, due);
          LanguageWorkload.putText(values, random.nextInt());
          LanguageWorkload.putLong(values, key);
          connection.end();
        });
  }

  /** Adds rows, up to 20,000 partitions of the view. */
  private static Definition insert(String name, String table, boolean hasView) {
    return new Definition(
        name,
        tables(table, 2, hasView),
        connection -> {},
        "INSERT INTO " + table + " (k, v, t1) VALUES (?, ?, ?)",
        (workload, connection, random, due) -> {
          ByteBuffer values = connection.execute(workload.prepared(), 3, due);
          LanguageWorkload.putLong(values, random.nextLong());
          LanguageWorkload.putLong(values, random.nextInt(ROWS));
          LanguageWorkload.putText(values, random.nextInt());
          connection.end();
        });
  }

  /** Changes the column in the view's key: the view's row moves to another partition. */
  private static Definition move(String name, String table, boolean hasView) {
    return new Definition(
        name,
        tables(table, 2, hasView),
        connection -> fill(connection, table, 2),
        "UPDATE " + table + " SET v = ? WHERE k = ?",
        (workload, connection, random, due) -> {
          ByteBuffer values = connection.execute(workload.prepared(), 2, due);
          LanguageWorkload.putLong(values, random.nextInt(ROWS));
          LanguageWorkload.putLong(values, random.nextInt(ROWS));
          connection.end();
        });
  }

  private static Definition read() {
    String table = "bench.narrow1";
    return new Definition(
        "view-read",
        tables(table, 2, true),
        connection -> fill(connection, table, 2),
        "SELECT k, t1 FROM " + table + "_by_v WHERE v = ?",
        (workload, connection, random, due) -> {
          LanguageWorkload.putLong(
              connection.execute(workload.prepared(), 1, due), random.nextInt(ROWS));
          connection.end();
        });
  }
}
