package io.helenus.server.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Cases that the recorded scripts do not cover; the texts are those of Apache Cassandra 5.0.9. */
class TableChangesTest {
  private final SchemaFixture fixture = new SchemaFixture();

  private static List<String> names(List<ColumnSchema> columns) {
    return columns.stream().map(ColumnSchema::name).toList();
  }

  @Test
  void columnsAreInTheOrderOfSelectStar() {
    fixture.change(
        "CREATE TABLE t (w int, zs int STATIC, a int, c2 int, k2 int, c1 int, k1 int, as_ int"
            + " STATIC, \"Äö\" int, PRIMARY KEY ((k2, k1), c2, c1))");
    assertEquals(
        List.of("k2", "k1", "c2", "c1", "as_", "zs", "Äö", "a", "w"),
        names(fixture.table("t").columns()));
  }

  @Test
  void columnIdsFollowTheOrderOfSelectStar() {
    fixture.change("CREATE TABLE t (w int, a int, c int, k int, PRIMARY KEY (k, c))");
    assertEquals(
        List.of(1, 2, 3, 4), fixture.table("t").columns().stream().map(ColumnSchema::id).toList());
    assertEquals(3, fixture.table("t").descriptor().columns().size());
  }

  @Test
  void typesWithSpecialRulesAreRefusedAsByTheOracle() {
    refused(
        "Non-frozen collections are not allowed inside collections: list<list<int>>",
        "list<list<int>>");
    refused("Counters are not allowed inside collections: list<counter>", "list<counter>");
    refused("Durations are not allowed inside sets: set<duration>", "set<duration>");
    refused("Durations are not allowed as map keys: map<duration, int>", "map<duration, int>");
    refused("Counters are not allowed inside tuples", "tuple<counter>");
    refused("vectors may only have positive dimensions; given 0", "vector<int, 0>");
    refused("Unknown type ks.nope", "nope");
  }

  private void refused(String text, String type) {
    assertEquals(
        "2200 " + text, fixture.refusal("CREATE TABLE t (k int PRIMARY KEY, v " + type + ")"));
  }

  @Test
  void unsupportedFeaturesAreNamed() {
    assertEquals(
        "2200 DROP FUNCTION is not supported by this version of Helenus",
        fixture.refusal("DROP FUNCTION f"));
  }

  /** Cassandra answers with a server error. */
  @Test
  void theValueOfACompactTableCannotBeDropped() {
    assertEquals(
        "done", fixture.refusal("CREATE TABLE s (k int PRIMARY KEY, v int) WITH COMPACT STORAGE"));
    assertEquals(
        "2200 Cannot drop the value column value of a COMPACT STORAGE table",
        fixture.refusal("ALTER TABLE s DROP value"));
    assertEquals(
        "done",
        fixture.refusal(
            "CREATE TABLE d (k int, c int, v int, PRIMARY KEY (k, c)) WITH COMPACT STORAGE"));
    assertEquals(
        "2200 Cannot drop the value column v of a COMPACT STORAGE table",
        fixture.refusal("ALTER TABLE d DROP v"));
  }

  @Test
  void keysOfTypesWithoutAnOrderAreRefused() {
    assertEquals(
        "2200 duration type is not supported for PRIMARY KEY column 'c'",
        fixture.refusal("CREATE TABLE t (k int, c duration, PRIMARY KEY (k, c))"));
    assertEquals(
        "2200 counter type is not supported for PRIMARY KEY column 'k'",
        fixture.refusal("CREATE TABLE t (k counter PRIMARY KEY)"));
    assertEquals(
        "2200 Invalid non-frozen collection type list<int> for PRIMARY KEY column 'k'",
        fixture.refusal("CREATE TABLE t (k list<int> PRIMARY KEY)"));
  }

  @Test
  void theClusteringOrderFollowsTheKey() {
    String table = "CREATE TABLE t (k int, c int, d int, PRIMARY KEY (k, c, d)) WITH CLUSTERING";
    assertEquals(
        "2200 The order of columns in the CLUSTERING ORDER directive must match that of the"
            + " clustering columns (c must appear before d)",
        fixture.refusal(table + " ORDER BY (d ASC, c ASC)"));
    assertEquals(
        "2200 Missing CLUSTERING ORDER for column c", fixture.refusal(table + " ORDER BY (d ASC)"));
    assertEquals("done", fixture.refusal(table + " ORDER BY (c DESC)"));
  }

