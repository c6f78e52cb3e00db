package io.helenus.server.node;

import io.helenus.server.config.ClusterSettings;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.metrics.TableMetric;
import io.helenus.server.protocol.Session;
import io.helenus.server.query.prepared.PreparedStatement;
import io.helenus.server.query.prepared.PreparedStatements;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.shard.Shard;
import io.helenus.server.system.ClusterFacts;
import io.helenus.server.system.NodeFacts;
import io.helenus.server.system.NodeStatistics;
import io.helenus.server.viewbuild.ViewBuilds;
import io.helenus.storage.engine.IndexFile;
import io.helenus.storage.engine.PartitionNotes;
import io.helenus.storage.engine.Storage;
import io.helenus.storage.engine.StorageActivity;
import io.helenus.storage.engine.TableStatistics;
import io.helenus.storage.engine.VectorSearchCounts;
import io.helenus.storage.memory.MemoryShare;
import io.helenus.storage.memory.NodeMemory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The facts about the running node for system tables. Any thread. */
final class RunningNode implements NodeFacts {
  /** The storage port, Cassandra's default, of a node that does not listen on one. */
  static final int STORAGE_PORT = 7000;

  private static final Set<String> SHOWN_PROPERTIES =
      Set.of(
          "java.class.path",
          "java.home",
          "java.io.tmpdir",
          "java.library.path",
          "java.version",
          "java.vm.name",
          "line.separator",
          "os.arch",
          "os.name",
          "sun.arch.data.model",
          "sun.java.command",
          "user.home");

  private final Settings settings;
  private final Storage storage;
  private final ClientConnections connections;
  private final PreparedStatements prepared;
  private final StatisticsCollector statistics;
  private final Supplier<List<ViewBuilds.Progress>> viewBuilds;
  private final ClusterFacts cluster;
  private final NodeMemory memory;
  private final AtomicLong heapHighWater = new AtomicLong();
  private final int startedSeconds;
  private final InetAddress listen;
  private final InetAddress broadcastAddress;

  RunningNode(
      Settings settings,
      Storage storage,
      ClientConnections connections,
      int startedSeconds,
      PreparedStatements prepared,
      StatisticsCollector statistics,
      NodeMemory memory,
      Supplier<List<ViewBuilds.Progress>> viewBuilds,
      ClusterFacts cluster)
      throws IOException {
    this.settings = settings;
    this.memory = memory;
    this.prepared = prepared;
    this.statistics = statistics;
    this.viewBuilds = viewBuilds;
    this.cluster = cluster;
    this.storage = storage;
    this.connections = connections;
    this.startedSeconds = startedSeconds;
    this.listen = NodeOptions.address(Setting.RPC_ADDRESS, settings.text(Setting.RPC_ADDRESS));
    String broadcast = settings.text(Setting.BROADCAST_RPC_ADDRESS);
    if (broadcast.isEmpty() && listen.isAnyLocalAddress()) {
      throw new IOException(
          "rpc_address "
              + listen.getHostAddress()
              + " listens on all addresses; set broadcast_rpc_address to the address that clients"
              + " should connect to");
    }
    this.broadcastAddress =
        broadcast.isEmpty()
            ? listen
            : NodeOptions.address(Setting.BROADCAST_RPC_ADDRESS, broadcast);
    if (broadcastAddress.isAnyLocalAddress()) {
      throw new IOException("broadcast_rpc_address cannot be " + broadcastAddress.getHostAddress());
    }
  }

  @Override
  public String helenusVersion() {
    return Version.TEXT;
  }

  @Override
  public Endpoint broadcast() {
    ClusterSettings of = settings.cluster();
    return of == null ? new Endpoint(broadcastAddress, STORAGE_PORT) : endpoint(of.broadcast());
  }

  @Override
  public Endpoint listen() {
    ClusterSettings of = settings.cluster();
    return of == null ? new Endpoint(broadcastAddress, STORAGE_PORT) : endpoint(of.listen());
  }

  private static Endpoint endpoint(InetSocketAddress address) {
    return new Endpoint(address.getAddress(), address.getPort());
  }

