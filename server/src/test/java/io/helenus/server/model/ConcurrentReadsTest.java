package io.helenus.server.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.conformance.NodeUnderTest;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads with computed columns at the same time. The rows of a read are computed on the shards that
 * own them, so that reads of one connection's shard are at work on several threads.
 */
class ConcurrentReadsTest {
  private static final int CLIENTS = 4;
  private static final int READS = 400;
  private static final int ROWS = 50;

  @TempDir private Path folder;

  @Test
  void everyReadComputesItsOwnRows() throws IOException {
    try (NodeUnderTest node = new NodeUnderTest()) {
      node.start(folder, 2);
      fill(node);
      List<CompletableFuture<Void>> readers = new ArrayList<>();
      try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
        for (int i = 0; i < CLIENTS; i++) {
          readers.add(CompletableFuture.runAsync(() -> read(node), threads));
        }
        readers.forEach(reader -> reader.orTimeout(5, TimeUnit.MINUTES).join());
      }
    }
  }

  private static CqlClient connect(NodeUnderTest node) {
    return CqlClient.connect(InetAddress.getLoopbackAddress(), node.port());
  }

  private static void fill(NodeUnderTest node) {
    try (CqlClient client = connect(node)) {
      assertDone(
          client.query(
              "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy',"
                  + " 'replication_factor': 1}"));
      assertDone(client.query("CREATE TABLE ks.t (k int PRIMARY KEY, v text)"));
      for (int k = 0; k < ROWS; k++) {
        assertDone(client.query("INSERT INTO ks.t (k, v) VALUES (%d, '%s')".formatted(k, text(k))));
      }
    }
  }

  private static void assertDone(Response answer) {
    assertFalse(answer instanceof Response.Failure, answer::toString);
  }

  private static String text(int k) {
    return "x".repeat(k);
  }

  private static void read(NodeUnderTest node) {
    try (CqlClient client = connect(node)) {
      for (int i = 0; i < READS; i++) {
        Response.Rows rows =
            assertInstanceOf(Response.Rows.class, client.query("SELECT JSON k, v FROM ks.t"));
        assertEquals(ROWS, rows.rows().size());
        for (List<byte[]> row : rows.rows()) {
          String json = new String(Objects.requireNonNull(row.getFirst()), StandardCharsets.UTF_8);
          int k = Integer.parseInt(json.substring("{\"k\": ".length(), json.indexOf(',')));
          assertEquals("{\"k\": %d, \"v\": \"%s\"}".formatted(k, text(k)), json);
        }
      }
    }
  }
}
