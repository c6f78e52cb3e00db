package io.helenus.server.query.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.functions.FunctionContext;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.protocol.RecordedExchange;
import io.helenus.server.query.QueryFixture;
import io.helenus.server.query.restriction.RowFilters;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.query.value.ExpressionEvaluator;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadLimits;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink.Next;
import io.helenus.storage.env.Clock;
import io.helenus.storage.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Feeds runs of rows, each of which is a number, as any read could. */
class QualifiedRowsTest {
  private static final int NO_LIMIT = Limits.NO_LIMIT;
  private static final int PAGE_BYTES = 1000;

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private final QueryFixture cql = new QueryFixture();
  private final QualifiedRows qualified = new QualifiedRows();

  /** A partition of a run: the value of its static column, 0 for none, and those of its rows. */
  private record Partition(int staticValue, List<Integer> rows) {
    static Partition of(int staticValue, Integer... rows) {
      return new Partition(staticValue, List.of(rows));
    }
  }

  private static final List<Partition> RUN =
      List.of(
          Partition.of(7, 1, 2, 3),
          Partition.of(8),
          Partition.of(0, 4, 5),
          Partition.of(9, 6),
          Partition.of(7));

  private static final class Now implements Clock {
    @Override
    public long wallMicros() {
      return 0;
    }

    @Override
    public long nanos() {
      return 0;
    }
  }

