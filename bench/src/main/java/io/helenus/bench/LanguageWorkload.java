package io.helenus.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A load on one part of CQL: it creates and fills its own tables in the keyspace bench, then sends
 * one statement with random keys. Single-threaded.
 */
final class LanguageWorkload {
  private static final int KEYS = 100_000;
  private static final int ELEMENTS_PER_STATEMENT = 1000;
  private static final int WIDE_ROWS = 20_000;
  private static final int GROUPS = 20;
  private static final int GROUPED_ROWS = 1000;
  private static final int ROWS_PER_STATEMENT = 100;
  private static final int BATCH_ROWS = 10;
  private static final int PAGE_ROWS = 5000;

  /** Rows of the table with indexes; of the values of a there are a hundredth, of b ten. */
  private static final int INDEXED_ROWS = 20_000;

  private static final int ROWS_OF_VALUE = 100;
  private static final int VALUES_OF_B = 10;
  private static final int ROWS_OF_RANGE = 50;

  private static final String ROWS =
      "CREATE TABLE IF NOT EXISTS bench.rows (k bigint, c bigint, v text, n int, PRIMARY KEY (k,"
          + " c))";

  private static final List<String> USER_TYPES =
      List.of(
          "CREATE TYPE IF NOT EXISTS bench.address (street text, number int, city text)",
          "CREATE TABLE IF NOT EXISTS bench.people (k bigint PRIMARY KEY, home address,"
              + " work frozen<address>)");

  /** Appends a request to a connection. */
  interface Sender {
    void send(LanguageWorkload workload, LoadConnection connection, Random random, long due);
  }

  /** Fills the tables. */
  interface Filler {
    void fill(LoadConnection connection) throws IOException;
  }

  /** One load: what it creates, and what it sends. */
  record Definition(
      String name, List<String> tables, Filler filler, String statement, Sender sender) {}

  private static final List<Definition> ALL =
      Stream.of(
              sets(10),
              sets(1000),
              sets(10_000),
              Stream.of(
                  userTypeWrite(),
                  userTypeRead(),
                  counter(),
                  conditional("lwt", KEYS),
                  conditional("lwt-one-row", 1),
                  batch("batch", false),
                  batch("batch-logged", true),
                  groups(),
                  page(),
                  textInsert(),
                  textSelect()),
              indexes(),
              ViewWorkloads.all(),
              VectorWorkloads.all())
          .flatMap(part -> part)
          .toList();

  private final Definition definition;
  private byte[] prepared = new byte[0];
  private long counter;

  private LanguageWorkload(Definition definition) {
    this.definition = definition;
  }

  /** The names of all workloads. */
  static List<String> names() {
    return ALL.stream().map(Definition::name).toList();
  }

  /** The workload with this name; null if there is none. */
  static @Nullable LanguageWorkload named(String name) {
    for (Definition definition : ALL) {
      if (definition.name.equals(name)) {
        return new LanguageWorkload(definition);
      }
    }
    return null;
  }

  /** Creates and fills the tables and prepares the statement. */
  void prepare(LoadConnection connection) throws IOException {
    for (String table : definition.tables) {
      connection.query(table);
    }
    definition.filler.fill(connection);
    if (definition.statement.contains("?")) {
      prepared = connection.prepare(definition.statement);
    }
  }

  /** The id of the prepared statement. */
  byte[] prepared() {
    return prepared;
  }

  /** Sends one request. */
  void send(LoadConnection connection, Random random, long due) {
    definition.sender.send(this, connection, random, due);
  }

  static ByteBuffer putLong(ByteBuffer values, long value) {
    return values.putInt(Long.BYTES).putLong(value);
  }

  static ByteBuffer putInt(ByteBuffer values, int value) {
    return values.putInt(Integer.BYTES).putInt(value);
  }

  static void putText(ByteBuffer values, int number) {
    values.putInt(16);
    for (int shift = 60; shift >= 0; shift -= 4) {
      values.put((byte) ('a' + ((number * 0x9E3779B97F4A7C15L) >>> shift & 15)));
    }
  }

