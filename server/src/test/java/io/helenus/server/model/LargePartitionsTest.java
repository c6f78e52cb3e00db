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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Large partitions and those with many tombstones are listed by a running node, over the wire. The
 * partitions are those of the issue with {@code -Dlarge.partition.bytes=120000000
 * -Dlarge.partition.tombstones=200000}.
 */
class LargePartitionsTest {
  private static final long BYTES = Long.getLong("large.partition.bytes", 1_200_000);
  private static final int TOMBSTONES = Integer.getInteger("large.partition.tombstones", 2_000);
  private static final int VALUE_BYTES = 60_000;
  private static final int TOMBSTONE_FAILURE = 100_000;
  private static final int BATCH = 100;
  private static final int UNLOGGED = 1;

  @TempDir static Path folder;
  private static final NodeUnderTest NODE = new NodeUnderTest();

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
    return succeeded(client.query(cql));
  }

  private static Response succeeded(Response answer) {
    assertFalse(answer instanceof Response.Failure, answer::toString);
    return answer;
  }

  private static Response.Prepared prepare(CqlClient client, String cql) {
    return assertInstanceOf(Response.Prepared.class, client.prepare(cql));
  }

  private static List<List<byte @Nullable []>> rows(CqlClient client, String columns, String from) {
    return assertInstanceOf(
            Response.Rows.class, run(client, "SELECT " + columns + " FROM system_views." + from))
        .rows();
  }

  private static String of(String table) {
    return " WHERE keyspace_name = 'ks' AND table_name = '" + table + "'";
  }

  private static long number(byte @Nullable [] value) {
    return WireValues.toLong(Objects.requireNonNull(value));
  }

  private static String text(byte @Nullable [] value) {
    return new String(Objects.requireNonNull(value), StandardCharsets.UTF_8);
  }

  @Test
  void aLargePartitionIsListedWithItsSize() throws IOException {
    try (CqlClient client = connect()) {
      run(
          client,
          "CREATE TABLE ks.large (\"User\" text, day date, c int, v blob,"
              + " PRIMARY KEY ((\"User\", day), c))");
      Response.Prepared insert =
          prepare(
              client,
              "INSERT INTO ks.large (\"User\", day, c, v) VALUES ('o''hara', '2024-01-01', ?, ?)");
      int values = (int) (BYTES / VALUE_BYTES);
      for (int i = 0; i < values; i++) {
        succeeded(
            client.execute(
                insert,
                QueryOptions.NONE.withValues(List.of(WireValues.ofInt(i), new byte[VALUE_BYTES]))));
      }
      run(client, "INSERT INTO ks.large (\"User\", day, c) VALUES ('small', '2024-01-01', 1)");
      NODE.flush();
      checkLarge(client, values);
      NODE.compact();
      checkLarge(client, values);
      checkSizes(client, (long) values * VALUE_BYTES);
    }
    NODE.restart();
    try (CqlClient client = connect()) {
      checkLarge(client, (int) (BYTES / VALUE_BYTES));
    }
  }

  private static void checkLarge(CqlClient client, int values) {
    List<List<byte @Nullable []>> listed =
        rows(client, "partition_key, size_bytes, rows", "large_partitions" + of("large"));
    assertEquals(1, listed.size());
    List<byte @Nullable []> row = listed.getFirst();
    long bytes = (long) values * VALUE_BYTES;
    assertEquals(1, (double) number(row.get(1)) / bytes, 0.05);
    assertEquals(values, number(row.get(2)));
    String condition = text(row.getFirst());
    assertEquals("\"User\" = 'o''hara' AND day = '2024-01-01'", condition);
    Response.Rows found =
        assertInstanceOf(
            Response.Rows.class,
            run(client, "SELECT c FROM ks.large WHERE " + condition + " LIMIT 3"));
    assertEquals(3, found.rows().size());
  }

  private static void checkSizes(CqlClient client, long bytes) {
    List<List<byte @Nullable []>> sizes =
        rows(client, "up_to_bytes, partitions", "partition_sizes" + of("large"));
    long last = number(sizes.getLast().getFirst());
    assertTrue(last >= bytes && last < 2.2 * bytes, () -> last + " for " + bytes);
    assertTrue(sizes.size() >= 2);
  }

  @Test
  void aPartitionWithManyTombstonesIsListedBeforeAReadWarns() throws IOException {
    try (CqlClient client = connect()) {
      run(client, "CREATE TABLE ks.queue (k int, c int, v int, PRIMARY KEY (k, c))");
      Response.Prepared delete = prepare(client, "DELETE FROM ks.queue WHERE k = 7 AND c = ?");
      for (int from = 0; from < TOMBSTONES; from += BATCH) {
        List<CqlClient.BatchEntry> entries = new ArrayList<>();
        for (int i = from; i < from + BATCH; i++) {
          entries.add(new CqlClient.BatchEntry(null, delete.id(), List.of(WireValues.ofInt(i))));
        }
        succeeded(client.batch(UNLOGGED, entries, QueryOptions.NONE));
      }
      NODE.flush();
      List<List<byte @Nullable []>> listed =
          rows(client, "partition_key, tombstones", "tombstone_heavy_partitions" + of("queue"));
      assertEquals(1, listed.size());
      assertEquals("k = 7", text(listed.getFirst().getFirst()));
      assertEquals(TOMBSTONES, number(listed.getFirst().get(1)));
      Response read =
          client.query("SELECT * FROM ks.queue WHERE " + text(listed.getFirst().getFirst()));
      String complaint =
          TOMBSTONES > TOMBSTONE_FAILURE
              ? assertInstanceOf(Response.Failure.class, read).message()
              : read.warnings().toString();
      assertTrue(complaint.contains("tombstone"), complaint);
    }
  }
}
