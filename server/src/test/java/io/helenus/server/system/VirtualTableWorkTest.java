package io.helenus.server.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.ScalarKeyEncoding;
import io.helenus.server.types.WireValues;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Murmur3;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Counts the work of reads of virtual tables on a node with many tables. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VirtualTableWorkTest {
  private static final int MANY = 2000;
  private static final int COLUMNS = 4;
  private static final int PAGE = 100;

  private final TestFacts facts = new TestFacts();
  private final SystemFixture few = new SystemFixture();
  private final SystemFixture many = new SystemFixture();

  /** The work of one read. */
  private record Work(int rowsStarted, int rowsBuilt, int valuesBuilt, int keysEncoded) {}

  @BeforeAll
  void makeTables() {
    for (SystemFixture fixture : List.of(few, many)) {
      fixture.change("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy'}");
      for (int i = 0; i < (fixture == few ? 1 : MANY); i++) {
        fixture.change(
            "CREATE TABLE ks.t" + (1000 + i) + " (k int, c int, v int, w int, PRIMARY KEY (k, c))");
      }
    }
  }

  /** Keeps the keys of rows; can fill a page. */
  private static final class Keys implements RowSink {
    final List<String> rows = new ArrayList<>();
    byte[] prefix = {};
    byte[] clustering = {};
    final int limit;

    Keys(int limit) {
      this.limit = limit;
    }

    @Override
    public Next partition(MemorySegment segment, long offset, int length) {
      prefix = Bytes.toArray(segment, offset, length);
      return Next.CONTINUE;
    }

    @Override
    public Next staticRow(RowView row) {
      throw new AssertionError("no virtual table has static columns");
    }

    @Override
    public Next row(MemorySegment segment, long offset, int length, RowView row) {
      clustering = Bytes.toArray(segment, offset, length);
      rows.add(HexFormat.of().formatHex(prefix) + " " + HexFormat.of().formatHex(clustering));
      return rows.size() == limit ? Next.STOP : Next.CONTINUE;
    }
  }

  private static TableSchema table(SystemFixture fixture, String keyspace, String name) {
    return Objects.requireNonNull(fixture.metadata().state().schema().table(keyspace, name));
  }

  private Work read(SystemFixture fixture, ReadRequest request, RowSink sink) {
    List<Work> works = new ArrayList<>();
    List<Boolean> replies = new ArrayList<>();
    SystemTables tables =
        new SystemTables(
            fixture.metadata()::state,
            fixture.metadata().hostId(),
            facts,
            rows ->
                works.add(
                    new Work(
                        rows.rowsStarted(),
                        rows.rowsBuilt(),
                        rows.valuesBuilt(),
                        rows.keys().encoded())));
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
    return works.getFirst();
  }

  private static ByteWriter partition(TableSchema table, String... key) {
    ByteWriter out = new ByteWriter(64);
    for (String text : key) {
      byte[] bytes = WireValues.ofText(text);
      ByteWriter in = new ByteWriter(16).putBytes(bytes);
      if (table.partitioner() == Partitioner.MURMUR3) {
        KeyFormat.putPartition(Murmur3.token(bytes), in.segment(), 0, in.size(), out);
      } else {
        ScalarKeyEncoding.BYTES.write(in.segment(), 0, in.size(), false, out);
      }
    }
    return out;
  }

  private static ByteWriter suffix(int tag, String... components) {
    ByteWriter out = new ByteWriter(64).putByte(KeyFormat.SECTION_ROWS);
    for (String text : components) {
      ByteWriter in = new ByteWriter(16).putBytes(WireValues.ofText(text));
      ScalarKeyEncoding.BYTES.write(in.segment(), 0, in.size(), false, out);
    }
    return out.putByte(tag);
  }

  private static ReadRequest onePartition(TableSchema table, String... key) {
    ByteWriter prefix = partition(table, key);
    return new ReadRequest()
        .reset(table.storageId(), 0)
        .partition(prefix.segment(), 0, prefix.size());
  }

  private static void addRow(ReadRequest request, String... clustering) {
    ByteWriter suffix = suffix(KeyFormat.TAG_END, clustering);
    request.addRow(suffix.segment(), 0, suffix.size());
  }

  private static void addSlice(ReadRequest request, ByteWriter lower, ByteWriter upper) {
    request.addSlice(lower.segment(), 0, lower.size(), upper.segment(), 0, upper.size());
  }

  /** Requires the same work on both nodes, except for the steps of binary searches. */
  private void assertSameWork(String keyspace, String name, String[] key, String[] row, int rows) {
    List<Work> works = new ArrayList<>();
    for (SystemFixture fixture : List.of(few, many)) {
      ReadRequest request = onePartition(table(fixture, keyspace, name), key);
      if (row.length > 0) {
        ByteWriter lower = suffix(KeyFormat.TAG_BOUND_BEFORE, row);
        ByteWriter upper = suffix(KeyFormat.TAG_BOUND_AFTER, row);
        addSlice(request, lower, upper);
      }
      Keys keys = new Keys(Integer.MAX_VALUE);
      works.add(read(fixture, request, keys));
      assertEquals(rows, keys.rows.size());
    }
    assertEquals(works.getFirst().rowsStarted(), works.getLast().rowsStarted());
    assertEquals(works.getFirst().rowsBuilt(), works.getLast().rowsBuilt());
    assertEquals(works.getFirst().valuesBuilt(), works.getLast().valuesBuilt());
    assertTrue(works.getLast().keysEncoded() <= works.getFirst().keysEncoded() + 22, "" + works);
  }

  @Test
  void readingARowByKeyDoesNotDependOnTheNumberOfTables() {
    String[] ks = {"ks"};
    String[] t = {"t1000"};
    assertSameWork("system_schema", "tables", ks, t, 1);
    assertSameWork("system_schema", "columns", ks, t, COLUMNS);
    assertSameWork("system_schema", "columns", ks, new String[] {"t1000", "v"}, 1);
    assertSameWork("system_schema", "dropped_columns", ks, t, 0);
    assertSameWork("system_schema", "keyspaces", ks, new String[0], 1);
    assertSameWork("system", "size_estimates", ks, t, 5);
    assertSameWork("system_virtual_schema", "tables", ks, t, 0);
    for (String view : List.of("local_read_latency", "disk_usage", "max_sstable_duration")) {
      assertSameWork("system_views", view, new String[] {"ks", "t1000"}, new String[0], 1);
    }
  }

  @Test
  void onlyRequestedColumnsAreComputed() {
    TableSchema local = table(many, "system", "local");
    int release = Objects.requireNonNull(local.column("release_version")).id();
    int truncated = Objects.requireNonNull(local.column("truncated_at")).id();
    facts.truncationsAsked = 0;
    ReadRequest request = onePartition(local, "local").columns(new int[] {release});
    assertEquals(2, read(many, request, new Keys(9)).valuesBuilt());
    assertEquals(0, facts.truncationsAsked);
    request = onePartition(local, "local").columns(new int[] {truncated});
    assertEquals(2, read(many, request, new Keys(9)).valuesBuilt());
    assertTrue(facts.truncationsAsked >= MANY, "" + facts.truncationsAsked);
  }

  @Test
  void statisticsAreReadOnlyForRowsThatNeedThem() {
    TableSchema usage = table(many, "system_views", "disk_usage");
    facts.statisticsAsked = 0;
    read(many, onePartition(usage, "ks", "t1000").columns(new int[0]), new Keys(9));
    assertEquals(0, facts.statisticsAsked);
    read(many, onePartition(usage, "ks", "t1000"), new Keys(9));
    assertEquals(1, facts.statisticsAsked);
  }

  @Test
  void shardsAreQueriedOnlyForReturnedTables() {
    TableSchema latency = table(many, "system_views", "local_read_latency");
    facts.gatherings = 0;
    facts.tablesGathered = 0;
    read(many, onePartition(latency, "ks", "t1000").columns(new int[0]), new Keys(9));
    assertEquals(0, facts.gatherings);
    read(many, onePartition(latency, "ks", "t1000"), new Keys(9));
    assertEquals(1, facts.tablesGathered);
    read(many, new ReadRequest().reset(latency.storageId(), 0), new Keys(PAGE));
    assertTrue(facts.tablesGathered <= 2 * PAGE, "" + facts.tablesGathered);
  }

  @Test
  void theCostOfAPageIsBoundedByItsRows() {
    for (String name : List.of("tables", "columns")) {
      TableSchema table = table(many, "system_schema", name);
      assertPages(table, new Keys(Integer.MAX_VALUE));
    }
    assertPages(table(many, "system_views", "disk_usage"), new Keys(Integer.MAX_VALUE));
    assertPages(table(many, "system", "table_estimates"), new Keys(Integer.MAX_VALUE));
  }

  private void assertPages(TableSchema table, Keys whole) {
    read(many, new ReadRequest().reset(table.storageId(), 0), whole);
    assertTrue(whole.rows.size() >= MANY, "" + whole.rows.size());
    List<String> paged = new ArrayList<>();
    Keys page = null;
    do {
      page = readPage(table, page);
      paged.addAll(page.rows);
    } while (page.rows.size() == PAGE);
    assertEquals(whole.rows, paged);
  }

  /**
   * Reads a page as a SELECT does: first the rest of the partition in which the last page ended,
   * then the following partitions.
   */
  private Keys readPage(TableSchema table, @Nullable Keys last) {
    Keys page = new Keys(PAGE);
    ReadRequest request = new ReadRequest();
    int started = 0;
    byte[] lower = {};
    if (last != null) {
      ByteWriter prefix = new ByteWriter(64).putBytes(last.prefix);
      request.reset(table.storageId(), 0).partition(prefix.segment(), 0, prefix.size());
      ByteWriter position =
          new ByteWriter(64)
              .putByte(KeyFormat.SECTION_ROWS)
              .putBytes(last.clustering, 0, last.clustering.length - 1)
              .putByte(KeyFormat.TAG_BOUND_AFTER);
      addSlice(request, position, suffix(KeyFormat.TAG_BOUND_AFTER));
      started += read(many, request, page).rowsStarted();
      lower = Arrays.copyOf(last.prefix, last.prefix.length + 1);
      lower[last.prefix.length] = (byte) 0xFF;
    }
    if (page.rows.size() < PAGE) {
      ByteWriter from = new ByteWriter(64).putBytes(lower);
      request.reset(table.storageId(), 0);
      request.partitions(from.segment(), 0, lower.length, from.segment(), 0, 0);
      started += read(many, request, page).rowsStarted();
    }
    assertTrue(started <= PAGE + 64, started + " rows started for a page of " + table);
    return page;
  }

  @Test
  void slicesOfOneTableVisitItOnceInBothDirections() {
    TableSchema columns = table(many, "system_schema", "columns");
    for (boolean reversed : new boolean[] {false, true}) {
      ReadRequest request = onePartition(columns, "ks").reversed(reversed);
      addRow(request, "t1007", "c");
      addRow(request, "t1007", "w");
      addRow(request, "t1008", "k");
      addSlice(
          request,
          suffix(KeyFormat.TAG_BOUND_BEFORE, "t2990"),
          suffix(KeyFormat.TAG_BOUND_AFTER, "t2991"));
      Keys keys = new Keys(Integer.MAX_VALUE);
      Work work = read(many, request, keys);
      assertEquals(3 + 2 * COLUMNS, keys.rows.size());
      assertEquals(4 * COLUMNS, work.rowsStarted());
      List<String> sorted = keys.rows.stream().sorted().toList();
      assertEquals(reversed ? sorted.reversed() : sorted, keys.rows);
    }
  }
}
