package io.helenus.server.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.error.CqlException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The texts are those of Apache Cassandra 5.0.9. */
class SchemaDescriberTest {
  private static final String OPTIONS =
      """
      additional_write_policy = '99p'
          AND allow_auto_snapshot = true
          AND bloom_filter_fp_chance = 0.01
          AND caching = {'keys': 'ALL', 'rows_per_partition': 'NONE'}
          AND cdc = false
          AND comment = 'it''s'
          AND compaction = {'class': 'org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy', 'max_threshold': '32', 'min_threshold': '4'}
          AND compression = {'chunk_length_in_kb': '16', 'class': 'org.apache.cassandra.io.compress.LZ4Compressor'}
          AND memtable = 'default'
          AND crc_check_chance = 1.0
          AND default_time_to_live = 7
          AND extensions = {}
          AND gc_grace_seconds = 0
          AND incremental_backups = true
          AND max_index_interval = 2048
          AND memtable_flush_period_in_ms = 0
          AND min_index_interval = 128
          AND read_repair = 'BLOCKING'
          AND speculative_retry = '99p';\
      """;

  private final SchemaFixture fixture = new SchemaFixture();

  @Test
  void aTableIsDescribedByTheStatementThatRecreatesIt() {
    fixture.change(
        "CREATE TABLE t (p int, \"C\" timeuuid, zs int STATIC, \"select\" blob STATIC, ar int,"
            + " values text, PRIMARY KEY (p, \"C\")) WITH CLUSTERING ORDER BY (\"C\" DESC)"
            + " AND comment = 'it''s' AND default_time_to_live = 7 AND gc_grace_seconds = 0");
    String expected =
        """
        CREATE TABLE ks.t (
            p int,
            "C" timeuuid,
            "select" blob static,
            zs int static,
            ar int,
            values text,
            PRIMARY KEY (p, "C")
        ) WITH CLUSTERING ORDER BY ("C" DESC)
            AND \
        """
            + OPTIONS;
    assertEquals(expected, fixture.createStatement("DESCRIBE TABLE t"));
    assertEquals(
        expected.replace(
            "WITH CLUSTERING", "WITH ID = " + SchemaFixture.TABLE_ID + "\n    AND CLUSTERING"),
        fixture.createStatement("DESCRIBE ks.t WITH INTERNALS"));
  }

  @Test
  void keysAreWrittenInTheirShortestForm() {
    fixture.change("CREATE TABLE one (k int PRIMARY KEY)");
    fixture.change("CREATE TABLE two (a int, b int, PRIMARY KEY ((a, b)))");
    fixture.change("CREATE TABLE three (a int, b int, c int, PRIMARY KEY ((a, b), c))");
    assertTrue(
        fixture
            .createStatement("DESC one")
            .startsWith("CREATE TABLE ks.one (\n    k int PRIMARY KEY\n) WITH add"));
    assertTrue(
        fixture.createStatement("DESC two").contains("    PRIMARY KEY ((a, b))\n) WITH add"));
    assertTrue(
        fixture
            .createStatement("DESC three")
            .contains("    PRIMARY KEY ((a, b), c)\n) WITH CLUSTERING ORDER BY (c ASC)\n    AND"));
  }

  @Test
  void internalsIncludeDroppedColumns() {
    fixture.change(
        "CREATE TABLE t (p int, c int, a int, u1 int, s int STATIC, PRIMARY KEY (p, c))");
    fixture.change("ALTER TABLE t DROP (a, s)");
    fixture.change("ALTER TABLE t ADD s int STATIC");
    String text = fixture.createStatement("DESCRIBE TABLE t WITH INTERNALS");
    assertTrue(text.contains("    u1 int,\n    a int,\n    s int static,\n    PRIMARY KEY"), text);
    assertTrue(
        text.endsWith(
            "'99p';\nALTER TABLE ks.t DROP a USING TIMESTAMP 1795262712120000;"
                + "\nALTER TABLE ks.t DROP s USING TIMESTAMP 1795262712120000;"
                + "\nALTER TABLE ks.t ADD s int static;"),
        text);
    assertTrue(!fixture.createStatement("DESCRIBE TABLE t").contains("a int"));
  }

