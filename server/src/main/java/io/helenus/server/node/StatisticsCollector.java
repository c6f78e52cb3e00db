package io.helenus.server.node;

import io.helenus.server.admin.NodeMeasurements;
import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.coordinator.RunningOperation;
import io.helenus.server.metrics.MetricsSnapshot;
import io.helenus.server.metrics.TableMetric;
import io.helenus.server.query.prepared.PreparedStatements;
import io.helenus.server.shard.Shard;
import io.helenus.server.system.NodeStatistics;
import io.helenus.server.system.NodeStatistics.Cache;
import io.helenus.server.system.NodeStatistics.RunningQuery;
import io.helenus.server.system.NodeStatistics.ThreadPool;
import io.helenus.storage.engine.CacheStatistics;
import io.helenus.storage.engine.Storage;
import io.helenus.storage.engine.StorageActivity;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.env.WorkerPool;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Collects and merges statistics of all shards. Each shard replies by message from its own thread,
 * so no shard reads state that another one writes. Runs on any shard's thread.
 */
final class StatisticsCollector {
  private final World world;
  private final Storage storage;
  private final PreparedStatements prepared;
  private final List<Part> parts = new ArrayList<>();

  private record Part(Shard shard, StorageEngine engine, Coordinator coordinator) {}

  /** The reply of one shard. */
  private record Answer(
      Shard shard,
      MetricsSnapshot metrics,
      CacheStatistics cache,
      List<RunningOperation> running) {}

  StatisticsCollector(World world, Storage storage, PreparedStatements prepared) {
    this.world = world;
    this.storage = storage;
    this.prepared = prepared;
  }

  /** Adds a shard. All shards must be added before the first query. */
  void add(ShardServices services) {
    parts.add(new Part(services.shard(), services.engine(), services.coordinator()));
  }

  /** Removes the metrics of dropped tables on every shard. Any thread. */
  void retainTables(IntPredicate exists) {
    for (Part part : parts) {
      part.shard().execute(() -> part.coordinator().metrics().retainTables(exists));
    }
  }

  void start(
      Shard asking,
      @Nullable TableMetric kind,
      int[] tableIds,
      Consumer<? super NodeStatistics> then) {
    askAll(asking, part -> ask(part, kind, tableIds), answers -> then.accept(sum(answers)));
  }

  /** Collects what monitoring systems read; otherwise like {@link #start}. */
  void counts(Shard asking, int[] tableIds, Consumer<? super NodeMeasurements> then) {
    askAll(
        asking,
        part ->
            new NodeMeasurements(
                part.coordinator().metrics().counts(tableIds), part.engine().commitLogStatistics()),
        answers -> {
          NodeMeasurements shards = answers.stream().reduce(NodeMeasurements::plus).orElseThrow();
          then.accept(shards.plusLog(storage.oldLogBytes()));
        });
  }

  /** Asks every shard on its thread; the answers are handed over on the asking one's. */
  private <A> void askAll(
      Shard asking, Function<Part, A> question, Consumer<? super List<A>> then) {
    List<A> answers = new ArrayList<>();
    for (Part part : parts) {
      asking.send(
          part.shard(),
          () -> {
            A answer = question.apply(part);
            part.shard()
                .send(
                    asking,
                    () -> {
                      answers.add(answer);
                      if (answers.size() == parts.size()) {
                        then.accept(answers);
                      }
                    });
          });
    }
  }

  private static Answer ask(Part part, @Nullable TableMetric kind, int[] tableIds) {
    Coordinator coordinator = part.coordinator();
    return new Answer(
        part.shard(),
        coordinator.metrics().snapshot(kind, tableIds, part.shard().readClock()),
        part.engine().cacheStatistics(),
        coordinator.running());
  }