  @Test
  void namesMayHaveUpTo222Characters() {
    String name = "a".repeat(222);
    assertEquals("done", fixture.refusal("CREATE TABLE " + name + " (k int PRIMARY KEY)"));
    assertEquals(
        "2300 ks.a"
            + name
            + ": Table name must not be more than 222 characters long (got 223 characters for \"a"
            + name
            + "\")",
        fixture.refusal("CREATE TABLE a" + name + " (k int PRIMARY KEY)"));
  }

  @Test
  void severalColumnsAreAddedAllOrNothing() {
    fixture.change("CREATE TABLE t (k int PRIMARY KEY, a int)");
    assertEquals(
        "2200 Column with name 'a' already exists",
        fixture.refusal("ALTER TABLE t ADD (b int, a int)"));
    assertEquals(List.of("k", "a"), names(fixture.table("t").columns()));
    assertEquals("done", fixture.refusal("ALTER TABLE t ADD IF NOT EXISTS (b int, a int)"));
    assertEquals(List.of("k", "a", "b"), names(fixture.table("t").columns()));
    assertEquals("done", fixture.refusal("ALTER TABLE t DROP (a, a)"));
    assertEquals("nothing to do", fixture.refusal("ALTER TABLE t DROP IF EXISTS (a, x)"));
  }

  @Test
  void renamesAreValidatedAgainstTheTableBeforeTheStatement() {
    fixture.change("CREATE TABLE t (p int, c int, PRIMARY KEY (p, c))");
    assertEquals(
        "2200 Undefined column name p9 in table ks.t",
        fixture.refusal("ALTER TABLE t RENAME p TO p9 AND p9 TO p"));
    assertEquals("done", fixture.refusal("ALTER TABLE t RENAME p TO p9 AND p TO p8"));
    assertEquals(List.of("p8", "c"), names(fixture.table("t").columns()));
    assertEquals(
        "2200 Cannot rename column c to x in table 'ks.t'; another column with that name already"
            + " exists",
        fixture.refusal("ALTER TABLE t RENAME p8 TO x AND c TO x"));
  }

  @Test
  void systemTablesCannotBeAltered() {
    assertEquals(
        "2100 Cannot DROP <table system_traces.events>",
        fixture.refusal("DROP TABLE system_traces.events"));
    assertEquals(
        "2100 Cannot ALTER <table system_auth.roles>",
        fixture.refusal("ALTER TABLE system_auth.roles ADD x int"));
    assertEquals(
        "2100 Cannot CREATE <all tables in system_auth>",
        fixture.refusal("CREATE TABLE system_auth.x (k int PRIMARY KEY)"));
    assertEquals(
        "2100 Cannot DROP <keyspace system_auth>", fixture.refusal("DROP KEYSPACE system_auth"));
    assertEquals(
        "2100 system_views keyspace is not user-modifiable.",
        fixture.refusal("DROP KEYSPACE system_views"));
  }

  @Test
  void alterKeepsKeyspaceOptionsThatItDoesNotMention() {
    String alter = "ALTER KEYSPACE ks WITH replication = {'class': ";
    assertEquals(
        List.of(
            "Your replication factor 5 for keyspace ks is higher than the number of nodes 1",
            "When increasing replication factor you need to run a full (-full) repair to"
                + " distribute the data."),
        fixture.change(alter + "'SimpleStrategy', 'replication_factor': 5}").warnings());
    fixture.change(alter + "'NetworkTopologyStrategy', 'replication_factor': 3}");
    fixture.change(alter + "'NetworkTopologyStrategy'}");
    KeyspaceSchema keyspace = fixture.schema().keyspace("ks");
    assertEquals(
        "{class=org.apache.cassandra.locator.NetworkTopologyStrategy, datacenter1=3}",
        keyspace == null ? "" : keyspace.replication().toMap().toString());
  }
}
