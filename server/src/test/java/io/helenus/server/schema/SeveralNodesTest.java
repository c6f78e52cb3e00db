package io.helenus.server.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Schema changes that a cluster of several nodes cannot carry out yet. */
class SeveralNodesTest {
  private static final String TWO =
      "ALTER KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}";

  private final SchemaFixture schema = new SchemaFixture();

  @Test
  void theReplicationOfAKeyspaceWithTablesStays() {
    schema.join();
    assertEquals("done", schema.refusal(TWO));
    schema.change("CREATE TABLE t (k int PRIMARY KEY)");
    assertEquals("done", schema.refusal("ALTER KEYSPACE ks WITH durable_writes = false"));
    assertEquals("nothing to do", schema.refusal(TWO));
    assertEquals(
        "2200 The replication of a keyspace with tables cannot be changed yet in a cluster of"
            + " several nodes: drop the tables first, or create another keyspace",
        schema.refusal(TWO.replace('2', '3')));
    assertEquals(
        "done",
        schema.refusal(
            "ALTER KEYSPACE system_auth WITH replication = {'class': 'SimpleStrategy',"
                + " 'replication_factor': 2}"));
  }

  @Test
  void aSingleNodeChangesIt() {
    schema.change("CREATE TABLE t (k int PRIMARY KEY)");
    assertEquals("done", schema.refusal(TWO));
  }

  @Test
  void viewsAreRefused() {
    schema.change("CREATE TABLE t (k int PRIMARY KEY, v int)");
    String view =
        "CREATE MATERIALIZED VIEW m AS SELECT * FROM t WHERE v IS NOT NULL AND k IS NOT NULL"
            + " PRIMARY KEY (v, k)";
    schema.join();
    assertEquals(
        "2200 Materialized views are not supported yet in a cluster of several nodes",
        schema.refusal(view));
  }
}
