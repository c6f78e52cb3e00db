package io.helenus.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.clients.Toolchain;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** docker/compose.yaml with Docker Compose. */
class ComposeIT {
  @BeforeAll
  static void build() throws IOException {
    ComposeFile.require();
  }

  private static Toolchain.Run run(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("compose", "--project-name", "helenus-compose"));
    for (String file : ComposeFile.FILES) {
      command.addAll(List.of("--file", file));
    }
    command.addAll(List.of(arguments));
    return TestImage.docker(command.toArray(String[]::new));
  }

  private static String compose(String... arguments) throws IOException {
    Toolchain.Run run = run(arguments);
    assertEquals(0, run.exitCode(), () -> run.out() + run.err());
    return run.out();
  }

  private static String cqlsh(String service, String statement) throws IOException {
    return compose(
        "exec",
        "-T",
        service,
        "cqlsh",
        "--connect-timeout=120",
        "--request-timeout=120",
        "-e",
        statement);
  }

  @AfterEach
  void remove() throws IOException {
    run("--profile", "cluster", "down", "--volumes", "--timeout", "5");
  }

  @Test
  void theNodeIsHealthyAndKeepsItsData() throws IOException, InterruptedException {
    compose("up", "--detach", "--wait");
    String address = compose("port", "helenus", "9180").strip();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest ready =
          HttpRequest.newBuilder(URI.create("http://" + address + "/ready")).build();
      assertEquals(200, client.send(ready, HttpResponse.BodyHandlers.discarding()).statusCode());
    }
    assertTrue(cqlsh("helenus", "SELECT cluster_name FROM system.local").contains("Development"));
    cqlsh("helenus", "DELETE FROM shop.items WHERE id = 2");
    compose("down");
    compose("up", "--detach", "--wait");
    assertTrue(cqlsh("helenus", "SELECT id FROM shop.items").contains("(1 rows)"));
  }

  @Test
  void threeNodesAreOneCluster() throws IOException {
    compose("--profile", "cluster", "up", "--detach", "--wait", "node1", "node2", "node3");
    cqlsh("node1", SharedItem.WRITE);
    String status = compose("exec", "-T", "node2", "nodetool", "status");
    assertEquals(3, status.lines().filter(line -> line.startsWith("UN ")).count(), status);
    compose("kill", "node2");
    SharedItem.assertRead(cqlsh("node3", SharedItem.read("QUORUM")));
  }
}
