package io.helenus.server.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.conformance.NodeUnderTest;
import io.helenus.server.types.WireValues;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The virtual tables of a running node, over the wire. The expected counts, rows and tombstones
 * come from Apache Cassandra 5.0.9, those of tombstones from its traces.
 */
class ViewsTest {
  private static final int NOW_SECONDS = 1_900_000_000;
  private static final int LOGGED = 0;
  private static final int UNLOGGED = 1;

  @TempDir static Path folder;
  private static final NodeUnderTest NODE = new NodeUnderTest();
  private static int tables;

  @BeforeAll
  static void start() throws IOException {
    NODE.start(folder, 2);
    try (CqlClient client = connect()) {
      run(
          client,
          "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy',"
              + " 'replication_factor': 1}");
    }
  }

  @AfterAll
  static void stop() {
    NODE.close();
  }

  private static CqlClient connect() throws IOException {
    return CqlClient.connect(
        CqlClient.Settings.of(InetAddress.getByName(NODE.host()), NODE.port()).withVersion(5));
  }

  private static Response run(CqlClient client, String cql) {
    return run(client, cql, NOW_SECONDS);
  }

  private static Response run(CqlClient client, String cql, int nowSeconds) {
    Response answer = client.query(cql, QueryOptions.NONE.withNowInSeconds(nowSeconds));
    assertFalse(answer instanceof Response.Failure, answer::toString);
    return answer;
  }

  private static String newTable(CqlClient client) {
    String name = "t" + ++tables;
    run(
        client,
        "CREATE TABLE ks."
            + name
            + " (p int, c int, v int, w int, s int STATIC, PRIMARY KEY (p, c))");
    return name;
  }

  /** The row of a view whose only key column has this value. */
  private static Map<String, byte @Nullable []> row(CqlClient client, String view, String name) {
    return only(run(client, "SELECT * FROM system_views." + view + " WHERE name = '" + name + "'"));
  }

  private static Map<String, byte @Nullable []> tableRow(
      CqlClient client, String view, String keyspace, String table) {
    return only(
        run(
            client,
            "SELECT * FROM system_views."
                + view
                + " WHERE keyspace_name = '"
                + keyspace
                + "' AND table_name = '"
                + table
                + "'"));
  }

  private static Map<String, byte @Nullable []> only(Response answer) {
    Response.Rows rows = assertInstanceOf(Response.Rows.class, answer);
    assertEquals(1, rows.rows().size());
    Map<String, byte @Nullable []> row = new HashMap<>();
    for (int i = 0; i < rows.columns().size(); i++) {
      row.put(rows.columns().get(i).name(), rows.rows().getFirst().get(i));
    }
    return row;
  }

  private static long number(Map<String, byte @Nullable []> row, String column) {
    byte[] wire = Objects.requireNonNull(row.get(column), column);
    return wire.length == 4 ? WireValues.toInt(wire) : WireValues.toLong(wire);
  }

  private static String text(Map<String, byte @Nullable []> row, String column) {
    return new String(Objects.requireNonNull(row.get(column), column), StandardCharsets.UTF_8);
  }

  private static int count(Response answer) {
    return assertInstanceOf(Response.Rows.class, answer).rows().size();
  }

  private static double real(Map<String, byte @Nullable []> row, String column) {
    return ByteBuffer.wrap(Objects.requireNonNull(row.get(column), column)).getDouble();
  }

  private static long count(CqlClient client, String view, String table) {
    return number(tableRow(client, view, "ks", table), "count");
  }

  private static void assertLatency(CqlClient client, String view, String table, long count) {
    Map<String, byte @Nullable []> row = tableRow(client, view, "ks", table);
    assertEquals(count, number(row, "count"), view);
    double max = real(row, "max_ms");
    assertTrue(max > 0 && max < 60_000, view + " takes " + max + " ms");
    assertTrue(real(row, "p50th_ms") > 0 && real(row, "p50th_ms") <= max, view);
    assertTrue(real(row, "p99th_ms") > 0 && real(row, "p99th_ms") <= max, view);
    assertTrue(real(row, "per_second") >= 0, view);
  }

  /** One read: the rows and tombstones it scanned. */
  private static void assertMet(
      CqlClient client, String table, String where, int nowSeconds, int rows, int tombstones) {
    // the maxima of a table that only this read has used
    String view = "ks." + table;
    run(client, "SELECT * FROM " + view + where, nowSeconds);
    assertEquals(rows, real(tableRow(client, "rows_per_read", "ks", table), "max"), where);
    assertEquals(
        tombstones, real(tableRow(client, "tombstones_per_read", "ks", table), "max"), where);
    assertEquals(1, count(client, "rows_per_read", table));
  }

