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
import io.helenus.storage.engine.RowSink.Next;
import io.helenus.storage.env.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Feeds runs of rows, each of which is a number, as any read could. */
class QualifiedRowsTest {
  private static final int NO_LIMIT = Limits.NO_LIMIT;
  private static final int PAGE_BYTES = 1000;

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
        new RunContext().fill(new RecordedExchange(), parameters, cql.schema(), null);
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
}
