package io.helenus.server.query;

import io.helenus.cql.parser.TokenLimit;
import io.helenus.server.advice.StatementAdvisor;
import io.helenus.server.coordinator.RequestTrace;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.metadata.Metadata;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.protocol.BatchStatements;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.Opcodes;
import io.helenus.server.protocol.PreparedMetadata;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.protocol.Request;
import io.helenus.server.protocol.RequestHandler;
import io.helenus.server.protocol.Responses;
import io.helenus.server.protocol.Session;
import io.helenus.server.query.definition.DefinitionRunner;
import io.helenus.server.query.definition.DescribePlan;
import io.helenus.server.query.definition.SchemaPlan;
import io.helenus.server.query.definition.UsePlan;
import io.helenus.server.query.explain.ExplainPlan;
import io.helenus.server.query.explain.ExplainRunner;
import io.helenus.server.query.modification.BatchPlan;
import io.helenus.server.query.modification.ModificationPlan;
import io.helenus.server.query.modification.TruncatePlan;
import io.helenus.server.query.prepared.CompiledStatement;
import io.helenus.server.query.prepared.NamedValues;
import io.helenus.server.query.prepared.Planner;
import io.helenus.server.query.prepared.PreparedStatement;
import io.helenus.server.query.prepared.PreparedStatements;
import io.helenus.server.query.prepared.StatementCache;
import io.helenus.server.query.prepared.UseWarning;
import io.helenus.server.query.select.SelectPlan;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.query.tracing.TraceParameters;
import io.helenus.server.query.tracing.Tracing;
import io.helenus.server.query.value.LiteralValues;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Handles the requests of a shard's connections. One per shard, on its thread. */
public final class QueryHandler implements RequestHandler {
  private static final int ID_BYTES = 16;
  private static final int KEPT_BATCH_CONSTANTS = 64;

  private final Metadata metadata;
  private final PlanRunner runner;
  private final DefinitionRunner definitions;
  private final ExplainRunner explains;
  private final PreparedStatements prepared;
  private final PreparedStatements.ShardView known;
  private final FilteringAdvice filtering;
  private final Tracing tracing;
  private final ShardMetrics metrics;
  private final boolean extensions;
  private final TokenLimit tokenLimit;
  private final Planner planner;
  private final StatementCache texts;
  private final LiteralValues constants = new LiteralValues();
  private final List<LiteralValues> batchConstants = new ArrayList<>();
  private final RunContext context = new RunContext();

  /**
   * Creates the handler of a shard.
   *
   * @param prepared the prepared statements of the node
   * @param extensions whether statements that Cassandra 5.0 lacks are accepted
   * @param planner plans the statements of clients
   * @param tokenLimit how many tokens the texts of a request may have
   * @param advisor advises about prepared statements that run often
   */
  public QueryHandler(
      Shard shard,
      Metadata metadata,
      PlanRunner runner,
      DefinitionRunner definitions,
      ExplainRunner explains,
      PreparedStatements prepared,
      Tracing tracing,
      ShardMetrics metrics,
      boolean extensions,
      Planner planner,
      TokenLimit tokenLimit,
      StatementAdvisor advisor) {
    this.tokenLimit = tokenLimit;
    this.extensions = extensions;
    this.planner = planner;
    this.texts = new StatementCache(extensions, planner);
    this.definitions = definitions;
    this.explains = explains;
    this.metadata = metadata;
    this.runner = runner;
    this.prepared = prepared;
    this.known = new PreparedStatements.ShardView(prepared);
    this.filtering = new FilteringAdvice(advisor, known);
    this.tracing = tracing;
    this.metrics = metrics;
  }

  @Override
  public void handle(Session session, Request request, Exchange exchange) {
    metrics.request();
    try {
      traceAndHandle(session, request, exchange);
    } catch (CqlException e) {
      e.warnings().forEach(exchange::warn);
      throw e;
    }
  }

  private void traceAndHandle(Session session, Request request, Exchange exchange) {
    if (!exchange.tracingRequested()) {
      handle(session, request, exchange, null);
      return;
    }
    RequestTrace trace = tracing.begin(session, exchange, traceParameters(request));
    try {
      handle(session, request, exchange, trace);
    } catch (CqlException e) {
      if (e.isGuardrail()) {
        trace.event(e.error().message());
      }
      trace.end();
      throw e;
    }
  }