  @BeforeEach
  void createTable() {
    cql.run(
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    cql.run("CREATE TABLE ks.t (k int, c int, s int static, v int, PRIMARY KEY (k, c))");
  }

  private SelectArguments begin(String statement) {
    return begin(statement, NO_LIMIT);
  }

  private SelectArguments begin(String statement, int pageSize) {
    Clock clock = new Now();
    SelectPlan plan = (SelectPlan) cql.plan(statement);
    BoundSlots bound =
        new BoundSlots(new ExpressionEvaluator(new FunctionContext(clock, () -> 42)));
    bound.bind(plan.slots(), new BoundValues());
    QueryParameters parameters = new QueryParameters();
    parameters.reset(ConsistencyLevel.ONE);
    RunContext context =
        new RunContext().fill(new RecordedExchange(), null, parameters, cql.schema(), null);
    SelectArguments arguments =
        new SelectArguments()
            .set(plan, context, 0, clock)
            .limits(plan.limits().rows(bound), plan.limits().perPartition(bound))
            .page(pageSize, null)
            .maxPageBytes(PAGE_BYTES);
    qualified.begin(arguments, bound);
    return arguments;
  }

  /** Feeds a run as one read, in which each row has so many bytes. */
  private String feed(List<Partition> run, int bytes) {
    List<String> result = new ArrayList<>();
    boolean stopped = false;
    int partition = 0;
    for (Partition each : run) {
      stopped = endPartition(partition - 1, run, bytes, result);
      if (stopped) {
        break;
      }
      qualified.beginPartition();
      stopped = feed(partition++, each, bytes, result);
      if (stopped) {
        break;
      }
    }
    if (!stopped) {
      stopped = endPartition(partition - 1, run, bytes, result);
      qualified.endRead();
    }
    return String.join(" ", result) + (stopped ? "." : "");
  }

  private boolean endPartition(int partition, List<Partition> run, int bytes, List<String> result) {
    if (!qualified.hasStaticRowAlone()) {
      return false;
    }
    int value = run.get(partition).staticValue();
    if (!qualified.acceptsPartition(filter -> wire(value))) {
      return false;
    }
    result.add(partition + ":s" + value);
    return qualified.counted((long) result.size() * bytes) == Next.STOP;
  }

  private boolean feed(int partition, Partition rows, int bytes, List<String> result) {
    if (rows.staticValue() > 0) {
      qualified.staticRow();
    }
    for (int row : rows.rows()) {
      RowFilters.Values values = filter -> wire(row);
      switch (qualified.test(values)) {
        case REJECTED -> {
          continue;
        }
        case PARTITION_REJECTED -> {
          return false;
        }
        case ACCEPTED -> result.add(partition + ":" + row);
      }
      switch (qualified.counted((long) result.size() * bytes)) {
        case STOP -> {
          return true;
        }
        case SKIP_PARTITION -> {
          return false;
        }
        case CONTINUE, KEPT -> {}
      }
    }
    return false;
  }

  private static byte[] wire(int value) {
    return new ByteWriter(4).putInt(value).toArray();
  }

  private String of(String statement) {
    SelectArguments ignored = begin(statement);
    return feed(RUN, 1);
  }

  @Test
  void allRowsQualifyAndStaticRowsAlone() {
    assertEquals("0:1 0:2 0:3 1:s8 2:4 2:5 3:6 4:s7", of("SELECT * FROM ks.t"));
    assertFalse(qualified.isOver());
  }

  @Test
  void limitsEndTheResultAndPartitions() {
    assertEquals("0:1 0:2.", of("SELECT * FROM ks.t LIMIT 2"));
    assertTrue(qualified.isOver());
    assertFalse(qualified.isPageFull());
    assertEquals("0:1 0:2 0:3 1:s8.", of("SELECT * FROM ks.t LIMIT 4"));
    assertEquals("0:1 1:s8 2:4 3:6 4:s7", of("SELECT * FROM ks.t PER PARTITION LIMIT 1"));
    assertEquals("0:1 1:s8 2:4.", of("SELECT * FROM ks.t PER PARTITION LIMIT 1 LIMIT 3"));
    assertEquals("0:1 1:s8 2:4 3:6 4:s7", of("SELECT DISTINCT k, s FROM ks.t"));
  }

  @Test
  void filtersRejectRowsAndPartitions() {
    String filtering = " ALLOW FILTERING";
    assertEquals("0:3 2:4.", of("SELECT * FROM ks.t WHERE v > 2 LIMIT 2" + filtering));
    // the static column of a partition is tested once, here with the value of its first row
    assertEquals("2:4 2:5", of("SELECT * FROM ks.t WHERE s = 4" + filtering));
    assertEquals("1:s8", of("SELECT * FROM ks.t WHERE s = 8" + filtering));
    // static rows alone do not count if rows are restricted
    assertEquals("", of("SELECT * FROM ks.t WHERE v = 8" + filtering));
  }

  @Test
  void aPageEndsWithItsRowsOrItsBytes() {
    SelectArguments ignored = begin("SELECT * FROM ks.t LIMIT 5", 3);
    assertEquals("0:1 0:2 0:3.", feed(RUN, 1));
    assertTrue(qualified.isPageFull());
    assertEquals(2, qualified.remaining());
    assertEquals(3, qualified.givenInPartition());

    ignored = begin("SELECT * FROM ks.t LIMIT 5", 3);
    assertEquals("0:1 0:2.", feed(RUN, PAGE_BYTES / 2));
    assertTrue(qualified.isPageFull());
    assertEquals(3, qualified.remaining());
  }

  @Test
  void theRestOfAPartitionAfterAPageCountsWhatThePageHad() {
    SelectArguments ignored = begin("SELECT * FROM ks.t PER PARTITION LIMIT 3");
    qualified.resume(2);
    assertEquals("0:1 1:s8 2:4 2:5 3:6 4:s7", feed(RUN, 1));
    ignored = begin("SELECT * FROM ks.t PER PARTITION LIMIT 3");
    qualified.resume(2);
    // its static row does not come again
    assertEquals("1:1", feed(List.of(Partition.of(7), Partition.of(0, 1)), 1));
  }

  private String limits(String statement, int pageSize, int given) {
    SelectArguments ignored = begin(statement, pageSize);
    qualified.resume(given);
    ReadRequest request = new ReadRequest().reset(7, 0);
    qualified.limit(request);
    ReadLimits limits = request.limits();
    return (limits.rows() == ReadLimits.NONE ? "" : limits.rows())
        + "/"
        + (limits.rowsPerPartition() == ReadLimits.NONE ? "" : limits.rowsPerPartition())
        + (limits.doStaticRowsCount() ? "s" : "");
  }

  @Test
  void requestsAreLimitedWhereWhatIsReadIsWhatCounts() {
    String all = "SELECT * FROM ks.t";
    assertEquals("/s", limits(all, NO_LIMIT, 0));
    assertEquals("100/s", limits(all, 100, 0));
    assertEquals("10/s", limits(all + " LIMIT 10", 100, 0));
    assertEquals("10/2s", limits(all + " PER PARTITION LIMIT 2 LIMIT 10", 100, 0));
    assertEquals("/3", limits(all + " WHERE k = 1 AND c > 5 PER PARTITION LIMIT 3", NO_LIMIT, 0));
    assertEquals("/2", limits(all + " PER PARTITION LIMIT 5", NO_LIMIT, 3));
    assertEquals("/1", limits(all + " PER PARTITION LIMIT 5", NO_LIMIT, 9));
    assertEquals("100/1s", limits("SELECT DISTINCT k, s FROM ks.t", 100, 0));
    assertEquals("/", limits(all + " WHERE v > 1 LIMIT 10 ALLOW FILTERING", 100, 0));
    assertEquals("/", limits(all + " WHERE s = 1 LIMIT 10 ALLOW FILTERING", 100, 0));
    assertEquals("/", limits("SELECT count(*) FROM ks.t LIMIT 10", NO_LIMIT, 0));
    assertEquals("/", limits("SELECT k, c, max(v) FROM ks.t GROUP BY k, c LIMIT 10", 100, 0));
    // sorted afterwards, so that all rows are needed, though not more of each partition
    String sorted = "SELECT k, c FROM ks.t WHERE k IN (1, 2) ORDER BY c";
    assertEquals("/2s", limits(sorted + " PER PARTITION LIMIT 2 LIMIT 5", NO_LIMIT, 0));
  }

  /** What a cursor passes on of a run if its request has limits. */
  private static List<Partition> cut(List<Partition> run, ReadLimits limits) {
    List<Partition> cut = new ArrayList<>();
    long left = limits.rows() == ReadLimits.NONE ? Long.MAX_VALUE : limits.rows();
    for (Partition each : run) {
      if (left == 0) {
        break;
      }
      long most = Math.min(left, limits.rowsPerPartition());
      List<Integer> rows = each.rows().subList(0, (int) Math.min(each.rows().size(), most));
      cut.add(new Partition(each.staticValue(), rows));
      boolean alone = each.rows().isEmpty() && each.staticValue() > 0;
      left -= alone && limits.doStaticRowsCount() ? 1 : rows.size();
    }
    return cut;
  }

  @Test
  void theResultOfALimitedReadIsThatOfAWholeOne() throws Exception {
    List<String> statements =
        List.of(
            "SELECT * FROM ks.t",
            "SELECT * FROM ks.t LIMIT 4",
            "SELECT * FROM ks.t PER PARTITION LIMIT 2",
            "SELECT * FROM ks.t PER PARTITION LIMIT 1 LIMIT 3",
            "SELECT DISTINCT k, s FROM ks.t LIMIT 3",
            "SELECT * FROM ks.t WHERE k IN (1, 2) AND c > 0 LIMIT 3",
            "SELECT * FROM ks.t WHERE v > 3 LIMIT 2 ALLOW FILTERING");
    int[] shortened = new int[1];
    seeds.each(
        20,
        seed -> {
          Random random = new Random(seed);
          for (String statement : statements) {
            List<Partition> all = randomRun(random);
            int pageSize = random.nextBoolean() ? NO_LIMIT : 1 + random.nextInt(6);
            int given = random.nextInt(3) == 0 ? 1 : 0;
            List<Partition> run = given > 0 && !all.isEmpty() ? all.subList(0, 1) : all;
            SelectArguments ignored = begin(statement, pageSize);
            qualified.resume(given);
            String expected = feed(run, 1);
            boolean over = qualified.isOver();
            ignored = begin(statement, pageSize);
            qualified.resume(given);
            ReadRequest request = new ReadRequest().reset(7, 0);
            qualified.limit(request);
            List<Partition> cut = cut(run, request.limits());
            shortened[0] += cut.equals(run) ? 0 : 1;
            assertEquals(expected, feed(cut, 1), statement + " " + run);
            assertEquals(over, qualified.isOver(), statement + " " + run);
          }
        });
    assertTrue(shortened[0] > 0, "no read was limited");
  }

  private static List<Partition> randomRun(Random random) {
    List<Partition> run = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      List<Integer> rows = new ArrayList<>();
      for (int j = random.nextInt(4); j > 0; j--) {
        rows.add(1 + random.nextInt(6));
      }
      // a partition without any row is not read
      run.add(new Partition(rows.isEmpty() ? 7 : random.nextInt(2), rows));
    }
    return run;
  }
}
