package io.helenus.server.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.config.Setting;
import io.helenus.server.config.TestSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mutations of nearly the largest size on a node with default settings, in every sync mode. */
class LargeMutationsTest {
  private static final int VALUE_BYTES = (16 << 20) - 1024;
  private static final int WRITERS = 3;
  private static final int OVERLOADED = 0x1001;

  @TempDir private Path data;

  private Server start(String syncMode) throws IOException {
    return Server.start(
        TestSettings.in(data)
            .with(Setting.WRITE_REQUEST_TIMEOUT, "60s")
            .with(Setting.COMMITLOG_SYNC, syncMode)
            .build());
  }

  private static CqlClient connect(Server server) throws IOException {
    return CqlClient.connect(InetAddress.getLoopbackAddress(), server.port());
  }

  private static String value(int key) {
    return String.valueOf((char) ('a' + key)).repeat(VALUE_BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"periodic", "batch", "group"})
  void severalAtOnceAreWrittenAndReadBackFromMemoryLogAndFiles(String syncMode) throws Exception {
    try (Server server = start(syncMode);
        CqlClient client = connect(server)) {
      client.query(
          "CREATE KEYSPACE l WITH replication = {'class': 'SimpleStrategy',"
              + " 'replication_factor': 1}");
      client.query("CREATE TABLE l.t (k int PRIMARY KEY, v text)");
      writeAtOnce(server);
      readBack(client);
    }
    try (Server server = start(syncMode);
        CqlClient client = connect(server)) {
      readBack(client);
      server.node().flushAll().get();
      server.node().compactAll().get();
      readBack(client);
    }
  }

  private static void writeAtOnce(Server server) throws InterruptedException, ExecutionException {
    try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<Response>> responses = new ArrayList<>();
      for (int key = 0; key < WRITERS; key++) {
        int written = key;
        responses.add(writers.submit(() -> write(server, written)));
      }
      for (Future<Response> response : responses) {
        Response answer = response.get();
        assertTrue(!(answer instanceof Response.Failure), answer::toString);
      }
    }
  }

  /** Writes one value, retrying while the node is overloaded. */
  private static Response write(Server server, int key) throws IOException {
    try (CqlClient client = connect(server)) {
      while (true) {
        Response response =
            client.query("INSERT INTO l.t (k, v) VALUES (" + key + ", '" + value(key) + "')");
        if (!(response instanceof Response.Failure failure) || failure.code() != OVERLOADED) {
          return response;
        }
      }
    }
  }

  private static void readBack(CqlClient client) {
    for (int key = 0; key < WRITERS; key++) {
      Response.Rows rows =
          assertInstanceOf(Response.Rows.class, client.query("SELECT v FROM l.t WHERE k = " + key));
      assertEquals(1, rows.rows().size());
      assertArrayEquals(value(key).getBytes(UTF_8), rows.rows().getFirst().getFirst());
    }
  }
}
