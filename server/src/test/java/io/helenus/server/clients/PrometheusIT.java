package io.helenus.server.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.process.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus scrapes a node and answers the queries of the dashboard. */
class PrometheusIT {
  private static final long PATIENCE_SECONDS = 120;
  private static final long PAUSE_NANOS = 100_000_000;
  private static final String NOTHING = "\"result\":[]";

  @TempDir private Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private final int healthPort = ServerProcess.freePort();
  private final int prometheusPort = ServerProcess.freePort();

  /** The configuration that is shipped, for this node and in a hurry. */
  private Path configuration() throws IOException {
    String shipped = Files.readString(Dashboard.FOLDER.resolve("prometheus.yml"));
    assertTrue(shipped.contains("\"127.0.0.1:9180\""), shipped);
    assertTrue(shipped.contains("scrape_interval: 15s"), shipped);
    return Files.writeString(
        folder.resolve("prometheus.yml"),
        shipped
            .replace("127.0.0.1:9180", "127.0.0.1:" + healthPort)
            .replace("scrape_interval: 15s", "scrape_interval: 1s"));
  }

  private Process prometheus() throws IOException {
    Toolchain.requireProgram("prometheus");
    return new ProcessBuilder(
            "prometheus",
            "--config.file=" + configuration(),
            "--storage.tsdb.path=" + folder.resolve("series"),
            "--web.listen-address=127.0.0.1:" + prometheusPort)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("prometheus.log").toFile())
        .start();
  }

  private String ask(String path, String query) throws Exception {
    URI address =
        URI.create(
            "http://127.0.0.1:"
                + prometheusPort
                + path
                + URLEncoder.encode(query, StandardCharsets.UTF_8));
    return http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private String query(String query) throws Exception {
    return ask("/api/v1/query?query=", query);
  }

  private static void run(CqlClient client, String statement) {
    Response response = client.query(statement);
    assertFalse(response instanceof Response.Failure, response.toString());
  }

  private static void define(CqlClient client) {
    run(
        client,
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    run(client, "CREATE TABLE k.t (a int PRIMARY KEY, b text)");
  }

  private static void work(CqlClient client) {
    run(client, "INSERT INTO k.t (a, b) VALUES (1, 'one')");
    run(client, "UPDATE k.t SET b = 'two' WHERE a = 1 IF b = 'one'");
    run(client, "SELECT * FROM k.t WHERE a = 1");
    run(client, "SELECT * FROM k.t WHERE a = 2");
    run(client, "SELECT * FROM k.t");
  }

  private void flush(Path data) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://"
                        + Files.readString(data.resolve("admin.address")).strip()
                        + "/nodetool/flush"))
            .header(
                "Authorization", "Bearer " + Files.readString(data.resolve("admin.token")).strip())
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    assertEquals(200, http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
  }

  /** Works until Prometheus has seen the work in several scrapes. */
  private void workUntilSeen(CqlClient client, Process prometheus) throws Exception {
    String seen =
        "sum(resets(cassandra_table_readlatency_seconds_count{keyspace=\"k\"}[30s])) == 0 and"
            + " sum(count_over_time(cassandra_table_readlatency_seconds_count{keyspace=\"k\"}[30s]))"
            + " >= 4";
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    String answer = "";
    while (System.nanoTime() < end && prometheus.isAlive()) {
      work(client);
      try {
        answer = query(seen);
        if (answer.contains("\"status\":\"success\"") && !answer.contains(NOTHING)) {
          return;
        }
      } catch (IOException e) {
        answer = e.toString();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new AssertionError(
        "Prometheus does not see the node: "
            + answer
            + "\n"
            + Files.readString(folder.resolve("prometheus.log")));
  }

  @Test
  void everyQueryOfTheDashboardHasAResult() throws Exception {
    Process prometheus = prometheus();
    Path data = folder.resolve("data");
    try (ServerProcess server =
            ServerProcess.start(
                data, ServerProcess.freePort(), List.of("-Dhealth_port=" + healthPort));
        CqlClient client = server.connect()) {
      define(client);
      work(client);
      flush(data);
      workUntilSeen(client, prometheus);
      List<String> queries = Dashboard.queries();
      assertTrue(queries.size() > 40, "" + queries.size());
      for (String query : queries) {
        String answer = query(query);
        assertTrue(answer.startsWith("{\"status\":\"success\""), query + "\n" + answer);
        assertFalse(answer.contains(NOTHING), query + "\n" + answer);
      }
      for (String variable : Dashboard.variables()) {
        String inner = variable.substring(variable.indexOf('(') + 1, variable.length() - 1);
        String[] parts = inner.split(", ");
        String answer = ask("/api/v1/label/" + parts[1] + "/values?match[]=", parts[0]);
        assertTrue(answer.startsWith("{\"status\":\"success\",\"data\":[\""), variable + answer);
      }
      assertTrue(
          query("cassandra_clientrequest_latency_seconds_count{scope=\"CASWrite\"} > 0")
              .contains("\"job\":\"helenus\""));
    } finally {
      prometheus.destroy();
      assertTrue(prometheus.waitFor(1, TimeUnit.MINUTES));
    }
  }
}
