package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.config.Setting;
import io.helenus.server.config.TestSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of a node, read as Prometheus does. */
class MetricsTest {
  private static final int THREE = 3;
  private static final String KEYSPACE =
      "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

  @TempDir private Path data;
  private int healthPort;

  private Server start(Map<Setting, String> more) throws IOException {
    healthPort = ServerProcess.freePort();
    TestSettings settings =
        TestSettings.in(data)
            .with(Setting.ADMIN_PORT, "0")
            .with(Setting.HEALTH_PORT, Integer.toString(healthPort))
            .with(Setting.SHARDS, "2");
    more.forEach(settings::with);
    return Server.start(settings.build());
  }

  private static CqlClient connect(Server server) {
    return CqlClient.connect(InetAddress.getLoopbackAddress(), server.port());
  }

  private static void run(CqlClient client, String statement) {
    Response response = client.query(statement);
    if (response instanceof Response.Failure failure) {
      throw new AssertionError(statement + ": " + failure.message());
    }
  }

  private String get(String accept) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), healthPort)) {
      String request =
          "GET /metrics HTTP/1.1\r\nHost: node\r\n"
              + (accept.isEmpty() ? "" : "Accept: " + accept + "\r\n")
              + "\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The samples of a scrape by name and labels, as the format writes them. */
  private Map<String, Double> scrape() throws IOException {
    String answer = get("");
    assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n"), answer);
    int body = answer.indexOf("\r\n\r\n") + 4;
    Map<String, Double> samples = new LinkedHashMap<>();
    for (String line : answer.substring(body).lines().toList()) {
      if (!line.startsWith("#")) {
        int space = line.lastIndexOf(' ');
        Double before =
            samples.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
        assertNull(before, line);
      }
    }
    return samples;
  }

  private static long value(Map<String, Double> samples, String name) {
    return Objects.requireNonNull(samples.get(name), () -> name + " in " + samples).longValue();
  }

  private static double share(Map<String, Double> samples, String kind) {
    String name = "helenus_hottest_partition_share{kind=\"" + kind + "\"}";
    return Objects.requireNonNull(samples.get(name), () -> name + " in " + samples);
  }

  @Test
  void requestsAreCounted() throws IOException {
    try (Server server = start(Map.of(Setting.TOMBSTONE_FAILURE_THRESHOLD, "5"));
        CqlClient client = connect(server)) {
      run(client, KEYSPACE);
      run(client, "CREATE TABLE k.t (a int, b int, c int, PRIMARY KEY (a, b))");
      Map<String, Double> before = scrape();
      for (int i = 0; i < 20; i++) {
        run(client, "INSERT INTO k.t (a, b, c) VALUES (1, " + i + ", 1)");
      }
      run(
          client,
          "BEGIN BATCH INSERT INTO k.t (a, b) VALUES (1, 1); INSERT INTO k.t (a, b) VALUES (2, 1);"
              + " APPLY BATCH");
      run(client, "UPDATE k.t SET c = 2 WHERE a = 1 AND b = 1 IF c = 7");
      for (int i = 0; i < 7; i++) {
        run(client, "SELECT * FROM k.t WHERE a = 1");
      }
      run(client, "SELECT * FROM k.t");
      for (int i = 0; i < 10; i++) {
        run(client, "DELETE FROM k.t WHERE a = 1 AND b = " + i);
      }
      assertInstanceOf(Response.Failure.class, client.query("SELECT * FROM k.t WHERE a = 1"));
      QueryOptions three = QueryOptions.NONE.withConsistency(THREE);
      assertInstanceOf(Response.Failure.class, client.query("SELECT * FROM k.t", three));
      assertInstanceOf(
          Response.Failure.class, client.query("INSERT INTO k.t (a, b) VALUES (9, 9)", three));

      Map<String, Double> after = scrape();
      // other partitions have the rest: one insertion and the batch's second
      assertTrue(share(after, "read") > 0.99, after::toString);
      assertTrue(share(after, "write") > 0.7 && share(after, "write") < 1, after::toString);
      String latency = "cassandra_clientrequest_latency_seconds_count";
      assertEquals(8, added(before, after, latency + "{scope=\"Read\"}"));
      assertEquals(1, added(before, after, latency + "{scope=\"RangeSlice\"}"));
      assertEquals(31, added(before, after, latency + "{scope=\"Write\"}"));
      assertEquals(1, added(before, after, latency + "{scope=\"CASWrite\"}"));
      String unavailables = "cassandra_clientrequest_unavailables_total";
      assertEquals(1, added(before, after, unavailables + "{scope=\"RangeSlice\"}"));
      assertEquals(1, added(before, after, unavailables + "{scope=\"Write\"}"));
      assertEquals(0, added(before, after, unavailables + "{scope=\"Read\"}"));
      assertEquals(
          1, added(before, after, "cassandra_clientrequest_failures_total{scope=\"Read\"}"));
      String table = "{keyspace=\"k\",table=\"t\"}";
      assertEquals(7, value(after, "cassandra_table_readlatency_seconds_count" + table));
      assertEquals(32, value(after, "cassandra_table_writelatency_seconds_count" + table));
      assertEquals(8, value(after, "cassandra_table_livescannedhistogram_count" + table));
      assertEquals(7 * 20 + 21, value(after, "cassandra_table_livescannedhistogram_sum" + table));
      assertTrue(value(after, "cassandra_table_allmemtableslivedatasize_bytes" + table) > 0);
      assertTrue(value(after, "cassandra_commitlog_completedtasks_total") >= 32);
      assertEquals(0, value(after, "cassandra_commitlog_pendingtasks"));
      assertTrue(value(after, "cassandra_commitlog_totalcommitlogsize_bytes") > 0);
      assertEquals(1, value(after, "cassandra_client_connectednativeclients"));
      assertTrue(value(after, "process_resident_memory_bytes") > 10_000_000);
    }
  }

  @Test
  void changesOfViewsAreCounted() throws IOException {
    try (Server server = start(Map.of(Setting.MATERIALIZED_VIEWS_ENABLED, "true"));
        CqlClient client = connect(server)) {
      run(client, KEYSPACE);
      run(client, "CREATE TABLE k.t (a int, b int, v int, PRIMARY KEY (a, b))");
      run(
          client,
          "CREATE MATERIALIZED VIEW k.by_v AS SELECT * FROM k.t WHERE a IS NOT NULL AND b IS NOT"
              + " NULL AND v IS NOT NULL PRIMARY KEY (v, a, b)");
      run(
          client,
          "CREATE MATERIALIZED VIEW k.by_a AS SELECT * FROM k.t WHERE a IS NOT NULL AND b IS NOT"
              + " NULL PRIMARY KEY (a, b)");
      for (int i = 0; i < 10; i++) {
        run(client, "INSERT INTO k.t (a, b, v) VALUES (1, " + i + ", " + (100 + i) + ")");
      }
      // from one partition to another
      run(client, "UPDATE k.t SET v = 200 WHERE a = 1 AND b = 1");
      Map<String, Double> samples = scrape();
      String scope = "{scope=\"ViewWrite\"}";
      assertEquals(
          12, value(samples, "cassandra_clientrequest_viewreplicasattempted_total" + scope));
      assertEquals(12, value(samples, "cassandra_clientrequest_viewreplicassuccess_total" + scope));
      assertEquals(0, value(samples, "cassandra_clientrequest_viewpendingmutations" + scope));
      assertEquals(
          12, value(samples, "cassandra_clientrequest_viewwritelatency_seconds_count" + scope));
      String table = "{keyspace=\"k\",table=\"t\"}";
      assertEquals(11, value(samples, "cassandra_table_viewlockacquiretime_seconds_count" + table));
      assertEquals(11, value(samples, "cassandra_table_viewreadtime_seconds_count" + table));
      assertTrue(samples.get("cassandra_table_viewreadtime_seconds_sum" + table) > 0);
    }
  }

  private static long added(Map<String, Double> before, Map<String, Double> after, String name) {
    return value(after, name) - value(before, name);
  }

  @Test
  void bucketsAreCumulativeAndEndWithTheCount() throws IOException {
    try (Server server = start(Map.of());
        CqlClient client = connect(server)) {
      for (int i = 0; i < 50; i++) {
        run(client, "SELECT * FROM system_schema.tables WHERE keyspace_name = 'none'");
      }
      Map<String, Double> samples = scrape();
      String name = "cassandra_clientrequest_latency_seconds";
      long previous = 0;
      double bound = 0;
      int buckets = 0;
      for (Map.Entry<String, Double> sample : samples.entrySet()) {
        String start = name + "_bucket{scope=\"Read\",le=\"";
        if (sample.getKey().startsWith(start)) {
          String upper = sample.getKey().substring(start.length()).replace("\"}", "");
          double next = upper.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(upper);
          assertTrue(next > bound, sample.getKey());
          assertTrue(sample.getValue() >= previous, sample.getKey());
          bound = next;
          previous = sample.getValue().longValue();
          buckets++;
        }
      }
      assertEquals(26, buckets);
      assertEquals(Double.POSITIVE_INFINITY, bound);
      assertEquals(previous, value(samples, name + "_count{scope=\"Read\"}"));
      assertTrue(previous >= 50);
      assertTrue(samples.get(name + "_sum{scope=\"Read\"}") > 50e-6);
    }
  }

  @Test
  void theFormatIsTheOneThatTheClientAccepts() throws IOException {
    try (Server server = start(Map.of())) {
      String plain = get("text/plain;version=0.0.4;q=0.5,*/*;q=0.1");
      assertTrue(plain.contains("content-type: text/plain; version=0.0.4; charset=utf-8\r\n"));
      assertFalse(plain.contains("# EOF"));
      String open = get("application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
      assertTrue(
          open.contains(
              "content-type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"));
      assertTrue(open.endsWith("# EOF\n"));
      assertTrue(server.port() > 0);
    }
  }

  @Test
  void attachedIndexesAreCountedWithTheirFiles() throws Exception {
    try (Server server = start(Map.of(Setting.SHARDS, "1"));
        CqlClient client = connect(server)) {
      run(client, KEYSPACE);
      run(client, "CREATE TABLE k.t (a int PRIMARY KEY, b int, c int, d int)");
      run(client, "CREATE INDEX ON k.t (b) USING 'sai'");
      run(client, "CREATE INDEX ON k.t (c) USING 'sai'");
      run(client, "CREATE INDEX ON k.t (d)");
      String end = "{keyspace=\"k\",table=\"t\"}";
      String start = "cassandra_storageattachedindex_";
      Map<String, Double> before = scrape();
      assertEquals(2, value(before, start + "totalindexcount" + end));
      assertEquals(0, value(before, start + "openindexfiles" + end));
      run(client, "INSERT INTO k.t (a, b, c, d) VALUES (1, 1, 1, 1)");
      Void ignored = server.node().flushAll().get(60, TimeUnit.SECONDS);
      Map<String, Double> samples = scrape();
      assertEquals(2, value(samples, start + "totalqueryableindexcount" + end));
      assertEquals(0, value(samples, start + "totalindexbuildsinprogress" + end));
      assertEquals(2, value(samples, start + "openindexfiles" + end));
      assertTrue(value(samples, start + "diskused_bytes" + end) > 100);
      assertEquals(5, samples.keySet().stream().filter(each -> each.startsWith(start)).count());
    }
  }

  @Test
  void searchesOfVectorsAreCounted() throws Exception {
    try (Server server = start(Map.of(Setting.SHARDS, "1"));
        CqlClient client = connect(server)) {
      run(client, KEYSPACE);
      run(client, "CREATE TABLE k.t (a int PRIMARY KEY, v vector<float, 2>)");
      run(client, "CREATE INDEX ON k.t (v) USING 'sai'");
      for (int i = 0; i < 5; i++) {
        run(client, "INSERT INTO k.t (a, v) VALUES (" + i + ", [1, " + i + "])");
      }
      String start = "helenus_vectorsearch_";
      assertTrue(scrape().keySet().stream().noneMatch(each -> each.startsWith(start)));
      for (int i = 0; i < 3; i++) {
        run(client, "SELECT a FROM k.t ORDER BY v ANN OF [1, 2] LIMIT 2");
      }
      Map<String, Double> samples = scrape();
      String table = "{keyspace=\"k\",table=\"t\"}";
      String searches = start + "searches_total{keyspace=\"k\",kind=\"%s\",table=\"t\"}";
      assertEquals(3, value(samples, searches.formatted("exact")));
      assertEquals(0, value(samples, searches.formatted("graph")));
      assertEquals(15, value(samples, start + "comparedvectors_total" + table));
      assertEquals(3, value(samples, start + "latency_seconds_count" + table));
      Double seconds = samples.get(start + "latency_seconds_sum" + table);
      assertTrue(seconds != null && seconds > 0, seconds + " s");
    }
  }

  @Test
  void manyTablesAreSummed() throws IOException {
    int limit = 20;
    try (Server server = start(Map.of(Setting.METRICS_TABLE_LIMIT, Integer.toString(limit)));
        CqlClient client = connect(server)) {
      run(client, KEYSPACE);
      for (int i = 0; i < 40; i++) {
        run(client, "CREATE TABLE k.t" + i + " (a int PRIMARY KEY)");
        run(client, "INSERT INTO k.t" + i + " (a) VALUES (1)");
      }
      Map<String, Double> samples = scrape();
      String files = "cassandra_table_livesstablecount{";
      assertEquals(limit + 1, samples.keySet().stream().filter(e -> e.startsWith(files)).count());
      String writes = "cassandra_table_writelatency_seconds_count{keyspace=";
      String others = writes + "\"(other)\",table=\"(other)\"}";
      long shown =
          samples.keySet().stream().filter(each -> each.startsWith(writes + "\"k\"")).count();
      assertTrue(shown > 0 && shown < limit, "" + shown);
      assertEquals(40 - shown, value(samples, others));
      assertEquals(40 - shown, value(samples, "helenus_metrics_tables_summed"));
      run(client, "DROP TABLE k.t0");
      run(client, "DROP TABLE k.t39");
      Map<String, Double> later = scrape();
      assertFalse(later.containsKey(writes + "\"k\",table=\"t0\"}"));
      assertEquals(40 - shown, value(later, others));
      assertEquals(39 - shown, value(later, "helenus_metrics_tables_summed"));
    }
  }

  @Test
  void theDashboardUsesMetricsThatExist() throws IOException {
    try (Server server = start(Map.of());
        CqlClient client = connect(server)) {
      run(client, KEYSPACE);
      run(client, "CREATE TABLE k.t (a int PRIMARY KEY)");
      run(client, "INSERT INTO k.t (a) VALUES (1)");
      run(client, "SELECT * FROM k.t");
      run(client, "SELECT * FROM k.t WHERE a = 1");
      Set<String> existing = new TreeSet<>();
      scrape().keySet().forEach(each -> existing.add(each.replaceFirst("\\{.*", "")));
      Set<String> used = new TreeSet<>();
      Pattern name = Pattern.compile("\\b(?:cassandra|helenus|jvm|process)_\\w+");
      for (String line :
          Files.readAllLines(Path.of("..", "monitoring", "grafana-dashboard.json"))) {
        if (line.contains("\"expr\"") || line.contains("label_values")) {
          name.matcher(line).results().forEach(found -> used.add(found.group()));
        }
      }
      assertTrue(used.size() > 40, used.toString());
      used.removeAll(existing);
      assertEquals(Set.of(), used);
    }
  }

  @Test
  void theHealthOfTheProcessIsShown() throws IOException {
    try (Server server = start(Map.of())) {
      Map<String, Double> samples = scrape();
      for (String name :
          List.of(
              "jvm_memory_used_bytes{",
              "jvm_gc_collection_seconds_count{",
              "process_files_open",
              "process_cpu_time_ns_total",
              "jvm_threads_live_threads",
              "process_uptime_seconds")) {
        assertTrue(samples.keySet().stream().anyMatch(each -> each.startsWith(name)), name);
      }
      assertTrue(server.port() > 0);
    }
  }
}
