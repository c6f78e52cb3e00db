package io.helenus.server.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.error.CqlError;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.TableDescriptor;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Looking up the terms of an index finds the rows that a scan finds, and reads few others. */
class IndexedSelectTest {
  private static final String SAI = " USING 'sai'";

  private static final List<String> TEXTS = List.of("a", "B", "b", "", "Éa", "e\u0301a", "ß", "ab");
  private static final List<String> ADDRESSES =
      List.of("10.0.0.1", "::1", "200.1.0.0", "2001:db8::", "10.0.0.2", "::", "0.0.0.0", "f::");
  private static final List<String> DECIMALS =
      List.of("1.0", "1.00", "-3", "0", "0.00", "1E+3", "1000", "-3.5");

  private final QueryFixture cql = new QueryFixture();

  @BeforeEach
  void fill() {
    cql.run(
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    cql.run(
        "CREATE TABLE ks.t (a int, b text, c int, d decimal, s inet STATIC, i int, t text,"
            + " n inet, e decimal, f boolean, g frozen<list<int>>, l list<text>, m map<text,"
            + " decimal>, PRIMARY KEY ((a, b), c, d)) WITH CLUSTERING ORDER BY (c DESC, d ASC)");
    for (int at = 0; at < 40; at++) {
      int one = at % 8;
      int other = at * 5 % 7;
      String text = TEXTS.get(one);
      cql.run(
          "INSERT INTO ks.t (a, b, c, d, i, t, n, e, f, g, l, m) VALUES ("
              + String.join(
                  ", ",
                  List.of(
                      "" + at,
                      "'" + text + "'",
                      "" + other,
                      DECIMALS.get(one),
                      "" + (other - 3),
                      "'" + TEXTS.get(other) + "'",
                      "'" + ADDRESSES.get(one) + "'",
                      DECIMALS.get(other),
                      "" + (at % 2 == 0),
                      "[" + one + ", 1]",
                      "['x', '" + text + "']",
                      "{'" + text + "': " + DECIMALS.get(one) + ", 'k': " + other + "}"))
              + ")");
      cql.run("INSERT INTO ks.t (a, b, s) VALUES (?, ?, '" + ADDRESSES.get(other) + "')", at, text);
    }
    cql.run("INSERT INTO ks.t (a, b, c, d) VALUES (99, 'b', 1, 1)");
    cql.run("INSERT INTO ks.t (a, b, s) VALUES (98, 'b', '::1')");
  }

  private TableDescriptor descriptor(int table) {
    TableSchema found = Objects.requireNonNull(cql.schema().table(table));
    return found.descriptor();
  }

  /** The rows, after comparing those of a scan with those of the index. */
  private int rows(String where) {
    String select = "SELECT a, c FROM ks.t WHERE " + where;
    cql.replica.descriptors = null;
    QueryFixture.Answer scanned = cql.tryRun(select, -1, null);
    assertNull(scanned.error(), select);
    cql.replica.descriptors = this::descriptor;
    cql.replica.rows = 0;
    QueryFixture.Answer found = cql.run(select);
    assertEquals(scanned.text(), found.text(), select);
    return found.rows().size();
  }

  /** The same, if a single value is looked up: nothing else is read. */
  private void equal(String where) {
    int rows = rows(where);
    assertTrue(rows > 0, where);
    assertEquals(rows, cql.replica.rows, where);
  }

  private void index(String target, String suffix) {
    cql.run("CREATE INDEX ON ks.t (" + target + ")" + suffix);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", SAI})
  void valuesAreFoundUnderTheirTerms(String kind) {
    for (String target :
        List.of("b", "c", "d", "s", "i", "t", "n", "f", "full(g)", "l", "entries(m)", "keys(m)")) {
      index(target, kind);
    }
    for (String where :
        List.of("b = 'ab'", "c = 3", "i = -2", "t = 'ß'", "t = ''", "f = true", "g = [3, 1]")) {
      equal(where);
    }
    for (String where :
        List.of(
            "n = '10.0.0.1'", "s = '200.1.0.0'", "l CONTAINS 'ß'", "m['B'] = 1.00", "m['k'] = 2")) {
      equal(where);
    }
    equal("m CONTAINS KEY 'ab'");
    equal("a = 3 AND b = '' AND i = -2");
    assertEquals(0, rows("i = 77"));
    assertEquals(0, cql.replica.rows);
  }

  @Test
  void equalDecimalsHaveTheSameTerm() {
    index("e", SAI);
    index("d", SAI);
    equal("e = 1");
    equal("e = 0.0");
    equal("d = 1.0");
    equal("d = 1000.0");
  }

  @Test
  void legacyIndexesFindTheWrittenBytes() {
    index("e", "");
    assertTrue(rows("e = 1.0") > 0);
    assertEquals(0, rows("e = 1.000"));
    index("values(m)", "");
    assertEquals(5, rows("m CONTAINS 1.00"));
    assertEquals(0, rows("m CONTAINS 1.000"));
  }

  @Test
  void rangesAreSlicesOfTerms() {
    for (String target : List.of("c", "d", "i", "n", "e", "s")) {
      index(target, SAI);
    }
    for (String column : List.of("c", "i", "d", "e")) {
      for (String value : List.of("-3", "0", "1", "3", "1000")) {
        for (String operator : List.of("<", "<=", ">", ">=")) {
          if (!value.equals("1000") || !column.equals("c")) {
            int rows = rows(column + " " + operator + " " + value);
            assertEquals(rows, cql.replica.rows, column + operator + value);
          }
        }
        equal(column + " >= -3 AND " + column + " <= 1000");
      }
    }
    for (String address : ADDRESSES) {
      int ofEach = 40 / ADDRESSES.size();
      long above = ADDRESSES.stream().filter(each -> isBelow(address, each)).count();
      long upTo =
          ADDRESSES.stream().filter(each -> each.equals(address) || isBelow(each, address)).count();
      assertEquals(ofEach * above, rows("n > '" + address + "'"), address);
      assertEquals(ofEach * upTo, rows("n <= '" + address + "'"), address);
    }
    assertEquals(rows("i > -2 AND i < 2"), rows("i >= -1 AND i <= 1"));
  }

  /** Whether an address is below another in the order of the index and in that of the type. */
  private static boolean isBelow(String address, String other) {
    byte[] bytes = InetAddress.ofLiteral(address).getAddress();
    byte[] others = InetAddress.ofLiteral(other).getAddress();
    return Arrays.compareUnsigned(bytes, others) < 0
        && Arrays.compareUnsigned(mapped(bytes), mapped(others)) < 0;
  }

  private static byte[] mapped(byte[] address) {
    return address.length == 16
        ? address
        : ByteBuffer.allocate(16).position(10).putShort((short) -1).put(address).array();
  }

  @Test
  void addressesAreInRangeByTheOrderOfTheTypeToo() {
    index("n", SAI);
    // f:: is above all of IPv4 in the index, and starts with a smaller byte than 10.0.0.1
    assertEquals(15, rows("n > '10.0.0.1'"));
    assertEquals(15, rows("n < '10.0.0.1'"));
  }

  @Test
  void textsAreAnalyzed() {
    cql.run(
        "CREATE CUSTOM INDEX ON ks.t (t) USING 'sai' WITH OPTIONS = {'case_sensitive': 'false',"
            + " 'normalize': 'true', 'ascii': 'true'}");
    cql.run(
        "CREATE CUSTOM INDEX ON ks.t (l) USING 'sai' WITH OPTIONS = {'case_sensitive': 'false'}");
    equal("t = 'EA'");
    equal("t = 'B'");
    equal("t = 'SS'");
    equal("t = ''");
    equal("l CONTAINS 'b'");
    assertEquals(10, rows("l CONTAINS 'b'"));
    assertEquals(11, rows("t = 'b'"));
  }

  @Test
  void theNarrowestIndexIsLookedUp() {
    for (String target : List.of("i", "f", "s", "c")) {
      index(target, SAI);
    }
    int rows = rows("i = 0 AND f = true AND s >= '::' AND c > 0");
    assertTrue(rows > 0);
    assertEquals(rows("i = 0"), cql.replica.rows);
    rows("c > 1 AND c < 3 AND i > -9");
    assertEquals(rows("c = 2"), cql.replica.rows);
  }

  @Test
  void onlyQueriesOfAnIndexNeedItBuilt() {
    cql.indexesBuilt = false;
    index("i", "");
    index("t", SAI);
    assertEquals("1", cql.run("SELECT a FROM ks.t WHERE a = 1 AND b = 'B'").text());
    assertEquals(
        "Operation failed - received 0 responses and 1 failures: UNKNOWN from this node (an index"
            + " of the table is still being built)",
        failure("i = 1"));
    assertEquals(
        "Operation failed - received 0 responses and 1 failures: INDEX_NOT_AVAILABLE from this node"
            + " (an index of the table is still being built)",
        failure("t = 'a'"));
  }

  private String failure(String where) {
    CqlError error = cql.tryRun("SELECT a FROM ks.t WHERE " + where, -1, null).error();
    return assertInstanceOf(CqlError.ReadFailure.class, error).message();
  }

  @Test
  void emptyValuesAreNotInAttachedIndexes() {
    cql.run("CREATE TABLE ks.u (k int PRIMARY KEY, v int)");
    cql.run("CREATE INDEX ON ks.u (v) USING 'sai'");
    cql.run("INSERT INTO ks.u (k, v) VALUES (1, ?)", (Object) new byte[0]);
    cql.run("INSERT INTO ks.u (k, v) VALUES (2, 5)");
    cql.replica.descriptors = this::descriptor;
    assertEquals("2", cql.run("SELECT k FROM ks.u WHERE v < 9").text());
    assertEquals("", cql.run("SELECT k FROM ks.u WHERE v = ?", (Object) new byte[0]).text());
    assertEquals("2", cql.run("SELECT k FROM ks.u WHERE v > ?", (Object) new byte[0]).text());
    assertEquals("", cql.run("SELECT k FROM ks.u WHERE v < ?", (Object) new byte[0]).text());
  }
}
