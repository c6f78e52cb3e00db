package io.helenus.server.node;

import io.helenus.cql.parser.TokenLimit;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.coordinator.BatchLogEntries;
import io.helenus.server.coordinator.BatchLogReplay;
import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.coordinator.LocalBatchLog;
import io.helenus.server.coordinator.RemoteReplicas;
import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.coordinator.RequestTraces;
import io.helenus.server.coordinator.RingPlacements;
import io.helenus.server.coordinator.Timeouts;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.metadata.Metadata;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.protocol.RequestHandler;
import io.helenus.server.query.PlanRunner;
import io.helenus.server.query.QueryHandler;
import io.helenus.server.query.StatementPlanner;
import io.helenus.server.query.definition.DefinitionRunner;
import io.helenus.server.query.explain.ExplainFacts;
import io.helenus.server.query.explain.ExplainRunner;
import io.helenus.server.query.tracing.Tracing;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.shard.Shard;
import io.helenus.server.system.NodeFacts;
import io.helenus.server.system.RangeOwnership;
import io.helenus.storage.engine.Storage;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.env.Clock;
import io.helenus.storage.memory.NodeMemory.Use;
import org.jspecify.annotations.Nullable;

/**
 * The services of one shard above the replica: its coordinator, the replay of its batch log, and
 * what answers requests that arrive there. Any thread; what they do is done on the shard's.
 */
final class ShardServices {
  private final Shard shard;
  private final StorageEngine engine;
  private final ReplicaAccess replica;
  private final Coordinator coordinator;
  private final BatchLogReplay replay;
  private final Tracing tracing;
  private final RequestHandler handler;

  /**
   * Builds the services of a shard; they start nothing.
   *
   * @param batchLog the entries that the replica stores in this shard's batch log
   * @param metrics what the replica measures on this shard
   */
  ShardServices(
      Shard shard, BatchLogEntries batchLog, ShardMetrics metrics, SharedServices shared) {
    this.shard = shard;
    this.replica = shared.replica();
    this.engine = shared.durable().storage().engines().get(shard.index());
    Timeouts timeouts = NodeOptions.timeouts(shared.settings());
    Clock clock = shared.world().clock();
    Metadata metadata = shared.durable().metadata();
    LocalBatchLog log = new LocalBatchLog(shard, batchLog, shared.replica());
    replay =
        new BatchLogReplay(
            shard, log, shared.replica(), new ReplayedTables(shared.durable()), clock, timeouts);
    RemoteReplicas others = shared.enrollment().remotes(shard);
    RingPlacements placements =
        new RingPlacements(
            shared.enrollment().placing(metadata::state), shared.enrollment().members());
    coordinator =
        new Coordinator(
            shard,
            placements,
            shared.replica(),
            others == null ? RemoteReplicas.NONE : others,
            log,
            () -> metadata.state().schema().epoch(),
            tableId -> repairsReads(metadata.state().schema().table(tableId)),
            metadata::truncate,
            clock,
            timeouts,
            metrics,
            shared.memory().segments(Use.BUFFERS));
    FunctionContext functions = new FunctionContext(clock, shared.world().randomness());
    PlanRunner runner = runner(functions, shared);
    NodeFacts.Endpoint broadcast = shared.facts().broadcast();
    tracing =
        new Tracing(
            runner.modifications(),
            metadata,
            functions,
            clock,
            new Tracing.NodeAddress(broadcast.address(), broadcast.port()),
            "shard-" + shard.index(),
            new StatementPlanner(Guardrails.NONE));
    ExplainRunner explains =
        new ExplainRunner(
            new ExplainFacts(new StoredFacts(shared.durable().storage()), placements, metadata),
            runner::run,
            functions);
    handler = handler(runner, explains, metrics, shared);
  }

  private static boolean repairsReads(@Nullable TableSchema table) {
    return table != null && !table.options().readRepair().equals("NONE");
  }

  private PlanRunner runner(FunctionContext functions, SharedServices shared) {
    return new PlanRunner(
        coordinator,
        shared.world().clock(),
        functions,
        shared.durable().timestamps(),
        NodeOptions.requestLimits(shared.settings()),
        shared.guardrails(),
        shared.memory(),
        shared.slowQueries(),
        shared.durable().storage()::isIndexBuilt,
        shared.autoSnapshots(),
        shared.advisors().statements());
  }

  private QueryHandler handler(
      PlanRunner runner, ExplainRunner explains, ShardMetrics metrics, SharedServices shared) {
    Settings settings = shared.settings();
    Metadata metadata = shared.durable().metadata();
    Storage storage = shared.durable().storage();
    return new QueryHandler(
        shard,
        metadata,
        runner,
        new DefinitionRunner(
            shard,
            metadata,
            new RangeOwnership(metadata::state, metadata.hostId(), shared.facts()),
            shared.world().heapRoom(),
            (tableId, indexId, then) ->
                storage.whenIndexBuilt(tableId, indexId, ignored -> then.run()),
            shared.autoSnapshots(),
            shared.advisors().tables()),
        explains,
        shared.prepared(),
        tracing,
        metrics,
        settings.isOn(Setting.CQL_EXTENSIONS),
        new StatementPlanner(shared.guardrails(), shared.advisors().statements()),
        new TokenLimit(settings.memory().requestLimits().parts()),
        shared.advisors().statements());
  }

  Shard shard() {
    return shard;
  }

  StorageEngine engine() {
    return engine;
  }

  ReplicaAccess replica() {
    return replica;
  }

  Coordinator coordinator() {
    return coordinator;
  }

  RequestTraces traces() {
    return tracing;
  }

  RequestHandler handler() {
    return handler;
  }

  /** Replays the batches of the previous run, then calls back on the shard's thread. */
  void start(Runnable whenCaughtUp) {
    shard.execute(() -> replay.start(whenCaughtUp));
  }

  /** Changes the timeouts of requests, also of those in progress. */
  void timeouts(Timeouts changed) {
    shard.execute(() -> coordinator.timeouts(changed));
  }

  /** Cancels the reads in progress and rejects further ones. */
  void stopReads() {
    shard.execute(coordinator::stopReads);
  }

  /** Stops the replay of the batch log. */
  void stop() {
    shard.execute(replay::stop);
  }
}