  // ---- collections

  /** Sets that keep their number of elements: an append replaces one of them. */
  private static Stream<Definition> sets(int size) {
    String table = "bench.sets" + size;
    int sets = KEYS / size;
    List<String> tables =
        List.of("CREATE TABLE IF NOT EXISTS " + table + " (k bigint PRIMARY KEY, s set<bigint>)");
    Filler filler =
        connection -> {
          for (int k = 0; k < sets; k++) {
            for (int from = 0; from < size; from += ELEMENTS_PER_STATEMENT) {
              int to = Math.min(size, from + ELEMENTS_PER_STATEMENT);
              String elements =
                  IntStream.range(from, to)
                      .mapToObj(Integer::toString)
                      .collect(Collectors.joining(", "));
              connection.query(
                  "UPDATE " + table + " SET s = s + {" + elements + "} WHERE k = " + k);
            }
          }
        };
    Definition append =
        new Definition(
            "append-" + size,
            tables,
            filler,
            "UPDATE " + table + " SET s = s + ? WHERE k = ?",
            (workload, connection, random, due) -> {
              ByteBuffer values = connection.execute(workload.prepared, 2, due);
              values.putInt(16).putInt(1);
              putLong(values, random.nextInt(size));
              putLong(values, random.nextInt(sets));
              connection.end();
            });
    Definition read =
        new Definition(
            "read-" + size,
            tables,
            filler,
            "SELECT s FROM " + table + " WHERE k = ?",
            (workload, connection, random, due) -> {
              putLong(connection.execute(workload.prepared, 1, due), random.nextInt(sets));
              connection.end();
            });
    return Stream.of(append, read);
  }

  // ---- user types

  private static Definition userTypeWrite() {
    return new Definition(
        "udt-write",
        USER_TYPES,
        connection -> {},
        "INSERT INTO bench.people (k, home, work) VALUES (?, ?, ?)",
        (workload, connection, random, due) -> {
          int key = random.nextInt(KEYS);
          ByteBuffer values = putLong(connection.execute(workload.prepared, 3, due), key);
          putAddress(values, key);
          putAddress(values, key + 1);
          connection.end();
        });
  }

  private static void putAddress(ByteBuffer values, int number) {
    values.putInt(20 + 8 + 20);
    putText(values, number);
    putInt(values, number);
    putText(values, number + 1);
  }

  private static Definition userTypeRead() {
    return new Definition(
        "udt-read",
        USER_TYPES,
        connection -> {
          for (int k = 0; k < KEYS / 10; k++) {
            String address = "{street: 'street " + k + "', number: " + k + ", city: 'city'}";
            connection.query(
                "INSERT INTO bench.people (k, home, work) VALUES (%d, %s, %s)"
                    .formatted(k, address, address));
          }
        },
        "SELECT home, work, home.city FROM bench.people WHERE k = ?",
        (workload, connection, random, due) -> {
          putLong(connection.execute(workload.prepared, 1, due), random.nextInt(KEYS / 10));
          connection.end();
        });
  }

  // ---- counters, conditions, batches

  private static Definition counter() {
    return new Definition(
        "counter",
        List.of("CREATE TABLE IF NOT EXISTS bench.counters (k bigint PRIMARY KEY, n counter)"),
        connection -> {},
        "UPDATE bench.counters SET n = n + ? WHERE k = ?",
        (workload, connection, random, due) -> {
          putLong(putLong(connection.execute(workload.prepared, 2, due), 1), random.nextInt(KEYS));
          connection.end();
        });
  }

  private static Definition conditional(String name, int keys) {
    return new Definition(
        name,
        List.of("CREATE TABLE IF NOT EXISTS bench.locks (k bigint PRIMARY KEY, v text, n int)"),
        connection -> {},
        "UPDATE bench.locks SET v = ?, n = ? WHERE k = ? IF n != ?",
        (workload, connection, random, due) -> {
          int key = random.nextInt(keys);
          ByteBuffer values = connection.execute(workload.prepared, 4, due);
          putText(values, key);
          putInt(values, key);
          putLong(values, key);
          putInt(values, -1);
          connection.end();
        });
  }

