package io.helenus.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.driver.core.BatchStatement;
import com.datastax.driver.core.BoundStatement;
import com.datastax.driver.core.Cluster;
import com.datastax.driver.core.Duration;
import com.datastax.driver.core.KeyspaceMetadata;
import com.datastax.driver.core.PreparedStatement;
import com.datastax.driver.core.ProtocolVersion;
import com.datastax.driver.core.QueryTrace;
import com.datastax.driver.core.ResultSet;
import com.datastax.driver.core.Row;
import com.datastax.driver.core.SchemaChangeListenerBase;
import com.datastax.driver.core.Session;
import com.datastax.driver.core.SimpleStatement;
import com.datastax.driver.core.SocketOptions;
import com.datastax.driver.core.TableMetadata;
import com.datastax.driver.core.UDTValue;
import com.datastax.driver.core.UserType;
import com.datastax.driver.core.exceptions.NoHostAvailableException;
import io.helenus.server.clients.ServerAddress;
import io.helenus.server.clients.ValuesOfTypes;
import java.io.IOException;
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

/** Typical use of the Java driver 3. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JavaDriver3IT {
  private static final String KEYSPACE = "java_driver_3";
  private static final int ROWS = 2000;

  private final BlockingQueue<String> changes = new LinkedBlockingQueue<>();
  private ServerAddress server;
  private Cluster cluster;
  private Session session;
  private ValuesOfTypes values;

  @BeforeAll
  void connect(@TempDir Path folder) throws IOException {
    server = ServerAddress.open(folder.resolve("data"));
    cluster =
        Cluster.builder()
            .addContactPointsWithPorts(new InetSocketAddress(server.host(), server.port()))
            .withoutJMXReporting()
            .withSocketOptions(new SocketOptions().setReadTimeoutMillis(60_000))
            .build();
    cluster.register(new Listener(changes));
    session = cluster.connect();
    values = ValuesOfTypes.read();
    values.setUp(KEYSPACE).forEach(session::execute);
  }

  @AfterAll
  void disconnect() {
    session.execute("DROP KEYSPACE " + KEYSPACE);
    cluster.close();
    server.close();
  }

  private Row row(int k) {
    return session.execute("SELECT " + values.names() + " FROM types WHERE k = " + k).one();
  }

  private static List<Object> objects(Row row) {
    List<Object> objects = new ArrayList<>();
    for (int i = 0; i < row.getColumnDefinitions().size(); i++) {
      objects.add(row.getObject(i));
    }
    return objects;
  }

  @Test
  void everyTypeComesBackAndNullRemovesItAndUnsetLeavesIt() {
    Row first = row(1);
    assertEquals(Duration.newInstance(14, 25, 18367008009010L), first.getObject("duration"));
    assertEquals("quotes ' and é 漢字 𝄞", first.getString("text"));
    assertEquals(
        Map.of(1, List.of(Set.of("a", "b"), Set.of()), 2, List.of()),
        first.getObject("nested_empty"));
    UDTValue person = first.getUDTValue("udt_nested");
    assertEquals(Set.of("x"), person.getUDTValue("home").getSet("tags", String.class));
    PreparedStatement insert = session.prepare(values.insertBound("types"));
    List<Object> literals = objects(first);
    List<Object> bound = new ArrayList<>(literals);
    bound.addFirst(2);
    session.execute(insert.bind(bound.toArray()));
    assertEquals(literals, objects(row(2)));
    session.execute(insert.bind(2));
    assertEquals(literals, objects(row(2)));
    List<Object> nulls = new ArrayList<>(Collections.nCopies(literals.size(), null));
    nulls.addFirst(2);
    session.execute(insert.bind(nulls.toArray()));
    Row removed = row(2);
    for (int i = 0; i < literals.size(); i++) {
      assertTrue(removed.isNull(i), values.columns().get(i).name());
    }
  }

  @Test
  void theDriversSchemaIsWhatWasDefined() {
    session.execute(
        "CREATE TABLE events (user text, day date, at timestamp, id uuid, owner text static, v"
            + " blob, PRIMARY KEY ((user, day), at, id)) WITH CLUSTERING ORDER BY (at DESC, id ASC)"
            + " AND comment = 'of a user'");
    KeyspaceMetadata keyspace = cluster.getMetadata().getKeyspace(KEYSPACE);
    TableMetadata table = keyspace.getTable("events");
    assertEquals("[DESC, ASC]", table.getClusteringOrder().toString());
    assertEquals(2, table.getPartitionKey().size());
    assertTrue(table.getColumn("owner").isStatic());
    assertEquals("of a user", table.getOptions().getComment());
    UserType person = keyspace.getUserType("person");
    assertEquals(
        "CREATE TYPE java_driver_3.person (name text,home frozen<java_driver_3.address>,"
            + "phones frozen<map<text, text>>);",
        person.exportAsString().replaceAll("\\s*\n\\s*", ""));
    session.execute("DROP TABLE events");
  }

  @Test
  void manyRowsComeInPages() {
    session.execute("CREATE TABLE pages (p int, c int, v text, PRIMARY KEY (p, c))");
    PreparedStatement insert = session.prepare("INSERT INTO pages (p, c, v) VALUES (?, ?, ?)");
    for (int first = 0; first < ROWS; first += 100) {
      BatchStatement batch = new BatchStatement(BatchStatement.Type.UNLOGGED);
      for (int i = first; i < first + 100; i++) {
        batch.add(insert.bind(first % 7, i, "value " + i));
      }
      session.execute(batch);
    }
    ResultSet rows =
        session.execute(new SimpleStatement("SELECT c, v FROM pages").setFetchSize(77));
    assertFalse(rows.isFullyFetched());
    int seen = 0;
    for (Row row : rows) {
      assertEquals("value " + row.getInt("c"), row.getString("v"));
      seen++;
    }
    assertEquals(ROWS, seen);
    ResultSet count = session.execute("SELECT count(*) FROM pages");
    assertEquals(
        List.of("Aggregation query used without partition key"),
        count.getExecutionInfo().getWarnings());
  }

  @Test
  void conditionsSayWhetherTheyWereApplied() {
    session.execute("CREATE TABLE versions (k int PRIMARY KEY, v int)");
    PreparedStatement insert =
        session.prepare("INSERT INTO versions (k, v) VALUES (?, ?) IF NOT EXISTS");
    assertTrue(session.execute(insert.bind(1, 10)).wasApplied());
    ResultSet refused = session.execute(insert.bind(1, 11));
    assertFalse(refused.wasApplied());
    assertEquals(10, refused.one().getInt("v"));
    BatchStatement batch = new BatchStatement();
    batch.add(new SimpleStatement("UPDATE versions SET v = 12 WHERE k = 1 IF v = 10"));
    batch.add(new SimpleStatement("INSERT INTO versions (k, v) VALUES (1, 12)"));
    assertTrue(session.execute(batch).wasApplied());
    assertFalse(session.execute(batch).wasApplied());
  }

  @Test
  void aStatementIsPreparedAgainAfterItsTableIsDropped() {
    session.execute("CREATE TABLE growing (k int PRIMARY KEY, v int)");
    BoundStatement select = session.prepare("SELECT v FROM growing WHERE k = ?").bind(1);
    session.execute("INSERT INTO growing (k, v) VALUES (1, 2)");
    assertEquals(2, session.execute(select).one().getInt(0));
    session.execute("ALTER TABLE growing ADD w text");
    assertEquals(2, session.execute(select).one().getInt(0));
    session.execute("DROP TABLE growing");
    assertThrows(NoHostAvailableException.class, () -> session.execute(select));
    session.execute("CREATE TABLE growing (k int PRIMARY KEY, v int)");
    assertTrue(session.execute(select).isExhausted());
  }

  @Test
  void tracesAreReadAndTheVersionIsNegotiated() {
    assertEquals(
        ProtocolVersion.V5, cluster.getConfiguration().getProtocolOptions().getProtocolVersion());
    QueryTrace trace =
        session
            .execute(new SimpleStatement("SELECT k FROM types WHERE k = 1").enableTracing())
            .getExecutionInfo()
            .getQueryTrace();
    assertEquals("Execute CQL3 query", trace.getRequestType());
    assertFalse(trace.getEvents().isEmpty());
  }

  @Test
  void schemaChangesAreReceived() throws InterruptedException {
    session.execute("CREATE TABLE announced (k int PRIMARY KEY)");
    session.execute("ALTER TABLE announced ADD v int");
    session.execute("DROP TABLE announced");
    for (String change : List.of("created 1", "changed 2", "removed 2")) {
      assertEquals(change, changes.poll(300, TimeUnit.SECONDS));
    }
  }

  private static final class Listener extends SchemaChangeListenerBase {
    private final BlockingQueue<String> changes;

    Listener(BlockingQueue<String> changes) {
      this.changes = changes;
    }

    private void add(String change, TableMetadata table) {
      if (table.getName().equals("announced")) {
        changes.add(change + " " + table.getColumns().size());
      }
    }

    @Override
    public void onTableAdded(TableMetadata table) {
      add("created", table);
    }

    @Override
    public void onTableChanged(TableMetadata current, TableMetadata previous) {
      add("changed", current);
    }

    @Override
    public void onTableRemoved(TableMetadata table) {
      add("removed", table);
    }
  }
}