  private NodeStatistics sum(List<Answer> answers) {
    MetricsSnapshot metrics = MetricsSnapshot.none();
    CacheStatistics cache = new CacheStatistics(0, 0, 0, 0, 0);
    List<RunningOperation> running = new ArrayList<>();
    List<RunningQuery> queries = new ArrayList<>();
    for (Answer answer : answers) {
      metrics = metrics.plus(answer.metrics());
      cache = cache.plus(answer.cache());
      running.addAll(answer.running());
      queries(answer, queries);
    }
    return new NodeStatistics(
        threadPools(metrics, running),
        caches(cache, metrics),
        metrics.tables(),
        metrics.batches(),
        statements(metrics),
        queries,
        metrics.hotPartitions());
  }

  private static void queries(Answer answer, List<RunningQuery> queries) {
    int number = 0;
    for (RunningOperation each : answer.running()) {
      String what =
          switch (each.kind()) {
            case READ, SCAN -> "SELECT";
            case WRITE -> "WRITE";
            case TRUNCATE -> "TRUNCATE";
          };
      queries.add(
          new RunningQuery(
              "shard-" + answer.shard().index() + ":" + ++number,
              what,
              each.tableId(),
              each.level(),
              each.runningNanos() / 1000));
    }
  }

  /**
   * Helenus lacks Cassandra's other caches; they are shown the way Cassandra shows a disabled
   * cache.
   */
  private static List<Cache> caches(CacheStatistics cache, MetricsSnapshot metrics) {
    return List.of(
        new Cache(
            "chunks",
            cache.capacityBytes(),
            cache.entries(),
            cache.hits(),
            cache.requests(),
            (long) metrics.cacheHitsPerSecond(),
            (long) metrics.cacheRequestsPerSecond(),
            cache.sizeBytes()),
        Cache.absent("counters"),
        Cache.absent("keys"),
        Cache.absent("rows"));
  }

  private SortedMap<String, Double> statements(MetricsSnapshot metrics) {
    SortedMap<String, Double> statements = new TreeMap<>();
    double all = metrics.preparedExecuted() + metrics.regularExecuted();
    statements.put("prepared_statements_count", (double) prepared.count());
    statements.put("prepared_statements_evicted", (double) prepared.evictions());
    statements.put("prepared_statements_executed", (double) metrics.preparedExecuted());
    statements.put("prepared_statements_ratio", all == 0 ? 0 : metrics.preparedExecuted() / all);
    statements.put("regular_statements_executed", (double) metrics.regularExecuted());
    return statements;
  }

  /**
   * Cassandra's stages that have a counterpart here. Requests, reads and writes share the shards'
   * threads; of those in flight, at most one per shard counts as active.
   */
  private List<ThreadPool> threadPools(MetricsSnapshot metrics, List<RunningOperation> running) {
    int reads = 0;
    int writes = 0;
    for (RunningOperation each : running) {
      switch (each.kind()) {
        case READ, SCAN -> reads++;
        case WRITE -> writes++;
        case TRUNCATE -> {
          // a request, but neither a read nor a mutation
        }
      }
    }
    StorageActivity activity = storage.activity();
    List<ThreadPool> pools = new ArrayList<>();
    int workers = limit(world.background());
    pools.add(pool("CompactionExecutor", activity.compactions(), workers));
    pools.add(pool("MemtableFlushWriter", activity.flushes(), workers));
    pools.add(onShards("MutationStage", writes, metrics.writes()));
    pools.add(
        onShards("Native-Transport-Requests", running.size(), metrics.requests() - running.size()));
    pools.add(onShards("ReadStage", reads, metrics.reads()));
    if (world.io() instanceof WorkerPool io) {
      pools.add(
          new ThreadPool(
              "StorageIO", io.active(), io.threads(), 0, 0, io.completed(), io.queued()));
    }
    return pools;
  }

  private ThreadPool onShards(String name, int underWay, long completed) {
    int active = Math.min(underWay, parts.size());
    return new ThreadPool(name, active, parts.size(), 0, 0, completed, underWay - active);
  }

  private static int limit(Executor executor) {
    return executor instanceof WorkerPool pool ? pool.threads() : 1;
  }

  private static ThreadPool pool(String name, StorageActivity.Work work, int limit) {
    return new ThreadPool(name, work.active(), limit, 0, 0, work.completed(), work.pending());
  }
}
