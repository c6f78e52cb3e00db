package io.helenus.server.admin;

import io.helenus.server.coordinator.Timeouts;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metadata.NodeIdentity;
import io.helenus.server.metrics.HotPartitionList;
import io.helenus.server.metrics.NodeCounts;
import io.helenus.server.metrics.TableMetric;
import io.helenus.server.replica.PartitionSampler;
import io.helenus.server.system.NodeFacts;
import io.helenus.server.system.NodeStatistics;
import io.helenus.server.system.SystemFixture;
import io.helenus.server.system.TestFacts;
import io.helenus.server.system.ThreeNodes;
import io.helenus.server.viewbuild.ViewVerification;
import io.helenus.storage.engine.CommitLogStatistics;
import io.helenus.storage.engine.FilesToLoad;
import io.helenus.storage.engine.PartitionNotes;
import io.helenus.storage.engine.StorageActivity;
import io.helenus.storage.engine.TableStatistics;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A node without storage: its metadata is real, its facts are made up. Records what it receives.
 */
final class FakeNode implements AdminNode {
  static final int BIG_TABLE = 100;
  static final String BIG_FILE = "100-1.sst";
  static final String INDEX_FILE = "100-1.101.idx";

  final SystemFixture fixture;
  private final @Nullable ThreeNodes cluster;
  final SimFileSystem files = new SimFileSystem(new SimRandomness(1));
  final List<String> calls = new ArrayList<>();
  private final Snapshots snapshots = new Snapshots(files);
  Map<PartitionSampler.Kind, List<PartitionSampler.Sample>> samples = Map.of();
  HotPartitionList hotPartitions = HotPartitionList.NONE;
  NodeCounts counts = NodeCounts.none();
  ViewVerification.Report verified =
      new ViewVerification.Report(
          new ViewVerification.Counts(0, 0, 0, 0, 0, 0),
          new ViewVerification.Differences(0, List.of()),
          new ViewVerification.Differences(0, List.of()),
          new ViewVerification.Differences(0, List.of()));
  boolean serving = true;
  boolean drained;
  long bigTableBytes;
  PartitionNotes bigTableNotes = PartitionNotes.NONE;
  Timeouts timeouts =
      new Timeouts(
          5_000_000_000L,
          10_000_000_000L,
          2_000_000_000L,
          5_000_000_000L,
          1_800_000_000L,
          60_000_000_000L);
  final SortedMap<String, String> levels = new TreeMap<>(Map.of("ROOT", "INFO"));

  private final TestFacts facts;

  /** One of several nodes. */
  FakeNode(ThreeNodes cluster) {
    this.cluster = cluster;
    this.fixture = cluster.fixture;
    this.facts = cluster.facts();
  }

  /** A node that is alone. */
  FakeNode(String... definitions) {
    cluster = null;
    fixture =
        new SystemFixture(
            new NodeIdentity("Oracle", "datacenter1", "rack1", 16, List.of(), null, ""));
    facts =
        new TestFacts() {
          @Override
          public @Nullable TableStatistics statistics(int storageId) {
            return storageId == BIG_TABLE && bigTableBytes > 0
                ? new TableStatistics(1, bigTableBytes, bigTableBytes, 0, 100, 0, 1, 0)
                : null;
          }

          @Override
          public PartitionNotes partitionNotes(int storageId) {
            return storageId == BIG_TABLE ? bigTableNotes : PartitionNotes.NONE;
          }

          @Override
          public StorageActivity storageActivity() {
            StorageActivity.Work none = new StorageActivity.Work(0, 0, 0);
            return new StorageActivity(List.of(), List.of(), none, none, 0);
          }
        };
    for (String definition : definitions) {
      fixture.change(definition);
    }
  }

  /** A node with the keyspaces that the recorded outputs were made with. */
  static FakeNode withTwoKeyspaces() {
    return new FakeNode(
        "CREATE KEYSPACE shop WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}",
        "CREATE TABLE shop.orders (customer text, placed timestamp, item text, PRIMARY KEY"
            + " (customer, placed))",
        "CREATE KEYSPACE \"Big\" WITH replication = {'class': 'NetworkTopologyStrategy',"
            + " 'datacenter1': 1}");
  }

