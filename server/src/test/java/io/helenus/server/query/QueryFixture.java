package io.helenus.server.query;

import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.ast.Statement;
import io.helenus.cql.parser.CqlParser;
import io.helenus.cql.parser.CqlSyntaxException;
import io.helenus.server.advice.Silence;
import io.helenus.server.advice.StatementAdvisor;
import io.helenus.server.client.Response;
import io.helenus.server.cluster.Members;
import io.helenus.server.coordinator.BatchLogEntries;
import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.coordinator.LocalBatchLog;
import io.helenus.server.coordinator.Placement;
import io.helenus.server.coordinator.RemoteReplicas;
import io.helenus.server.coordinator.ReplicaSet;
import io.helenus.server.coordinator.Timeouts;
import io.helenus.server.coordinator.WriteCallback;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.metadata.ReservedTimestamps;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.protocol.RecordedExchange;
import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.protocol.Session;
import io.helenus.server.query.definition.SchemaPlan;
import io.helenus.server.query.definition.UsePlan;
import io.helenus.server.query.modification.BatchPlan;
import io.helenus.server.query.modification.ModificationPlan;
import io.helenus.server.query.modification.ServerTimestamps;
import io.helenus.server.query.modification.TruncatePlan;
import io.helenus.server.query.modification.VoidAnswer;
import io.helenus.server.query.prepared.StatementCache;
import io.helenus.server.query.select.SelectPlan;
import io.helenus.server.query.select.SlowQueryLog;
import io.helenus.server.query.statement.RequestLimits;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.query.value.LiteralValues;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.ring.RingNode;
import io.helenus.server.ring.TokenRing;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.schema.SchemaContext;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.server.schema.SchemaPlanner;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memory.NodeMemory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs CQL on a {@link MapReplica} with a fixed clock. */
public final class QueryFixture {
  /** An unset value. */
  public static final Object UNSET = new Object();

  private static final long NOW_MICROS = 1_800_000_000_000_000L;

  /** How often a statement is planned until the plan of its shape is kept and used. */
  private static final int SIGHTS = 3;

  final MapReplica replica = new MapReplica();
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final Clock clock = new FixedClock();
  private final Coordinator coordinator;
  private final PlanRunner runner;
  private final Session session =
      new Session(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
  private final RunContext context = new RunContext();
  private final @Nullable StatementCache texts;
  private final LiteralValues constants = new LiteralValues();
  private @Nullable ResultColumns columns;
  private Schema schema = Schema.of(List.of(), new UUID(0, 0), 1);
  private @Nullable String keyspace;

  /** Whether indexes can be used. */
  boolean indexesBuilt = true;

  private int lastTableId = 1000;

  /** Starts without keyspaces; parses every statement. */
  public QueryFixture() {
    this(null);
  }

  /**
   * The same, but takes the plans of statements without values from this cache, as if each had been
   * sent before.
   */
  QueryFixture(@Nullable StatementCache texts) {
    this(texts, 4 << 20, NodeMemory.unlimited());
  }

  /** The same, with the size at which pages end, and the memory of answers. */
  QueryFixture(@Nullable StatementCache texts, long maxPageBytes, NodeMemory memory) {
    this.texts = texts;
    Shard shard = new Shard(0, new QueueScheduler(), clock, new UnexpectedErrors());
    coordinator =
        new Coordinator(
            shard,
            ignored -> new OneReplica(),
            replica,
            RemoteReplicas.NONE,
            new LocalBatchLog(
                shard,
                new BatchLogEntries(shard, replica.slices(), clock, () -> 42, 1L << 40),
                replica),
            () -> 1,
            ignored -> true,
            (tableId, answerOn, callback) -> {
              throw new AssertionError("there are no other nodes");
            },
            clock,
            new Timeouts(1L << 40, 1L << 40, 1L << 40, 1L << 40, 1L << 40, 1L << 40),
            new ShardMetrics(0, () -> 0, () -> 0),
            new LargeSegments());
    runner =
        new PlanRunner(
            coordinator,
            clock,
            new FunctionContext(clock, () -> 42),
            new ServerTimestamps(clock, new AllTimestamps()),
            new RequestLimits(5 << 10, 50 << 10, 10, 16 << 20, 1000, 100_000, maxPageBytes),
            Guardrails.NONE,
            memory,
            new SlowQueryLog(0, Runnable::run),
            (table, index) -> indexesBuilt,
            (reason, schema, tables, answerOn, whenDone) -> whenDone.accept(null),
            new StatementAdvisor(Silence.of("off", "")));
  }

  /** No test expects an unexpected exception: it fails the test instead of being contained. */
  private static final class UnexpectedErrors implements FatalErrors {
    @Override
    public void halt(Throwable cause) {
      throw new AssertionError("the node halted", cause);
    }

    @Override
    public Exception contain(Throwable failure) {
      if (failure instanceof Error error) {
        throw error;
      }
      return FatalErrors.super.contain(failure);
    }
  }

  private static final class FixedClock implements Clock {
    @Override
    public long wallMicros() {
      return NOW_MICROS;
    }

    @Override
    public long nanos() {
      return 0;
    }
  }

  private final class QueueScheduler implements Scheduler {
    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
      if (delayNanos == 0) {
        tasks.add(task);
      }
      return () -> {};
    }
  }