  private void handle(
      Session session, Request request, Exchange exchange, @Nullable RequestTrace trace) {
    switch (request) {
      case Request.Execute execute -> execute(session, execute, exchange, trace);
      case Request.Query(String text, QueryParameters parameters) ->
          query(session, checked(text), parameters, exchange, trace);
      case Request.Prepare(String text, String keyspace) ->
          prepare(session, keyspace, checked(text), exchange, trace);
      case Request.Batch batch -> batch(session, batch, exchange, trace);
    }
  }

  /** Refuses a text whose parts would take too much of the heap. */
  private String checked(String text) {
    if (!tokenLimit.admits(text)) {
      throw tooManyTokens();
    }
    return text;
  }

  /** The same for the texts of a batch together: their plans are kept until all have been read. */
  private void check(BatchStatements statements) {
    long characters = 0;
    for (int i = 0; i < statements.size(); i++) {
      String text = statements.get(i).text();
      characters += text == null ? 0 : text.length();
    }
    if (characters <= tokenLimit.tokens()) {
      return;
    }
    long tokens = 0;
    for (int i = 0; i < statements.size(); i++) {
      String text = statements.get(i).text();
      tokens = text == null ? tokens : tokenLimit.count(text, tokens);
    }
    if (tokens > tokenLimit.tokens()) {
      throw tooManyTokens();
    }
  }

  private CqlException tooManyTokens() {
    return CqlException.invalid(
        "The texts of a request may have at most "
            + tokenLimit.tokens()
            + " tokens, as the heap is limited; bind large values to markers, send smaller batches,"
            + " or raise memory in helenus.yaml");
  }

  /** Null for an EXECUTE of an unknown statement: Cassandra traces only its duration. */
  private @Nullable TraceParameters traceParameters(Request request) {
    return switch (request) {
      case Request.Execute execute -> {
        PreparedStatement statement =
            findIfKnown(execute.segment(), execute.idOffset(), execute.idLength());
        if (statement == null) {
          yield null;
        }
        StatementPlan plan = statement.compiled().plan();
        yield TraceParameters.ofExecute(
            statement.text(),
            plan,
            NamedValues.inOrder(execute.parameters().values(), plan),
            execute.parameters());
      }
      case Request.Query(String text, QueryParameters parameters) ->
          TraceParameters.ofQuery(text, parameters);
      case Request.Prepare(String text, var ignored) -> TraceParameters.ofPrepare(text);
      case Request.Batch batch -> TraceParameters.ofBatch(batch.parameters());
    };
  }

  private Schema schema() {
    return metadata.state().schema();
  }

  private void query(
      Session session,
      String text,
      QueryParameters parameters,
      Exchange exchange,
      @Nullable RequestTrace trace) {
    if (trace != null) {
      trace.event("Parsing " + text);
      trace.event("Preparing statement");
    }
    Schema schema = schema();
    String keyspace = keyspaceOf(session, parameters, schema);
    BoundValues given = parameters.values();
    StatementPlan plan;
    BoundValues values;
    if (given.count() == 0) {
      plan = texts.get(text, keyspace, schema, constants);
      values = constants.values();
    } else {
      plan = texts.get(text, keyspace, schema);
      values = NamedValues.inOrder(given, plan);
    }
    if (values.count() != plan.markers().size()
        && !(values.count() == 0 && plan.runsWithoutValues())) {
      throw CqlException.invalid("Invalid amount of bind variables");
    }
    refuseNodeLocal(parameters);
    metrics.regularExecuted();
    context.fill(exchange, session.user(), parameters, schema, trace).statement(text);
    run(plan, values, session);
  }

  private static @Nullable String keyspaceOf(
      Session session, QueryParameters parameters, Schema schema) {
    String given = parameters.keyspace();
    return given == null ? session.keyspace() : SchemaNames.use(schema, given).name();
  }

  private void prepare(
      Session session,
      @Nullable String given,
      String text,
      Exchange exchange,
      @Nullable RequestTrace trace) {
    String keyspace = given == null ? session.keyspace() : given;
    Schema schema = schema();
    CompiledStatement compiled =
        CompiledStatement.compile(text, extensions, keyspace, schema, planner);
    StatementPlan plan = compiled.plan();
    byte[] id = PreparedStatement.id(text, keyspace, plan.isQualified());
    if (!plan.isQualified() && (keyspace == null || !isKnown(id, schema))) {
      warnOfUse(session, given, id, exchange);
    }
    prepared.add(new PreparedStatement(id, text, compiled));
    ByteWriter body = exchange.body();
    PreparedMetadata answer =
        new PreparedMetadata(
            id,
            compiled.resultMetadataId(),
            plan.markers(),
            plan.partitionKeyIndexes(),
            plan.resultColumns());
    Responses.prepared(body, exchange.protocolVersion(), answer);
    end(trace);
    exchange.respond(Opcodes.RESULT, body);
  }