  /** Writes to a new table, then reads from memtables or files. */
  private static void assertMet(
      boolean flushed, int rows, int tombstones, String where, int nowSeconds, String... writes)
      throws IOException {
    try (CqlClient client = connect()) {
      String table = newTable(client);
      for (String write : writes) {
        run(client, write.replace("$", "ks." + table));
      }
      if (flushed) {
        NODE.flush();
      }
      assertMet(client, table, where, nowSeconds, rows, tombstones);
    }
  }

  private static void assertMet(int rows, int tombstones, String where, String... writes)
      throws IOException {
    assertMet(false, rows, tombstones, where, NOW_SECONDS, writes);
    assertMet(true, rows, tombstones, where, NOW_SECONDS, writes);
  }

  @Test
  void writesAndReadsAreCountedByTable() throws IOException {
    try (CqlClient client = connect()) {
      String table = newTable(client);
      for (int i = 0; i < 5; i++) {
        run(client, "INSERT INTO ks." + table + " (p, c, v) VALUES (" + i + ", 1, 1)");
      }
      run(client, "DELETE FROM ks." + table + " WHERE p IN (3, 4)");
      run(client, "SELECT * FROM ks." + table + " WHERE p = 1");
      run(client, "SELECT * FROM ks." + table + " WHERE p IN (0, 1, 2)");
      run(client, "SELECT * FROM ks." + table);
      assertLatency(client, "coordinator_write_latency", table, 6);
      assertLatency(client, "local_write_latency", table, 7);
      assertLatency(client, "coordinator_read_latency", table, 4);
      assertLatency(client, "local_read_latency", table, 4);
      assertLatency(client, "coordinator_scan_latency", table, 1);
      assertLatency(client, "local_scan_latency", table, 1);
      assertEquals(5, count(client, "rows_per_read", table));
      assertEquals(3, real(tableRow(client, "rows_per_read", "ks", table), "max"));
      assertEquals(5, count(client, "tombstones_per_read", table));
      assertEquals(0, real(tableRow(client, "tombstones_per_read", "ks", table), "max"));
    }
  }

  @Test
  void unusedTablesAreListedWithZeros() throws IOException {
    try (CqlClient client = connect()) {
      String table = newTable(client);
      for (String view :
          List.of("coordinator_read_latency", "local_scan_latency", "local_write_latency")) {
        Map<String, byte @Nullable []> row = tableRow(client, view, "ks", table);
        assertEquals(0, number(row, "count"));
        assertEquals(0, real(row, "max_ms"));
        assertEquals(0, real(row, "per_second"));
      }
      for (String view : List.of("disk_usage", "max_partition_size", "max_sstable_size")) {
        assertEquals(0, number(tableRow(client, view, "ks", table), "mebibytes"));
      }
      assertEquals(0, number(tableRow(client, "disk_usage", "system", "peers"), "mebibytes"));
    }
  }

  @Test
  void tombstonesAreCountedAsCassandraCountsThem() throws IOException {
    assertMet(0, 0, " WHERE p = 77");
    assertMet(
        2,
        3,
        " WHERE p = 2",
        "INSERT INTO $ (p, c, v, w) VALUES (2, 1, null, null)",
        "INSERT INTO $ (p, c, v, w) VALUES (2, 2, 1, null)");
    String[] deletedRow = {
      "INSERT INTO $ (p, c, v, w) VALUES (3, 1, 1, 1)",
      "INSERT INTO $ (p, c, v, w) VALUES (3, 2, 1, 1)",
      "DELETE FROM $ WHERE p = 3 AND c = 1"
    };
    assertMet(1, 1, " WHERE p = 3", deletedRow);
    assertMet(0, 1, " WHERE p = 3 AND c = 1", deletedRow);
    assertMet(1, 0, " WHERE p = 3 AND c = 2", deletedRow);
    assertMet(1, 1, "", deletedRow);
    assertMet(
        0,
        0,
        " WHERE p = 5",
        "INSERT INTO $ (p, c, v, w) VALUES (5, 1, 1, 1)",
        "DELETE FROM $ WHERE p = 5");
    assertMet(
        1,
        1,
        " WHERE p = 8",
        "INSERT INTO $ (p, s) VALUES (8, null)",
        "INSERT INTO $ (p, c, v) VALUES (8, 1, 1)");
    assertMet(1, 0, " WHERE p = 7", "INSERT INTO $ (p, s) VALUES (7, 1)");
    assertMet(
        0,
        1,
        " WHERE p = 10",
        "UPDATE $ SET v = 1 WHERE p = 10 AND c = 1",
        "DELETE v FROM $ WHERE p = 10 AND c = 1");
  }

