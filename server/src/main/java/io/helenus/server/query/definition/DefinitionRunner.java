package io.helenus.server.query.definition;

import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.IndexStatement;
import io.helenus.cql.ast.KeyspaceStatement;
import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.ast.TableStatement;
import io.helenus.cql.ast.TypeStatement;
import io.helenus.cql.ast.ViewStatement;
import io.helenus.server.advice.Advice;
import io.helenus.server.advice.SchemaAdvisor;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metadata.Metadata;
import io.helenus.server.protocol.Event;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.Opcodes;
import io.helenus.server.protocol.Responses;
import io.helenus.server.protocol.Session;
import io.helenus.server.query.statement.AutoSnapshots;
import io.helenus.server.query.statement.DefinitionLog;
import io.helenus.server.query.statement.Reply;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.schema.SchemaDescriber;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs CREATE, ALTER, DROP, DESCRIBE and USE. One per shard; shard thread only. */
public final class DefinitionRunner {
  private final Shard shard;
  private final Metadata metadata;
  private final SchemaDescriber.Ownership ownership;
  private final BooleanSupplier heapRoom;
  private final IndexBuilds builds;
  private final AutoSnapshots snapshots;
  private final SchemaAdvisor advisor;

  /**
   * Creates the runner of a shard.
   *
   * @param ownership the replicas that DESCRIBE CLUSTER shows
   * @param heapRoom whether the heap has room for further tables and types
   * @param builds the builds of indexes on this node
   * @param snapshots takes snapshots of what is dropped
   * @param advisor advises about what is created or altered
   */
  public DefinitionRunner(
      Shard shard,
      Metadata metadata,
      SchemaDescriber.Ownership ownership,
      BooleanSupplier heapRoom,
      IndexBuilds builds,
      AutoSnapshots snapshots,
      SchemaAdvisor advisor) {
    this.shard = shard;
    this.metadata = metadata;
    this.ownership = ownership;
    this.heapRoom = heapRoom;
    this.builds = builds;
    this.snapshots = snapshots;
    this.advisor = advisor;
  }

  /**
   * Runs USE.
   *
   * @throws io.helenus.server.error.CqlException INVALID if the keyspace does not exist
   */
  public void use(UsePlan plan, Session session, RunContext context) {
    String name = SchemaNames.use(context.schema(), plan.keyspace()).name();
    session.keyspace(name);
    Exchange exchange = context.exchange();
    ByteWriter body = exchange.body();
    Responses.setKeyspace(body, name);
    exchange.respond(Opcodes.RESULT, body);
    endTrace(context);
  }

  /** Runs DESCRIBE. */
  public void describe(DescribePlan plan, RunContext context) {
    Describer.answer(plan, metadata, ownership, context.exchange());
    endTrace(context);
  }

  /**
   * Runs CREATE, ALTER or DROP and responds when the change is durable; to CREATE INDEX also when
   * the index is built, if that is soon.
   *
   * @throws CqlException INVALID if the heap has no room for what is created
   */
  public void define(SchemaPlan plan, Session session, RunContext context) {
    if (creates(plan.statement()) && !heapRoom.getAsBoolean()) {
      throw CqlException.invalid(
          "The heap has no room for further keyspaces, tables and types; raise memory in"
              + " helenus.yaml, or drop tables that are not needed");
    }
    Reply reply = new Reply();
    reply.begin(context.exchange(), context.trace());
    context.exchange().holdEvents();
    Schema schema = metadata.state().schema();
    ChangeAnswer answer = new ChangeAnswer(reply, plan.statement(), session, schema);
    snapshots.take(
        AutoSnapshots.Reason.DROPPED,
        schema,
        dropped(plan, schema),
        shard,
        failure -> {
          if (failure == null) {
            metadata.change(plan.statement(), plan.keyspaceInUse(), shard, answer);
          } else {
            answer.refused(
                new CqlError.ServerError("The change was not made: " + failure.getMessage()));
          }
        });
  }

  /** The tables that a statement drops; none if it will be refused, and for other statements. */
  private List<TableSchema> dropped(SchemaPlan plan, Schema schema) {
    if (!drops(plan.statement())) {
      return List.of();
    }
    SchemaChange change = metadata.preview(schema, plan.statement(), plan.keyspaceInUse());
    KeyspaceSchema keyspace =
        change == null || change.edit() == null ? null : schema.keyspace(change.keyspace());
    if (change == null || keyspace == null) {
      return List.of();
    }
    if (change.table() == null) {
      return keyspace.tables();
    }
    TableSchema table = keyspace.table(change.table());
    return table == null ? List.of() : List.of(table);
  }

