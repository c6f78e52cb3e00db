package io.helenus.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.helenus.server.system.SystemKeyspaces;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Logs that earlier builds wrote must yield the same state and schema version forever: {@code
 * entries-N.log} has every kind of entry in format N, {@code snapshot-N.log} starts with a snapshot
 * of all of it. The {@code .txt} beside each is the state, as {@link StateText} has it. {@code
 * -Dgolden.log=FOLDER} writes those of this build; what has been released is never written again.
 */
class GoldenLogTest {
  private static final List<String> STATEMENTS =
      List.of(
          "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy'}",
          "CREATE KEYSPACE other WITH replication = {'class': 'NetworkTopologyStrategy',"
              + " 'datacenter1': 3} AND durable_writes = false",
          "ALTER KEYSPACE other WITH durable_writes = true",
          "ALTER KEYSPACE system_traces WITH replication ="
              + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}",
          "CREATE TYPE inner1 (a int, \"B b\" text)",
          "CREATE TYPE outer1 (i frozen<inner1>, l list<frozen<inner1>>)",
          "CREATE TYPE gone (a int)",
          "DROP TYPE gone",
          """
          CREATE TABLE t (a int, b text, c decimal, d timeuuid, s inet STATIC, v duration,
            "W w" blob, u inner1, f frozen<outer1>, ve vector<float, 3>, tu tuple<int, text>,
            m map<text, frozen<set<int>>>,
            PRIMARY KEY ((a, b), c, d)) WITH CLUSTERING ORDER BY (c DESC, d ASC)
            AND comment = 'it''s' AND gc_grace_seconds = 5 AND default_time_to_live = 7
            AND compression = {'enabled': false} AND incremental_backups = false
            AND compaction = {'class': 'LeveledCompactionStrategy'} AND speculative_retry = '10ms'
            AND crc_check_chance = 0.5 AND extensions = {'x': '0x01'}
          """,
          "ALTER TYPE inner1 ADD c int",
          "ALTER TYPE inner1 RENAME a TO first",
          "ALTER TABLE t DROP v USING TIMESTAMP 1234567",
          "ALTER TABLE t ADD v duration",
          "ALTER TABLE t DROP \"W w\"",
          "ALTER TABLE t DROP m USING TIMESTAMP 7",
          "ALTER TABLE t RENAME a TO first",
          "CREATE TABLE c1 (k int PRIMARY KEY, v int) WITH COMPACT STORAGE",
          "CREATE TABLE c2 (k int, c int, PRIMARY KEY (k, c)) WITH COMPACT STORAGE",
          "CREATE TABLE c3 (k int, c int, PRIMARY KEY (k, c)) WITH COMPACT STORAGE",
          "ALTER TABLE c3 DROP COMPACT STORAGE",
          "CREATE TABLE counts (k int PRIMARY KEY, n counter)",
          "CREATE TABLE u (k int PRIMARY KEY)",
          "DROP TABLE u",
          "CREATE TABLE i (k int PRIMARY KEY, v int, w text, m map<int, int>, e vector<float, 2>)",
          "CREATE INDEX ON i (v)",
          "CREATE INDEX \"W\" ON i (w) USING 'SAI' WITH options = {'ascii': true}",
          "CREATE INDEX mk ON i (keys(m))",
          "CREATE INDEX near ON i (e) USING 'sai' WITH OPTIONS ="
              + " {'similarity_function': 'euclidean'}",
          "CREATE INDEX gone ON i (w)",
          "DROP INDEX gone",
          "CREATE TABLE masked (k int PRIMARY KEY, a text MASKED WITH mask_inner(1, null, '#'),"
              + " b int MASKED WITH DEFAULT)",
          "CREATE TABLE checked (k int PRIMARY KEY, a int CHECK a > 3 AND a <= 9,"
              + " b text CHECK LENGTH() < 8 AND NOT NULL)",
          "CREATE TABLE b (k int, c int, v int, w list<int>, x text, PRIMARY KEY (k, c))"
              + " WITH CLUSTERING ORDER BY (c DESC)",
          "CREATE MATERIALIZED VIEW b1 AS SELECT k, c, v FROM b"
              + " WHERE k IN (1, 1 + 1) AND (c) > (3) AND v IS NOT NULL AND x IS NOT NULL"
              + " PRIMARY KEY (v, c, k)",
          "CREATE MATERIALIZED VIEW b2 AS SELECT * FROM b"
              + " WHERE k IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, k)",
          "ALTER TABLE b ADD (y text, z map<int, int>)",
          "ALTER TABLE b RENAME c TO \"C\"",
          "ALTER MATERIALIZED VIEW b1 WITH comment = 'x'",
          "CREATE MATERIALIZED VIEW b3 AS SELECT * FROM b"
              + " WHERE k IS NOT NULL AND \"C\" IS NOT NULL PRIMARY KEY (\"C\", k)",
          "DROP MATERIALIZED VIEW b3",
          "DROP KEYSPACE other");

  @ParameterizedTest
  @ValueSource(strings = {"entries-1", "snapshot-1"})
  void aGoldenLogYieldsTheSameState(String name) throws IOException {
    MetadataFixture node = new MetadataFixture(1);
    long generation = name.startsWith("entries") ? 1 : 2;
    String path = "metadata/metadata-" + generation + ".log";
    node.write(path, resource(name + ".log"));
    String expected = new String(resource(name + ".txt"), StandardCharsets.UTF_8);
    assertEquals(
        expected, StateText.of(MetadataInspection.state(node.files, SystemKeyspaces.all())));
    node.open();
    assertEquals(expected, StateText.of(node.state()));
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = GoldenLogTest.class.getResourceAsStream("/metadata/" + name)) {
      assertNotNull(in, name);
      return in.readAllBytes();
    }
  }

  /** Not a test: writes the golden logs of this build. */
  @Test
  @EnabledIfSystemProperty(named = "golden.log", matches = ".+")
  void write() throws IOException {
    Path folder = Path.of(System.getProperty("golden.log"));
    MetadataFixture node = new MetadataFixture(1).open();
    for (String statement : STATEMENTS) {
      String answer = node.change(statement);
      assertEquals(true, answer.matches("(CREATED|UPDATED|DROPPED) .*"), statement + answer);
    }
    write(folder.resolve("entries-1"), node, "metadata/metadata-1.log");
    for (int i = 0; node.files.paths().equals(List.of("metadata/metadata-1.log")); i++) {
      node.change("ALTER TABLE i WITH gc_grace_seconds = " + (100 + i));
    }
    write(folder.resolve("snapshot-1"), node, "metadata/metadata-2.log");
  }

  private static void write(Path name, MetadataFixture node, String log) throws IOException {
    Files.write(Path.of(name + ".log"), node.files.contents(log));
    Files.writeString(Path.of(name + ".txt"), StateText.of(node.state()));
  }
}