  @Test
  void rangeTombstoneBoundsAreCountedWhereTheReadClipsThem() throws IOException {
    String[] range = {
      "INSERT INTO $ (p, c, v) VALUES (4, 1, 1)",
      "INSERT INTO $ (p, c, v) VALUES (4, 9, 1)",
      "DELETE FROM $ WHERE p = 4 AND c > 0 AND c < 5"
    };
    assertMet(1, 2, " WHERE p = 4", range);
    assertMet(1, 2, "", range);
    assertMet(0, 2, " WHERE p = 4 AND c = 1", range);
    assertMet(0, 2, " WHERE p = 4 AND c > 1 AND c < 3", range);
    assertMet(1, 0, " WHERE p = 4 AND c = 9", range);
    assertMet(1, 2, " WHERE p = 4 ORDER BY c DESC", range);
    assertMet(1, 2, " WHERE p = 4 AND c > 2", range);
    assertMet(1, 0, " WHERE p = 4 AND c >= 7", range);
    String[] adjoining = {
      "DELETE FROM $ WHERE p = 6 AND c > 0 AND c < 5",
      "DELETE FROM $ WHERE p = 6 AND c >= 5 AND c < 9"
    };
    assertMet(0, 3, " WHERE p = 6", adjoining);
    assertMet(0, 3, " WHERE p = 6 AND c > 1 AND c < 8", adjoining);
    assertMet(
        0,
        3,
        " WHERE p = 6",
        "DELETE FROM $ WHERE p = 6 AND c > 0 AND c < 5",
        "DELETE FROM $ WHERE p = 6 AND c >= 3 AND c < 9");
  }

  @Test
  void expiredCellsAreCountedUntilGcGracePasses() throws IOException {
    int later = NOW_SECONDS + 10;
    int pastGrace = NOW_SECONDS + 864_100;
    String[] cells = {"UPDATE $ USING TTL 5 SET v = 1, w = 1 WHERE p = 9 AND c = 1"};
    String[] keyOnly = {"INSERT INTO $ (p, c) VALUES (9, 1) USING TTL 5"};
    String[] null1 = {"INSERT INTO $ (p, c, v) VALUES (9, 1, null)"};
    for (boolean flushed : List.of(false, true)) {
      assertMet(flushed, 1, 0, " WHERE p = 9", NOW_SECONDS, cells);
      assertMet(flushed, 0, 2, " WHERE p = 9", later, cells);
      assertMet(flushed, 0, 0, " WHERE p = 9", pastGrace, cells);
      assertMet(flushed, 0, 1, " WHERE p = 9", later, keyOnly);
      assertMet(flushed, 1, 1, " WHERE p = 9", later, null1);
      assertMet(flushed, 1, 0, " WHERE p = 9", pastGrace, null1);
    }
  }

  @Test
  void batchesAndStatementsAreCounted() throws IOException {
    try (CqlClient client = connect()) {
      String table = newTable(client);
      long prepared = statements(client, "prepared_statements_executed");
      long regular = statements(client, "regular_statements_executed");
      Response.Prepared insert =
          assertInstanceOf(
              Response.Prepared.class,
              client.prepare("INSERT INTO ks." + table + " (p, c, v) VALUES (?, 1, 1)"));
      for (int i = 0; i < 3; i++) {
        client.execute(insert, QueryOptions.NONE.withValues(List.of(WireValues.ofInt(i))));
      }
      assertEquals(prepared + 3, statements(client, "prepared_statements_executed"));
      // the queries that read the counters
      assertEquals(regular + 2, statements(client, "regular_statements_executed"));
      assertTrue(statements(client, "prepared_statements_count") >= 1);

      batch(client, LOGGED, insert, 7);
      batch(client, UNLOGGED, insert, 2);
      assertEquals(7, number(row(client, "batch_metrics", "partitions_per_logged_batch"), "max"));
      assertEquals(2, number(row(client, "batch_metrics", "partitions_per_unlogged_batch"), "max"));
      assertEquals(0, number(row(client, "batch_metrics", "partitions_per_counter_batch"), "max"));
      assertLatency(client, "coordinator_write_latency", table, 3 + 2);
      assertLatency(client, "local_write_latency", table, 3 + 7 + 2);
      assertTrue(
          number(tableRow(client, "local_write_latency", "system", "batches"), "count") >= 2);
    }
  }

  private static long statements(CqlClient client, String name) {
    return (long) real(row(client, "cql_metrics", name), "value");
  }

