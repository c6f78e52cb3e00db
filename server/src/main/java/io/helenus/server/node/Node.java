package io.helenus.server.node;

import io.helenus.server.admin.NodeMeasurements;
import io.helenus.server.admin.Snapshots;
import io.helenus.server.cluster.ClusterMember;
import io.helenus.server.cluster.Member;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.coordinator.BatchLogEntries;
import io.helenus.server.coordinator.Timeouts;
import io.helenus.server.guardrails.ConfiguredGuardrails;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.metadata.Metadata;
import io.helenus.server.metadata.MetadataLog;
import io.helenus.server.metrics.HotPartitions;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.protocol.Event;
import io.helenus.server.protocol.RequestHandler;
import io.helenus.server.query.prepared.PreparedStatements;
import io.helenus.server.query.select.SlowQueryLog;
import io.helenus.server.replica.LinkedReplicas;
import io.helenus.server.replica.LocalReplica;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.shard.Shard;
import io.helenus.server.shard.TokenSlices;
import io.helenus.server.system.ClusterFacts;
import io.helenus.server.system.NodeFacts;
import io.helenus.server.system.SystemTables;
import io.helenus.server.viewbuild.ViewBuilds;
import io.helenus.server.viewbuild.ViewVerification;
import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.engine.Storage;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.StorageOptions;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.local.LocalStorage;
import io.helenus.storage.local.StorageEnvironment;
import io.helenus.storage.memory.NodeMemory;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
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
  private final Enrollment enrollment;
  private final @Nullable ClusterServices cluster;
  private final List<Shard> shards;
  private final DurableState durable;
  private final Snapshots snapshots;
  private final StatisticsCollector statistics;
  private final RunningNode facts;
  private final SlowQueryLog slowQueries;
  private final LocalReplica replica;
  private final ViewBuilds viewBuilds;
  private final List<ShardServices> services;
  private final List<RequestHandler> handlers;
  private final DiskUsageMonitor diskUsage;

  private Node(Enrollment enrollment, ClientConnections connections, StorageOpener opener)
      throws IOException {
    this.enrollment = enrollment;
    world = enrollment.world();
    Settings settings = enrollment.settings();
    memory = enrollment.memory();
    shards = enrollment.shards();
    Guardrails guardrails = ConfiguredGuardrails.of(settings);
    durable = new DurableState(enrollment, guardrails, opener);
    Storage storage = durable.storage();
    snapshots = new Snapshots(world.files());
    int startedSeconds = (int) world.clock().wallSeconds();
    PreparedStatements prepared =
        new PreparedStatements(settings.memory().preparedStatementBytes());
    statistics = new StatisticsCollector(world, storage, prepared);
    AtomicReference<List<ViewBuilds.Progress>> viewProgress = new AtomicReference<>(List.of());
    ClusterMember member = enrollment.cluster();
    cluster =
        member == null
            ? null
            : new ClusterServices(
                member,
                shards,
                durable,
                startedSeconds,
                settings.number(Setting.TOMBSTONE_FAILURE_THRESHOLD));
    facts =
        new RunningNode(
            settings,
            storage,
            connections,
            startedSeconds,
            prepared,
            statistics,
            memory,
            viewProgress::get,
            cluster == null ? ClusterFacts.ALONE : cluster.facts());
    slowQueries =
        new SlowQueryLog(settings.durationNanos(Setting.SLOW_QUERY_LOG_TIMEOUT), world.io());
    ShardMap map = new ShardMap(shards.size());
    List<BatchLogEntries> batchLogs = batchLogs(world, settings, shards, new TokenSlices(map));
    List<ShardMetrics> metrics = metrics(world, settings, storage);
    replica = replica(world, shards, map, durable, batchLogs, metrics, facts);
    viewBuilds =
        new ViewBuilds(
            shards,
            replica,
            durable::schema,
            durable.metadata().hostId(),
            world.clock(),
            viewProgress);
    SharedServices shared =
        new SharedServices(
            world,
            settings,
            guardrails,
            Advisors.of(NodeOptions.silence(settings)),
            memory,
            durable,
            enrollment,
            replica,
            prepared,
            slowQueries,
            autoSnapshots(world, settings),
            facts);
    services = services(shards, batchLogs, metrics, shared);
    handlers = services.stream().map(ShardServices::handler).toList();
    services.forEach(statistics::add);
    diskUsage = diskUsage(world, settings, guardrails, shards.getFirst(), durable);
  }

  private TableSnapshots autoSnapshots(World world, Settings settings) {
    boolean isOn = settings.isOn(Setting.AUTO_SNAPSHOT);
    return new TableSnapshots(world, durable.storage(), snapshots, durable::schema, isOn);
  }

  private static List<BatchLogEntries> batchLogs(
      World world, Settings settings, List<Shard> shards, TokenSlices slices) {
    long timeoutNanos = NodeOptions.timeouts(settings).writeNanos();
    List<BatchLogEntries> batchLogs = new ArrayList<>();
    for (Shard shard : shards) {
      batchLogs.add(
          new BatchLogEntries(shard, slices, world.clock(), world.randomness(), timeoutNanos));
    }
    return batchLogs;
  }

  private static List<ShardMetrics> metrics(World world, Settings settings, Storage storage) {
    List<ShardMetrics> metrics = new ArrayList<>();
    int shards = storage.engines().size();
    for (StorageEngine engine : storage.engines()) {
      metrics.add(
          new ShardMetrics(
              world.clock().nanos(),
              () -> engine.cacheStatistics().hits(),
              () -> engine.cacheStatistics().requests(),
              hotPartitions(world, settings, shards)));
    }
    return metrics;
  }

  private static @Nullable HotPartitions hotPartitions(World world, Settings settings, int shards) {
    if (!settings.isOn(Setting.HOT_PARTITIONS_ENABLED)) {
      return null;
    }
    long bytes = settings.memory().hotPartitionBytes() / shards;
    return new HotPartitions(
        (int) Math.min(bytes, HotPartitions.USEFUL_BYTES),
        world.randomness().nextLong(),
        world.clock().nanos());
  }

  private static LocalReplica replica(
      World world,
      List<Shard> shards,
      ShardMap map,
      DurableState durable,
      List<BatchLogEntries> batchLogs,
      List<ShardMetrics> metrics,
      NodeFacts facts) {
    return new LocalReplica(
        shards,
        durable.storage(),
        map,
        world.clock(),
        durable.timestamps()::next,
        durable::schema,
        batchLogs,
        metrics,
        new SystemTables(durable.metadata()::state, durable.metadata().hostId(), facts));
  }

  private static List<ShardServices> services(
      List<Shard> shards,
      List<BatchLogEntries> batchLogs,
      List<ShardMetrics> metrics,
      SharedServices shared) {
    List<ShardServices> services = new ArrayList<>();
    for (int i = 0; i < shards.size(); i++) {
      ShardServices ofShard =
          new ShardServices(shards.get(i), batchLogs.get(i), metrics.get(i), shared);
      shards.get(i).logWrite(ofShard.engine()::endTick);
      services.add(ofShard);
    }
    return List.copyOf(services);
  }

  private static DiskUsageMonitor diskUsage(
      World world, Settings settings, Guardrails guardrails, Shard first, DurableState durable) {
    return new DiskUsageMonitor(
        world,
        first,
        durable.storage(),
        durable::tables,
        guardrails,
        settings.threshold(Setting.named("data_disk_usage_max_disk_size")));
  }

  /**
   * Opens a node from the files of its previous run. Blocks.
   *
   * @param enrollment of which the node is a member; closed with the node, or if it is not opened
   * @param connections the client transport, shown in system tables
   */
  public static Node open(
      Enrollment enrollment, ClientConnections connections, StorageOpener opener)
      throws IOException {
    try {
      return new Node(enrollment, connections, opener);
    } catch (Throwable e) {
      enrollment.close();
      throw e;
    }
  }

  /** The same of a node that is alone. */
  public static Node open(
      World world, Settings settings, ClientConnections connections, StorageOpener opener)
      throws IOException {
    return open(Enrollment.open(world, settings), connections, opener);
  }

  /**
   * Completes the work left over from the previous run; the future completes when requests may be
   * sent.
   *
   * @param events publishes changes of the schema and of the members to clients
   */
  public CompletableFuture<Void> start(Consumer<Event> events) {
    durable
        .metadata()
        .listen(
            (before, after, changes) -> {
              viewBuilds.schemaChanged();
              for (SchemaChange change : changes) {
                events.accept(SchemaEvents.of(change));
                IgnoredOptions.warn(change, after.schema());
              }
              if (changes.stream().anyMatch(each -> each.action() == SchemaChange.Action.DROPPED)) {
                statistics.retainTables(id -> DurableState.isTable(id, after.schema()));
              }
            });
    shards.getFirst().execute(diskUsage::start);
    CompletableFuture<Void> ready = new CompletableFuture<>();
    AtomicInteger left = new AtomicInteger(shards.size());
    Runnable begun =
        () -> {
          if (left.decrementAndGet() == 0) {
            shards.getFirst().execute(viewBuilds::start);
            if (cluster != null) {
              cluster.start(events, services, enrollment.memory().segments(NodeMemory.Use.BUFFERS));
            }
            ready.complete(null);
          }
        };
    durable.metadata().whenCaughtUp(() -> services.forEach(ofShard -> ofShard.start(begun)));
    return CompletableFuture.allOf(ready, durable.timestampsReserved());
  }

  /** How many members serve requests, as this node sees it; itself included. Any thread. */
  public int liveMembers() {
    return (int) enrollment.members().all().stream().filter(Member::isUp).count();
  }

  /** How many nodes have joined the cluster, alive or not; this one included. Any thread. */
  public int members() {
    return durable.metadata().state().nodes().size();
  }

  /** Completes when so many nodes have joined the cluster. Any thread. */
  public CompletableFuture<Void> whenMembers(int count) {
    CompletableFuture<Void> joined = new CompletableFuture<>();
    durable
        .metadata()
        .listen(
            (before, after, changes) -> {
              if (after.nodes().size() >= count) {
                joined.complete(null);
              }
            });
    // after the listener was added, which happens on this shard too
    shards
        .getFirst()
        .execute(
            () -> {
              if (members() >= count) {
                joined.complete(null);
              }
            });
    return joined;
  }

  /** The node serves clients from now on, or does not any more: the other members are told. */
  public void servesClients(boolean does) {
    if (cluster != null) {
      cluster.servesClients(does);
    }
  }

  /** The shards, one per event loop. */
  public List<Shard> shards() {
    return shards;
  }

  /** What the node was built from. */
  public World world() {
    return world;
  }

  /** The tables of all shards. */
  public Storage storage() {
    return durable.storage();
  }

  /** The snapshots in the data folder. */
  public Snapshots snapshots() {
    return snapshots;
  }

  /** The schema and the members of the cluster. */
  public Metadata metadata() {
    return durable.metadata();
  }

  /** The log of changes of the schema and the members. */
  MetadataLog metadataLog() {
    return durable.metadataLog();
  }

  /** What a node of several does for others; null on a single node. */
  @Nullable ClusterServices cluster() {
    return cluster;
  }

  /** What the links of each shard wait for; none on a single node. */
  List<LinkedReplicas> linked() {
    return enrollment.linked();
  }

  /** The parts of the shards, in their order. */
  List<ShardServices> services() {
    return services;
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
    services.forEach(ofShard -> ofShard.timeouts(changed));
  }

  /** What this node has of the data. */
  public LocalReplica replica() {
    return replica;
  }

  /** A verification of a materialized view, not begun yet. Any thread. */
  public ViewVerification verification(int baseId, int viewId, boolean repairs) {
    return new ViewVerification(
        new ViewVerification.Scope(
            replica, durable::schema, world.clock(), baseId, viewId, repairs));
  }

  /** The native memory. */
  public NodeMemory memory() {
    return memory;
  }

  /** The request handlers, one per shard. */
  public List<RequestHandler> handlers() {
    return handlers;
  }

  /**
   * Cancels the reads in progress and rejects further ones. Clients receive an error that makes
   * drivers try another node.
   */
  public void stopReads() {
    services.forEach(ShardServices::stopReads);
  }

  /** Flushes all memtables. */
  public CompletableFuture<Void> flushAll() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    storage().flush(0, failure -> DurableState.complete(done, failure));
    return done;
  }

  /**
   * Stops the batch log replay and the monitor of the disk, flushes, releases the unused server
   * timestamps, and closes the metadata log. Call after the last request, while the shards still
   * run.
   */
  public CompletableFuture<Void> stop() {
    if (cluster != null) {
      cluster.stop();
    }
    slowQueries.report();
    shards.getFirst().execute(diskUsage::stop);
    shards.getFirst().execute(viewBuilds::stop);
    services.forEach(ShardServices::stop);
    return durable
        .stop()
        .thenRun(
            () -> {
              try {
                enrollment.closeLinks();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  /** Compacts every table into one SSTable. */
  public CompletableFuture<Void> compactAll() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    storage().compact(0, failure -> DurableState.complete(done, failure));
    return done;
  }

  @Override
  public void close() {
    durable.storage().close();
    try {
      enrollment.close();
    } catch (IOException e) {
      throw new StorageException("cannot unlock the data folder: " + e.getMessage(), e);
    }
  }
}
