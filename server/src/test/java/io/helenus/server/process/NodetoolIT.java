package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/nodetool} with a node that runs. */
class NodetoolIT {
  @TempDir private Path folder;

  private Outcome nodetool(String... arguments) throws Exception {
    Files.createDirectories(folder.resolve("elsewhere"));
    List<String> all = new ArrayList<>(List.of("--data", folder.resolve("data").toString()));
    all.addAll(List.of(arguments));
    return Outcome.of(
        ServerProcess.launcher().resolveSibling("nodetool"),
        folder.resolve("elsewhere"),
        Map.of(),
        all.toArray(String[]::new));
  }

  private String succeed(String... arguments) throws Exception {
    Outcome outcome = nodetool(arguments);
    assertEquals(0, outcome.code(), outcome.output());
    return outcome.output();
  }

  private void fail(int code, String message, String... arguments) throws Exception {
    Outcome outcome = nodetool(arguments);
    assertEquals(code, outcome.code(), outcome.output());
    assertTrue(outcome.output().contains(message), outcome.output());
  }

  private ServerProcess start(String... options) {
    return ServerProcess.start(folder.resolve("data"), ServerProcess.freePort(), List.of(options));
  }

  private static Response query(CqlClient client, String text) {
    Response response = client.query(text);
    assertFalse(response instanceof Response.Failure, response.toString());
    return response;
  }