  private static final class AllTimestamps implements ReservedTimestamps {
    @Override
    public long firstMicros() {
      return Long.MIN_VALUE;
    }

    @Override
    public long limitMicros() {
      return Long.MAX_VALUE;
    }

    @Override
    public void extend(long aboveMicros) {}
  }

  private record OneReplica() implements Placement {
    private static final ReplicaSet LOCAL_ONLY =
        new ReplicaSet(List.of(new Members(new UUID(0, 1)).local()), 1);

    @Override
    public int required(ConsistencyLevel level) {
      return 1;
    }

    @Override
    public ReplicaSet replicas(long token) {
      return LOCAL_ONLY;
    }

    @Override
    public ReplicaSet everywhere() {
      return LOCAL_ONLY;
    }

    @Override
    public long lastWithSameReplicas(long token) {
      return Long.MAX_VALUE;
    }
  }

  /** The answer to a statement: rows, or an error. */
  public record Answer(
      @Nullable CqlError error,
      List<List<byte @Nullable []>> rows,
      List<String> warnings,
      byte @Nullable [] pagingState) {
    /** The rows as text: values of 4 and 8 bytes as integers, others as strings. */
    public String text() {
      List<String> texts = new ArrayList<>();
      for (List<byte @Nullable []> row : rows) {
        List<String> values = new ArrayList<>();
        for (byte @Nullable [] value : row) {
          values.add(value == null ? "null" : text(value));
        }
        texts.add(String.join(" ", values));
      }
      return String.join(", ", texts);
    }

    private static String text(byte[] value) {
      return switch (value.length) {
        case 4 -> Integer.toString(ByteBuffer.wrap(value).getInt());
        case 8 -> Long.toString(ByteBuffer.wrap(value).getLong());
        default -> new String(value, java.nio.charset.StandardCharsets.UTF_8);
      };
    }
  }

  /** The current schema. */
  public Schema schema() {
    return schema;
  }

  /** Plans a statement. */
  public StatementPlan plan(String cql) {
    return new StatementPlanner(Guardrails.NONE).plan(parse(cql), schema, keyspace);
  }

  private StatementPlan cachedPlan(StatementCache cache, String cql) {
    StatementPlan plan = cache.get(cql, keyspace, schema, constants);
    for (int i = 1; i < SIGHTS; i++) {
      plan = cache.get(cql, keyspace, schema, constants);
    }
    return plan;
  }

  private static Statement parse(String cql) {
    try {
      return CqlParser.parse(cql);
    } catch (CqlSyntaxException e) {
      throw new CqlException(
          switch (e.code()) {
            case SYNTAX -> new CqlError.SyntaxError(e.getMessage());
            case INVALID -> new CqlError.Invalid(e.getMessage());
          });
    }
  }

  /** Runs a statement; throws if it fails. */
  public Answer run(String cql, @Nullable Object... values) {
    Answer answer = tryRun(cql, -1, null, values);
    if (answer.error() != null) {
      throw new AssertionError(cql + ": " + answer.error());
    }
    return answer;
  }

  /**
   * Runs a statement; returns its rows or its error. Values are Integer, Long, String or byte[].
   */
  public Answer tryRun(
      String cql, int pageSize, byte @Nullable [] pagingState, @Nullable Object... values) {
    RecordedExchange exchange = new RecordedExchange();
    try {
      QueryParameters parameters = parameters(pageSize, pagingState, values);
      constants.clear();
      StatementPlan plan = texts == null || values.length > 0 ? plan(cql) : cachedPlan(texts, cql);
      columns = plan.resultColumns();
      BoundValues bound = constants.values().count() > 0 ? constants.values() : parameters.values();
      if (bound.count() != plan.markers().size()) {
        throw CqlException.invalid("Invalid amount of bind variables");
      }
      run(plan, bound, parameters, exchange);
    } catch (CqlException e) {
      exchange.respondError(e.error());
    }
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
    return exchange.response() instanceof Response.Rows rows
        ? new Answer(null, rows.rows(), exchange.warnings(), rows.pagingState())
        : new Answer(exchange.error(), List.of(), exchange.warnings(), null);
  }