  private static boolean drops(SchemaStatement statement) {
    return statement instanceof KeyspaceStatement.DropKeyspace
        || statement instanceof TableStatement.DropTable
        || statement instanceof ViewStatement.DropView;
  }

  /** Whether the statement adds to what is kept on the heap. */
  private static boolean creates(SchemaStatement statement) {
    return statement instanceof KeyspaceStatement.CreateKeyspace
        || statement instanceof TableStatement.CreateTable
        || statement instanceof TableStatement.CopyTable
        || statement instanceof TypeStatement.CreateType
        || statement instanceof ViewStatement.CreateView;
  }

  private static void endTrace(RunContext context) {
    if (context.trace() != null) {
      context.trace().end();
    }
  }

  /** Responds to a schema change. */
  private final class ChangeAnswer implements Metadata.ChangeCallback {
    private final Reply reply;
    private final SchemaStatement statement;
    private final Session session;
    private final Schema before;

    ChangeAnswer(Reply reply, SchemaStatement statement, Session session, Schema before) {
      this.reply = reply;
      this.statement = statement;
      this.session = session;
      this.before = before;
    }

    @Override
    public void changed(SchemaChange change) {
      if (change.edit() != null) {
        DefinitionLog.done(
            statement.feature(),
            change.action() + " " + change.target() + " " + name(change),
            session);
        advise(change);
      }
      TableSchema indexed = indexed(change);
      if (indexed == null) {
        respond(change);
      } else {
        BuildWait.forIndexes(indexed, builds, shard, () -> respond(change));
      }
    }

    /** Adds what the change gives reason to say about the table or keyspace. */
    private void advise(SchemaChange change) {
      if (change.type() != null || change.action() == SchemaChange.Action.DROPPED) {
        return;
      }
      for (Advice each : advice(change)) {
        reply.warn(each.text());
        DefinitionLog.advised(each.text());
      }
    }

    private List<Advice> advice(SchemaChange change) {
      ClusterState state = metadata.state();
      Schema schema = state.schema();
      KeyspaceSchema keyspace = schema.keyspace(change.keyspace());
      if (keyspace == null) {
        return List.of();
      }
      if (change.table() == null) {
        return advisor.adviseOnKeyspace(schema, keyspace, dataCenters(state));
      }
      TableSchema table = keyspace.table(change.table());
      return table == null
          ? List.of()
          : advisor.adviseOnChange(before, schema, table, dataCenters(state));
    }

    /** The table that has got an index; null if another change was made. */
    private @Nullable TableSchema indexed(SchemaChange change) {
      return statement instanceof IndexStatement.CreateIndex
              && change.edit() != null
              && change.table() != null
          ? metadata.state().schema().table(change.keyspace(), change.table())
          : null;
    }

    private void respond(SchemaChange change) {
      Exchange exchange = reply.endTrace();
      change.warnings().forEach(exchange::warn);
      ByteWriter body = exchange.body();
      if (change.edit() == null) {
        Responses.voidResult(body);
      } else {
        Responses.schemaChange(body, exchange.protocolVersion(), event(change));
      }
      reply.end().respond(Opcodes.RESULT, body);
    }

    @Override
    public void warned(List<String> warnings) {
      warnings.forEach(reply::warn);
    }

    @Override
    public void refused(CqlError error) {
      reply.end().respondError(error);
    }
  }

  private static Set<String> dataCenters(ClusterState state) {
    return state.nodes().values().stream()
        .map(ClusterNode::dataCenter)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String name(SchemaChange change) {
    String element = change.type() != null ? change.type() : change.table();
    String keyspace = CqlNames.quoted(change.keyspace());
    return element == null ? keyspace : keyspace + "." + CqlNames.quoted(element);
  }

  private static Event.SchemaChange event(SchemaChange change) {
    Event.SchemaChange.Change kind =
        switch (change.action()) {
          case CREATED -> Event.SchemaChange.Change.CREATED;
          case UPDATED -> Event.SchemaChange.Change.UPDATED;
          case DROPPED -> Event.SchemaChange.Change.DROPPED;
        };
    if (change.type() != null) {
      return Event.SchemaChange.ofType(kind, change.keyspace(), change.type());
    }
    return change.table() == null
        ? Event.SchemaChange.ofKeyspace(kind, change.keyspace())
        : Event.SchemaChange.ofTable(
            kind, change.keyspace(), Objects.requireNonNull(change.table()));
  }
}
