package io.helenus.clients.mapper;

import static com.datastax.oss.driver.api.querybuilder.QueryBuilder.bindMarker;
import static com.datastax.oss.driver.api.querybuilder.QueryBuilder.deleteFrom;
import static com.datastax.oss.driver.api.querybuilder.QueryBuilder.function;
import static com.datastax.oss.driver.api.querybuilder.QueryBuilder.insertInto;
import static com.datastax.oss.driver.api.querybuilder.QueryBuilder.literal;
import static com.datastax.oss.driver.api.querybuilder.QueryBuilder.selectFrom;
import static com.datastax.oss.driver.api.querybuilder.QueryBuilder.tuple;
import static com.datastax.oss.driver.api.querybuilder.QueryBuilder.update;
import static com.datastax.oss.driver.api.querybuilder.SchemaBuilder.createKeyspace;
import static com.datastax.oss.driver.api.querybuilder.SchemaBuilder.createTable;
import static com.datastax.oss.driver.api.querybuilder.SchemaBuilder.createType;
import static com.datastax.oss.driver.api.querybuilder.SchemaBuilder.dropKeyspace;
import static com.datastax.oss.driver.api.querybuilder.SchemaBuilder.udt;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.MappedAsyncPagingIterable;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.schema.ClusteringOrder;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.querybuilder.relation.Relation;
import com.datastax.oss.driver.api.querybuilder.select.Selector;
import io.helenus.server.clients.ServerAddress;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The shop's schema is made by the schema builder, its data is accessed through the mapper. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ObjectMapperIT {
  private static final String KEYSPACE = "mapper_shop";
  private static final int PAGE_SIZE = 10;
  private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

  private ServerAddress server;
  private CqlSession session;
  private OrderDao orders;

  @BeforeAll
  void openShop(@TempDir Path folder) throws IOException {
    server = ServerAddress.open(folder.resolve("data"));
    session =
        CqlSession.builder()
            .addContactPoint(new InetSocketAddress(server.host(), server.port()))
            .withLocalDatacenter("datacenter1")
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, PAGE_SIZE)
                    .withString(DefaultDriverOption.REQUEST_TIMEOUT, "60 seconds")
                    .build())
            .build();
    session.execute(dropKeyspace(KEYSPACE).ifExists().build());
    session.execute(createKeyspace(KEYSPACE).withSimpleStrategy(1).build());
    session.execute(
        createType(KEYSPACE, "address")
            .withField("street", DataTypes.TEXT)
            .withField("zip", DataTypes.INT)
            .build());
    session.execute(
        createTable(KEYSPACE, "orders")
            .withPartitionKey("customer", DataTypes.TEXT)
            .withClusteringColumn("placed_at", DataTypes.TIMESTAMP)
            .withColumn("price", DataTypes.DECIMAL)
            .withColumn("tags", DataTypes.setOf(DataTypes.TEXT))
            .withColumn("items", DataTypes.mapOf(DataTypes.TEXT, DataTypes.INT))
            .withColumn("ship_to", udt("address", true))
            .withClusteringOrder("placed_at", ClusteringOrder.DESC)
            .withComment("what customers want")
            .withDefaultTimeToLiveSeconds(86400)
            .build());
    orders = new ShopMapperBuilder(session).build().orders(CqlIdentifier.fromCql(KEYSPACE));
  }

  @AfterAll
  void closeShop() {
    session.execute(dropKeyspace(KEYSPACE).build());
    session.close();
    server.close();
  }

  private static Order order(String customer, int minute, String price) {
    return new Order(
        customer,
        NOON.plusSeconds(60L * minute),
        new BigDecimal(price),
        Set.of("new", "é"),
        Map.of("tea", minute, "cake", 1),
        new Address("Main Street", 12345));
  }

  @Test
  void ordersAreWrittenReadAndRemoved() {
    Order order = order("ada", 1, "4.20");
    orders.save(order);
    assertEquals(order, orders.find("ada", order.placedAt()));
    assertNull(orders.find("ada", NOON));
    orders.addItem("ada", order.placedAt(), "jam", 7);
    assertEquals(
        Map.of("tea", 1, "cake", 1, "jam", 7), orders.find("ada", order.placedAt()).items());
    assertTrue(orders.delete(order));
    assertFalse(orders.delete(order));
    assertEquals(0, orders.count("ada"));
  }

  @Test
  void conditionsProtectOrders() {
    Order order = order("grace", 1, "4.20");
    assertNull(orders.saveNew(order));
    assertEquals(order, orders.saveNew(order("grace", 1, "9.99")));
    Order cheaper = new Order("grace", order.placedAt(), new BigDecimal("3.80"), null, null, null);
    assertFalse(orders.update(cheaper, new BigDecimal("5")));
    assertTrue(orders.update(cheaper, new BigDecimal("4.20")));
    Order updated = orders.find("grace", order.placedAt());
    assertNotNull(updated);
    assertEquals(new BigDecimal("3.80"), updated.price());
    assertEquals(order.items(), updated.items());
  }

  @Test
  void manyOrdersComeInPagesTheLatestFirst() throws Exception {
    BatchStatement batch = BatchStatement.newInstance(BatchType.LOGGED);
    for (int minute = 0; minute < 25; minute++) {
      batch = batch.add(orders.saved(order("joan", minute, minute + ".00"), 600));
    }
    session.execute(batch);
    List<Order> all = orders.findAll("joan").all();
    assertEquals(25, all.size());
    assertEquals(NOON.plusSeconds(24 * 60), all.getFirst().placedAt());
    assertEquals(5, orders.findSince("joan", NOON.plusSeconds(20 * 60)).all().size());
    MappedAsyncPagingIterable<Order> page = orders.findSome("joan", 12).toCompletableFuture().get();
    assertEquals(PAGE_SIZE, page.remaining());
    assertEquals(2, page.fetchNextPage().toCompletableFuture().get().remaining());
    assertEquals(25, orders.count("joan"));
    Row ttl =
        session
            .execute(
                selectFrom(KEYSPACE, "orders")
                    .ttl("price")
                    .whereColumn("customer")
                    .isEqualTo(literal("joan"))
                    .limit(1)
                    .build())
            .one();
    assertTrue(ttl.getInt(0) > 500 && ttl.getInt(0) <= 600);
  }

  @Test
  void statementsOfTheQueryBuilderAreUnderstood() {
    Instant placed = NOON.plusSeconds(1);
    session.execute(
        insertInto(KEYSPACE, "orders")
            .value("customer", literal("mary"))
            .value("placed_at", literal(placed))
            .value("tags", literal(Set.of("a")))
            .usingTimestamp(1000)
            .usingTtl(500)
            .build());
    session.execute(
        insertInto(KEYSPACE, "orders")
            .json(
                "{\"customer\": \"mary\", \"placed_at\": \"2026-11-22 13:00:00Z\", \"price\": 1.5}")
            .build());
    session.execute(
        session
            .prepare(
                update(KEYSPACE, "orders")
                    .appendSetElement("tags", literal("b"))
                    .setMapValue("items", literal("tea"), bindMarker())
                    .whereColumn("customer")
                    .isEqualTo(bindMarker())
                    .whereColumn("placed_at")
                    .isEqualTo(bindMarker())
                    .build())
            .bind(3, "mary", placed));
    Row row =
        session
            .execute(
                selectFrom(KEYSPACE, "orders")
                    .columns("tags", "items")
                    .writeTime("price")
                    .raw("token(customer)")
                    .as("t")
                    .where(Relation.column("customer").in(literal("mary"), literal("nobody")))
                    .where(Relation.columns("placed_at").in(tuple(literal(placed))))
                    .build())
            .one();
    assertEquals(Set.of("a", "b"), row.getSet("tags", String.class));
    assertEquals(Map.of("tea", 3), row.getMap("items", String.class, Integer.class));
    assertTrue(row.isNull(2));
    assertLargestPriceIsFound();
    assertOrdersAreDeleted(placed);
  }

  private void assertLargestPriceIsFound() {
    Row largest =
        session
            .execute(
                selectFrom(KEYSPACE, "orders")
                    .function("max", Selector.column("price"))
                    .countAll()
                    .whereColumn("customer")
                    .isEqualTo(literal("mary"))
                    .groupBy("customer")
                    .build())
            .one();
    assertEquals(new BigDecimal("1.5"), largest.getBigDecimal(0));
    assertEquals(2, largest.getLong(1));
  }

  private void assertOrdersAreDeleted(Instant placed) {
    assertTrue(
        session
            .execute(
                deleteFrom(KEYSPACE, "orders")
                    .whereColumn("customer")
                    .isEqualTo(literal("mary"))
                    .whereColumn("placed_at")
                    .isEqualTo(literal(placed))
                    .ifColumn("price")
                    .isEqualTo(literal(null))
                    .build())
            .wasApplied());
    session.execute(
        deleteFrom(KEYSPACE, "orders")
            .whereColumn("customer")
            .isEqualTo(literal("mary"))
            .whereColumn("placed_at")
            .isLessThan(function("to_timestamp", function("now")))
            .build());
  }
}
