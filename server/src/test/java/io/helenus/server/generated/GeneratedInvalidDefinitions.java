package io.helenus.server.generated;

import io.helenus.server.conformance.Script;
import io.helenus.server.generated.GeneratedTable.Column;
import java.util.Locale;

/**
 * Random schema statements that are likely to be rejected, and statements about tables and
 * keyspaces that do not exist. Not thread-safe.
 */
public final class GeneratedInvalidDefinitions {
  private final Choices choices;
  private final GeneratedTableOptions options;

  public GeneratedInvalidDefinitions(Choices choices) {
    this.choices = choices;
    options = new GeneratedTableOptions(choices);
  }

  /** A schema statement that is likely to be rejected. */
  public Script.Statement statement(String keyspace, GeneratedTable table) {
    return GeneratedDefinitions.plain(
        switch (choices.below(6)) {
          case 0, 1 -> "ALTER TABLE " + table.name() + " WITH " + options.option();
          case 2 ->
              "CREATE TABLE x"
                  + choices.below(3)
                  + " (k int PRIMARY KEY, v int) WITH "
                  + options.option()
                  + (choices.chance(20) ? " AND " + options.option() : "");
          case 3 -> createTable(table);
          case 4 -> keyspaceStatement(keyspace);
          default -> otherStatement(keyspace, table);
        });
  }

  private String createTable(GeneratedTable table) {
    String type =
        choices.oneOf(
            choices.oneOf(GeneratedTypes.SCALARS).toString(),
            "counter",
            "nosuch",
            "varchar",
            "list<int>",
            "frozen<list<int>>",
            "'int'",
            "'org.apache.cassandra.db.marshal.Int32Type'",
            "frozen<int>",
            "set<duration>",
            "tuple<int>",
            "map<duration, int>",
            "vector<float, 0>",
            "'nosuch'",
            "\"int\"",
            "INT",
            "frozen<nosuch>",
            "list<counter>",
            "duration");
    String end =
        choices.oneOf(
            "k int PRIMARY KEY",
            "k int, PRIMARY KEY (k)",
            "k int, PRIMARY KEY (v)",
            "k int, PRIMARY KEY (k, v)",
            "k int, PRIMARY KEY ((k, v))",
            "k int, PRIMARY KEY (k, k)",
            "k int PRIMARY KEY, w int PRIMARY KEY",
            "k int PRIMARY KEY, PRIMARY KEY (k)",
            "k int PRIMARY KEY, k int",
            "k int, PRIMARY KEY (nosuch)",
            "k int, PRIMARY KEY (k, nosuch)",
            "k int",
            "k int STATIC PRIMARY KEY",
            "k int PRIMARY KEY, s int STATIC",
            "k int STATIC, PRIMARY KEY (k, v)",
            "k int, s int STATIC, PRIMARY KEY (v, k)");
    String name =
        choices.oneOf(
            "x0",
            "x1",
            table.name(),
            "IF NOT EXISTS " + table.name(),
            "nosuch.x",
            "system.x",
            "\"x-y\"",
            "\"\"",
            "x.y.z",
            "X2",
            "select",
            "ttl",
            "system_views.x",
            "n12345678901234567890123456789012345678901234567890");
    return "CREATE TABLE " + name + " (v " + type + ", " + end + ")" + with();
  }

  private String with() {
    return choices.oneOf(
        "",
        "",
        "",
        "",
        " WITH CLUSTERING ORDER BY (v DESC)",
        " WITH CLUSTERING ORDER BY (k ASC)",
        " WITH CLUSTERING ORDER BY (k ASC, v ASC)",
        " WITH CLUSTERING ORDER BY (nosuch ASC)",
        " WITH CLUSTERING ORDER BY (v DESC) AND CLUSTERING ORDER BY (v DESC)",
        " WITH comment = 'a' AND comment = 'b'",
        " WITH COMPACT STORAGE",
        " WITH id = 5",
        " WITH ID = 5a1c395e-b41f-11e5-9f22-ba0be0483c18",
        " WITH",
        " WITH comment");
  }

