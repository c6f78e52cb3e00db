package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.config.TestSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Guardrails with non-default thresholds, over the wire. */
class GuardrailsTest {
  @TempDir private Path data;
  private Server server;
  private CqlClient client;

  @BeforeEach
  void start() throws IOException {
    Settings settings =
        TestSettings.in(data)
            .with(Setting.BATCH_SIZE_WARN_THRESHOLD, "1KiB")
            .with(Setting.BATCH_SIZE_FAIL_THRESHOLD, "2KiB")
            .with(Setting.UNLOGGED_BATCH_ACROSS_PARTITIONS_WARN_THRESHOLD, "2")
            .with(Setting.TOMBSTONE_WARN_THRESHOLD, "5")
            .with(Setting.TOMBSTONE_FAILURE_THRESHOLD, "20")
            .with(Setting.named("sai_sstable_indexes_per_query_warn_threshold"), "2")
            .with(Setting.named("sai_sstable_indexes_per_query_fail_threshold"), "4")
            .with(Setting.SHARDS, "2")
            .build();
    server = Server.start(settings);
    client = CqlClient.connect(InetAddress.getLoopbackAddress(), server.port());
    done(
        "CREATE KEYSPACE g WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    done("CREATE TABLE g.t (k int, c int, v text, PRIMARY KEY (k, c))");
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private Response done(String statement) {
    Response response = client.query(statement);
    if (response instanceof Response.Failure failure) {
      throw new AssertionError(statement + ": " + failure.message());
    }
    return response;
  }

  private static String batch(int valueLength) {
    return "BEGIN BATCH INSERT INTO g.t (k, c, v) VALUES (1, 1, '%s'); INSERT INTO g.t (k, c)"
            .formatted("x".repeat(valueLength))
        + " VALUES (2, 1); APPLY BATCH";
  }

  private void delete(int from, int to) {
    for (int c = from; c < to; c++) {
      done("DELETE FROM g.t WHERE k = 1 AND c = " + c);
    }
  }

  @Test
  void aReadOfFewTombstonesGivesNoWarning() {
    delete(0, 5);
    assertEquals(List.of(), done("SELECT * FROM g.t WHERE k = 1").warnings());
  }

  @Test
  void aReadOfManyTombstonesGivesAWarning() {
    done("INSERT INTO g.t (k, c, v) VALUES (1, 100, 'x')");
    delete(0, 6);
    for (String statement : List.of("SELECT * FROM g.t WHERE k = 1", "SELECT * FROM g.t")) {
      assertEquals(
          List.of(
              "Read 1 live rows and 6 tombstone cells for query "
                  + statement
                  + "; token -4069959284402364209 (see tombstone_warn_threshold)"),
          done(statement).warnings());
    }
  }

  @Test
  void aReadOfTooManyTombstonesFails() {
    delete(0, 30);
    for (String where : List.of("", " WHERE k = 1", " WHERE k IN (1, 2)")) {
      Response.Failure failure =
          assertInstanceOf(Response.Failure.class, client.query("SELECT * FROM g.t" + where));
      assertEquals(0x1300, failure.code());
      assertTrue(failure.message().contains("READ_TOO_MANY_TOMBSTONES"), failure.message());
      assertTrue(failure.warnings().getFirst().contains("21 tombstone cells"));
    }
    done("SELECT * FROM g.t WHERE k = 1 AND c = 3");
  }

  private List<String> indexWarnings(String statement) {
    return done(statement).warnings();
  }

  private void assertIndexFailure(String statement) {
    Response.Failure failure = assertInstanceOf(Response.Failure.class, client.query(statement));
    assertEquals(0x1300, failure.code(), failure.message());
    assertEquals(
        "Operation failed - received 0 responses and 1 failures: UNKNOWN from this node (see"
            + " sai_sstable_indexes_per_query_fail_threshold)",
        failure.message());
    assertEquals(List.of(), failure.warnings());
  }

  private static String indexWarning(int files, String statement) {
    return "1 nodes referenced more than allowed number of indexes without restrictions on"
        + " partition key, maximum on a node being "
        + files
        + " indexes, and issued warnings for query "
        + statement
        + " (see sai_sstable_indexes_per_query_warn_threshold)";
  }

  /** As asked of Cassandra: a restricted partition is no exception, nor is a LIMIT. */
  @Test
  void aQueryOfManyFilesOfAnAttachedIndexGivesAWarningOrFails() throws Exception {
    done(
        "CREATE TABLE g.i (p int, c int, a int, b int, w vector<float, 3>, PRIMARY KEY (p, c)) WITH"
            + " compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}");
    for (String index : List.of("a) USING 'sai'", "w) USING 'sai'", "b)")) {
      done("CREATE INDEX ON g.i (" + index);
    }
    String range = "SELECT c FROM g.i WHERE a > 0";
    String partition = "SELECT c FROM g.i WHERE p = 1 AND a > 0 LIMIT 1";
    String nearest = "SELECT c FROM g.i ORDER BY w ANN OF [1, 2, 3] LIMIT 3";
    String one = "SELECT c FROM g.i WHERE a = 4";
    String legacy = "SELECT c FROM g.i WHERE b = 1";
    for (int files = 1; files <= 5; files++) {
      done("INSERT INTO g.i (p, c, a, b, w) VALUES (1, %1$d, %1$d, 1, [1, 2, 3])".formatted(files));
      done("INSERT INTO g.i (p, c, a) VALUES (1, 100, %d)".formatted(files + 1));
      Void ignored = server.node().flushAll().get(60, TimeUnit.SECONDS);
      assertEquals(List.of(), indexWarnings(one), files + " files, of which two have the term");
      assertEquals(List.of(), indexWarnings(legacy));
      for (String statement : List.of(range, partition, nearest)) {
        if (files > 4) {
          assertIndexFailure(statement);
        } else {
          assertEquals(
              files > 2 ? List.of(indexWarning(files, statement)) : List.of(),
              indexWarnings(statement));
        }
      }
    }
  }

  @Test
  void aBatchBelowTheThresholdsGivesNoWarning() {
    assertEquals(List.of(), done(batch(800)).warnings());
  }

  @Test
  void aLargeBatchGivesAWarning() {
    String warning = done(batch(1500)).warnings().getFirst();
    assertTrue(warning.startsWith("Batch for [g.t] is of size 1"), warning);
    assertTrue(warning.contains(", exceeding specified threshold of 1024 by "), warning);
  }

  @Test
  void aBatchThatIsTooLargeIsRejectedAndChangesNothing() {
    Response.Failure failure = assertInstanceOf(Response.Failure.class, client.query(batch(2500)));
    assertEquals("Batch too large", failure.message());
    assertEquals(0, assertInstanceOf(Response.Rows.class, done("SELECT * FROM g.t")).rows().size());
  }

  @Test
  void anUnloggedBatchOverManyPartitionsGivesAWarning() {
    String warning =
        done("BEGIN UNLOGGED BATCH INSERT INTO g.t (k, c) VALUES (1, 1); INSERT INTO g.t (k, c)"
                + " VALUES (2, 1); INSERT INTO g.t (k, c) VALUES (3, 1); APPLY BATCH")
            .warnings()
            .getFirst();
    assertEquals(
        "Unlogged batch covering 3 partitions detected against table [g.t]. You should use a"
            + " logged batch for atomicity, or asynchronous writes for performance.",
        warning);
  }
}
