package io.helenus.server.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.schema.ClusteringOrder;
import com.datastax.oss.driver.api.core.metadata.schema.IndexKind;
import com.datastax.oss.driver.api.core.metadata.schema.IndexMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.SchemaChangeListenerBase;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.ViewMetadata;
import com.datastax.oss.driver.api.core.servererrors.AlreadyExistsException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.protocol.internal.util.Bytes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Typical use of the Java driver 4. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JavaDriverIT {
  private static final int ROWS = 100_000;
  private static final int PARTITION_ROWS = 1000;
  private static final int IN_FLIGHT = 500;

  private ServerAddress server;
  private CqlSession session;

  @BeforeAll
  void connect(@TempDir Path folder) throws IOException {
    server =
        ServerAddress.open(folder.resolve("data"), List.of("-Dmaterialized_views_enabled=true"));
    session = open("");
    session.execute("DROP KEYSPACE IF EXISTS java_driver");
    session.execute(
        "CREATE KEYSPACE java_driver WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
  }

  @AfterAll
  void disconnect() {
    session.execute("DROP KEYSPACE java_driver");
    session.close();
    server.close();
  }

  private CqlSession open(String compression) {
    return CqlSession.builder()
        .addContactPoint(new InetSocketAddress(server.host(), server.port()))
        .withLocalDatacenter("datacenter1")
        .withConfigLoader(configuration(compression).build())
        .build();
  }

  private static com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder
      configuration(String compression) {
    var builder =
        DriverConfigLoader.programmaticBuilder()
            .withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, 1999)
            .withStringList(
                DefaultDriverOption.METADATA_SCHEMA_REFRESHED_KEYSPACES, List.of("/.*/"))
            .withString(DefaultDriverOption.REQUEST_TIMEOUT, "300 seconds");
    return compression.isEmpty()
        ? builder
        : builder.withString(DefaultDriverOption.PROTOCOL_COMPRESSION, compression);
  }

  @Test
  void indexesAreInTheMetadataOfTheirTable() {
    session.execute(
        "CREATE TABLE java_driver.books (id int PRIMARY KEY, title text, tags set<text>, sizes"
            + " map<text, int>)");
    session.execute("CREATE INDEX by_tag ON java_driver.books (tags)");
    session.execute("CREATE INDEX ON java_driver.books (keys(sizes))");
    session.execute(
        "CREATE INDEX by_title ON java_driver.books (title) USING 'sai'"
            + " WITH OPTIONS = {'case_sensitive': 'false'}");
    TableMetadata table = books();
    IndexMetadata byTag = table.getIndex("by_tag").orElseThrow();
    assertEquals(IndexKind.COMPOSITES, byTag.getKind());
    assertEquals("values(tags)", byTag.getTarget());
    IndexMetadata bySize = table.getIndex("books_sizes_idx").orElseThrow();
    assertEquals("keys(sizes)", bySize.getTarget());
    IndexMetadata byTitle = table.getIndex("by_title").orElseThrow();
    assertEquals(IndexKind.CUSTOM, byTitle.getKind());
    assertEquals("title", byTitle.getTarget());
    assertEquals("sai", byTitle.getClassName().orElseThrow());
    assertEquals("false", byTitle.getOptions().get("case_sensitive"));
    session.execute("INSERT INTO java_driver.books (id, title) VALUES (1, 'Faust')");
    String select = "SELECT id FROM java_driver.books WHERE title = 'FAUST'";
    assertEquals(1, session.execute(select).all().size());
    session.execute("DROP INDEX java_driver.by_title");
    assertEquals(2, books().getIndexes().size());
  }

  private TableMetadata books() {
    KeyspaceMetadata keyspace = session.getMetadata().getKeyspace("java_driver").orElseThrow();
    return keyspace.getTable("books").orElseThrow();
  }

  @Test
  void itNegotiatesVersionFiveAndKnowsTheNode() {
    assertEquals(DefaultProtocolVersion.V5, session.getContext().getProtocolVersion());
    assertEquals(1, session.getMetadata().getNodes().size());
    Node node = session.getMetadata().getNodes().values().iterator().next();
    assertEquals("datacenter1", node.getDatacenter());
    assertEquals("rack1", node.getRack());
    assertTrue(node.getCassandraVersion().getMajor() >= 5);
    assertTrue(session.getMetadata().getClusterName().isPresent());
  }

  @Test
  void itReadsTheSchema() {
    session.execute(
        "CREATE TABLE java_driver.events (user text, day date, at timestamp, id uuid, owner text"
            + " static, v blob, PRIMARY KEY ((user, day), at, id)) WITH CLUSTERING ORDER BY (at"
            + " DESC, id ASC) AND comment = 'of a user'");
    KeyspaceMetadata keyspace = session.getMetadata().getKeyspace("java_driver").orElseThrow();
    assertEquals(
        "org.apache.cassandra.locator.SimpleStrategy", keyspace.getReplication().get("class"));
    TableMetadata table = keyspace.getTable("events").orElseThrow();
    assertEquals(2, table.getPartitionKey().size());
    assertEquals(
        List.of(ClusteringOrder.DESC, ClusteringOrder.ASC),
        List.copyOf(table.getClusteringColumns().values()));
    assertTrue(table.getColumn("owner").orElseThrow().isStatic());
    assertEquals(DataTypes.BLOB, table.getColumn("v").orElseThrow().getType());
    assertTrue(table.describe(false).contains("(\"at\" DESC, \"id\" ASC)"));
    assertTrue(session.getMetadata().getKeyspace("system_schema").isPresent());
    assertTrue(session.getMetadata().getKeyspace("system_views").orElseThrow().isVirtual());
  }

  @Test
  void viewsAreInTheMetadataOfTheirKeyspace() {
    session.execute(
        "CREATE TABLE java_driver.visits (page text, at timestamp, guest text, note text, PRIMARY"
            + " KEY (page, at))");
    session.execute(
        "CREATE MATERIALIZED VIEW java_driver.by_guest AS SELECT page, at, guest FROM"
            + " java_driver.visits WHERE guest IS NOT NULL AND page IS NOT NULL AND at IS NOT NULL"
            + " PRIMARY KEY (guest, at, page) WITH CLUSTERING ORDER BY (at DESC, page ASC)");
    KeyspaceMetadata keyspace = session.getMetadata().getKeyspace("java_driver").orElseThrow();
    ViewMetadata view = keyspace.getView("by_guest").orElseThrow();
    assertEquals("visits", view.getBaseTable().asInternal());
    assertFalse(view.includesAllColumns());
    assertEquals(
        "guest IS NOT NULL AND page IS NOT NULL AND at IS NOT NULL",
        view.getWhereClause().orElseThrow());
    assertEquals(1, view.getPartitionKey().size());
    assertEquals(
        List.of(ClusteringOrder.DESC, ClusteringOrder.ASC),
        List.copyOf(view.getClusteringColumns().values()));
    assertEquals(3, view.getColumns().size());
    assertEquals(1, keyspace.getViewsOnTable(CqlIdentifier.fromCql("visits")).size());
    session.execute("INSERT INTO java_driver.visits (page, at, guest) VALUES ('a', 1, 'g')");
    String select = "SELECT page FROM java_driver.by_guest WHERE guest = 'g'";
    assertEquals("a", session.execute(select).one().getString(0));
    session.execute("DROP MATERIALIZED VIEW java_driver.by_guest");
    keyspace = session.getMetadata().getKeyspace("java_driver").orElseThrow();
    assertTrue(keyspace.getView("by_guest").isEmpty());
  }

  @Test
  void itKnowsTheReplicaOfAKey() {
    TokenMap tokens = session.getMetadata().getTokenMap().orElseThrow();
    assertEquals("Murmur3Partitioner", tokens.getPartitionerName().replaceAll(".*\\.", ""));
    assertFalse(tokens.getTokenRanges().isEmpty());
    assertEquals(1, tokens.getReplicas("java_driver", Bytes.fromHexString("0x616c696365")).size());
    session.execute("CREATE TABLE java_driver.routed (a int, b text, v int, PRIMARY KEY ((a, b)))");
    PreparedStatement insert =
        session.prepare("INSERT INTO java_driver.routed (v, b, a) VALUES (?, ?, ?)");
    assertEquals(List.of(2, 1), insert.getPartitionKeyIndices());
    BoundStatement bound = insert.bind(1, "b", 2);
    assertEquals("0x000400000002000001" + "6200", Bytes.toHexString(bound.getRoutingKey()));
  }

  @Test
  void itPagesThroughAHundredThousandRows() throws Exception {
    session.execute("CREATE TABLE java_driver.pages (p int, c int, v text, PRIMARY KEY (p, c))");
    PreparedStatement insert =
        session.prepare("INSERT INTO java_driver.pages (p, c, v) VALUES (?, ?, ?)");
    Deque<CompletionStage<AsyncResultSet>> inFlight = new ArrayDeque<>();
    for (int i = 0; i < ROWS; i++) {
      if (inFlight.size() == IN_FLIGHT) {
        await(inFlight.removeFirst());
      }
      inFlight.add(
          session.executeAsync(insert.bind(i / PARTITION_ROWS, i % PARTITION_ROWS, "value " + i)));
    }
    for (CompletionStage<AsyncResultSet> last : inFlight) {
      await(last);
    }
    int rows = 0;
    int partition = -1;
    int expected = 0;
    ResultSet result = session.execute("SELECT p, c, v FROM java_driver.pages");
    assertFalse(result.isFullyFetched());
    for (Row row : result) {
      expected = row.getInt("p") == partition ? expected + 1 : 0;
      partition = row.getInt("p");
      assertEquals(expected, row.getInt("c"));
      assertEquals("value " + (partition * PARTITION_ROWS + expected), row.getString("v"));
      rows++;
    }
    assertEquals(ROWS, rows);
    ResultSet count = session.execute("SELECT count(*) FROM java_driver.pages");
    assertEquals(ROWS, count.one().getLong(0));
    assertEquals(
        List.of("Aggregation query used without partition key"),
        count.getExecutionInfo().getWarnings());
  }

  private static void await(CompletionStage<AsyncResultSet> write) throws Exception {
    assertFalse(write.toCompletableFuture().get(300, TimeUnit.SECONDS).hasMorePages());
  }

  @Test
  void otherSessionsReceiveSchemaChanges() throws Exception {
    BlockingQueue<String> changes = new LinkedBlockingQueue<>();
    try (CqlSession other =
        CqlSession.builder()
            .addContactPoint(new InetSocketAddress(server.host(), server.port()))
            .withLocalDatacenter("datacenter1")
            .withConfigLoader(configuration("").build())
            .withSchemaChangeListener(new Listener(changes))
            .build()) {
      assertEquals(1, other.getMetadata().getNodes().size());
      session.execute("CREATE TABLE java_driver.announced (k int PRIMARY KEY)");
      assertEquals("created announced", next(changes));
      session.execute("ALTER TABLE java_driver.announced ADD v int");
      assertEquals("updated announced with 2 columns", next(changes));
      session.execute("DROP TABLE java_driver.announced");
      assertEquals("dropped announced", next(changes));
    }
  }

  private static String next(BlockingQueue<String> changes) throws InterruptedException {
    while (true) {
      String change = changes.poll(300, TimeUnit.SECONDS);
      if (change == null || change.contains("announced")) {
        return String.valueOf(change);
      }
    }
  }

  private static final class Listener extends SchemaChangeListenerBase {
    private final BlockingQueue<String> changes;

    Listener(BlockingQueue<String> changes) {
      this.changes = changes;
    }

    @Override
    public void close() {}

    @Override
    public void onTableCreated(TableMetadata table) {
      changes.add("created " + table.getName());
    }

    @Override
    public void onTableUpdated(TableMetadata current, TableMetadata previous) {
      changes.add(
          "updated " + current.getName() + " with " + current.getColumns().size() + " columns");
    }

    @Override
    public void onTableDropped(TableMetadata table) {
      changes.add("dropped " + table.getName());
    }
  }

  @Test
  void aPreparedSelectStarReturnsColumnsAddedLater() {
    session.execute("CREATE TABLE java_driver.growing (k int PRIMARY KEY, v int)");
    session.execute("INSERT INTO java_driver.growing (k, v) VALUES (1, 2)");
    PreparedStatement select = session.prepare("SELECT * FROM java_driver.growing WHERE k = ?");
    assertEquals(2, session.execute(select.bind(1)).one().getColumnDefinitions().size());
    session.execute("ALTER TABLE java_driver.growing ADD w text");
    Row row = session.execute(select.bind(1)).one();
    assertEquals(3, row.getColumnDefinitions().size());
    assertNull(row.getString("w"));
  }

  @Test
  void warningsComeWithTheResult() {
    session.execute("CREATE TABLE java_driver.warned (k int PRIMARY KEY, v int)");
    PreparedStatement insert =
        session.prepare("INSERT INTO java_driver.warned (k, v) VALUES (?, ?)");
    BatchStatementBuilder batch = BatchStatement.builder(BatchType.UNLOGGED);
    for (int k = 0; k < 12; k++) {
      batch.addStatement(insert.bind(k, k));
    }
    List<String> warnings = session.execute(batch.build()).getExecutionInfo().getWarnings();
    assertEquals(2, warnings.size(), "Cassandra's, and the advice");
    assertTrue(warnings.stream().anyMatch(each -> each.contains("batch covering 12 partitions")));
    assertTrue(warnings.stream().anyMatch(each -> each.startsWith("batch-over-many-partitions: ")));
  }

  @Test
  void errorsBecomeTheDriversExceptions() {
    session.execute("CREATE TABLE java_driver.wrong (k int PRIMARY KEY, v int)");
    assertThrows(
        InvalidQueryException.class, () -> session.execute("SELECT * FROM java_driver.nope"));
    assertThrows(SyntaxError.class, () -> session.execute("SELEC * FROM java_driver.wrong"));
    assertThrows(
        AlreadyExistsException.class,
        () -> session.execute("CREATE TABLE java_driver.wrong (k int PRIMARY KEY)"));
    assertThrows(
        InvalidQueryException.class,
        () -> session.prepare("SELECT * FROM java_driver.wrong WHERE v = ?"));
    AllNodesFailedException failed =
        assertThrows(
            AllNodesFailedException.class,
            () ->
                session.execute(
                    SimpleStatement.newInstance("SELECT * FROM java_driver.wrong WHERE k = 1")
                        .setConsistencyLevel(ConsistencyLevel.TWO)));
    Throwable cause = failed.getAllErrors().values().iterator().next().getFirst();
    assertEquals(2, ((UnavailableException) cause).getRequired());
    assertEquals(1, ((UnavailableException) cause).getAlive());
  }

  @Test
  void itSupportsCompression() {
    session.execute("CREATE TABLE java_driver.squeezed (k int PRIMARY KEY, v text)");
    String value = "long and dull ".repeat(5000);
    try (CqlSession compressed = open("lz4")) {
      compressed.execute("INSERT INTO java_driver.squeezed (k, v) VALUES (?, ?)", 1, value);
      Row row = compressed.execute("SELECT v FROM java_driver.squeezed WHERE k = 1").one();
      assertEquals(value, row.getString(0));
    }
  }
}