  /** Runs a modification without an exchange; returns the calls of its callback, in order. */
  public List<String> runQuietly(String cql, @Nullable Object... values) {
    List<String> calls = new ArrayList<>();
    runner
        .modifications()
        .runQuietly(
            (ModificationPlan) plan(cql),
            parameters(-1, null, values).values(),
            schema,
            new WriteCallback() {
              @Override
              public void written() {
                calls.add("written");
              }

              @Override
              public void failed(CqlError error) {
                calls.add(error.message());
              }
            });
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
    return calls;
  }

  /** The columns of the result of the last statement that could be planned. */
  @Nullable ResultColumns columns() {
    return columns;
  }

  /** Whether the constants of the last statement were its values. */
  boolean ranWithConstantsAsValues() {
    return constants.values().count() > 0;
  }

  private void run(
      StatementPlan plan,
      BoundValues values,
      QueryParameters parameters,
      RecordedExchange exchange) {
    RunContext filled = context.fill(exchange, null, parameters, schema, null);
    switch (plan.kind()) {
      case SELECT -> runner.run((SelectPlan) plan, values, filled);
      case MODIFICATION -> runner.run((ModificationPlan) plan, values, filled);
      case BATCH -> runner.run((BatchPlan) plan, values, filled);
      case TRUNCATE -> runner.run((TruncatePlan) plan, session, filled);
      case USE -> {
        keyspace = ((UsePlan) plan).keyspace();
        VoidAnswer.respond(exchange);
      }
      case DEFINITION -> {
        define(((SchemaPlan) plan).statement());
        VoidAnswer.respond(exchange);
      }
      case DESCRIBE, EXPLAIN -> throw new AssertionError("the fixture does not support it");
    }
  }

  /** Adds a table that no statement can create. */
  void define(TableSchema table) {
    SchemaEdit edit = new SchemaEdit.CreateTable(table);
    schema = schema.apply(edit, new UUID(1, table.storageId()), schema.epoch() + 1);
  }

  private void define(SchemaStatement statement) {
    SchemaContext definition =
        new SchemaContext(
            keyspace,
            new UUID(0x1000, ++lastTableId),
            lastTableId,
            NOW_MICROS,
            TokenRing.of(
                Map.of(new RingNode(new UUID(0, 1), "datacenter1", "rack1"), new long[] {0})),
            null,
            null,
            Guardrails.NONE,
            ignored -> {});
    SchemaChange change = SchemaPlanner.plan(schema, statement, definition);
    if (change.edit() != null) {
      schema = schema.apply(change.edit(), new UUID(0, lastTableId), schema.epoch() + 1);
    }
  }

  private static QueryParameters parameters(
      int pageSize, byte @Nullable [] pagingState, @Nullable Object... values) {
    ByteWriter bytes = new ByteWriter(256);
    List<int[]> slices = new ArrayList<>();
    for (Object value : values) {
      int at = bytes.size();
      if (value == null || value == UNSET) {
        slices.add(new int[] {0, value == null ? -1 : -2});
        continue;
      }
      switch (value) {
        case Integer number -> bytes.putInt(number);
        case Long number -> bytes.putLong(number);
        case String text -> bytes.putBytes(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        case byte[] raw -> bytes.putBytes(raw);
        default -> throw new IllegalArgumentException(value.toString());
      }
      slices.add(new int[] {at, bytes.size() - at});
    }
    int stateAt = bytes.size();
    if (pagingState != null) {
      bytes.putBytes(pagingState);
    }
    QueryParameters parameters = new QueryParameters();
    parameters.reset(ConsistencyLevel.ONE);
    parameters.skipMetadata(true);
    parameters.pageSize(pageSize);
    parameters.values().begin(bytes.segment());
    for (int[] slice : slices) {
      parameters.values().add(slice[0], slice[1]);
    }
    if (pagingState != null) {
      parameters.pagingState(stateAt, pagingState.length);
    }
    return parameters;
  }
}