  private String keyspaceStatement(String keyspace) {
    String replication =
        choices.oneOf(
            "{}",
            "{'class': 'SimpleStrategy'}",
            "{'class': 'SimpleStrategy', 'replication_factor': 0}",
            "{'class': 'SimpleStrategy', 'replication_factor': -1}",
            "{'class': 'SimpleStrategy', 'replication_factor': 'x'}",
            "{'class': 'SimpleStrategy', 'replication_factor': 1.5}",
            "{'class': 'SimpleStrategy', 'replication_factor': 1, 'nosuch': 1}",
            "{'class': 'SimpleStrategy', 'replication_factor': '3/1'}",
            "{'class': 'NetworkTopologyStrategy'}",
            "{'class': 'NetworkTopologyStrategy', 'nosuch': 1}",
            "{'class': 'NetworkTopologyStrategy', 'datacenter1': 0}",
            "{'class': 'NetworkTopologyStrategy', 'datacenter1': -1}",
            "{'class': 'NetworkTopologyStrategy', 'replication_factor': 'x'}",
            "{'class': 'LocalStrategy'}",
            "{'class': 'EverywhereStrategy'}",
            "{'class': 'Nosuch', 'replication_factor': 1}",
            "{'class': ''}",
            "{'replication_factor': 1}",
            "'SimpleStrategy'",
            "1",
            "{'class'}",
            "null",
            "{'class': 'OldNetworkTopologyStrategy', 'replication_factor': 1}",
            "{'CLASS': 'SimpleStrategy', 'replication_factor': 1}",
            "{'class': 'SimpleStrategy', 'class': 'LocalStrategy'}");
    String head =
        choices.oneOf(
            "CREATE KEYSPACE " + keyspace + "x",
            "ALTER KEYSPACE " + keyspace,
            "CREATE KEYSPACE IF NOT EXISTS " + keyspace,
            "CREATE KEYSPACE " + keyspace,
            "ALTER KEYSPACE nosuch",
            "ALTER KEYSPACE IF EXISTS nosuch",
            "CREATE KEYSPACE \"a-b\"",
            "CREATE KEYSPACE system",
            "ALTER KEYSPACE system_virtual_schema",
            "CREATE KEYSPACE n12345678901234567890123456789012345678901234567890",
            "CREATE SCHEMA IF NOT EXISTS " + keyspace);
    return head
        + choices.oneOf(
            " WITH replication = " + replication,
            " WITH replication = " + replication,
            " WITH REPLICATION = " + replication + " AND durable_writes = " + options.scalar(),
            " WITH durable_writes = " + options.scalar(),
            " WITH nosuch = 1",
            "",
            " WITH replication = " + replication + " AND replication = " + replication);
  }

  private String otherStatement(String keyspace, GeneratedTable table) {
    String column = choices.oneOf(table.columns()).name();
    String value = table.values().isEmpty() ? "nosuch" : table.values().getFirst().name();
    String name = table.name();
    return choices.oneOf(
        "ALTER TABLE "
            + name
            + " DROP "
            + choices.oneOf(table.columns().stream().filter(Column::isKey).toList()).name(),
        "ALTER TABLE " + name + " DROP nosuch",
        "ALTER TABLE " + name + " DROP IF EXISTS nosuch",
        "ALTER TABLE " + name + " DROP (nosuch, nosuch)",
        "ALTER TABLE " + name + " DROP nosuch USING TIMESTAMP 5",
        "ALTER TABLE " + name + " ADD " + column + " int",
        "ALTER TABLE " + name + " ADD IF NOT EXISTS " + column + " int",
        "ALTER TABLE " + name + " ADD z nosuch",
        "ALTER TABLE " + name + " ADD z counter",
        "ALTER TABLE " + name + " ADD z int, z int",
        "ALTER TABLE " + name + " ADD (z int, y int",
        "ALTER TABLE " + name + " ALTER " + column + " TYPE blob",
        "ALTER TABLE " + name + " RENAME " + value + " TO zz",
        "ALTER TABLE " + name + " RENAME nosuch TO zz",
        "ALTER TABLE " + name + " RENAME IF EXISTS nosuch TO zz",
        "ALTER TABLE " + name + " RENAME " + value + " TO " + column,
        "ALTER TABLE nosuch ADD z int",
        "ALTER TABLE IF EXISTS nosuch ADD z int",
        "ALTER TABLE nosuch.x DROP z",
        "ALTER TABLE system.local ADD z int",
        "ALTER TABLE " + name + " DROP COMPACT STORAGE",
        "ALTER TABLE " + name,
        "DROP TABLE nosuch",
        "DROP TABLE IF EXISTS nosuch",
        "DROP TABLE nosuch.x",
        "DROP TABLE IF EXISTS nosuch.x",
        "DROP KEYSPACE nosuch",
        "DROP KEYSPACE IF EXISTS nosuch",
        "DROP TYPE nosuch",
        "DROP INDEX nosuch",
        "DROP FUNCTION nosuch",
        "DROP AGGREGATE nosuch",
        "DROP MATERIALIZED VIEW nosuch",
        "DROP MATERIALIZED VIEW " + name,
        "DROP TABLE system.nosuch",
        "TRUNCATE nosuch",
        "TRUNCATE TABLE nosuch.x",
        "TRUNCATE COLUMNFAMILY nosuch",
        "USE nosuch",
        "USE " + keyspace,
        "USE \"" + keyspace + "\"",
        "USE " + keyspace.toUpperCase(Locale.ROOT),
        "DESCRIBE KEYSPACE nosuch",
        "DESCRIBE TABLE nosuch",
        "DESCRIBE TABLE nosuch.x",
        "DESCRIBE TABLE " + keyspace + ".nosuch",
        "DESCRIBE TYPE nosuch",
        "DESCRIBE FUNCTION nosuch",
        "DESCRIBE AGGREGATE nosuch",
        "DESCRIBE INDEX nosuch",
        "DESCRIBE MATERIALIZED VIEW nosuch",
        "LIST ROLES OF nosuch",
        "SELECT * FROM nosuch",
        "SELECT * FROM nosuch.x",
        "SELECT * FROM system.nosuch",
        "INSERT INTO nosuch (a) VALUES (1)",
        "UPDATE nosuch.x SET a = 1 WHERE b = 1",
        "DELETE FROM nosuch WHERE a = 1");
  }
}
