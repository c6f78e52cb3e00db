package io.helenus.server.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RestoreTextTest {
  private final SchemaFixture schema = new SchemaFixture();

  private static SortedMap<String, String> numbers(TableSchema table) {
    SortedMap<String, String> numbers = new TreeMap<>();
    for (ColumnSchema column : table.columns()) {
      numbers.put(column.name(), column.id() + " " + column.kind() + " " + column.type().toCql());
    }
    for (DroppedColumn column : table.droppedColumns()) {
      numbers.put("dropped " + column.name(), column.id() + " " + column.droppedAtMicros());
    }
    return numbers;
  }

  private String text() {
    KeyspaceSchema keyspace = Objects.requireNonNull(schema.schema().keyspace("ks"));
    return SchemaDescriber.restoreStatements(keyspace, schema.table("t"));
  }

  /** Runs the text where the keyspace does not exist, and compares the columns of the table. */
  private SchemaFixture restored() {
    SchemaFixture other = new SchemaFixture();
    other.change("DROP KEYSPACE ks");
    for (String statement : text().split(";\n?")) {
      other.change(statement);
    }
    assertEquals(numbers(schema.table("t")), numbers(other.table("t")));
    return other;
  }

  @Test
  void columnsThatWereAddedHaveTheSameNumbers() {
    schema.change("CREATE TABLE t (k int, c int, b int, d int, f int, PRIMARY KEY (k, c))");
    assertTrue(text().endsWith(";") && !text().contains("ALTER"), text());
    schema.change("ALTER TABLE t ADD a int");
    assertTrue(text().contains("\nALTER TABLE ks.t ADD a int;"), text());
    schema.change("ALTER TABLE t ADD z int static");
    schema.change("ALTER TABLE t ADD (\"Y\" list<int>, e text)");
    restored();
  }

  @Test
  void aColumnThatWasAddedLastInTheOrderOfNamesNeedsNoAlteration() {
    schema.change("CREATE TABLE t (k int PRIMARY KEY, a int)");
    schema.change("ALTER TABLE t ADD b int");
    assertTrue(!text().contains("ALTER"), text());
    restored();
  }

  @Test
  void droppedColumnsKeepTheirNumbers() {
    schema.change("CREATE TABLE t (k int, c int, s int static, b int, d int, PRIMARY KEY (k, c))");
    schema.change("ALTER TABLE t DROP b USING TIMESTAMP 7");
    schema.change("ALTER TABLE t ADD a int");
    schema.change("ALTER TABLE t DROP a USING TIMESTAMP 8");
    schema.change("ALTER TABLE t DROP s USING TIMESTAMP 9");
    schema.change("ALTER TABLE t ADD s int static");
    restored();
  }

  @Test
  void theTypesThatTheTableUsesAreCreatedBeforeIt() {
    schema.change("CREATE TYPE zip (digits text)");
    schema.change("CREATE TYPE address (code frozen<zip>)");
    schema.change("CREATE TYPE unused (a int)");
    schema.change("CREATE TABLE t (k int PRIMARY KEY, home map<text, frozen<address>>)");
    schema.change("CREATE INDEX by_home ON t (keys(home))");
    assertTrue(text().startsWith("CREATE KEYSPACE IF NOT EXISTS ks WITH "), text());
    assertTrue(!text().contains("unused"), text());
    SchemaFixture other = restored();
    assertEquals(1, other.table("t").indexes().size());
  }
}
