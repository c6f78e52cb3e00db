package io.helenus.server.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.helenus.server.schema.TableOptions;
import io.helenus.server.schema.TableSchemaBuilder;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.server.types.WireValues;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes bound values to multi-cell columns, which no statement can create yet, and reads them. */
class CollectionRunTest {
  private static final CqlType MAP = new MapType(ScalarType.TEXT, ScalarType.TEXT, false);
  private static final CqlType SET = new SetType(ScalarType.TEXT, false);
  private static final CqlType LIST = new ListType(ScalarType.INT, false);
  private static final CqlType TIMES = new ListType(ScalarType.BIGINT, false);

  private final QueryFixture cql = new QueryFixture();

  @BeforeEach
  void createTable() {
    cql.run(
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    cql.define(
        new TableSchemaBuilder("ks", "t", new UUID(7, 7), 77, TableOptions.defaults())
            .partitionKey("k", ScalarType.INT)
            .clustering("c", ScalarType.DECIMAL, false)
            .staticColumn("s", SET)
            .regular("l", LIST)
            .regular("m", MAP)
            .regular("v", ScalarType.INT)
            .build());
  }

  @Test
  void elementsOfSeveralColumnsAreReadInTheOrderOfTheColumns() {
    cql.run("CREATE TABLE ks.maps (k int PRIMARY KEY, a map<text, int>, b map<text, int>)");
    cql.run("INSERT INTO ks.maps (k, a, b) VALUES (1, {'x': 1, 'y': 2}, {'x': 3, 'y': 4})");
    assertEquals("3 2", cql.run("SELECT b['x'], a['y'] FROM ks.maps").text());
    assertEquals("4 1 2", cql.run("SELECT b['y'], a['x'], a['y'] FROM ks.maps").text());
  }

  private static byte[] list(int... numbers) {
    List<byte[]> elements = new ArrayList<>();
    for (int number : numbers) {
      elements.add(WireValues.ofInt(number));
    }
    return WireValues.ofElements(elements);
  }

  /** An unsorted map, as a client can send it. */
  private static byte[] map(String... keysAndValues) {
    List<byte[]> entries = new ArrayList<>();
    for (String text : keysAndValues) {
      entries.add(WireValues.ofText(text));
    }
    return WireValues.ofEntries(entries);
  }

  private static byte[] decimal(String value) {
    return WireValues.ofDecimal(new java.math.BigDecimal(value));
  }

  private List<String> rows(String select, CqlType... types) {
    return literals(cql.run(select), types);
  }

  private static List<String> literals(QueryFixture.Answer answer, CqlType... types) {
    List<String> rows = new ArrayList<>();
    answer
        .rows()
        .forEach(
            row -> {
              List<String> values = new ArrayList<>();
              for (int i = 0; i < types.length; i++) {
                values.add(types[i].toLiteral(row.get(i)));
              }
              rows.add(String.join(" ", values));
            });
    return rows;
  }

  @Test
  void rowsAndStaticRowsHaveSeparateCollections() {
    cql.run(
        "INSERT INTO ks.t (k, c, s, l, m, v) VALUES (?, ?, ?, ?, ?, ?)",
        1,
        decimal("1.00"),
        WireValues.ofTextSet(List.of("x", "a")),
        list(3, 1, 2),
        map("z", "1", "b", "2"),
        10);
    cql.run("INSERT INTO ks.t (k, c, v) VALUES (?, ?, ?)", 1, decimal("2"), 20);
    cql.run("INSERT INTO ks.t (k, c, m) VALUES (?, ?, ?)", 1, decimal("3"), map("", ""));
    cql.run("INSERT INTO ks.t (k, c, l) VALUES (?, ?, ?)", 2, decimal("1"), list(7));
    List<String> expected =
        List.of(
            "1.00 {'a', 'x'} [3, 1, 2] {'b': '2', 'z': '1'} 10",
            "2 {'a', 'x'} null null 20",
            "3 {'a', 'x'} null {'': ''} null",
            "1 null [7] null null");
    String select = "SELECT c, s, l, m, v FROM ks.t WHERE k IN (1, 2)";
    CqlType[] types = {ScalarType.DECIMAL, SET, LIST, MAP, ScalarType.INT};
    assertEquals(expected, rows(select, types));
    List<String> paged = new ArrayList<>();
    byte[] state = null;
    do {
      QueryFixture.Answer page = cql.tryRun(select, 1, state);
      paged.addAll(literals(page, types));
      state = page.pagingState();
    } while (state != null);
    assertEquals(expected, paged);
    assertEquals(
        List.of("{'': ''} {'a', 'x'}", "null {'a', 'x'}", "{'b': '2', 'z': '1'} {'a', 'x'}"),
        rows("SELECT m, s FROM ks.t WHERE k = 1 ORDER BY c DESC", MAP, SET));
  }

  @Test
  void aPartitionWithOnlyAStaticCollectionYieldsARow() {
    cql.run("INSERT INTO ks.t (k, s) VALUES (?, ?)", 5, WireValues.ofTextSet(List.of("only")));
    assertEquals(
        List.of("5 null {'only'} null"),
        rows("SELECT k, c, s, m FROM ks.t", ScalarType.INT, ScalarType.DECIMAL, SET, MAP));
  }

  @Test
  void writeTimeAndTtlAreReportedPerCell() {
    cql.run(
        "INSERT INTO ks.t (k, c, m, l) VALUES (?, ?, ?, ?) USING TIMESTAMP 5 AND TTL 60",
        1,
        decimal("1"),
        map("a", "1", "b", "2"),
        list());
    assertEquals(
        List.of("[5, 5] 5 [60, 60] null null null"),
        rows(
            "SELECT writetime(m), maxwritetime(m), ttl(m), writetime(l), maxwritetime(l), ttl(s)"
                + " FROM ks.t",
            TIMES,
            ScalarType.BIGINT,
            LIST,
            TIMES,
            ScalarType.BIGINT,
            LIST));
    cql.run("UPDATE ks.t SET m = ? WHERE k = ? AND c = ?", map("a", "1"), 2, decimal("1"));
    assertEquals(List.of("[null]"), rows("SELECT ttl(m) FROM ks.t WHERE k = 2", LIST));
  }

  @Test
  void anUnsetCollectionIsNotWritten() {
    cql.run("UPDATE ks.t SET m = ? WHERE k = ? AND c = ?", QueryFixture.UNSET, 1, decimal("1"));
    assertEquals(0, cql.replica.mutations.size());
    cql.run("UPDATE ks.t SET m = ? WHERE k = ? AND c = ?", map(), 1, decimal("1"));
    cql.run("DELETE m FROM ks.t WHERE k = ? AND c = ?", 1, decimal("1"));
    assertEquals(2, cql.replica.mutations.size());
    assertEquals(List.of(), rows("SELECT m FROM ks.t", MAP));
  }

  @Test
  void malformedCollectionsAreRefused() {
    String insert = "INSERT INTO ks.t (k, c, m) VALUES (?, ?, ?)";
    for (byte[] bad : List.of(new byte[0], new byte[] {0, 0, 0, 1}, new byte[] {0, 0, 0, 0, 9})) {
      assertNotNull(cql.tryRun(insert, -1, null, 1, decimal("1"), bad).error());
    }
  }

  @Test
  void groupsAndAggregatesAcceptCollections() {
    cql.run("INSERT INTO ks.t (k, c, m) VALUES (?, ?, ?)", 1, decimal("1"), map("a", "1"));
    cql.run("INSERT INTO ks.t (k, c, v) VALUES (?, ?, ?)", 1, decimal("2"), 4);
    assertEquals(
        List.of("1 {'a': '1'}"),
        rows("SELECT count(m), m FROM ks.t GROUP BY k", ScalarType.BIGINT, MAP));
  }
}
