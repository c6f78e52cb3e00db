package io.helenus.server.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.conformance.NodeUnderTest;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads of every shape return the same rows with every page size as without paging, and no page is
 * larger than requested.
 */
class PageBoundaryTest {
  private static final int PARTITIONS = 5;
  private static final int MOST_CLUSTERING = 4;
  private static final int MOST_PAGES = 1000;
  private static final List<String> SELECTIONS =
      List.of(
          "SELECT k, a, b, s, v FROM %s%s",
          "SELECT k, v FROM %s%s LIMIT 7",
          "SELECT k, a, b FROM %s%s PER PARTITION LIMIT 2",
          "SELECT k, a, b FROM %s%s PER PARTITION LIMIT 3 LIMIT 8",
          "SELECT k, s, count(*), sum(v) FROM %s%s GROUP BY k",
          "SELECT k, a, s, max(v), min(b) FROM %s%s GROUP BY k, a",
          "SELECT k, a, b, count(v) FROM %s%s GROUP BY k, a, b LIMIT 6",
          "SELECT k, a, sum(v) FROM %s%s GROUP BY k, a PER PARTITION LIMIT 2",
          "SELECT k, floor(b, 2s), sum(v) FROM %s%s GROUP BY k, a, floor(b, 2s)",
          "SELECT JSON k, a, l FROM %s%s",
          "SELECT k, s, l, v FROM %s%s",
          "SELECT count(*), sum(v), max(a) FROM %s%s");
  private static final List<String> RESTRICTIONS =
      List.of(
          "",
          " WHERE k = 1",
          " WHERE k IN (0, 3, 1, 4)",
          " WHERE token(k) > 0",
          " WHERE k = 2 AND a > 0",
          " WHERE k IN (1, 2) AND a IN (0, 2)",
          " WHERE k IN (1, 2) AND (a, b) > (0, 1000)");
  private static final List<String> OTHERS =
      List.of(
          "SELECT DISTINCT k, s FROM %s",
          "SELECT DISTINCT k FROM %s WHERE token(k) > 0",
          "SELECT DISTINCT s FROM %s WHERE k IN (3, 2, 1, 0)",
          "SELECT DISTINCT k, s FROM %s LIMIT 3",
          "SELECT k, a, b FROM %s WHERE k = 1 ORDER BY a ASC",
          "SELECT k, a, sum(v) FROM %s WHERE k = 2 GROUP BY a ORDER BY a ASC",
          "SELECT k, a, b FROM %s WHERE v > 20 ALLOW FILTERING",
          "SELECT k, a, b FROM %s WHERE s = 1 ALLOW FILTERING",
          "SELECT k, a, b FROM %s WHERE v > 10 LIMIT 5 ALLOW FILTERING",
          "SELECT k, a, sum(v) FROM %s WHERE v > 10 GROUP BY k, a ALLOW FILTERING",
          "SELECT k, a, b FROM %s WHERE a = 1 PER PARTITION LIMIT 1 ALLOW FILTERING",
          "SELECT k, a, b FROM %s WHERE l CONTAINS 1 ALLOW FILTERING");

  @RegisterExtension final Seeds seeds = Seeds.from(1);
  @TempDir Path folder;

  @Test
  void everyPageSizeReturnsTheRowsOfTheWholeResult() throws Exception {
    try (NodeUnderTest node = new NodeUnderTest()) {
      node.start(folder, 2);
      long ignored = seeds.each(2, seed -> check(node, seed));
    }
  }

  private static void check(NodeUnderTest node, long seed) throws IOException {
    String table = "pages.t" + Long.toUnsignedString(seed);
    try (CqlClient client =
        CqlClient.connect(CqlClient.Settings.of(InetAddress.getByName(node.host()), node.port()))) {
      fill(client, table, new Random(seed));
      for (String text : statements(table)) {
        List<List<byte @Nullable []>> whole = whole(client, text);
        for (int size = 1; size <= whole.size() + 1; size++) {
          List<List<byte @Nullable []>> paged = pages(client, text, size);
          int pageSize = size;
          assertEquals(show(whole), show(paged), () -> text + " with pages of " + pageSize);
        }
      }
    }
  }

  private static List<String> statements(String table) {
    List<String> statements = new ArrayList<>();
    for (String selection : SELECTIONS) {
      for (String restriction : RESTRICTIONS) {
        statements.add(selection.formatted(table, restriction));
      }
    }
    OTHERS.forEach(other -> statements.add(other.formatted(table)));
    return statements;
  }

  private static void fill(CqlClient client, String table, Random random) {
    run(
        client,
        "CREATE KEYSPACE IF NOT EXISTS pages WITH replication = {'class': 'SimpleStrategy',"
            + " 'replication_factor': 1}");
    run(
        client,
        "CREATE TABLE "
            + table
            + " (k int, a int, b timestamp, s int STATIC, v int, l list<int>,"
            + " PRIMARY KEY (k, a, b)) WITH CLUSTERING ORDER BY (a DESC, b ASC)");
    for (int k = 0; k < PARTITIONS; k++) {
      if (random.nextBoolean()) {
        run(client, "INSERT INTO " + table + " (k, s) VALUES (" + k + ", " + k % 2 + ")");
      }
      for (int a = 0; a < random.nextInt(MOST_CLUSTERING); a++) {
        for (int b = 0; b < random.nextInt(MOST_CLUSTERING + 1); b++) {
          run(client, insert(table, k, a, b, random.nextInt(100)));
        }
      }
    }
    run(client, insert(table, 1, 1, 0, 50));
    run(client, "DELETE FROM " + table + " WHERE k = 1 AND a = 0");
  }

  private static String insert(String table, int k, int a, int b, int v) {
    return "INSERT INTO "
        + table
        + " (k, a, b, v, l) VALUES (%d, %d, %d, %d, [%d, %d])"
            .formatted(k, a, b * 1000, v, v % 3, v);
  }

  private static void run(CqlClient client, String text) {
    Response response = client.query(text);
    assertTrue(!(response instanceof Response.Failure), () -> text + ": " + response);
  }

  private static List<List<byte @Nullable []>> whole(CqlClient client, String text) {
    return page(client, text, QueryOptions.NONE).rows();
  }

  private static List<List<byte @Nullable []>> pages(CqlClient client, String text, int size) {
    List<List<byte @Nullable []>> rows = new ArrayList<>();
    byte[] state = null;
    for (int pages = 0; pages < MOST_PAGES; pages++) {
      Response.Rows page = page(client, text, QueryOptions.NONE.withPage(size, state));
      assertTrue(page.rows().size() <= size, () -> text + ": a page of " + page.rows().size());
      rows.addAll(page.rows());
      state = page.pagingState();
      if (state == null) {
        return rows;
      }
    }
    throw new AssertionError(text + " does not end with pages of " + size);
  }

  private static Response.Rows page(CqlClient client, String text, QueryOptions options) {
    if (!(client.query(text, options) instanceof Response.Rows page)) {
      throw new AssertionError(text + " was not answered with rows");
    }
    return page;
  }

  private static List<String> show(List<List<byte @Nullable []>> rows) {
    return rows.stream()
        .map(row -> row.stream().map(Arrays::toString).toList().toString())
        .toList();
  }
}
