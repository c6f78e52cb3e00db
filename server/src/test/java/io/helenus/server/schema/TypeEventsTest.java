package io.helenus.server.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which events announce the change of a user type; as Apache Cassandra 5.0.9 sends them. */
class TypeEventsTest {
  private final SchemaFixture fixture = new SchemaFixture();

  @BeforeEach
  void createTypes() {
    fixture.change("CREATE TYPE inner1 (a int)");
    fixture.change("CREATE TYPE middle (i frozen<inner1>)");
    fixture.change("CREATE TYPE alist (i list<frozen<middle>>)");
    fixture.change("CREATE TYPE zpair (i frozen<tuple<int, inner1>>)");
    fixture.change("CREATE TYPE other (x int)");
    fixture.change("CREATE TABLE t (k int PRIMARY KEY, o frozen<alist>, i int)");
    fixture.change("CREATE TABLE a (k int PRIMARY KEY, o inner1)");
    fixture.change("CREATE TABLE n (k int PRIMARY KEY, o other)");
    fixture.change("CREATE TABLE m (k int, o frozen<map<int, middle>>, PRIMARY KEY (k, o))");
    fixture.change(
        "CREATE MATERIALIZED VIEW v AS SELECT k, i, o FROM t"
            + " WHERE k IS NOT NULL AND i IS NOT NULL PRIMARY KEY (i, k)");
  }

  @Test
  void typesThatContainTheTypeAreAnnouncedByNameBeforeTables() {
    List<String> all =
        List.of(
            "UPDATED TYPE alist",
            "UPDATED TYPE inner1",
            "UPDATED TYPE middle",
            "UPDATED TYPE zpair",
            "UPDATED TABLE a",
            "UPDATED TABLE m",
            "UPDATED TABLE t",
            "UPDATED TABLE v");
    assertEquals(all, events("ALTER TYPE inner1 ADD b int"));
    assertEquals(all, events("ALTER TYPE inner1 RENAME a TO c"));
  }

  @Test
  void typesInsideTheTypeAreNotAnnounced() {
    assertEquals(
        List.of(
            "UPDATED TYPE alist",
            "UPDATED TYPE middle",
            "UPDATED TABLE m",
            "UPDATED TABLE t",
            "UPDATED TABLE v"),
        events("ALTER TYPE middle ADD b int"));
    assertEquals(
        List.of("UPDATED TYPE other", "UPDATED TABLE n"), events("ALTER TYPE other ADD b int"));
  }

  private List<String> events(String statement) {
    Schema before = fixture.schema();
    SchemaEdit edit = Objects.requireNonNull(fixture.change(statement).edit());
    return SchemaChange.eventsOf(edit, before).stream()
        .map(
            event ->
                event.action()
                    + " "
                    + event.target()
                    + " "
                    + (event.type() != null ? event.type() : event.table()))
        .toList();
  }
}
