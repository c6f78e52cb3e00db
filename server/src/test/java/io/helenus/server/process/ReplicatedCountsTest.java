package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.types.WireValues;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of three nodes counts what of the requests: the coordinator, and each replica once. */
class ReplicatedCountsTest {
  private static final ConsistencyLevel ALL = ConsistencyLevel.ALL;
  private static final ConsistencyLevel ONE = ConsistencyLevel.ONE;
  private static final int REQUESTS = 30;

  @TempDir private Path folder;
  private ThreeServers nodes;

  @BeforeEach
  void start() throws Exception {
    nodes = new ThreeServers(folder);
    for (int i = 1; i <= 3; i++) {
      nodes.awaitUp(i, 2);
    }
    run(
        1,
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 3}");
    run(1, "CREATE TABLE k.t (a int PRIMARY KEY, b int)");
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  private void run(int node, String cql) throws Exception {
    assertEquals("done", nodes.run(node, ALL, cql), cql);
  }

  private List<List<byte @Nullable []>> select(int node, String cql) throws Exception {
    return assertInstanceOf(
            Response.Rows.class,
            nodes.client(node).query(cql, QueryOptions.NONE.withConsistency(ONE.code())))
        .rows();
  }

  /** What a table of {@code system_views} says of {@code k.t} at a node. */
  private double view(int node, String column, String table) throws Exception {
    return number(
        select(
                node,
                "SELECT %s FROM system_views.%s WHERE keyspace_name = 'k' AND table_name = 't'"
                    .formatted(column, table))
            .getFirst()
            .getFirst());
  }

  private static double number(byte @Nullable [] value) {
    return ByteBuffer.wrap(Objects.requireNonNull(value)).getDouble();
  }

  private long count(int node, String table) throws Exception {
    List<List<byte @Nullable []>> rows =
        select(
            node,
            "SELECT count FROM system_views.%s WHERE keyspace_name = 'k' AND table_name = 't'"
                .formatted(table));
    return ByteBuffer.wrap(Objects.requireNonNull(rows.getFirst().getFirst())).getLong();
  }

  private String counts(String table) throws Exception {
    return count(1, table) + " " + count(2, table) + " " + count(3, table);
  }

  @Test
  void aReadIsMeasuredAtItsCoordinatorAndAtEachReplica() throws Exception {
    run(1, "INSERT INTO k.t (a, b) VALUES (1, 1)");
    for (int i = 0; i < REQUESTS; i++) {
      assertEquals("1,1", nodes.run(1, ALL, "SELECT * FROM k.t WHERE a = 1"));
    }
    assertEquals("1,1", nodes.run(2, ALL, "SELECT * FROM k.t"));
    assertEquals("30 0 0", counts("coordinator_read_latency"));
    assertEquals("30 30 30", counts("local_read_latency"));
    assertEquals("0 1 0", counts("coordinator_scan_latency"));
    long scans = count(1, "local_scan_latency");
    assertEquals(scans + " " + scans + " " + scans, counts("local_scan_latency"));
    for (int node = 1; node <= 3; node++) {
      assertEquals(REQUESTS + scans, count(node, "rows_per_read"));
      assertEquals(REQUESTS + scans, count(node, "tombstones_per_read"));
      assertEquals(1, view(node, "max", "rows_per_read"));
    }
  }

  /**
   * What a replica has missed is written there with the read, by whichever node it goes through.
   */
  @Test
  void aReadRepairIsAWriteOfTheReplicaThatLacked() throws Exception {
    for (int lacking = 1; lacking <= 2; lacking++) {
      nodes.stop(lacking);
      nodes.awaitUp(3, 1);
      assertEquals(
          "done",
          nodes.run(
              3,
              ConsistencyLevel.QUORUM,
              "INSERT INTO k.t (a, b) VALUES (%d, 1)".formatted(lacking)));
      nodes.start(lacking);
      for (int i = 1; i <= 3; i++) {
        nodes.awaitUp(i, 2);
      }
      assertEquals(0, count(lacking, "local_write_latency"));
      String read = "SELECT b FROM k.t WHERE a = " + lacking;
      assertEquals("1", nodes.run(1, ALL, read));
      assertEquals(1, count(lacking, "local_write_latency"), "node " + lacking);
    }
  }

  /** Two partitions of one shard, since the periods that shards count differ. */
  private List<Integer> twoOfOneShard() throws Exception {
    List<Integer> chosen = new ArrayList<>();
    for (int id = 0; chosen.size() < 2; id++) {
      run(1, "INSERT INTO k.t (a, b) VALUES (%d, 0)".formatted(id));
      List<List<byte @Nullable []>> rows =
          select(1, "SELECT token(a) FROM k.t WHERE a = %d".formatted(id));
      if (ByteBuffer.wrap(Objects.requireNonNull(rows.getFirst().getFirst())).getLong() > 0) {
        chosen.add(id);
      }
    }
    return chosen;
  }

  /** The rates of a column in hot_partitions of a node, by the condition of the partition. */
  private Map<String, Double> hot(int node, String column) throws Exception {
    Map<String, Double> rates = new TreeMap<>();
    for (List<byte @Nullable []> row :
        select(
            node, "SELECT partition_key, %s FROM system_views.hot_partitions".formatted(column))) {
      rates.merge(
          WireValues.toText(Objects.requireNonNull(row.get(0))), number(row.get(1)), Double::sum);
    }
    return rates;
  }

  @Test
  void eachReplicaCountsAPartitionOnceWhicheverNodeCoordinates() throws Exception {
    List<Integer> ids = twoOfOneShard();
    for (int i = 0; i < 10 * REQUESTS; i++) {
      for (int each = 0; each < 2; each++) {
        String where = " WHERE a = " + ids.get(each);
        run(each + 1, "UPDATE k.t SET b = %d%s".formatted(i, where));
        nodes.run(each + 1, ALL, "SELECT * FROM k.t" + where);
      }
    }
    for (int node = 1; node <= 3; node++) {
      for (String column : List.of("reads_per_second", "writes_per_second")) {
        Map<String, Double> rates = hot(node, column);
        double first = Objects.requireNonNull(rates.get("a = " + ids.get(0)), rates::toString);
        double second = Objects.requireNonNull(rates.get("a = " + ids.get(1)), rates::toString);
        assertEquals(1, first / second, 0.1, rates::toString);
      }
    }
  }
}
