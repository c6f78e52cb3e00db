package io.helenus.server.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.QueryTrace;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.data.CqlDuration;
import com.datastax.oss.driver.api.core.data.CqlVector;
import com.datastax.oss.driver.api.core.data.TupleValue;
import com.datastax.oss.driver.api.core.data.UdtValue;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.SchemaChangeListenerBase;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Values of every type through the Java driver 4 and back, conditions, traces and user types. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JavaDriverTypesIT {
  private static final String KEYSPACE = "java_types";

  private final BlockingQueue<String> changes = new LinkedBlockingQueue<>();
  private ServerAddress server;
  private CqlSession session;
  private ValuesOfTypes values;

  @BeforeAll
  void connect(@TempDir Path folder) throws IOException {
    server = ServerAddress.open(folder.resolve("data"));
    session =
        CqlSession.builder()
            .addContactPoint(new InetSocketAddress(server.host(), server.port()))
            .withLocalDatacenter("datacenter1")
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withString(DefaultDriverOption.REQUEST_TIMEOUT, "300 seconds")
                    .withString(DefaultDriverOption.METADATA_SCHEMA_WINDOW, "1 millisecond")
                    .build())
            .withSchemaChangeListener(new Listener(changes))
            .build();
    values = ValuesOfTypes.read();
    values.setUp(KEYSPACE).forEach(session::execute);
  }

  @AfterAll
  void disconnect() {
    session.execute("DROP KEYSPACE " + KEYSPACE);
    session.close();
    server.close();
  }

  private Row row(int k) {
    return session.execute("SELECT " + values.names() + " FROM types WHERE k = " + k).one();
  }

  private static List<Object> objects(Row row) {
    List<Object> objects = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      objects.add(row.getObject(i));
    }
    return objects;
  }

  @Test
  void literalsAreDecoded() {
    Row row = row(1);
    assertEquals(Long.MIN_VALUE, row.getLong("bigint"));
    assertEquals(new BigDecimal("-12345.678900"), row.getBigDecimal("decimal"));
    assertEquals(CqlDuration.newInstance(14, 25, 18367008009010L), row.getCqlDuration("duration"));
    assertEquals("quotes ' and é 漢字 𝄞", row.getString("text"));
    assertEquals(new BigInteger("-123456789012345678901234567890"), row.getBigInteger("varint"));
    assertEquals(List.of(3, 1, 2, 1), row.getList("list_int", Integer.class));
    assertEquals(Map.of("", -2, "x", 1), row.getMap("map_text_int", String.class, Integer.class));
    assertEquals(
        List.of(Map.of("a", Set.of(1, 2), "b", Set.of(3)), Map.of("c", Set.of(4))),
        row.getObject("list_of_maps"));
    assertEquals(
        Map.of(1, List.of(Set.of("a", "b"), Set.of()), 2, List.of()),
        row.getObject("nested_empty"));
    TupleValue tuple = row.getTupleValue("tuple_null");
    assertTrue(tuple.isNull(0) && tuple.isNull(2));
    assertEquals("x", tuple.getString(1));
    UdtValue person = row.getUdtValue("udt_nested");
    assertEquals("Ada", person.getString("name"));
    assertEquals(Set.of("x"), person.getUdtValue("home").getSet("tags", String.class));
    assertNull(row.getUdtValue("udt_null").getString("street"));
    assertEquals(CqlVector.newInstance(0.5f, -0.25f, 3.5f), row.getObject("vector_float"));
    assertEquals(CqlVector.newInstance("", "longer"), row.getObject("vector_text"));
  }

  @Test
  void everyTypeComesBackAndNullRemovesItAndUnsetLeavesIt() {
    PreparedStatement insert = session.prepare(values.insertBound("types"));
    List<Object> literals = objects(row(1));
    List<Object> bound = new ArrayList<>(literals);
    bound.addFirst(2);
    session.execute(insert.bind(bound.toArray()));
    assertEquals(literals, objects(row(2)));
    assertEquals(json(1), json(2));
    session.execute(insert.bind(2));
    assertEquals(literals, objects(row(2)));
    List<Object> nulls = new ArrayList<>(Collections.nCopies(literals.size(), null));
    nulls.addFirst(2);
    session.execute(insert.bind(nulls.toArray()));
    Row removed = row(2);
    for (int i = 0; i < removed.size(); i++) {
      assertTrue(removed.isNull(i), values.columns().get(i).name());
    }
  }

  private String json(int k) {
    return session
        .execute("SELECT JSON " + values.names() + " FROM types WHERE k = " + k)
        .one()
        .getString(0);
  }

  @Test
  void everyTypeIsAKey() {
    for (ValuesOfTypes.Column column : values.columns()) {
      String type = column.keyType();
      if (!type.isEmpty()) {
        String table = "key_" + column.name();
        session.execute(
            "CREATE TABLE %s (p %s, a %s, d %s, v int, PRIMARY KEY (p, a, d))"
                    .formatted(table, type, type, type)
                + " WITH CLUSTERING ORDER BY (a ASC, d DESC)");
        Object key = row(1).getObject(column.name());
        session.execute(
            session
                .prepare("INSERT INTO " + table + " (p, a, d, v) VALUES (?, ?, ?, 7)")
                .bind(key, key, key));
        PreparedStatement select =
            session.prepare("SELECT * FROM " + table + " WHERE p = ? AND a = ? AND d = ?");
        assertEquals(
            List.of(key, key, key, 7), objects(session.execute(select.bind(key, key, key)).one()));
      }
    }
  }

  @Test
  void emptyValues() {
    session.execute(
        "CREATE TABLE empties (k int PRIMARY KEY, l list<int>, s set<int>, m map<int, int>,"
            + " fl frozen<list<int>>, fm frozen<map<int, int>>, t text, b blob, i int, u uuid)");
    PreparedStatement insert =
        session.prepare("INSERT INTO empties (k, l, s, m, fl, fm, t) VALUES (1, ?, ?, ?, ?, ?, ?)");
    session.execute(insert.bind(List.of(), Set.of(), Map.of(), List.of(), Map.of(), ""));
    session.execute(
        "UPDATE empties SET b = 0x, i = blob_as_int(0x), u = blob_as_uuid(0x) WHERE k = 1");
    Row row = session.execute("SELECT l, s, m, fl, fm, t, b, i, u FROM empties").one();
    assertTrue(row.isNull("l") && row.isNull("s") && row.isNull("m"));
    assertEquals(List.of(), row.getObject("fl"));
    assertEquals(Map.of(), row.getObject("fm"));
    assertEquals("", row.getString("t"));
    for (String name : List.of("b", "i", "u")) {
      assertFalse(row.isNull(name), name);
      assertEquals(0, row.getBytesUnsafe(name).remaining(), name);
    }
  }

  @Test
  void theDriversSchemaIsWhatWasDefined() {
    KeyspaceMetadata keyspace = session.refreshSchema().getKeyspace(KEYSPACE).orElseThrow();
    UserDefinedType person = keyspace.getUserDefinedType("person").orElseThrow();
    assertEquals(
        "CREATE TYPE \"java_types\".\"person\" ( \"name\" text, \"home\""
            + " frozen<\"java_types\".\"address\">, \"phones\" frozen<map<text, text>> );",
        person.describe(false));
    TableMetadata table = keyspace.getTable("types").orElseThrow();
    Row row = row(1);
    for (ValuesOfTypes.Column column : values.columns()) {
      assertEquals(
          row.getType(column.name()).asCql(false, false),
          table.getColumn(column.name()).orElseThrow().getType().asCql(false, false));
    }
    assertTrue(table.describe(false).contains("\"list_frozen\" frozen<list<timestamp>>"));
  }

  @Test
  void changesOfUserTypesAreReceived() throws InterruptedException {
    session.execute("CREATE TYPE changing (a int)");
    session.execute("ALTER TYPE changing ADD b text");
    session.execute("DROP TYPE changing");
    for (String change : List.of("created [a]", "updated [a, b]", "dropped [a, b]")) {
      assertEquals(change, changes.poll(300, TimeUnit.SECONDS));
    }
  }

  @SuppressWarnings("try") // close() of the driver's interface may throw InterruptedException
  private static final class Listener extends SchemaChangeListenerBase {
    private final BlockingQueue<String> changes;

    Listener(BlockingQueue<String> changes) {
      this.changes = changes;
    }

    private void add(String change, UserDefinedType type) {
      if (type.getName().asInternal().equals("changing")) {
        changes.add(change + " " + type.getFieldNames());
      }
    }

    @Override
    public void onUserDefinedTypeCreated(UserDefinedType type) {
      add("created", type);
    }

    @Override
    public void onUserDefinedTypeUpdated(UserDefinedType current, UserDefinedType previous) {
      add("updated", current);
    }

    @Override
    public void onUserDefinedTypeDropped(UserDefinedType type) {
      add("dropped", type);
    }
  }

  @Test
  void conditionsSayWhetherTheyWereApplied() {
    session.execute("CREATE TABLE versions (p int, c int, v int, PRIMARY KEY (p, c))");
    PreparedStatement insert =
        session.prepare("INSERT INTO versions (p, c, v) VALUES (?, ?, ?) IF NOT EXISTS");
    assertTrue(session.execute(insert.bind(1, 1, 10)).wasApplied());
    ResultSet refused = session.execute(insert.bind(1, 1, 11));
    assertFalse(refused.wasApplied());
    assertEquals(10, refused.one().getInt("v"));
    PreparedStatement update =
        session.prepare("UPDATE versions SET v = ? WHERE p = ? AND c = ? IF v IN ?");
    assertTrue(session.execute(update.bind(12, 1, 1, List.of(9, 10))).wasApplied());
    BatchStatement batch =
        BatchStatement.newInstance(
            BatchType.LOGGED, insert.bind(1, 2, 20), update.bind(13, 1, 1, List.of(10)));
    ResultSet results = session.execute(batch);
    assertFalse(results.wasApplied());
    assertEquals(12, results.one().getInt("v"));
    assertTrue(
        session
            .execute(
                BatchStatement.newInstance(
                    BatchType.LOGGED, insert.bind(1, 2, 20), update.bind(13, 1, 1, List.of(12))))
            .wasApplied());
    assertTrue(session.execute("INSERT INTO versions (p, c) VALUES (2, 2)").wasApplied());
  }

  @Test
  void tracesAreRead() {
    QueryTrace trace =
        session
            .execute(
                SimpleStatement.newInstance("SELECT k FROM types WHERE k = 1").setTracing(true))
            .getExecutionInfo()
            .getQueryTrace();
    assertEquals("Execute CQL3 query", trace.getRequestType());
    assertEquals("SELECT k FROM types WHERE k = 1", trace.getParameters().get("query"));
    assertTrue(trace.getDurationMicros() > 0);
    assertFalse(trace.getEvents().isEmpty());
    trace.getEvents().forEach(event -> assertTrue(event.getSourceElapsedMicros() >= 0));
  }
}