  /**
   * Whether another PREPARE of the statement still holds, so that Cassandra does not prepare it.
   */
  private boolean isKnown(byte[] id, Schema schema) {
    MemorySegment bytes = new ByteWriter(id.length).putBytes(id).segment();
    PreparedStatement statement = findIfKnown(bytes, 0, id.length);
    if (statement == null) {
      return false;
    }
    CompiledStatement compiled = statement.compiled();
    return compiled.epoch() == schema.epoch() || compiled.planAgain(schema, planner) != null;
  }

  /** Once a connection; as in Cassandra, each time if the request itself names the keyspace. */
  private static void warnOfUse(
      Session session, @Nullable String given, byte[] id, Exchange exchange) {
    if (given != null) {
      exchange.warn(UseWarning.of(given, given, id));
    } else if (!session.isWarnedOfUse()) {
      session.warnedOfUse();
      exchange.warn(UseWarning.of(session.keyspace(), session.keyspace(), id));
    }
  }

  private void execute(
      Session session, Request.Execute request, Exchange exchange, @Nullable RequestTrace trace) {
    QueryParameters parameters = request.parameters();
    Schema schema = schema();
    MemorySegment segment = request.segment();
    CompiledStatement statement = find(segment, request.idOffset(), request.idLength(), schema);
    StatementPlan plan = statement.plan();
    if (!session.isWarnedOfUse()) {
      warnOfOtherUse(session, request, statement, exchange);
    }
    BoundValues values = NamedValues.inOrder(parameters.values(), plan);
    requireCount(plan, values);
    refuseNodeLocal(parameters);
    metrics.preparedExecuted();
    if (trace != null) {
      trace.event("Executing prepared statement");
    }
    context.fill(exchange, session.user(), parameters, schema, trace).statement(statement.text());
    if (request.metadataIdLength() >= 0 && plan.resultColumns() != null) {
      checkMetadata(request, statement);
    }
    filtering.executed(plan, request, schema, exchange);
    run(plan, values, session);
  }

  /** Warns if a statement was prepared in another keyspace than the one in use. */
  private static void warnOfOtherUse(
      Session session, Request.Execute request, CompiledStatement statement, Exchange exchange) {
    StatementPlan plan = statement.plan();
    String prepared =
        switch (plan.kind()) {
          case USE, DEFINITION, DESCRIBE -> null; // Cassandra keeps none for these
          case SELECT, MODIFICATION, BATCH, TRUNCATE, EXPLAIN -> statement.keyspaceInUse();
        };
    if (Objects.equals(prepared, session.keyspace())
        || plan.isQualified()
        || plan.kind() == StatementPlan.Kind.BATCH) {
      return;
    }
    session.warnedOfUse();
    byte[] id = Bytes.toArray(request.segment(), request.idOffset(), request.idLength());
    exchange.warn(UseWarning.of(session.keyspace(), prepared, id));
  }

  private void checkMetadata(Request.Execute request, CompiledStatement statement) {
    byte[] id = statement.resultMetadataId();
    boolean same = request.metadataIdLength() == id.length;
    for (int i = 0; same && i < id.length; i++) {
      same = Bytes.getByte(request.segment(), request.metadataIdOffset() + (long) i) == id[i];
    }
    if (!same) {
      context.newMetadataId(id);
    }
  }

  private static void refuseNodeLocal(QueryParameters parameters) {
    if (parameters.consistency() == ConsistencyLevel.NODE_LOCAL) {
      throw CqlException.invalid(
          "NODE_LOCAL consistency level is highly dangerous and should be used only for debugging"
              + " purposes");
    }
  }

  private static void requireCount(StatementPlan plan, BoundValues values) {
    if (values.count() != plan.markers().size()) {
      throw CqlException.invalid(
          "there were "
              + plan.markers().size()
              + " markers(?) in CQL but "
              + values.count()
              + " bound variables");
    }
  }