  private void define(CqlClient client) {
    query(
        client,
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    query(client, "CREATE TABLE k.t (a int PRIMARY KEY, b text)");
    query(client, "INSERT INTO k.t (a, b) VALUES (1, 'one')");
  }

  private long files(String below, String name) throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("data").resolve(below))) {
      return all.filter(file -> file.getFileName().toString().endsWith(name)).count();
    }
  }

  @Test
  void commandsReachTheNode() throws Exception {
    // The default port may be another test's when the node has stopped.
    try (ServerProcess server = start("-Dshards=1", "-Dadmin_port=0");
        CqlClient client = server.connect()) {
      define(client);
      // no other compaction than the one that is asked for
      query(
          client,
          "ALTER TABLE k.t WITH compaction ="
              + " {'class': 'SizeTieredCompactionStrategy', 'min_threshold': 8}");
      assertTrue(succeed("status").contains("\nUN  127.0.0.1 "));
      assertTrue(succeed("info").contains("Native Transport active: true\n"));
      assertEquals("ReleaseVersion: 5.0.0\n", succeed("version"));
      assertEquals("", succeed("flush", "k", "t"));
      assertEquals(1, files("sstables", ".sst"));
      assertTrue(succeed("tablestats", "k.t").contains("SSTable count: 1\n"));
      String sizes = succeed("tablestats", "k.t");
      assertTrue(sizes.matches("(?s).*partition minimum bytes: [1-9].*mean bytes: [1-9].*"), sizes);
      String histograms = succeed("tablehistograms", "k", "t");
      assertTrue(histograms.matches("(?s).*\nMin .* [1-9]\\d* +0\nMax .*"), histograms);
      assertTrue(succeed("snapshot", "-t", "before", "k").endsWith("directory: before\n"));
      query(client, "INSERT INTO k.t (a, b) VALUES (2, 'two')");
      assertEquals("", succeed("compact", "k", "t"));
      assertTrue(succeed("tablestats", "k.t").contains("SSTable count: 1\n"));
      assertEquals(1, files("snapshots", "100-1.sst"));
      assertTrue(succeed("listsnapshots").contains("\nbefore        k             t "));
      String counters = succeed("tpstats");
      assertTrue(counters.matches("(?s).*\nMutationStage +0 +0 +[1-9].*"), counters);
      assertTrue(succeed("compactionstats").matches("(?s).*compactions completed +1 .*"));
      succeed("clearsnapshot", "-t", "before");
      assertEquals(0, files("", "before"));
      succeed("settimeout", "read", "4000");
      assertEquals("Current timeout for type read: 4000 ms\n", succeed("gettimeout", "read"));
      assertEquals("127.0.0.1\n", succeed("getendpoints", "k", "t", "1"));
      fail(1, "nodetool: Keyspace [nope] does not exist.", "flush", "nope");
      fail(2, "error: Unknown keyspace/cf pair (k.nope)", "flush", "k", "nope");
      query(client, "CREATE INDEX by_b ON k.t (b)");
      assertEquals("", succeed("rebuild_index", "k", "t", "by_b", "t.by_b"));
      assertEquals(1, files("sstables", ".idx"));
      fail(1, "nodetool: rebuild_index requires ks, cf and idx args", "rebuild_index", "k", "t");
      fail(2, "error: There is no index nope on k.t", "rebuild_index", "k", "t", "nope");
      query(client, "CREATE TABLE k.empty (a int PRIMARY KEY)");
      String sorted = succeed("tablestats", "-s", "space_used_live", "-t", "1", "k");
      assertTrue(sorted.startsWith("Total number of tables: 2 (showing top 1 by space_used_live)"));
      assertTrue(sorted.contains("\n\tTable: k.t\n\tSSTable count: 1\n"), sorted);
      fail(1, "'rebuild' is not a command", "rebuild");
      fail(1, "Found unexpected parameters: [--all]", "info", "--all");
      assertEquals(0, server.terminate());
    }
    fail(1, "Failed to connect to '127.0.0.1:", "status");
  }

  private static String rows(CqlClient client, String text) {
    return ((Response.Rows) query(client, text))
        .rows().stream()
            .map(
                row ->
                    row.stream()
                        .map(value -> value == null ? "null" : HexFormat.of().formatHex(value))
                        .toList())
            .toList()
            .toString();
  }

  private String folderOfSnapshot(String tag) throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("data/snapshots").resolve(tag))) {
      return all.filter(file -> file.endsWith("manifest.json"))
          .map(Path::getParent)
          .findFirst()
          .orElseThrow()
          .toString();
    }
  }

  @Test
  void viewsAreVerified() throws Exception {
    try (ServerProcess server = start("-D", "materialized_views_enabled=true");
        CqlClient client = server.connect()) {
      define(client);
      query(
          client,
          "CREATE MATERIALIZED VIEW k.by_b AS SELECT * FROM k.t"
              + " WHERE b IS NOT NULL AND a IS NOT NULL PRIMARY KEY (b, a)");
      query(client, "INSERT INTO k.t (a, b) VALUES (2, 'two')");
      Outcome verified = nodetool("verifyview", "k", "by_b");
      while (verified.code() != 0 && verified.output().contains("has not finished building")) {
        verified = nodetool("verifyview", "k", "by_b");
      }
      assertEquals(0, verified.code(), verified.output());
      assertTrue(
          verified.output().contains("Compared 2 rows of k.t and 2 rows of k.by_b\n"),
          verified.output());
      fail(1, "There is no materialized view k.t.", "verifyview", "k", "t");
      assertEquals(0, server.terminate());
    }
  }

  @Test
  void snapshotsAreLoadedIntoTables() throws Exception {
    String rows = "SELECT a, b, writetime(b) FROM k.t";
    try (ServerProcess server = start("-Dshards=2");
        CqlClient client = server.connect()) {
      define(client);
      query(client, "INSERT INTO k.t (a, b) VALUES (2, 'two')");
      query(client, "DELETE FROM k.t WHERE a = 3");
      succeed("snapshot", "-t", "before", "k");
      String saved = rows(client, rows);
      String snapshot = folderOfSnapshot("before");
      String files = succeed("getsstables", "k", "t", "1");
      assertTrue(files.matches(folder.resolve("data/sstables") + "/100-\\d+\\.sst\n"), files);
      assertEquals("", succeed("getsstables", "k", "t", "4"));
      query(client, "TRUNCATE k.t");
      query(client, "INSERT INTO k.t (a, b) VALUES (3, 'deleted') USING TIMESTAMP 1");
      assertEquals("", succeed("import", "k", "t", snapshot));
      assertEquals(saved, rows(client, rows));
      query(client, "DROP TABLE k.t");
      query(client, "CREATE TABLE k.t (a int PRIMARY KEY, b text)");
      Path target = Files.createDirectories(folder.resolve("data/import/k/t"));
      try (Stream<Path> all = Files.list(Path.of(snapshot))) {
        for (Path file : all.toList()) {
          Files.copy(file, target.resolve(file.getFileName()));
        }
      }
      assertEquals("", succeed("refresh", "--", "k", "t"));
      assertEquals(saved, rows(client, rows));
      query(client, "CREATE TABLE k.other (a text PRIMARY KEY, b text)");
      fail(1, "column a was of type ", "import", "k", "other", snapshot);
      fail(2, "it is empty or does not exist", "refresh", "k", "other");
      fail(1, "ColumnFamilyStore for k/nope not found.", "getsstables", "k", "nope", "1");
      server.kill();
    }
    try (ServerProcess server = start("-Dshards=3");
        CqlClient client = server.connect()) {
      assertEquals(2, ((Response.Rows) query(client, rows)).rows().size());
    }
  }

  @Test
  void aSnapshotIsRestoredByItsOwnSchema() throws Exception {
    try (ServerProcess server = start("-Dshards=2");
        CqlClient client = server.connect()) {
      query(
          client,
          "CREATE KEYSPACE k WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      query(client, "CREATE TYPE k.part (n int)");
      query(client, "CREATE TABLE k.t (a int PRIMARY KEY, b text, d int, e int, f frozen<part>)");
      query(client, "ALTER TABLE k.t ADD c map<int, text>");
      query(
          client,
          "INSERT INTO k.t (a, b, c, d, e, f) VALUES (1, 'one', {1: 'x', 2: 'y'}, 4, 5, {n: 6})");
      String saved = rows(client, "SELECT * FROM k.t");
      succeed("snapshot", "-t", "before", "k");
      String snapshot = folderOfSnapshot("before");
      query(client, "DROP KEYSPACE k");
      for (String each : Files.readString(Path.of(snapshot, "schema.cql")).split(";\n")) {
        query(client, each);
      }
      assertEquals("", succeed("import", "k", "t", snapshot));
      assertEquals(saved, rows(client, "SELECT * FROM k.t"));
      assertEquals(0, server.terminate());
    }
  }

  @Test
  void aSnapshotIsLoadedIntoATableThatWasCreatedByHand() throws Exception {
    String rows = "SELECT a, b, c, d, e, f, s, writetime(b) FROM k.t";
    try (ServerProcess server = start("-Dshards=2");
        CqlClient client = server.connect()) {
      query(
          client,
          "CREATE KEYSPACE k WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      query(client, "CREATE TYPE k.part (n int, o text)");
      query(
          client, "CREATE TABLE k.t (a int PRIMARY KEY, b text, d set<text>, f part, s list<int>)");
      query(client, "ALTER TABLE k.t ADD c map<int, text>");
      query(client, "ALTER TABLE k.t ADD e int");
      query(
          client,
          "INSERT INTO k.t (a, b, c, d, e, f, s) VALUES"
              + " (1, 'one', {1: 'x', 2: 'y'}, {'p', 'q'}, 5, {n: 6, o: 'seven'}, [3, 1, 2])");
      query(client, "UPDATE k.t SET c[3] = 'z', f.n = 8, s = s + [4] WHERE a = 1");
      query(client, "DELETE c[1] FROM k.t WHERE a = 1");
      query(client, "INSERT INTO k.t (a, c) VALUES (2, {9: 'nine'})");
      query(client, "INSERT INTO k.t (a, d, e) VALUES (3, {'r'}, 3) USING TTL 86400");
      query(client, "DELETE FROM k.t WHERE a = 2");
      query(client, "CREATE INDEX ON k.t (e)");
      String saved = rows(client, rows);
      succeed("snapshot", "-t", "before", "k");
      String snapshot = folderOfSnapshot("before");
      query(client, "DROP TABLE k.t");
      query(
          client,
          "CREATE TABLE k.t (a int PRIMARY KEY, b text, c map<int, text>, d set<text>, e int)");
      query(client, "CREATE INDEX ON k.t (e)");
      fail(
          1,
          "the table has no column f; add it first: ALTER TABLE k.t ADD f part",
          "import",
          "k",
          "t",
          snapshot);
      query(client, "ALTER TABLE k.t ADD (s list<int>, f part)");
      assertEquals("", succeed("import", "k", "t", snapshot));
      assertEquals(saved, rows(client, rows));
      assertEquals(
          1, ((Response.Rows) query(client, "SELECT a FROM k.t WHERE e = 5")).rows().size());
      query(client, "INSERT INTO k.t (a, c) VALUES (2, {9: 'nine'}) USING TIMESTAMP 1");
      query(client, "UPDATE k.t USING TIMESTAMP 1 SET c[1] = 'x' WHERE a = 1");
      assertEquals(saved, rows(client, rows), "what was deleted stays deleted");
      server.kill();
    }
    try (ServerProcess server = start("-Dshards=2");
        CqlClient client = server.connect()) {
      assertEquals(2, ((Response.Rows) query(client, rows)).rows().size());
      assertEquals(0, server.terminate());
    }
  }

  @Test
  void theMostActivePartitionsAreSampled() throws Exception {
    try (ServerProcess server = start("-Dshards=2");
        CqlClient client = server.connect()) {
      define(client);
      query(client, "CREATE TABLE k.c (a text PRIMARY KEY, n counter)");
      CompletableFuture<String> output = new CompletableFuture<>();
      Thread tool =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      output.complete(succeed("toppartitions", "-k", "3", "6000"));
                    } catch (Throwable e) {
                      output.completeExceptionally(e);
                    }
                  });
      int requests = 0;
      while (!output.isDone()) {
        query(client, "SELECT * FROM k.t WHERE a = 1");
        query(client, "INSERT INTO k.t (a, b) VALUES (" + requests++ % 5 + ", 'x')");
        query(client, "UPDATE k.c SET n = n + 1 WHERE a = 'often'");
        Thread.sleep(5);
      }
      tool.join();
      String sampled = output.join();
      String header = "Frequency of %s by partition:\n {3}Table Partition Count [+]/- *\n";
      String row = "( {3}k.. +[^\n]+\n){0,2} {3}%s +\\d+ +0 +\n.*";
      String reads = "(?s)" + header.formatted("reads") + row.formatted("k.t +1");
      assertTrue(sampled.matches(reads), sampled);
      String writes = "(?s).*" + header.formatted("writes") + row.formatted("k.c +often");
      assertTrue(sampled.matches(writes), sampled);
      assertTrue(sampled.matches("(?s).*most rows:\n[^\n]+ Rows *\n {3}k.*"), sampled);
      assertTrue(sampled.contains("most tombstones:\n   Nothing recorded"), sampled);
      query(client, "SELECT * FROM k.t WHERE a = 1");
      String hot = succeed("toppartitions", "--now", "-k", "3", "k", "c");
      assertTrue(hot.matches("(?s).*writes by partition:.*Share *\n {3}k.c +often +.*%.*"), hot);
      fail(1, "--now takes no duration", "toppartitions", "--now", "100");
      fail(1, "ColumnFamilyStore for k/nope not found.", "toppartitions", "k", "nope", "100");
      assertEquals(0, server.terminate());
    }
  }

  @Test
  void garbageCollectionsAreMeasuredBetweenCalls() throws Exception {
    try (ServerProcess server = start()) {
      assertTrue(server.port() > 0);
      String first = succeed("gcstats").lines().toList().get(1);
      assertTrue(first.matches(" +\\d+ +NaN +\\d+ +NaN +NaN +\\d+ +\\d+"), first);
      String second = succeed("gcstats").lines().toList().get(1);
      assertTrue(second.matches(" +\\d+ +\\d+ +\\d+ +(\\d+|NaN) +\\d+ +\\d+ +\\d+"), second);
    }
  }

  @Test
  void clientsAreRefusedAndAcceptedAgain() throws Exception {
    try (ServerProcess server = start()) {
      try (CqlClient client = server.connect()) {
        define(client);
        succeed("disablebinary");
      }
      assertEquals("not running\n", succeed("statusbinary"));
      assertThrows(RuntimeException.class, server::connect);
      assertTrue(get(address(), "/ready").startsWith("HTTP/1.1 503 "));
      assertTrue(get(address(), "/health").startsWith("HTTP/1.1 200 "));
      succeed("enablebinary");
      try (CqlClient client = server.connect()) {
        query(client, "INSERT INTO k.t (a, b) VALUES (2, 'two')");
        succeed("drain");
      }
      assertTrue(succeed("netstats").startsWith("Mode: DRAINED\n"));
      fail(1, "because the node was drained", "enablebinary");
      server.kill();
    }
    try (ServerProcess server = start();
        CqlClient client = server.connect()) {
      assertEquals(2, ((Response.Rows) query(client, "SELECT * FROM k.t")).rows().size());
    }
  }

  private String address() throws IOException {
    return Files.readString(folder.resolve("data/admin.address")).strip();
  }

  private static String get(String address, String path) throws IOException {
    int colon = address.lastIndexOf(':');
    try (Socket socket =
        new Socket(
            InetAddress.getByName(address.substring(0, colon)),
            Integer.parseInt(address.substring(colon + 1)))) {
      String request = "GET " + path + " HTTP/1.1\r\nHost: node\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void commandsNeedTheTokenThatOnlyTheUserOfTheNodeCanRead() throws Exception {
    int healthPort = ServerProcess.freePort();
    try (ServerProcess server = start("-Dadmin_port=0", "-Dhealth_port=" + healthPort)) {
      assertTrue(server.port() > 0);
      assertEquals(
          PosixFilePermissions.fromString("rw-------"),
          Files.getPosixFilePermissions(folder.resolve("data/admin.token")));
      fail(1, "the token is missing or wrong", "-pw", "0123456789abcdef", "status");
      fail(1, "the token is missing or wrong", "status", "-pw", "0123456789abcdef");
      assertTrue(get(address(), "/nodetool/status").startsWith("HTTP/1.1 401 "));
      String health = "127.0.0.1:" + healthPort;
      assertTrue(get(health, "/ready").startsWith("HTTP/1.1 200 "));
      assertTrue(get(health, "/health").startsWith("HTTP/1.1 200 "));
      assertTrue(get(health, "/nodetool/status").startsWith("HTTP/1.1 404 "));
    }
  }

  @Test
  void otherAddressesRequireATokenOfTheUser() {
    ServerProcess.ExitResult refused =
        ServerProcess.startRefused(
            folder.resolve("data"), List.of("-Dadmin_address=0.0.0.0", "-Dadmin_port=0"));
    assertEquals(1, refused.exitCode());
    assertTrue(
        refused.output().contains("admin_address 0.0.0.0 is not a loopback address"),
        refused.output());
  }

  @Test
  void helpNeedsNoNode() throws Exception {
    assertTrue(succeed("help").contains("    tablestats          Print statistics on tables\n"));
    assertTrue(succeed("help", "snapshot").contains("--skip-flush"));
    fail(1, "there is no file", "status");
  }
}
