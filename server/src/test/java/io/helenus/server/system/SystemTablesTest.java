package io.helenus.server.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.metadata.Metadata;
import io.helenus.server.metrics.HotPartition;
import io.helenus.server.metrics.HotPartitionList;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.PartitionKeys;
import io.helenus.server.types.ScalarKeyEncoding;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.WireValues;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.PartitionNotes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.KeyFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SystemTablesTest {
  private final TestFacts facts = new TestFacts();
  private final SystemFixture fixture = new SystemFixture();
  private final Metadata metadata = fixture.metadata();
  private final SystemTables tables = new SystemTables(metadata::state, metadata.hostId(), facts);

  @BeforeEach
  void makeTables() {
    change("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy'}");
    change(
        "CREATE TABLE ks.t (k int, c text, d int, s int STATIC, v blob, PRIMARY KEY (k, c, d))"
            + " WITH CLUSTERING ORDER BY (c DESC, d ASC)");
    change("CREATE TABLE ks.u (k int PRIMARY KEY, gone int)");
    change("ALTER TABLE ks.u DROP gone USING TIMESTAMP 1999");
  }

  private void change(String text) {
    fixture.change(text);
  }

  private TableSchema table(String keyspace, String name) {
    return Objects.requireNonNull(metadata.state().schema().table(keyspace, name));
  }

  /** Reads; returns whether the sink ended the read. */
  private boolean read(ReadRequest request, RowSink sink) {
    List<Boolean> replies = new ArrayList<>();
    tables.read(
        fixture.shard(),
        request,
        sink,
        new ReplicaAccess.ReadReply() {
          @Override
          public void read(boolean stopped, int rows, int tombstones, long nanos) {
            replies.add(stopped);
          }

          @Override
          public void notRead(Exception cause) {
            throw new AssertionError(cause);
          }
        });
    assertEquals(1, replies.size());
    return replies.getFirst();
  }

  private RowTexts scan(String keyspace, String name) {
    TableSchema table = table(keyspace, name);
    RowTexts rows = new RowTexts(table);
    assertFalse(read(new ReadRequest().reset(table.storageId(), 0), rows));
    return rows;
  }

  @Test
  void everyVirtualTableIsReadableWithValuesOfItsColumnTypes() {
    for (KeyspaceSchema keyspace : metadata.state().schema().keyspaces()) {
      for (TableSchema table : keyspace.tables()) {
        if (table.isVirtual()) {
          scan(keyspace.name(), table.name());
        }
      }
    }
  }

  @Test
  void systemLocalDescribesThisNode() {
    Map<String, String> row = scan("system", "local").rows.getFirst();
    assertEquals("'local'", row.get(""));
    assertEquals("'5.0.0'", row.get("release_version"));
    assertEquals("'0.1.0'", row.get("helenus_version"));
    assertEquals("'127.0.0.1'", row.get("broadcast_address"));
    assertEquals("'127.0.0.2'", row.get("listen_address"));
    assertEquals("'127.0.0.3'", row.get("rpc_address"));
    assertEquals("9042", row.get("rpc_port"));
    assertEquals("'dc'", row.get("data_center"));
    assertEquals(metadata.localNode().hostId().toString(), row.get("host_id"));
    assertEquals(metadata.state().schema().version().toString(), row.get("schema_version"));
    assertEquals(
        4, Objects.requireNonNull(row.get("tokens")).chars().filter(c -> c == ',').count() + 1);
    String before = row.get("schema_version");
    change("DROP TABLE ks.u");
    assertFalse(
        Objects.equals(before, scan("system", "local").rows.getFirst().get("schema_version")));
  }

  @Test
  void peersAreEmpty() {
    assertEquals(List.of(), scan("system", "peers").rows);
    assertEquals(List.of(), scan("system", "peers_v2").rows);
  }

  @Test
  void partitionsByTokenAreReturnedInTokenOrder() {
    List<String> expected =
        List.of(
            "'system_auth'",
            "'system_schema'",
            "'system_distributed'",
            "'system'",
            "'ks'",
            "'system_traces'");
    assertEquals(expected, scan("system_schema", "keyspaces").partitions);
  }

  @Test
  void partitionsByValueAreReturnedInValueOrder() {
    assertEquals(
        List.of("'system_views'", "'system_virtual_schema'"),
        scan("system_virtual_schema", "keyspaces").partitions);
  }

  @Test
  void aSchemaTableCanBeReadByPartitionSliceAndRowInBothDirections() {
    TableSchema columns = table("system_schema", "columns");
    ByteWriter prefix = prefix("ks");
    ReadRequest request = new ReadRequest();
    request.reset(columns.storageId(), 0).partition(prefix.segment(), 0, prefix.size());
    assertEquals(List.of("t.c", "t.d", "t.k", "t.s", "t.v", "u.k"), names(request, columns));
    assertEquals(
        List.of("u.k", "t.v", "t.s", "t.k", "t.d", "t.c"), names(request.reversed(true), columns));
    ByteWriter lower = suffix(KeyFormat.TAG_BOUND_BEFORE, "t");
    ByteWriter upper = suffix(KeyFormat.TAG_BOUND_AFTER, "t", "d");
    request.reset(columns.storageId(), 0).partition(prefix.segment(), 0, prefix.size());
    request.addSlice(lower.segment(), 0, lower.size(), upper.segment(), 0, upper.size());
    ByteWriter row = suffix(KeyFormat.TAG_END, "u", "k");
    request.addRow(row.segment(), 0, row.size());
    assertEquals(List.of("t.c", "t.d", "u.k"), names(request, columns));
  }

  @Test
  void theSinkCanEndARead() {
    TableSchema columns = table("system_schema", "columns");
    RowTexts rows = new RowTexts(columns);
    rows.stopAfter = 3;
    assertTrue(read(new ReadRequest().reset(columns.storageId(), 0), rows));
    assertEquals(3, rows.rows.size());
  }

  private List<String> names(ReadRequest request, TableSchema table) {
    RowTexts rows = new RowTexts(table);
    assertFalse(read(request, rows));
    return rows.rows.stream()
        .map(row -> (row.get("table_name") + "." + row.get("column_name")).replace("'", ""))
        .toList();
  }

  private static ByteWriter prefix(String key) {
    byte[] bytes = ScalarType.TEXT.fromString(key);
    ByteWriter in = new ByteWriter(16).putBytes(bytes);
    ByteWriter prefix = new ByteWriter(64);
    KeyFormat.putPartition(
        io.helenus.storage.bytes.Murmur3.token(bytes), in.segment(), 0, in.size(), prefix);
    return prefix;
  }

  private static ByteWriter suffix(int tag, String... components) {
    ByteWriter suffix = new ByteWriter(64).putByte(KeyFormat.SECTION_ROWS);
    for (String component : components) {
      byte[] bytes = ScalarType.TEXT.fromString(component);
      ByteWriter in = new ByteWriter(16).putBytes(bytes);
      ScalarKeyEncoding.BYTES.write(in.segment(), 0, in.size(), false, suffix);
    }
    return suffix.putByte(tag);
  }

  @Test
  void dropTimesAreShownInMilliseconds() {
    Map<String, String> row = scan("system_schema", "dropped_columns").rows.getFirst();
    assertEquals("'gone'", row.get("column_name"));
    assertEquals("'1970-01-01T00:00:00.001Z'", row.get("dropped_time"));
  }

  @Test
  void clientsAreSortedByAddressAndPort() {
    List<Map<String, String>> rows = scan("system_views", "clients").rows;
    assertEquals(List.of("5", "7"), rows.stream().map(row -> row.get("port")).toList());
    assertEquals("'somebody'", rows.get(0).get("username"));
    assertEquals("'anonymous'", rows.get(1).get("username"));
  }

  @Test
  void estimatesAddUpToTheTotalOfTheTable() {
    long sum = 0;
    List<Map<String, String>> rows = scan("system", "size_estimates").rows;
    for (Map<String, String> row : rows) {
      if ("'t'".equals(row.get("table_name"))) {
        sum += Long.parseLong(Objects.requireNonNull(row.get("partitions_count")));
      }
    }
    assertTrue(Math.abs(sum - 40) <= 5, "" + sum);
  }

  @Test
  void tableMetricsAreShownByName() {
    Map<String, String> read = rowOf("local_read_latency", "t");
    assertEquals("1", read.get("count"));
    assertEquals("0.5", read.get("max_ms"));
    assertEquals("0.5", read.get("p50th_ms"));
    assertEquals("0.25", rowOf("coordinator_write_latency", "t").get("max_ms"));
    assertEquals("3.0", rowOf("rows_per_read", "t").get("p99th"));
    assertEquals("1.0", rowOf("tombstones_per_read", "t").get("max"));
    assertEquals("0", rowOf("local_read_latency", "u").get("count"));
    assertEquals("0.0", rowOf("local_read_latency", "u").get("per_second"));
    assertEquals("5", rowOf("disk_usage", "t").get("mebibytes"));
    assertEquals("3", rowOf("max_sstable_size", "t").get("mebibytes"));
    assertEquals("60000", rowOf("max_sstable_duration", "t").get("max_sstable_duration"));
    assertEquals("0", rowOf("max_partition_size", "u").get("mebibytes"));
  }

  private PartitionNotes.Partition noted(String user, int day, long bytes, long tombstones) {
    byte[] key = PartitionKeys.of(List.of(WireValues.ofText(user), WireValues.ofInt(day)));
    ByteWriter bytesOfKey = new ByteWriter(key.length).putBytes(key);
    ByteWriter prefix = new ByteWriter(64);
    KeyFormat.putPartition(day, bytesOfKey.segment(), 0, key.length, prefix);
    return new PartitionNotes.Partition(prefix.toArray(), 2, bytes, 10, tombstones);
  }

  @Test
  void viewsListTheLargestPartitionsWithConditionsThatSelectThem() {
    change("CREATE TABLE ks.p (\"User\" text, day int, PRIMARY KEY ((\"User\", day)))");
    facts.notedTable = table("ks", "p").storageId();
    facts.notes =
        new PartitionNotes(
            new long[] {0, 0, 5, 0, 1},
            new long[0],
            List.of(
                noted("a", 1, 70_000, 0),
                noted("it's", -5, 100_000_000, 1500),
                noted("c", 3, 10, 2000)));
    List<Map<String, String>> large = scan("system_views", "large_partitions").rows;
    assertEquals(2, large.size());
    assertEquals("100000000", large.get(0).get("size_bytes"));
    assertEquals("'\"User\" = ''it''''s'' AND day = -5'", large.get(0).get("partition_key"));
    assertEquals("10", large.get(0).get("rows"));
    assertEquals("2", large.get(0).get("sstables"));
    assertEquals("1500", large.get(0).get("tombstones"));
    assertEquals("70000", large.get(1).get("size_bytes"));
    List<Map<String, String>> heavy = scan("system_views", "tombstone_heavy_partitions").rows;
    assertEquals(
        List.of("2000", "1500"), heavy.stream().map(each -> each.get("tombstones")).toList());
    List<Map<String, String>> sizes = scan("system_views", "partition_sizes").rows;
    assertEquals(
        List.of("4 5", "16 1"),
        sizes.stream()
            .map(each -> each.get("up_to_bytes") + " " + each.get("partitions"))
            .toList());
  }

  private HotPartition hot(String user, int day, double reads, double writes) {
    byte[] key = PartitionKeys.of(List.of(WireValues.ofText(user), WireValues.ofInt(day)));
    ByteWriter bytes = new ByteWriter(key.length).putBytes(key);
    ByteWriter prefix = new ByteWriter(64);
    KeyFormat.putPartition(day, bytes.segment(), 0, key.length, prefix);
    int tableId = table("ks", "h").storageId();
    return new HotPartition(tableId, prefix.toArray(), reads, writes, reads / 2, writes / 4);
  }

  @Test
  void viewsListHotPartitionsWithConditionsThatSelectThem() {
    change("CREATE TABLE ks.h (\"User\" text, day int, PRIMARY KEY ((\"User\", day)))");
    facts.hotPartitions =
        new HotPartitionList(
            List.of(
                new HotPartition(9999, new byte[0], 90, 0, 0, 0),
                hot("it's", -5, 20, 4),
                hot("b", 1, 10, 0)),
            200,
            16);
    List<Map<String, String>> listed = scan("system_views", "hot_partitions").rows;
    assertEquals(2, listed.size(), "not that of a dropped table");
    Map<String, String> first = listed.getFirst();
    assertEquals("'ks'", first.get("keyspace_name"));
    assertEquals("'h'", first.get("table_name"));
    assertEquals("'\"User\" = ''it''''s'' AND day = -5'", first.get("partition_key"));
    assertEquals("20.0", first.get("reads_per_second"));
    assertEquals("10.0", first.get("reads_per_second_1m"));
    assertEquals("0.1", first.get("read_share"));
    assertEquals("4.0", first.get("writes_per_second"));
    assertEquals("1.0", first.get("writes_per_second_1m"));
    assertEquals("0.25", first.get("write_share"));
    assertEquals("'\"User\" = ''b'' AND day = 1'", listed.getLast().get("partition_key"));
  }

  @Test
  void viewsListEveryTableOfNonVirtualKeyspaces() {
    int tables = 0;
    for (KeyspaceSchema keyspace : metadata.state().schema().keyspaces()) {
      tables += keyspace.isVirtual() ? 0 : keyspace.tables().size();
    }
    assertEquals(tables, scan("system_views", "local_scan_latency").rows.size());
    assertEquals(tables, scan("system_views", "max_sstable_size").rows.size());
  }

  @Test
  void batchesAndTasksAreShown() {
    RowTexts batches = scan("system_views", "batch_metrics");
    assertEquals(3, batches.rows.size());
    assertEquals("4", partition(batches, "'partitions_per_logged_batch'").get("max"));
    assertEquals("0", partition(batches, "'partitions_per_counter_batch'").get("max"));
    Map<String, String> task = scan("system_views", "sstable_tasks").rows.getFirst();
    assertEquals("0.5", task.get("completion_ratio"));
    assertEquals("'compaction'", task.get("kind"));
    assertEquals("50", scan("system", "compaction_history").rows.getFirst().get("bytes_out"));
  }

  private Map<String, String> rowOf(String view, String table) {
    return partition(scan("system_views", view), "'ks'|'" + table + "'");
  }

  /** The row of a partition, in a view with one row per partition. */
  private static Map<String, String> partition(RowTexts rows, String key) {
    assertEquals(rows.partitions.size(), rows.rows.size());
    assertTrue(rows.partitions.contains(key), () -> key + " of " + rows.partitions);
    return rows.rows.get(rows.partitions.indexOf(key));
  }
}
