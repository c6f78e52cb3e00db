package io.helenus.server.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.types.WireValues;
import io.helenus.storage.engine.TableDescriptor;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a view is made of, and where Helenus differs from Cassandra; the scripts show the rest. */
class ViewDefinitionTest {
  private final SchemaFixture fixture = new SchemaFixture();

  @BeforeEach
  void createTable() {
    fixture.change(
        "CREATE TABLE t (p int, c text, s int STATIC, a int, b list<int>, d text, PRIMARY KEY (p,"
            + " c)) WITH CLUSTERING ORDER BY (c DESC)"
            + " AND id = 00000000-0000-1000-8000-00000000000a");
  }

  private SchemaChange create(String name, String columns, String key) {
    return fixture.change(
        "CREATE MATERIALIZED VIEW "
            + name
            + " AS SELECT "
            + columns
            + " FROM t WHERE p IS NOT NULL AND c IS NOT NULL AND a IS NOT NULL PRIMARY KEY "
            + key);
  }

  private ViewSchema view(String name) {
    return Objects.requireNonNull(fixture.table(name).view());
  }

  private static List<Integer> ids(List<TableDescriptor.Column> columns) {
    return columns.stream().map(TableDescriptor.Column::id).toList();
  }

  private int id(String column) {
    return Objects.requireNonNull(fixture.table("t").column(column)).id();
  }

  @Test
  void columnsHaveTheIdsOfTheBaseTable() {
    create("v", "p, c, a", "(a, c, p)");
    TableSchema view = fixture.table("v");
    for (ColumnSchema column : view.columns()) {
      assertEquals(id(column.name()), column.id());
    }
    assertEquals(id("a"), view("v").keyColumn());
    assertEquals(fixture.table("t").id(), view("v").baseId());
    assertTrue(view.storageId() != fixture.table("t").storageId());
    assertTrue(Objects.requireNonNull(view.column("c")).descending());
    assertEquals(List.of(id("b"), id("d")), ids(view("v").unselected()));
    assertEquals(TableDescriptor.Kind.MULTI_CELL, view("v").unselected().getFirst().kind());
    create("w", "p, c, a, b, d", "(c, p)");
    assertNull(view("w").keyColumn());
    assertEquals(List.of(), view("w").unselected());
  }

  @Test
  void addedColumnsReachEveryView() {
    fixture.change(
        "CREATE MATERIALIZED VIEW x AS SELECT p, c FROM t WHERE p IS NOT NULL AND c IS NOT NULL"
            + " PRIMARY KEY (c, p)");
    fixture.change("DROP MATERIALIZED VIEW x");
    fixture.change("ALTER TABLE t DROP s");
    create("every", "*", "(a, c, p)");
    create("some", "p, c, a", "(a, c, p)");
    SchemaChange added = fixture.change("ALTER TABLE t ADD (e int, f map<int, int>, g int STATIC)");
    assertEquals(id("e"), Objects.requireNonNull(fixture.table("every").column("e")).id());
    assertEquals(List.of(), view("every").unselected());
    assertNull(fixture.table("every").column("g"));
    assertNull(fixture.table("some").column("e"));
    assertEquals(List.of(id("b"), id("d"), id("e"), id("f")), ids(view("some").unselected()));
    assertEquals("t", added.table());
  }

  @Test
  void eventsNameTheViewsThatFollow() {
    fixture.change("ALTER TABLE t DROP s");
    create("every", "*", "(a, c, p)");
    create("some", "p, c, a", "(a, c, p)");
    assertEquals(List.of("t", "every"), changed("ALTER TABLE t ADD e int"));
    assertEquals(List.of("t", "every", "some"), changed("ALTER TABLE t RENAME c TO cc"));
    assertEquals(List.of("t"), changed("ALTER TABLE t WITH comment = 'x'"));
    assertEquals(List.of("some"), changed("ALTER MATERIALIZED VIEW some WITH comment = 'x'"));
  }

  private List<String> changed(String statement) {
    Schema before = fixture.schema();
    SchemaEdit edit = Objects.requireNonNull(fixture.change(statement).edit());
    return SchemaChange.eventsOf(edit, before).stream()
        .map(SchemaChange::table)
        .map(Objects::requireNonNull)
        .toList();
  }

  @Test
  void conditionsHaveTheBytesOfTheirValues() {
    fixture.change(
        "CREATE MATERIALIZED VIEW v AS SELECT p, c FROM t WHERE p IN (1, 2 + 3) AND c > 'x' AND d"
            + " IS NOT NULL PRIMARY KEY (c, p)");
    List<ViewSchema.Condition> conditions = view("v").conditions();
    ViewSchema.Condition in = conditions.getFirst();
    assertEquals(List.of(id("p")), in.columnIds());
    assertEquals(ViewSchema.Operator.IN, in.operator());
    assertEquals(2, in.values().size());
    assertArrayEquals(WireValues.ofInt(5), in.values().get(1).getFirst());
    assertEquals(ViewSchema.Operator.GT, conditions.get(1).operator());
    assertArrayEquals(WireValues.ofText("x"), conditions.get(1).values().getFirst().getFirst());
    assertEquals(List.of(), conditions.get(2).values());
    assertEquals(
        "p IN (1, system.\"_add\"(2, 3)) AND c > 'x' AND d IS NOT NULL",
        view("v").where(fixture.table("t")));
  }

  /** In Cassandra, every write to the base table fails then. */
  @Test
  void nullsAreRefused() {
    assertEquals(
        "2200 Invalid null value in condition for column p",
        fixture.refusal(
            "CREATE MATERIALIZED VIEW v AS SELECT p, c FROM t WHERE p = null AND c IS NOT NULL"
                + " PRIMARY KEY (c, p)"));
  }

  /** Cassandra creates half of the table. */
  @Test
  void aTableCannotHaveTheNameOfAView() {
    create("v", "p, c, a", "(a, c, p)");
    assertEquals(
        "2400 Cannot add already existing table \"v\" to keyspace \"ks\"",
        fixture.refusal("CREATE TABLE v (p int PRIMARY KEY)"));
    assertEquals(
        "2200 A materialized view cannot be copied", fixture.refusal("CREATE TABLE w LIKE v"));
  }
}
