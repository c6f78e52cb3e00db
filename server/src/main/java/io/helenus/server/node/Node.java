package io.helenus.server.node;

import io.helenus.cql.parser.TokenLimit;
import io.helenus.server.admin.NodeMeasurements;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.coordinator.BatchLog;
import io.helenus.server.coordinator.BatchLogEntries;
import io.helenus.server.coordinator.BatchLogReplay;
import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.coordinator.LocalBatchLog;
import io.helenus.server.coordinator.ReplayTables;
import io.helenus.server.coordinator.RingPlacements;
import io.helenus.server.coordinator.Timeouts;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.guardrails.ConfiguredGuardrails;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.LocalMetadataLog;
import io.helenus.server.metadata.Metadata;
import io.helenus.server.metadata.TimestampReservation;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.protocol.Event;
import io.helenus.server.protocol.RequestHandler;
import io.helenus.server.query.PlanRunner;
import io.helenus.server.query.QueryHandler;
import io.helenus.server.query.StatementPlanner;
import io.helenus.server.query.definition.ColumnMaskCompiler;
import io.helenus.server.query.definition.DefinitionRunner;
import io.helenus.server.query.definition.ViewWhereCompiler;
import io.helenus.server.query.modification.ServerTimestamps;
import io.helenus.server.query.prepared.PreparedStatements;
import io.helenus.server.query.select.SlowQueryLog;
import io.helenus.server.query.tracing.Tracing;
import io.helenus.server.replica.LocalReplica;
import io.helenus.server.replica.ViewBuildLog;
import io.helenus.server.replica.ViewBuilds;
import io.helenus.server.ring.RingNode;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.shard.Shard;
import io.helenus.server.system.NodeFacts;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.server.system.SystemTables;
import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.engine.Storage;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.StorageOptions;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.StoppableScheduler;
import io.helenus.storage.local.LocalStorage;
import io.helenus.storage.local.StorageEnvironment;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node without sockets: everything from the request handlers of its shards down to its files,
 * built from a {@link World}. The server adds Netty in front of it; the simulation adds its own
 * clients.
 *
 * <p>Shutdown order: stop sending requests; {@link #stopReads}; {@link #stop}; stop the ticks;
 * {@link #close}.
 */
public final class Node implements Closeable {
  /** Opens the storage of a node. */
  public interface StorageOpener {
    /** As {@link LocalStorage#open}. */
    Storage open(StorageEnvironment environment, StorageOptions options, Tables tables)
        throws IOException;
  }

  /** The file in the data folder that a running node keeps locked. */
  public static final String LOCK = "node.lock";

  private final World world;
  private final NodeMemory memory;
  private final Closeable lock;
  private final List<Shard> shards = new ArrayList<>();
  private final LocalMetadataLog metadataLog;
  private final Storage storage;
  private final Metadata metadata;
  private final RunningNode facts;
  private final LocalReplica replica;
  private final ViewBuilds viewBuilds;
  private final List<BatchLogEntries> batchLogs = new ArrayList<>();
  private final List<ShardMetrics> metrics = new ArrayList<>();
  private final List<BatchLogReplay> replays = new ArrayList<>();
  private final StatisticsCollector statistics;
  private final DiskUsageMonitor diskUsage;
  private final SlowQueryLog slowQueries;
  private final TimestampReservation reservation;
  private final CompletableFuture<Void> timestampsReserved;
  private final ServerTimestamps timestamps;
  private final List<RequestHandler> handlers = new ArrayList<>();
  private final List<Coordinator> coordinators = new ArrayList<>();

  private Node(
      World world,
      Settings settings,
      ClientConnections connections,
      StorageOpener opener,
      Closeable lock)
      throws IOException {
    this.world = world;
    memory = settings.memory().allocate(world.pages());
    this.lock = lock;
    for (Scheduler loop : world.loops()) {
      shards.add(
          new Shard(shards.size(), new StoppableScheduler(loop), world.clock(), world.fatal()));
    }
    Shard first = shards.getFirst();
    metadataLog =
        LocalMetadataLog.open(
            world.files(),
            SystemKeyspaces.all(),
            NodeOptions.identity(settings),
            world.randomness(),
            world.fatal().guarded(world.io()),
            first);
    reservation =
        TimestampReservation.open(
            world.files(), world.clock(), world.io(), first, world.fatal()::halt);
    timestamps = new ServerTimestamps(world.clock(), reservation);
    // in parallel with opening the storage, which takes longer
    timestampsReserved = reservation.start();
    Guardrails guardrails = ConfiguredGuardrails.of(settings);
    storage = openStorage(settings, guardrails, opener);
    metadata =
        new Metadata(
            metadataLog,
            metadataLog.node().hostId(),
            (tables, whenDone) -> storage.tablesChanged(withLocalLogs(tables), whenDone),
            world.clock(),
            world.randomness(),
            first,
            world.fatal(),
            settings.isOn(Setting.DYNAMIC_DATA_MASKING_ENABLED)
                ? new ColumnMaskCompiler(new FunctionContext(world.clock(), world.randomness()))
                : null,
            settings.isOn(Setting.MATERIALIZED_VIEWS_ENABLED)
                ? new ViewWhereCompiler(new FunctionContext(world.clock(), world.randomness()))
                : null,
            guardrails);
    int startedSeconds = (int) world.clock().wallSeconds();
    PreparedStatements prepared =
        new PreparedStatements(settings.memory().preparedStatementBytes());
    statistics = new StatisticsCollector(world, storage, prepared);
    AtomicReference<List<ViewBuilds.Progress>> viewProgress = new AtomicReference<>(List.of());
    facts =
        new RunningNode(
            settings,
            storage,
            connections,
            startedSeconds,
            prepared,
            statistics,
            memory,
            viewProgress::get);
    slowQueries =
        new SlowQueryLog(settings.durationNanos(Setting.SLOW_QUERY_LOG_TIMEOUT), world.io());
    ShardMap map = new ShardMap(shards.size());
    Timeouts timeouts = NodeOptions.timeouts(settings);
    for (Shard shard : shards) {
      StorageEngine engine = storage.engines().get(shard.index());
      metrics.add(
          new ShardMetrics(
              world.clock().nanos(),
              () -> engine.cacheStatistics().hits(),
              () -> engine.cacheStatistics().requests()));
      batchLogs.add(
          new BatchLogEntries(
              shard, map, world.clock(), world.randomness(), timeouts.writeNanos()));
    }
    replica = localReplica(map);
    viewBuilds =
        new ViewBuilds(
            shards,
            replica,
            () -> metadata.state().schema(),
            metadata.hostId(),
            world.clock(),
            viewProgress);
    makeHandlers(settings, guardrails, facts.broadcast(), prepared);
    diskUsage = monitor(settings, first, guardrails);
  }

  private DiskUsageMonitor monitor(Settings settings, Shard first, Guardrails guardrails) {
    return new DiskUsageMonitor(
        world,
        first,
        storage,
        () -> withLocalLogs(metadataLog.state().tables()).live(),
        guardrails,
        settings.threshold(Setting.named("data_disk_usage_max_disk_size")));
  }

  private LocalReplica localReplica(ShardMap map) {
    return new LocalReplica(
        shards,
        storage,
        map,
        world.clock(),
        timestamps::next,
        () -> metadata.state().schema(),
        batchLogs,
        metrics,
        new SystemTables(metadata, facts));
  }

  private void makeHandlers(
      Settings settings,
      Guardrails guardrails,
      NodeFacts.Endpoint broadcast,
      PreparedStatements prepared) {
    ClusterNode self = metadata.localNode();
    RingNode place = new RingNode(self.hostId(), self.dataCenter(), self.rack());
    Timeouts timeouts = NodeOptions.timeouts(settings);
    for (Shard shard : shards) {
      StorageEngine engine = storage.engines().get(shard.index());
      shard.logWrite(engine::endTick);
      ShardMetrics ofShard = metrics.get(shard.index());
      Coordinator coordinator =
          new Coordinator(
              shard,
              new RingPlacements(metadata.state().ring(), place),
              replica,
              batchLog(shard, timeouts),
              world.clock(),
              timeouts,
              ofShard,
              memory.segments(Use.BUFFERS));
      coordinators.add(coordinator);
      statistics.add(shard, engine, coordinator);
      FunctionContext functions = new FunctionContext(world.clock(), world.randomness());
      PlanRunner runner =
          new PlanRunner(
              coordinator,
              world.clock(),
              functions,
              timestamps,
              NodeOptions.requestLimits(settings),
              guardrails,
              memory,
              slowQueries,
              storage::isIndexBuilt);
      Tracing tracing =
          new Tracing(
              runner.modifications(),
              metadata,
              functions,
              world.clock(),
              new Tracing.NodeAddress(broadcast.address(), broadcast.port()),
              "shard-" + shard.index(),
              new StatementPlanner(Guardrails.NONE));
      DefinitionRunner definitions =
          new DefinitionRunner(
              shard,
              metadata,
              new InetSocketAddress(broadcast.address(), broadcast.port()),
              world.heapRoom());
      handlers.add(
          new QueryHandler(
              shard,
              metadata,
              runner,
              definitions,
              prepared,
              tracing,
              ofShard,
              settings.isOn(Setting.CQL_EXTENSIONS),
              new StatementPlanner(guardrails),
              new TokenLimit(settings.memory().requestLimits().parts())));
    }
  }

  /** Adds the batch log of a shard and its replay. */
  private LocalBatchLog batchLog(Shard shard, Timeouts timeouts) {
    LocalBatchLog batchLog = new LocalBatchLog(shard, batchLogs.get(shard.index()), replica);
    replays.add(
        new BatchLogReplay(
            shard, batchLog, replica, new TablesAtReplay(), world.clock(), timeouts));
    return batchLog;
  }

  private final class TablesAtReplay implements ReplayTables {
    @Override
    public int gcGraceSeconds(int tableId) {
      TableSchema table = metadata.state().schema().table(tableId);
      return table == null ? DROPPED : table.options().gcGraceSeconds();
    }

    @Override
    public long truncatedAtMicros(int tableId) {
      return storage.truncatedAtMicros(tableId);
    }
  }

  /**
   * Opens a node from the files of its previous run. Blocks.
   *
   * @param connections the client transport, shown in system tables
   */
  public static Node open(
      World world, Settings settings, ClientConnections connections, StorageOpener opener)
      throws IOException {
    world.files().createFolders("");
    Closeable lock = world.files().lock(LOCK);
    try {
      DataLayout.checkOrRecord(world.files());
      return new Node(world, settings, connections, opener, lock);
    } catch (Throwable e) {
      lock.close();
      throw e;
    }
  }

  private Storage openStorage(Settings settings, Guardrails guardrails, StorageOpener opener)
      throws IOException {
    StorageEnvironment environment =
        new StorageEnvironment(
            world.files(),
            world.clock(),
            world.randomness(),
            List.copyOf(shards),
            world.io(),
            world.search(),
            world.background(),
            world.fatal(),
            memory);
    PartitionReports reports = new PartitionReports(guardrails, () -> metadataLog.state().schema());
    StorageOptions options = NodeOptions.storage(settings, shards.size(), reports.limits());
    return opener.open(environment, options, withLocalLogs(metadataLog.state().tables()));
  }

  private static Tables withLocalLogs(Tables tables) {
    List<TableDescriptor> live = new ArrayList<>(tables.live());
    live.add(BatchLog.TABLE);
    live.add(ViewBuildLog.TABLE);
    return new Tables(tables.epoch(), live, tables.lastTableId());
  }

  /**
   * Completes the work left over from the previous run; the future completes when requests may be
   * sent.
   *
   * @param events publishes schema changes to clients
   */
  public CompletableFuture<Void> start(Consumer<Event> events) {
    metadata.listen(
        (before, after, changes) -> {
          viewBuilds.schemaChanged();
          for (SchemaChange change : changes) {
            events.accept(SchemaEvents.of(change));
            IgnoredOptions.warn(change, after.schema());
          }
          if (changes.stream().anyMatch(each -> each.action() == SchemaChange.Action.DROPPED)) {
            statistics.retainTables(
                id ->
                    id == BatchLog.TABLE_ID
                        || id == ViewBuildLog.TABLE_ID
                        || after.schema().table(id) != null);
          }
        });
    shards.getFirst().execute(diskUsage::start);
    CompletableFuture<Void> ready = new CompletableFuture<>();
    AtomicInteger left = new AtomicInteger(shards.size());
    for (int i = 0; i < shards.size(); i++) {
      BatchLogReplay replay = replays.get(i);
      Runnable whenCaughtUp =
          () -> {
            if (left.decrementAndGet() == 0) {
              shards.getFirst().execute(viewBuilds::start);
              ready.complete(null);
            }
          };
      shards.get(i).execute(() -> replay.start(whenCaughtUp));
    }
    return CompletableFuture.allOf(ready, timestampsReserved);
  }

  /** The shards, one per event loop. */
  public List<Shard> shards() {
    return List.copyOf(shards);
  }

  /** What the node was built from. */
  public World world() {
    return world;
  }

  /** The tables of all shards. */
  public Storage storage() {
    return storage;
  }

  /** The schema and the members of the cluster. */
  public Metadata metadata() {
    return metadata;
  }

  /** What system tables show of this node. */
  public NodeFacts facts() {
    return facts;
  }

  /** Collects what monitoring systems read from every shard. On a shard's thread. */
  public void counts(Shard asking, int[] tableIds, Consumer<? super NodeMeasurements> then) {
    statistics.counts(asking, tableIds, then);
  }

  /** Changes the timeouts of requests, also of those in progress. Any thread. */
  public void timeouts(Timeouts changed) {
    for (Coordinator coordinator : coordinators) {
      coordinator.shard().execute(() -> coordinator.timeouts(changed));
    }
  }

  /** What this node has of the data. */
  public LocalReplica replica() {
    return replica;
  }

  /** The native memory. */
  public NodeMemory memory() {
    return memory;
  }

  /** The request handlers, one per shard. */
  public List<RequestHandler> handlers() {
    return List.copyOf(handlers);
  }

  /**
   * Cancels the reads in progress and rejects further ones. Clients receive an error that makes
   * drivers try another node.
   */
  public void stopReads() {
    for (Coordinator coordinator : coordinators) {
      coordinator.shard().execute(coordinator::stopReads);
    }
  }

  /** Flushes all memtables. */
  public CompletableFuture<Void> flushAll() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    storage.flush(0, failure -> complete(done, failure));
    return done;
  }

  /**
   * Stops the batch log replay and the monitor of the disk, flushes, releases the unused server
   * timestamps, and closes the metadata log. Call after the last request, while the shards still
   * run.
   */
  public CompletableFuture<Void> stop() {
    slowQueries.report();
    shards.getFirst().execute(diskUsage::stop);
    shards.getFirst().execute(viewBuilds::stop);
    for (int i = 0; i < shards.size(); i++) {
      shards.get(i).execute(replays.get(i)::stop);
    }
    CompletableFuture<Void> flushed = new CompletableFuture<>();
    storage.flushBeforeStop(failure -> complete(flushed, failure));
    return flushed
        .thenCompose(ignored -> reservation.release(timestamps.firstUnused()))
        .thenRun(metadataLog::close);
  }

  /** Compacts every table into one SSTable. */
  public CompletableFuture<Void> compactAll() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    storage.compact(0, failure -> complete(done, failure));
    return done;
  }

  private static void complete(CompletableFuture<Void> done, @Nullable Exception failure) {
    if (failure == null) {
      done.complete(null);
    } else {
      done.completeExceptionally(failure);
    }
  }

  @Override
  public void close() {
    storage.close();
    try {
      lock.close();
    } catch (IOException e) {
      throw new StorageException("cannot unlock the data folder: " + e.getMessage(), e);
    }
  }
}