  private static void batch(CqlClient client, int type, Response.Prepared insert, int partitions) {
    List<CqlClient.BatchEntry> entries =
        java.util.stream.IntStream.range(0, partitions)
            .mapToObj(
                i ->
                    new CqlClient.BatchEntry(null, insert.id(), List.of(WireValues.ofInt(100 + i))))
            .toList();
    Response answer = client.batch(type, entries, QueryOptions.NONE);
    assertFalse(answer instanceof Response.Failure, answer::toString);
  }

  @Test
  void filesFlushesAndCompactionsAreShown() throws IOException {
    try (CqlClient client = connect()) {
      String table = newTable(client);
      long flushes = number(row(client, "thread_pools", "MemtableFlushWriter"), "completed_tasks");
      for (int i = 0; i < 2; i++) {
        run(client, "INSERT INTO ks." + table + " (p, c, v) VALUES (1, " + i + ", 1)");
        NODE.flush();
      }
      run(client, "INSERT INTO ks." + table + " (p, c, v) VALUES (2, 1, 1) USING TIMESTAMP 1");
      NODE.flush();
      assertTrue(
          number(row(client, "thread_pools", "MemtableFlushWriter"), "completed_tasks")
              >= flushes + 3);
      NODE.compact();
      assertEquals(1, number(tableRow(client, "disk_usage", "ks", table), "mebibytes"));
      assertEquals(1, number(tableRow(client, "max_sstable_size", "ks", table), "mebibytes"));
      assertEquals(1, number(tableRow(client, "max_partition_size", "ks", table), "mebibytes"));
      assertTrue(number(row(client, "thread_pools", "CompactionExecutor"), "completed_tasks") > 0);
      Response.Rows history =
          assertInstanceOf(
              Response.Rows.class,
              run(
                  client,
                  "SELECT bytes_in, bytes_out, rows_merged FROM system.compaction_history WHERE"
                      + " columnfamily_name = '"
                      + table
                      + "' ALLOW FILTERING"));
      assertFalse(history.rows().isEmpty());
      run(client, "SELECT * FROM ks." + table + " WHERE p = 1");
      run(client, "SELECT * FROM ks." + table + " WHERE p = 1");
      assertTrue(number(row(client, "caches", "chunks"), "hit_count") > 0);
      assertEquals(0, number(row(client, "caches", "rows"), "capacity_bytes"));
    }
  }

  @Test
  void filesOfStorageAttachedIndexesAreShown() throws IOException {
    try (CqlClient client = connect()) {
      String table = newTable(client);
      String index = table + "_v";
      run(client, "CREATE INDEX " + index + " ON ks." + table + " (v) USING 'sai'");
      run(client, "CREATE INDEX ON ks." + table + " (v)");
      for (int i = 0; i < 5; i++) {
        run(client, "INSERT INTO ks." + table + " (p, c, v) VALUES (7, " + i + ", " + i % 2 + ")");
      }
      String key = "keyspace_name = 'ks' AND index_name = '" + index + "'";
      String files = "SELECT * FROM system_views.sai_sstable_indexes WHERE " + key;
      String segments = "SELECT * FROM system_views.sai_sstable_index_segments WHERE " + key;
      assertEquals(0, count(run(client, files)));
      NODE.flush();
      Map<String, byte @Nullable []> file = only(run(client, files));
      Map<String, byte @Nullable []> segment = only(run(client, segments));
      assertEquals(0, number(segment, "segment_row_id_offset"));
      for (Map<String, byte @Nullable []> each : List.of(file, segment)) {
        assertEquals(5, number(each, "cell_count"));
        assertEquals("v", text(each, "column_name"));
        assertEquals(table, text(each, "table_name"));
        assertEquals("1634052884888577606", text(each, "start_token"));
        assertEquals("1634052884888577606", text(each, "end_token"));
        assertTrue(text(each, "sstable_name").startsWith("sstables/"));
      }
      assertEquals("v1", text(file, "format_version"));
      assertTrue(number(file, "per_column_disk_size") > 0);
      run(client, "DROP INDEX ks." + index);
      assertEquals(0, count(run(client, files)));
      assertEquals(0, count(run(client, segments)));
    }
  }

  @Test
  void theQueryItselfIsListedAsRunning() throws IOException {
    try (CqlClient client = connect()) {
      Map<String, byte @Nullable []> query =
          only(run(client, "SELECT * FROM system_views.queries"));
      assertEquals(
          "SELECT system_views.queries at consistency ONE",
          WireValues.toText(Objects.requireNonNull(query.get("task"))));
      assertEquals(0, number(query, "queued_micros"));
      assertEquals(
          1, number(row(client, "thread_pools", "Native-Transport-Requests"), "active_tasks"));
    }
  }
}