  /** Ten rows, of one partition or, in a logged batch, of ten. */
  private static Definition batch(String name, boolean logged) {
    String insert = " INSERT INTO bench.rows (k, c, v, n) VALUES (?, ?, ?, ?);";
    return new Definition(
        name,
        List.of(ROWS),
        connection -> {},
        (logged ? "BEGIN BATCH" : "BEGIN UNLOGGED BATCH")
            + insert.repeat(BATCH_ROWS)
            + " APPLY BATCH",
        (workload, connection, random, due) -> {
          ByteBuffer values = connection.execute(workload.prepared, 4 * BATCH_ROWS, due);
          int key = random.nextInt(KEYS);
          for (int i = 0; i < BATCH_ROWS; i++) {
            putLong(values, logged ? (key + i) % KEYS : key);
            putLong(values, i);
            putText(values, key + i);
            putInt(values, i);
          }
          connection.end();
        });
  }

  // ---- reads of many rows

  private static Definition groups() {
    return new Definition(
        "group-by",
        List.of(
            "CREATE TABLE IF NOT EXISTS bench.groups (k bigint, g int, c int, n int,"
                + " PRIMARY KEY (k, g, c))"),
        connection -> {
          for (int k = 0; k < 10; k++) {
            for (int from = 0; from < GROUPED_ROWS; from += ROWS_PER_STATEMENT) {
              StringBuilder batch = new StringBuilder("BEGIN UNLOGGED BATCH");
              for (int i = from; i < from + ROWS_PER_STATEMENT; i++) {
                batch.append(
                    String.format(
                        Locale.ROOT,
                        " INSERT INTO bench.groups (k, g, c, n) VALUES (%d, %d, %d, %d);",
                        k,
                        i % GROUPS,
                        i,
                        i));
              }
              connection.query(batch + " APPLY BATCH");
            }
          }
        },
        "SELECT g, count(n), max(n), sum(n) FROM bench.groups WHERE k = ? GROUP BY k, g",
        (workload, connection, random, due) -> {
          putLong(connection.execute(workload.prepared, 1, due), random.nextInt(10));
          connection.end();
        });
  }

  private static Definition page() {
    return new Definition(
        "page-5000",
        List.of(ROWS),
        connection -> {
          for (int from = 0; from < WIDE_ROWS; from += ROWS_PER_STATEMENT) {
            StringBuilder batch = new StringBuilder("BEGIN UNLOGGED BATCH");
            for (int i = from; i < from + ROWS_PER_STATEMENT; i++) {
              batch.append(
                  String.format(
                      Locale.ROOT,
                      " INSERT INTO bench.rows (k, c, v, n) VALUES (-1, %d, 'value of row %d',"
                          + " %d);",
                      i,
                      i,
                      i));
            }
            connection.query(batch + " APPLY BATCH");
          }
        },
        "SELECT c, v, n FROM bench.rows WHERE k = ? AND c >= ?",
        (workload, connection, random, due) -> {
          ByteBuffer values = putLong(connection.executePaged(workload.prepared, 2, due), -1);
          putLong(values, random.nextInt(WIDE_ROWS - PAGE_ROWS));
          values.putInt(PAGE_ROWS);
          connection.end();
        });
  }

  // ---- text, never the same twice

  private static Definition textInsert() {
    return new Definition(
        "text-insert",
        List.of(ROWS),
        connection -> {},
        "",
        (workload, connection, random, due) -> {
          long n = workload.counter++;
          connection.send(
              "INSERT INTO bench.rows (k, c, v, n) VALUES ("
                  + random.nextInt(KEYS)
                  + ", "
                  + n
                  + ", 'text of "
                  + n
                  + "', "
                  + (int) n
                  + ")",
              due);
        });
  }