  @Override
  public Endpoint nativeTransport() {
    return new Endpoint(broadcastAddress, connections.port());
  }

  @Override
  public int startedSeconds() {
    return startedSeconds;
  }

  @Override
  public ClusterFacts cluster() {
    return cluster;
  }

  @Override
  public List<Client> clients() {
    List<Client> clients = new ArrayList<>();
    for (Session session : connections.sessions()) {
      clients.add(
          new Client(
              session.remoteAddress().getAddress(),
              session.remoteAddress().getPort(),
              session.startupOptions(),
              session.stage().name().toLowerCase(java.util.Locale.ROOT),
              session.driverName(),
              session.driverVersion(),
              session.keyspace(),
              session.protocolVersion(),
              session.requestCount(),
              session.user()));
    }
    return clients;
  }

  @Override
  public List<MemoryUse> memory() {
    long committed = Heap.OF_PROCESS.committedBytes();
    long used = Heap.OF_PROCESS.usedBytes();
    heapHighWater.accumulateAndGet(committed, Math::max);
    List<MemoryUse> uses = new ArrayList<>();
    uses.add(
        new MemoryUse(
            "heap", settings.memory().heapBytes(), used, heapHighWater.get(), committed - used));
    for (NodeMemory.Use use : NodeMemory.Use.values()) {
      MemoryShare share = memory.share(use);
      uses.add(
          new MemoryUse(
              use.name().toLowerCase(Locale.ROOT),
              share.limitBytes(),
              share.usedBytes(),
              share.highWaterBytes(),
              memory.keptBytes(use)));
    }
    return uses;
  }

  @Override
  public SortedMap<String, @Nullable String> settings() {
    SortedMap<String, @Nullable String> shown = new TreeMap<>();
    for (Setting setting : Setting.ALL) {
      String value = settings.text(setting);
      shown.put(setting.name(), value.isEmpty() ? null : value);
    }
    shown.put("partitioner", Partitioner.MURMUR3_CLASS);
    return shown;
  }

  @Override
  public StorageActivity storageActivity() {
    return storage.activity();
  }

  @Override
  public List<PreparedStatement> preparedStatements() {
    List<PreparedStatement> shown = new ArrayList<>();
    for (PreparedStatements.Shown each : prepared.list()) {
      shown.add(new PreparedStatement(each.id(), each.keyspace(), each.text()));
    }
    return shown;
  }

  @Override
  public SortedMap<String, String> properties() {
    SortedMap<String, String> shown = new TreeMap<>();
    for (String name : System.getProperties().stringPropertyNames()) {
      if (SHOWN_PROPERTIES.contains(name) || name.startsWith("helenus.")) {
        shown.put(name, System.getProperty(name, ""));
      }
    }
    return shown;
  }

  @Override
  public void gather(
      Shard asking,
      @Nullable TableMetric kind,
      int[] tableIds,
      Consumer<? super NodeStatistics> then) {
    statistics.start(asking, kind, tableIds, then);
  }

  @Override
  public @Nullable TableStatistics statistics(int storageId) {
    return storageId > 0 ? storage.statistics(storageId) : null;
  }

  @Override
  public PartitionNotes partitionNotes(int storageId) {
    return storageId > 0 ? storage.partitionNotes(storageId) : PartitionNotes.NONE;
  }

  @Override
  public long truncatedAtMicros(int storageId) {
    return storageId > 0 ? storage.truncatedAtMicros(storageId) : 0;
  }

  @Override
  public List<IndexFile> indexFiles(int storageId) {
    return storageId > 0 ? storage.indexFiles(storageId) : List.of();
  }

  @Override
  public VectorSearchCounts vectorSearches(int storageId) {
    return storageId > 0 ? storage.vectorSearches(storageId) : VectorSearchCounts.NONE;
  }

  @Override
  public boolean isIndexBuilt(int storageId, int indexId) {
    return storage.isIndexBuilt(storageId, indexId);
  }

  @Override
  public List<ViewBuilds.Progress> viewBuilds() {
    return viewBuilds.get();
  }
}
