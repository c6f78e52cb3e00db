package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/helenus cluster} as seen by a user. */
@Timeout(300)
class ClusterCommandIT {
  private static final String SERVES = "helenus: all 3 nodes serve clients; Ctrl-C stops them";

  @TempDir private Path folder;
  private final int port = ServerProcess.freePort();
  private final int storagePort = ServerProcess.freePort();

  /** A run of the command. */
  private final class Run implements AutoCloseable {
    final Path log;
    final Process process;

    Run() throws IOException {
      this("data");
    }

    Run(String data) throws IOException {
      log = folder.resolve(data + ".log");
      Files.deleteIfExists(log);
      ProcessBuilder builder =
          new ProcessBuilder(
                  ServerProcess.launcher().toString(),
                  "cluster",
                  "--data",
                  folder.resolve(data).toString(),
                  "--port",
                  Integer.toString(port),
                  "-Dstorage_port=" + storagePort)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile());
      builder.environment().put("HELENUS_JAVA_HOME", System.getProperty("java.home"));
      process = builder.start();
    }

    String log() throws IOException {
      return Files.readString(log);
    }

    void await(String line) throws IOException, InterruptedException {
      while (log().lines().noneMatch(line::equals)) {
        assertTrue(process.isAlive(), log());
        Thread.sleep(20);
      }
    }

    int stop() throws InterruptedException {
      process.destroy();
      return process.waitFor();
    }

    /** Whatever is left of a run that failed. */
    @Override
    public void close() {
      process.destroy();
      try {
        process.waitFor(100, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        process.destroyForcibly();
      }
    }
  }

  private Response.Rows rows(int node, String statement) throws IOException {
    try (CqlClient client = CqlClient.connect(InetAddress.getByName("127.0.0." + node), port)) {
      return assertInstanceOf(Response.Rows.class, client.query(statement));
    }
  }

  private void change(int node, String statement) throws IOException {
    try (CqlClient client = CqlClient.connect(InetAddress.getByName("127.0.0." + node), port)) {
      client.query(statement);
    }
  }

  @Test
  void threeNodesServeAsOneAndContinueWithTheSameData() throws Exception {
    try (Run run = new Run()) {
      run.await(SERVES);
      for (int i = 1; i <= 3; i++) {
        assertEquals(2, rows(i, "SELECT peer FROM system.peers").rows().size(), run.log());
        String prefix = "node" + i + " | ";
        assertTrue(run.log().lines().anyMatch(line -> line.startsWith(prefix)), run.log());
      }
      change(
          1,
          "CREATE KEYSPACE k WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
      change(2, "CREATE TABLE k.t (a int PRIMARY KEY)");
      change(3, "INSERT INTO k.t (a) VALUES (1)");
      assertEquals(0, run.stop(), run.log());
    }
    try (Run run = new Run()) {
      run.await(SERVES);
      assertEquals(1, rows(2, "SELECT a FROM k.t").rows().size());
      Path lock = folder.resolve("data").resolve("node2").resolve("node.lock");
      long second = Long.parseLong(Files.readString(lock).strip());
      ProcessHandle.of(second).orElseThrow().destroyForcibly();
      run.await("helenus: node2 has ended with exit code 137; the others go on");
      assertEquals(1, rows(3, "SELECT a FROM k.t").rows().size());
      assertEquals(0, run.stop(), run.log());
    }
  }

  @Test
  void aConflictIsAnErrorBeforeAnythingStarts() throws Exception {
    try (Run first = new Run()) {
      first.await(SERVES);
      try (Run second = new Run("other")) {
        assertEquals(1, second.process.waitFor(), second.log());
        assertTrue(second.log().startsWith("helenus: "), second.log());
        assertTrue(Files.notExists(folder.resolve("other")));
      }
    }
  }
}