  private static Definition textSelect() {
    return new Definition(
        "text-select",
        List.of(ROWS),
        connection -> {},
        "",
        (workload, connection, random, due) ->
            connection.send(
                "SELECT v, n FROM bench.rows WHERE k = "
                    + random.nextInt(KEYS)
                    + " AND c = "
                    + workload.counter++,
                due));
  }

  // ---- indexes

  private static Stream<Definition> indexes() {
    return Stream.of(
        indexed("index-one", "u = ?", (values, n) -> putLong(values, n)),
        indexed("index-legacy", "l = ?", (values, n) -> putLong(values, n)),
        indexed("index-hundred", "a = ?", (values, n) -> putInt(values, n / ROWS_OF_VALUE)),
        indexed(
            "index-range",
            "u >= ? AND u < ?",
            (values, n) -> putLong(putLong(values, n), n + ROWS_OF_RANGE)),
        indexed(
            "index-and",
            "a = ? AND b = ?",
            (values, n) -> putInt(putInt(values, n / ROWS_OF_VALUE), n % VALUES_OF_B)),
        indexedWrite("index-write-0", "bench.found0", List.of()),
        indexedWrite("index-write-1", "bench.found1", List.of("u")),
        indexedWrite("index-write-3", "bench.found3", List.of("u", "a", "b")));
  }

  /** Appends the values of a query that concern a row. */
  private interface Values {
    ByteBuffer put(ByteBuffer values, int row);
  }

  private static List<String> indexedTable(String table, List<String> columns) {
    Stream<String> create =
        Stream.of(
            "CREATE TABLE IF NOT EXISTS "
                + table
                + " (k bigint PRIMARY KEY, u bigint, l bigint, a int, b int)");
    Stream<String> indexes =
        columns.stream()
            .map(
                column ->
                    "CREATE INDEX IF NOT EXISTS ON "
                        + table
                        + " ("
                        + column
                        + ")"
                        + (column.equals("l") ? "" : " USING 'sai'"));
    return Stream.concat(create, indexes).toList();
  }

  private static Definition indexed(String name, String where, Values put) {
    int markers = (int) where.chars().filter(each -> each == '?').count();
    return new Definition(
        name,
        indexedTable("bench.found", List.of("u", "l", "a", "b")),
        connection -> {
          for (int from = 0; from < INDEXED_ROWS; from += ROWS_PER_STATEMENT) {
            StringBuilder batch = new StringBuilder("BEGIN UNLOGGED BATCH");
            for (int k = from; k < from + ROWS_PER_STATEMENT; k++) {
              batch.append(
                  String.format(
                      Locale.ROOT,
                      " INSERT INTO bench.found (k, u, l, a, b) VALUES (%d, %d, %d, %d, %d);",
                      k,
                      k,
                      k,
                      k / ROWS_OF_VALUE,
                      k % VALUES_OF_B));
            }
            connection.query(batch + " APPLY BATCH");
          }
        },
        "SELECT k FROM bench.found WHERE " + where,
        (workload, connection, random, due) -> {
          put.put(
              connection.execute(workload.prepared, markers, due),
              random.nextInt(INDEXED_ROWS - ROWS_OF_RANGE));
          connection.end();
        });
  }

  private static Definition indexedWrite(String name, String table, List<String> columns) {
    return new Definition(
        name,
        indexedTable(table, columns),
        connection -> {},
        "INSERT INTO " + table + " (k, u, l, a, b) VALUES (?, ?, ?, ?, ?)",
        (workload, connection, random, due) -> {
          int key = random.nextInt(KEYS);
          ByteBuffer values = connection.execute(workload.prepared, 5, due);
          putLong(putLong(putLong(values, key), workload.counter++), key);
          putInt(putInt(values, random.nextInt(KEYS)), random.nextInt(VALUES_OF_B));
          connection.end();
        });
  }
}
