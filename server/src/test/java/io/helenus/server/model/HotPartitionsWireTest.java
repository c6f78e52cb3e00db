package io.helenus.server.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.config.Setting;
import io.helenus.server.conformance.NodeUnderTest;
import io.helenus.server.types.WireValues;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The partitions that are read and written most are listed by a running node, over the wire. */
class HotPartitionsWireTest {
  private static final String TABLES =
      """
      CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
      CREATE TABLE ks.t (id bigint PRIMARY KEY, v int);
      CREATE TABLE ks.p ("User" text, day date, c int, PRIMARY KEY (("User", day), c));
      CREATE TABLE ks.n (id text PRIMARY KEY, n counter);
      """;

  @TempDir Path folder;
  private final NodeUnderTest node = new NodeUnderTest();

  @AfterEach
  void stop() {
    node.close();
  }

  private CqlClient start(Map<String, String> settings) throws IOException {
    node.start(folder, 2, settings);
    CqlClient client =
        CqlClient.connect(
            CqlClient.Settings.of(InetAddress.getByName(node.host()), node.port()).withVersion(5));
    for (String each : TABLES.split("\n")) {
      succeeded(client.query(each));
    }
    return client;
  }

  private static Response succeeded(Response answer) {
    assertFalse(answer instanceof Response.Failure, answer::toString);
    return answer;
  }

  private static String text(byte @Nullable [] value) {
    return new String(Objects.requireNonNull(value), StandardCharsets.UTF_8);
  }

  private static double real(byte @Nullable [] value) {
    return ByteBuffer.wrap(Objects.requireNonNull(value)).getDouble();
  }

  private static List<List<byte @Nullable []>> rows(CqlClient client, String cql) {
    return assertInstanceOf(Response.Rows.class, succeeded(client.query(cql))).rows();
  }

  /** The conditions of the hottest partitions of a table, the hottest first. */
  private static List<String> hottest(CqlClient client, String table) {
    List<String> conditions = new ArrayList<>();
    for (List<byte @Nullable []> row :
        rows(client, "SELECT rank, table_name, partition_key FROM system_views.hot_partitions")) {
      if (text(row.get(1)).equals(table)) {
        conditions.add(text(row.get(2)));
      }
    }
    return conditions;
  }

  /** Reads ids by Zipf's law, as near as whole numbers of reads come to it, and many ids once. */
  private static void read(CqlClient client, Response.Prepared select, int first) {
    List<Long> ids = new ArrayList<>();
    for (int rank = 1; rank <= 40; rank++) {
      ids.addAll(Collections.nCopies(400 / rank, (long) first + rank));
    }
    IntStream.range(0, 1000).forEach(each -> ids.add(first + 1000L + each));
    Collections.shuffle(ids, new Random(first));
    for (long id : ids) {
      succeeded(
          client.execute(select, QueryOptions.NONE.withValues(List.of(WireValues.ofLong(id)))));
    }
  }

  @Test
  void theHottestPartitionsAreListedWithConditionsThatSelectThem() throws Exception {
    try (CqlClient client = start(Map.of())) {
      Response.Prepared select =
          assertInstanceOf(
              Response.Prepared.class, client.prepare("SELECT v FROM ks.t WHERE id = ?"));
      for (int mix : new int[] {0, 1_000_000}) {
        read(client, select, mix);
        List<String> listed = hottest(client, "t");
        List<String> first = listed.subList(0, 12);
        for (int rank = 1; rank <= 10; rank++) {
          assertTrue(first.contains("id = " + (mix + rank)), first::toString);
        }
        Thread.sleep(5_000);
      }
      String insert = "INSERT INTO ks.p (\"User\", day, c) VALUES ('o''hara', '2024-01-01', ";
      for (int i = 0; i < 300; i++) {
        succeeded(client.query(insert + i + ")"));
        succeeded(client.query("UPDATE ks.n SET n = n + 1 WHERE id = 'often'"));
      }
      assertEquals(List.of("\"User\" = 'o''hara' AND day = '2024-01-01'"), hottest(client, "p"));
      String where = " WHERE " + hottest(client, "p").getFirst();
      assertEquals(300, rows(client, "SELECT c FROM ks.p" + where).size());
      checkCounter(client);
    }
  }

  /** An increment is a write only, though the replica reads the counter for it. */
  private static void checkCounter(CqlClient client) {
    for (List<byte @Nullable []> row :
        rows(
            client,
            "SELECT table_name, reads_per_second, writes_per_second, write_share, read_share"
                + " FROM system_views.hot_partitions")) {
      if (text(row.get(0)).equals("n")) {
        assertEquals(0, real(row.get(1)));
        assertTrue(real(row.get(2)) > 1);
        assertTrue(real(row.get(3)) > 0.3 && real(row.get(3)) < 0.7);
        assertEquals(0, real(row.get(4)));
        return;
      }
    }
    throw new AssertionError("the counter is not listed");
  }

  @Test
  void nothingIsListedIfCountingIsOff() throws IOException {
    try (CqlClient client = start(Map.of(Setting.HOT_PARTITIONS_ENABLED.name(), "false"))) {
      for (int i = 0; i < 100; i++) {
        succeeded(client.query("INSERT INTO ks.t (id, v) VALUES (1, 1)"));
      }
      assertEquals(List.of(), rows(client, "SELECT * FROM system_views.hot_partitions"));
    }
  }
}
