package io.helenus.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Row;
import io.helenus.server.process.ServerProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code bin/helenus copy} between two nodes, and with the Maven profile {@code cassandra} between
 * a node and Apache Cassandra in both directions.
 */
class CopyIT {
  private static final String KEYSPACE = "copy_it";
  private static final long LOOK_NANOS = 20_000_000;

  @TempDir private Path folder;
  private ServerProcess here;
  private ServerProcess there;

  private record Outcome(int code, String output) {}

  @BeforeEach
  void start() {
    here =
        ServerProcess.start(
            folder.resolve("here"), ServerProcess.freePort(), List.of("-Dshards=1"));
    there =
        ServerProcess.start(
            folder.resolve("there"), ServerProcess.freePort(), List.of("-Dshards=1"));
  }

  @AfterEach
  void stop() {
    here.close();
    there.close();
  }

  private static String address(ServerProcess server) {
    return "127.0.0.1:" + server.port();
  }

  private static CqlSession connect(String address) {
    int colon = address.indexOf(':');
    return CqlSession.builder()
        .addContactPoint(
            new InetSocketAddress(
                address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))))
        .withLocalDatacenter("datacenter1")
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofMinutes(1))
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                .build())
        .build();
  }

  private Process launch(Map<String, String> environment, Path output, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(ServerProcess.launcher().toString(), "copy"));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("HELENUS_JAVA_HOME", System.getProperty("java.home"));
    // each process lives for seconds: the second compiler would only take time from the others
    builder.environment().put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
    builder.environment().putAll(environment);
    return builder.start();
  }

  private Outcome copy(Map<String, String> environment, String from, String to, String... more)
      throws Exception {
    Path output = Files.createTempFile(folder, "copy", ".txt");
    List<String> arguments = new ArrayList<>(List.of("--from", from, "--to", to));
    arguments.addAll(List.of(more));
    Process process = launch(environment, output, arguments);
    assertTrue(process.waitFor(10, TimeUnit.MINUTES), "the copy did not end");
    return new Outcome(process.exitValue(), Files.readString(output));
  }

  private Outcome copy(String... more) throws Exception {
    return copy(Map.of(), address(here), address(there), more);
  }

  private static void assertOutcome(int code, String part, Outcome outcome) {
    assertEquals(code, outcome.code(), outcome.output());
    assertTrue(outcome.output().contains(part), outcome.output());
  }

  private static void createKeyspace(CqlSession session) {
    session.execute("DROP KEYSPACE IF EXISTS " + KEYSPACE);
    session.execute(
        "CREATE KEYSPACE "
            + KEYSPACE
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute("USE " + KEYSPACE);
  }

  /** Every kind of column, with cells of different ages, and rows of all kinds. */
  private static void fill(CqlSession session) {
    createKeyspace(session);
    session.execute("CREATE TYPE inner_type (x int, names frozen<map<text, int>>)");
    session.execute("CREATE TYPE pair (a int, \"B\" text, i frozen<inner_type>)");
    session.execute(
        "CREATE TABLE everything (p int, q text, c int, \"D\" text, s int static,"
            + " sl list<text> static, l list<int>, m map<text, int>, st set<int>, u pair,"
            + " fu frozen<pair>, fl frozen<list<int>>, v int, t text, d decimal, dur duration,"
            + " vec vector<float, 3>, PRIMARY KEY ((p, q), c, \"D\"))"
            + " WITH CLUSTERING ORDER BY (c DESC, \"D\" ASC) AND comment = 'it''s'"
            + " AND default_time_to_live = 5000");
    session.execute("CREATE TABLE keys_only (a int, b int, PRIMARY KEY (a, b))");
    session.execute(
        "CREATE TABLE counts (p int, c int, n counter, more counter, s counter static,"
            + " PRIMARY KEY (p, c))");
    session.execute("CREATE TABLE empty (a int PRIMARY KEY)");
    for (int i = 0; i < 10; i++) {
      String key = " WHERE p = " + i + " AND q = 'q' AND c = 1 AND \"D\" = 'd'";
      session.execute(
          "INSERT INTO everything (p, q, c, \"D\", s, sl, l, m, st, u, fu, fl, v, t, d, dur, vec)"
              + (" VALUES (" + i + ", 'q', 1, 'd', " + i)
              + ", ['x', 'y'], [1, 2], {'a': 1, 'b': 2}, {3, 4}, {a: 1, \"B\": 'b'},"
              + " {a: 2, i: {x: 1, names: {'n': 1}}}, [1, 2], 5, 'text', 1.50, 1h2m, [1, 2, 3])"
              + (" USING TIMESTAMP " + (1000 + i) + " AND TTL " + (i % 2 == 0 ? 0 : 50_000)));
      session.execute(
          "UPDATE everything USING TIMESTAMP 2000 AND TTL 0 SET l = l + [7, 8], m['b'] = 3,"
              + " st = st + {5}, u.a = 77, v = 6"
              + key);
      session.execute(
          "UPDATE everything USING TIMESTAMP 3000 AND TTL 90000 SET l = [-1] + l, sl = sl + ['z']"
              + key);
      session.execute(
          "UPDATE everything USING TIMESTAMP 5 SET l = [1], st = {1}"
              + key.replace("'q'", "'collections'"));
      session.execute("INSERT INTO everything (p, q, c, \"D\") VALUES (" + i + ", 'keys', 1, 'd')");
      session.execute(
          "INSERT INTO everything (p, q, s, sl) VALUES (" + i + ", 'statics', 1, ['a'])");
      session.execute("INSERT INTO keys_only (a, b) VALUES (" + i + ", 1)");
      session.execute("UPDATE counts SET n = n + " + i + ", s = s + 2 WHERE p = 1 AND c = " + i);
      session.execute("UPDATE counts SET more = more - 5 WHERE p = 2 AND c = " + i);
      session.execute("UPDATE counts SET s = s + 1 WHERE p = " + (100 + i));
    }
  }

  private static final String EVERYTHING =
      "SELECT v, writetime(v), l, writetime(l), m, writetime(m), st, writetime(st), u,"
          + " writetime(u), sl, writetime(sl), fu, fl, t, d, dur, vec FROM "
          + KEYSPACE
          + ".everything WHERE p = 3 AND q = 'q'";

  private static String row(CqlSession session) {
    Row row = session.execute(EVERYTHING).one();
    return row == null ? "none" : row.getFormattedContents();
  }

  /** Copies what {@link #fill} wrote; the target has the same rows, times and definitions. */
  private void copyEverything(String from, String to) throws Exception {
    try (CqlSession source = connect(from);
        CqlSession target = connect(to)) {
      fill(source);
      target.execute("DROP KEYSPACE IF EXISTS " + KEYSPACE);
      Outcome outcome = copy(Map.of(), from, to, "--ranges", "16", KEYSPACE);
      assertOutcome(0, "equal copy_it.everything: 40 rows\n", outcome);
      assertOutcome(0, "equal copy_it.keys_only: 10 rows\n", outcome);
      assertOutcome(0, "equal copy_it.counts: 30 rows\n", outcome);
      assertOutcome(0, "equal copy_it.empty: 0 rows\n", outcome);
      assertEquals(row(source), row(target));
      assertTrue(
          row(target).contains("l:[-1,1,2,7,8], \"writetime(l)\":[3000,1003,1003,2000,2000]"),
          row(target));
      long left =
          target
              .execute("SELECT ttl(t) FROM copy_it.everything WHERE p = 3 AND q = 'q'")
              .one()
              .getInt(0);
      assertTrue(left > 40_000 && left <= 50_000, () -> left + " s");
      assertTrue(
          target
              .execute("SELECT ttl(t) FROM copy_it.everything WHERE p = 2 AND q = 'q'")
              .one()
              .isNull(0),
          "the default TTL of the table is not applied");
      assertEquals(
          "it's",
          target
              .execute(
                  "SELECT comment FROM system_schema.tables WHERE keyspace_name = 'copy_it'"
                      + " AND table_name = 'everything'")
              .one()
              .getString(0));
      assertNoState();
    }
  }

  private void assertNoState() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      Optional<Path> state = files.filter(file -> file.toString().endsWith(".state")).findAny();
      assertFalse(state.isPresent(), () -> "left over: " + state);
    }
  }

  @Test
  void everyKindOfCellArrivesWithItsTimes() throws Exception {
    copyEverything(address(here), address(there));
    try (CqlSession target = connect(address(there))) {
      target.execute("DELETE FROM copy_it.keys_only WHERE a = 3 AND b = 1");
      target.execute("INSERT INTO copy_it.keys_only (a, b) VALUES (4, 0)");
      target.execute(
          "UPDATE copy_it.everything USING TIMESTAMP 2001 AND TTL 0 SET v = 6"
              + " WHERE p = 5 AND q = 'q' AND c = 1 AND \"D\" = 'd'");
      target.execute("UPDATE copy_it.counts SET n = n + 1 WHERE p = 1 AND c = 2");
    }
    Outcome different = copy("--compare-only", KEYSPACE);
    assertOutcome(2, "different copy_it.keys_only: 2 rows", different);
    for (String line :
        List.of(
            "copy_it.keys_only a = 3 AND b = 1: only in the source",
            "copy_it.keys_only a = 4 AND b = 0: only in the target",
            "D\" = 'd': writetime(v) is 2000 in the source, 2001 in the target",
            "copy_it.counts p = 1 AND c = 2: n is 2 in the source, 3 in the target",
            "equal copy_it.empty: 0 rows")) {
      assertTrue(different.output().contains(line), different.output());
    }
    assertOutcome(1, "truncate the table there", copy(KEYSPACE + ".counts"));
    assertOutcome(
        0,
        "equal copy_it.counts: 30 rows",
        copy("--overwrite-counters", "--state", "counts.state", KEYSPACE + ".counts"));
  }

  @Test
  void aCopyThatWasKilledGoesOn() throws Exception {
    try (CqlSession source = connect(address(here))) {
      createKeyspace(source);
      source.execute("CREATE TABLE lists (k int PRIMARY KEY, l list<int>, v int)");
      source.execute("CREATE TABLE counts (k int PRIMARY KEY, n counter)");
      for (int i = 0; i < 400; i++) {
        source.execute("INSERT INTO lists (k, l, v) VALUES (" + i + ", [1, 2], 3)");
        source.execute("UPDATE counts SET n = n + 5 WHERE k = " + i);
      }
    }
    Path state = folder.resolve("copy.state");
    List<String> arguments =
        List.of(
            "--from",
            address(here),
            "--to",
            address(there),
            "--ranges",
            "32",
            "--parallel",
            "2",
            "--rate",
            "300",
            "--state",
            state.toString(),
            KEYSPACE);
    Path output = folder.resolve("killed.txt");
    Process process = launch(Map.of(), output, arguments);
    killAfterSome(process, state, "done", output);
    Outcome other = copy("--ranges", "33", "--state", state.toString(), KEYSPACE);
    assertOutcome(1, "belongs to a copy with 'ranges 32' instead of 'ranges 33'", other);
    Process again = launch(Map.of(), output, arguments);
    assertTrue(again.waitFor(10, TimeUnit.MINUTES));
    assertOutcome(0, " of 64 ranges\n", new Outcome(again.exitValue(), read(output)));
    assertTrue(read(output).contains("goes on after"), read(output));
    assertTrue(read(output).contains("equal copy_it.lists: 400 rows\n"), read(output));
    assertTrue(read(output).contains("equal copy_it.counts: 400 rows\n"), read(output));
    assertFalse(Files.exists(state));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Kills a process when it has recorded some of 32 ranges of the table "lists". */
  private static void killAfterSome(Process process, Path state, String record, Path output)
      throws InterruptedException {
    while (!Files.exists(state) || finished(state, record) < 3) {
      assertTrue(process.isAlive(), () -> "ended: " + read(output));
      LockSupport.parkNanos(LOOK_NANOS);
    }
    process.destroyForcibly().waitFor();
    assertTrue(finished(state, record) < 32, "some ranges are left");
  }

  private static long finished(Path state, String record) {
    return read(state).lines().filter(line -> line.startsWith(record + " copy_it.lists")).count();
  }

  @Test
  void aComparisonThatWasKilledGoesOn() throws Exception {
    try (CqlSession source = connect(address(here));
        CqlSession target = connect(address(there))) {
      createKeyspace(source);
      source.execute("CREATE TABLE lists (k int PRIMARY KEY, l list<int>, v int)");
      for (int i = 0; i < 400; i++) {
        source.execute("INSERT INTO lists (k, l, v) VALUES (" + i + ", [1, 2], 3)");
      }
      assertOutcome(0, "copied copy_it.lists: 400 rows", copy("--no-compare", KEYSPACE));
      Path state = folder.resolve("compare.state");
      List<String> arguments =
          new ArrayList<>(List.of("--from", address(here), "--to", address(there)));
      arguments.addAll(List.of("--compare-only", "--ranges", "32", "--parallel", "2"));
      arguments.addAll(List.of("--rate", "300", "--state", state.toString(), KEYSPACE));
      Path output = folder.resolve("compared.txt");
      killAfterSome(launch(Map.of(), output, arguments), state, "equal", output);
      Process again = launch(Map.of(), output, arguments);
      assertTrue(again.waitFor(10, TimeUnit.MINUTES));
      assertOutcome(
          0, "equal copy_it.lists: 400 rows\n", new Outcome(again.exitValue(), read(output)));
      assertTrue(read(output).contains("goes on comparing after"), read(output));
      assertFalse(Files.exists(state));

      target.execute("DELETE FROM copy_it.lists WHERE k = 7");
      killAfterSome(launch(Map.of(), output, arguments), state, "equal", output);
      Process different = launch(Map.of(), output, arguments);
      assertTrue(different.waitFor(10, TimeUnit.MINUTES));
      assertOutcome(
          2, "different copy_it.lists: 1 rows;", new Outcome(different.exitValue(), read(output)));
      assertTrue(read(output).contains("only in the source"), read(output));
      assertFalse(Files.exists(state));
    }
  }

  @Test
  void whatCannotBeCopiedIsExplained() throws Exception {
    try (CqlSession source = connect(address(here));
        CqlSession target = connect(address(there))) {
      createKeyspace(source);
      createKeyspace(target);
      source.execute("CREATE TABLE t (a int PRIMARY KEY, b text)");
      target.execute("CREATE TABLE t (a int PRIMARY KEY, b int)");
    }
    assertOutcome(
        1,
        "the table copy_it.t differs: 'b text' in " + address(here) + ", 'b int' in ",
        copy(KEYSPACE));
    assertOutcome(1, "there is no keyspace nope in ", copy("nope"));
    assertOutcome(1, "there is no table nope in copy_it of ", copy(KEYSPACE + ".nope"));
    assertOutcome(1, "belongs to the server itself", copy("system"));
    assertOutcome(
        1, "--compare-only and --no-compare", copy("--compare-only", "--no-compare", "x"));
    assertOutcome(
        1, "are the same cluster", copy(Map.of(), address(here), address(here), KEYSPACE));
    assertOutcome(
        1,
        "cannot connect to --to 127.0.0.1:1: ",
        copy(Map.of(), address(here), "127.0.0.1:1", "x"));
    assertOutcome(1, "expected one of [ANY, ONE,", copy("--consistency", "SOME", KEYSPACE));
    assertOutcome(1, "HELENUS_TO_PASSWORD", copy("--to-user", "me", KEYSPACE));
  }

  @Test
  void connectionsAreEncryptedOnRequest() throws Exception {
    try (CqlSession source = connect(address(here))) {
      createKeyspace(source);
      source.execute("CREATE TABLE t (a int PRIMARY KEY, b text)");
      source.execute("INSERT INTO t (a, b) VALUES (1, 'one')");
    }
    Path keys = folder.resolve("keys.p12");
    try (TlsProxy proxy = TlsProxy.start(keys, there.port())) {
      Outcome copied =
          copy(
              Map.of("HELENUS_TO_TRUSTSTORE_PASSWORD", TlsProxy.PASSWORD),
              address(here),
              "127.0.0.1:" + proxy.port(),
              "--to-tls",
              "--to-truststore",
              keys.toString(),
              KEYSPACE);
      assertOutcome(0, "equal copy_it.t: 1 rows", copied);
      Outcome untrusted =
          copy(Map.of(), address(here), "127.0.0.1:" + proxy.port(), "--to-tls", KEYSPACE);
      assertOutcome(1, "unable to find valid certification path", untrusted);
    }
  }

  @Test
  void cassandraIsCopiedFromAndTo() throws Exception {
    String jars = System.getProperty("cassandra.jars");
    assumeTrue(jars != null, "Apache Cassandra is there with the Maven profile cassandra only");
    try (CassandraProcess process =
        CassandraProcess.start(Path.of(jars), folder.resolve("cassandra"))) {
      String cassandra = process.address();
      copyEverything(cassandra, address(there));
      copyEverything(address(here), cassandra);
      refuseViews(cassandra);
    }
  }

  private void refuseViews(String cassandra) throws Exception {
    try (CqlSession session = connect(cassandra);
        CqlSession target = connect(address(there))) {
      createKeyspace(session);
      session.execute("CREATE TABLE t (a int PRIMARY KEY, b text)");
      session.execute("CREATE INDEX by_b ON t (b)");
      session.execute(
          "CREATE MATERIALIZED VIEW t_by_b AS SELECT a, b FROM t"
              + " WHERE a IS NOT NULL AND b IS NOT NULL PRIMARY KEY (b, a)");
      target.execute("DROP KEYSPACE copy_it");
    }
    Outcome refused = copy(Map.of(), cassandra, address(there), KEYSPACE);
    assertOutcome(1, "materialized view copy_it.t_by_b: Materialized views are disabled", refused);
    Outcome without = copy(Map.of(), cassandra, address(there), "--skip-unsupported", KEYSPACE);
    assertOutcome(0, "equal copy_it.t: 0 rows", without);
  }
}