  @Override
  public NodeFacts facts() {
    return facts;
  }

  @Override
  public ClusterState state() {
    return cluster == null ? fixture.metadata().state() : cluster.state();
  }

  @Override
  public ClusterNode self() {
    return cluster == null
        ? fixture.metadata().localNode()
        : Objects.requireNonNull(state().node(cluster.hostId()));
  }

  @Override
  public int compactors() {
    return 2;
  }

  @Override
  public NodeStatistics statistics(@Nullable TableMetric kind, int[] tableIds) {
    return new NodeStatistics(
        List.of(), List.of(), Map.of(), Map.of(), new TreeMap<>(), List.of(), hotPartitions);
  }

  @Override
  public NodeMeasurements measurements(int[] tableIds) {
    return new NodeMeasurements(counts, new CommitLogStatistics(0, 0, 0));
  }

  @Override
  public long residentBytes() {
    return 1 << 20;
  }

  @Override
  public void flush(int tableId) {
    calls.add("flush " + tableId);
  }

  @Override
  public ViewVerification.Report verifyView(
      int baseId, int viewId, boolean repairs, Predicate<ViewVerification.Counts> goesOn) {
    calls.add("verify " + viewId + " of " + baseId + (repairs ? " and repair" : ""));
    return verified;
  }

  @Override
  public void rebuildIndex(int tableId, int indexId) {
    calls.add("rebuild index " + indexId + " of " + tableId);
  }

  @Override
  public void compact(int tableId) {
    calls.add("compact " + tableId);
  }

  @Override
  public void snapshot(int tableId, String folder, boolean skipFlush) throws CommandException {
    calls.add("snapshot " + tableId + (skipFlush ? " unflushed" : ""));
    try {
      for (String name : List.of(BIG_FILE, INDEX_FILE)) {
        if (files.exists("sstables/" + name)) {
          files.link("sstables/" + name, folder + "/" + name);
        }
      }
    } catch (IOException e) {
      throw CommandException.failed(e.toString());
    }
  }

  @Override
  public void load(int tableId, FilesToLoad files) {
    calls.add("load " + tableId + " " + files.paths() + " written as " + files.tableId());
  }

  @Override
  public List<String> filesWith(int tableId, byte[] prefix) {
    calls.add("files of " + tableId + " with " + HexFormat.of().formatHex(prefix));
    return List.of("/data/sstables/" + BIG_FILE);
  }

  @Override
  public Map<PartitionSampler.Kind, List<PartitionSampler.Sample>> sample(
      PartitionSampler.Options options, int millis) {
    calls.add("sample " + options.tableId() + " for " + millis);
    return samples;
  }

  @Override
  public GarbageCollections garbageCollections() {
    return new GarbageCollections(1_235_867, 331, 33_835, 24, 290_450_295_296.0, 1617, 80_944_702);
  }

  @Override
  public Snapshots snapshots() {
    return snapshots;
  }

  @Override
  public void takeSnapshotTurn() {
    snapshots.turns().take(() -> {});
  }

  @Override
  public long nowMicros() {
    return facts.startedSeconds() * 1_000_000L + 80_000_000L;
  }

  @Override
  public boolean isServing() {
    return serving;
  }

  @Override
  public void whenResponsive(Runnable callback) {
    callback.run();
  }

  @Override
  public boolean isDrained() {
    return drained;
  }

  @Override
  public void drain() {
    drained = true;
    serving = false;
  }

  @Override
  public void startServing() {
    serving = true;
  }

  @Override
  public void stopServing(boolean force) {
    serving = false;
  }

  @Override
  public Timeouts timeouts() {
    return timeouts;
  }

  @Override
  public void timeouts(Timeouts changed) {
    timeouts = changed;
  }

  @Override
  public SortedMap<String, String> logLevels() {
    return levels;
  }

  @Override
  public void logLevel(String logger, @Nullable String level) {
    levels.put(logger, String.valueOf(level));
  }

  @Override
  public void resetLogLevels() {
    levels.keySet().removeIf(name -> !name.equals("ROOT"));
  }
}