  @Test
  void aVirtualTableIsDescribedByACommentWithItsStructure() {
    assertEquals(
        """
        /*
        Warning: Table system_views.disk_usage is a virtual table and cannot be recreated with CQL.
        Structure, for reference:
        VIRTUAL TABLE system_views.disk_usage (
            keyspace_name text,
            table_name text,
            mebibytes bigint,
            PRIMARY KEY ((keyspace_name, table_name))
        ) WITH ID = 8622af8c-9c2f-3604-bc8f-6df90fff8531
            AND comment = '';
        */\
        """,
        fixture.createStatement("DESCRIBE TABLE system_views.disk_usage WITH INTERNALS"));
    assertEquals(
        """
        /*
        Warning: Keyspace system_views is a virtual keyspace and cannot be recreated with CQL.
        Structure, for reference:
        VIRTUAL KEYSPACE system_views;
        */\
        """,
        fixture.createStatement("DESCRIBE ONLY KEYSPACE system_views"));
  }

  @Test
  void keyspacesShowTheSimpleNameOfTheirStrategy() {
    assertEquals(
        List.of(
            List.of("keyspace_name", "type", "name", "create_statement"),
            List.of(
                "ks",
                "keyspace",
                "ks",
                "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy',"
                    + " 'replication_factor': '1'}  AND durable_writes = true;")),
        fixture.describe("DESCRIBE KEYSPACE"));
    assertEquals(
        "CREATE KEYSPACE system WITH replication = {'class': 'LocalStrategy'}"
            + "  AND durable_writes = true;",
        fixture.createStatement("DESCRIBE ONLY KEYSPACE system"));
  }

  @Test
  void listsAreSortedIgnoringCaseAndQuoted() {
    fixture.change("CREATE TABLE \"Tt\" (k int PRIMARY KEY)");
    fixture.change("CREATE TABLE values (k int PRIMARY KEY)");
    fixture.change("CREATE TABLE l (k int PRIMARY KEY)");
    assertEquals(
        List.of(
            List.of("keyspace_name", "type", "name"),
            List.of("ks", "table", "l"),
            List.of("ks", "table", "\"Tt\""),
            List.of("ks", "table", "values")),
        fixture.describe("DESCRIBE TABLES"));
    assertEquals(8 + 1, fixture.describe("DESCRIBE KEYSPACES").size());
    assertEquals(1, fixture.describe("DESCRIBE TYPES").size());
    fixture.keyspaceInUse = null;
    assertEquals(1 + 99 + 3, fixture.describe("DESC TABLES").size());
  }

  @Test
  void onlyDescribeFullSchemaIncludesSystemKeyspaces() {
    assertEquals(2, fixture.describe("DESCRIBE SCHEMA").size());
    assertEquals(1 + 8 + 99, fixture.describe("DESCRIBE FULL SCHEMA").size());
  }

  @Test
  void theClusterShowsRangeOwnershipForAUserKeyspaceInUse() {
    assertEquals(
        List.of(
            List.of("cluster", "partitioner", "snitch", "range_ownership"),
            List.of(
                "Test",
                "Murmur3Partitioner",
                "DynamicEndpointSnitch",
                "{'7': ['/127.0.0.1:7000']}")),
        fixture.describe("DESCRIBE CLUSTER"));
    fixture.keyspaceInUse = "system_traces";
    assertEquals(3, fixture.describe("DESCRIBE CLUSTER").getFirst().size());
  }

  @Test
  void missingElementsAreRefusedWithTheOraclesText() {
    refused("'nope' not found in keyspace 'ks'", "DESCRIBE nope");
    refused("Table 'nope' not found in keyspace 'ks'", "DESCRIBE TABLE nope");
    refused("'nope' not found in keyspaces", "DESCRIBE TABLE nope.t");
    refused("'nope' not found in keyspaces", "DESCRIBE KEYSPACE nope");
    refused("User defined type 'x' not found in 'ks'", "DESCRIBE TYPE x");
    refused("User defined function 'x' not found in 'ks'", "DESCRIBE FUNCTION x");
    refused("User defined aggregate 'x' not found in 'ks'", "DESCRIBE AGGREGATE x");
    refused("Table for existing index 'x' not found in 'ks'", "DESCRIBE INDEX x");
    refused("Materialized view 'x' not found in 'ks'", "DESCRIBE MATERIALIZED VIEW x");
    fixture.keyspaceInUse = null;
    refused("'nope' not found in keyspaces", "DESCRIBE nope");
    refused("No keyspace specified and no current keyspace", "DESCRIBE TABLE nope");
    refused("No keyspace specified and no current keyspace", "DESCRIBE KEYSPACE");
  }

  private void refused(String expected, String text) {
    CqlException refusal = assertThrows(CqlException.class, () -> fixture.describe(text));
    assertEquals(expected, refusal.getMessage());
  }
}