  private @Nullable PreparedStatement findIfKnown(MemorySegment segment, int offset, int length) {
    return length == ID_BYTES
        ? known.find(Bytes.getLong(segment, offset), Bytes.getLong(segment, offset + 8L))
        : null;
  }

  private PreparedStatement find(MemorySegment segment, int offset, int length) {
    PreparedStatement statement = findIfKnown(segment, offset, length);
    if (statement == null) {
      throw unprepared(segment, offset, length);
    }
    return statement;
  }

  /** Finds a prepared statement by id and plans it again if the schema has changed. */
  private CompiledStatement find(MemorySegment segment, int offset, int length, Schema schema) {
    PreparedStatement statement = find(segment, offset, length);
    CompiledStatement compiled = statement.compiled();
    return compiled.epoch() == schema.epoch()
        ? compiled
        : planAgain(statement, schema, segment, offset, length);
  }

  /** Plans a prepared statement again after a schema change, or removes it. */
  private CompiledStatement planAgain(
      PreparedStatement statement, Schema schema, MemorySegment segment, int offset, int length) {
    CompiledStatement compiled = statement.compiled().planAgain(schema, planner);
    if (compiled == null) {
      prepared.remove(statement);
      throw unprepared(segment, offset, length);
    }
    statement.compiled(compiled);
    return compiled;
  }

  private static CqlException unprepared(MemorySegment segment, int offset, int length) {
    byte[] id = Bytes.toArray(segment, offset, length);
    return new CqlException(
        new CqlError.Unprepared(
            "Prepared query with ID "
                + HexFormat.of().formatHex(id)
                + " not found (either the query was not prepared on this host (maybe the host has"
                + " been restarted?) or you have prepared too many queries and it has been evicted"
                + " from the internal cache)",
            id));
  }

  private void batch(
      Session session, Request.Batch batch, Exchange exchange, @Nullable RequestTrace trace) {
    QueryParameters parameters = batch.parameters();
    Schema schema = schema();
    String keyspace = keyspaceOf(session, parameters, schema);
    BatchStatements statements = batch.statements();
    check(statements);
    List<StatementPlan> plans = new ArrayList<>(statements.size());
    List<BoundValues> values = new ArrayList<>(statements.size());
    for (int i = 0; i < statements.size(); i++) {
      BatchStatements.Statement each = statements.get(i);
      String text = each.text();
      StatementPlan plan;
      BoundValues ordered;
      if (text != null && each.values().count() == 0) {
        LiteralValues literals = batchConstants(i);
        plan = texts.get(text, keyspace, schema, literals);
        ordered = literals.values();
      } else {
        plan =
            text != null
                ? texts.get(text, keyspace, schema)
                : find(each.values().segment(), each.idOffset(), each.idLength(), schema).plan();
        ordered = NamedValues.inOrder(each.values(), plan);
      }
      if (ordered.count() != plan.markers().size()) {
        throw CqlException.invalid(
            "There were "
                + plan.markers().size()
                + " markers(?) in CQL but "
                + ordered.count()
                + " bound variables");
      }
      plans.add(plan);
      values.add(ordered);
    }
    if (trace != null) {
      trace.event("Executing batch");
    }
    context.fill(exchange, session.user(), parameters, schema, trace);
    runner.runBatch(plans, values, batch.kind(), context);
  }

  /** The constants of a statement in a batch, which are needed until the batch has been encoded. */
  private LiteralValues batchConstants(int index) {
    if (index == batchConstants.size() && index < KEPT_BATCH_CONSTANTS) {
      batchConstants.add(new LiteralValues());
    }
    return index < batchConstants.size() ? batchConstants.get(index) : new LiteralValues();
  }

  private static void end(@Nullable RequestTrace trace) {
    if (trace != null) {
      trace.end();
    }
  }

  private void run(StatementPlan plan, BoundValues values, Session session) {
    switch (plan.kind()) {
      case SELECT -> runner.run((SelectPlan) plan, values, context);
      case MODIFICATION -> runner.run((ModificationPlan) plan, values, context);
      case BATCH -> runner.run((BatchPlan) plan, values, context);
      case TRUNCATE -> runner.run((TruncatePlan) plan, session, context);
      case USE -> definitions.use((UsePlan) plan, session, context);
      case DEFINITION -> definitions.define((SchemaPlan) plan, session, context);
      case DESCRIBE -> definitions.describe((DescribePlan) plan, context);
      case EXPLAIN -> explains.run((ExplainPlan) plan, values, context);
    }
  }
}
