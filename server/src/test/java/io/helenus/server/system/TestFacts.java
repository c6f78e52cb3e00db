package io.helenus.server.system;

import io.helenus.server.metrics.BatchKind;
import io.helenus.server.metrics.HotPartitionList;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.metrics.TableMetric;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.shard.Shard;
import io.helenus.server.viewbuild.ViewBuilds;
import io.helenus.storage.engine.IndexFile;
import io.helenus.storage.engine.PartitionNotes;
import io.helenus.storage.engine.StorageActivity;
import io.helenus.storage.engine.TableStatistics;
import io.helenus.storage.engine.VectorSearchCounts;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Facts about a node with at least one entry in every table. Counts its calls. */
public class TestFacts implements NodeFacts {
  protected static final int TABLE = 100;

  int statisticsAsked;
  int truncationsAsked;
  int gatherings;
  int tablesGathered;
  int notedTable = TABLE;
  PartitionNotes notes = PartitionNotes.NONE;
  HotPartitionList hotPartitions = HotPartitionList.NONE;

  static InetAddress address(int last) {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public String helenusVersion() {
    return "0.1.0";
  }

  @Override
  public Endpoint broadcast() {
    return new Endpoint(address(1), 7000);
  }

  @Override
  public Endpoint listen() {
    return new Endpoint(address(2), 7001);
  }

  @Override
  public Endpoint nativeTransport() {
    return new Endpoint(address(3), 9042);
  }

  @Override
  public int startedSeconds() {
    return 1_700_000_000;
  }

  @Override
  public ClusterFacts cluster() {
    return ClusterFacts.ALONE;
  }

  @Override
  public List<MemoryUse> memory() {
    return List.of(new MemoryUse("heap", 64, 32, 48, 8));
  }

  @Override
  public List<Client> clients() {
    return List.of(
        new Client(
            address(9), 7, Map.of("CQL_VERSION", "3.4.7"), "ready", "d", "1", "ks", 5, 3, null),
        new Client(address(9), 5, Map.of(), "startup", null, null, null, 4, 0, "somebody"));
  }

  @Override
  public List<IndexFile> indexFiles(int storageId) {
    return List.of(
        new IndexFile(1, "sstables/" + storageId + "-2.sst", 7, 500, -9, 9),
        new IndexFile(2, "sstables/" + storageId + "-1.sst", 5, 300, -8, 0));
  }

  @Override
  public VectorSearchCounts vectorSearches(int storageId) {
    return VectorSearchCounts.NONE;
  }

  @Override
  public boolean isIndexBuilt(int storageId, int indexId) {
    return indexId % 2 == 1;
  }

  @Override
  public SortedMap<String, @Nullable String> settings() {
    SortedMap<String, @Nullable String> settings = new TreeMap<>();
    settings.put("cluster_name", "Test");
    settings.put("unset", null);
    return settings;
  }

  @Override
  public @Nullable TableStatistics statistics(int storageId) {
    statisticsAsked++;
    return storageId == TABLE
        ? new TableStatistics(
            2, 5_000_000, 3_000_000, 60_000_000, 1_500_000, 1_000, 40, 1_700_000_000_123_456L)
        : null;
  }

  @Override
  public PartitionNotes partitionNotes(int storageId) {
    return storageId == notedTable ? notes : PartitionNotes.NONE;
  }

  @Override
  public StorageActivity storageActivity() {
    return new StorageActivity(
        List.of(
            new StorageActivity.Task(
                7, StorageActivity.Kind.COMPACTION, TABLE, 1_700_000_000_000_000L, 10, 5, 4)),
        List.of(
            new StorageActivity.FinishedCompaction(
                6,
                TABLE,
                1_699_999_999_000_000L,
                1_700_000_000_000_000L,
                100,
                50,
                List.of(3L, 0L, 2L))),
        new StorageActivity.Work(0, 0, 1),
        new StorageActivity.Work(0, 1, 1),
        100);
  }

  @Override
  public List<PreparedStatement> preparedStatements() {
    return List.of(new PreparedStatement(new byte[] {1, 2}, null, "SELECT"));
  }

  @Override
  public long truncatedAtMicros(int storageId) {
    truncationsAsked++;
    return storageId >= TABLE ? 1_700_000_000_000_000L : 0;
  }

  @Override
  public void gather(
      Shard asking,
      @Nullable TableMetric kind,
      int[] tableIds,
      Consumer<? super NodeStatistics> then) {
    gatherings++;
    tablesGathered += tableIds.length;
    ShardMetrics metrics = new ShardMetrics(0, () -> 0, () -> 0);
    metrics.read(TABLE, true, 1_500_000, 500_000, 3, 1, 1, 0);
    metrics.written(TABLE, 250_000, 0);
    metrics.batch(BatchKind.LOGGED, 4, 0);
    then.accept(
        new NodeStatistics(
            List.of(new NodeStatistics.ThreadPool("ReadStage", 1, 1, 0, 0, 99, 3)),
            List.of(new NodeStatistics.Cache("chunks", 1000, 5, 3, 4, 1, 2, 500)),
            metrics.snapshot(kind, tableIds, 0).tables(),
            metrics.snapshot(kind, tableIds, 0).batches(),
            new TreeMap<>(Map.of("prepared_statements_count", 2.0)),
            List.of(
                new NodeStatistics.RunningQuery(
                    "shard-0:1", "SELECT", TABLE, ConsistencyLevel.ONE, 2)),
            hotPartitions));
  }

  @Override
  public SortedMap<String, String> properties() {
    return new TreeMap<>(Map.of("java.version", "25"));
  }

  @Override
  public List<ViewBuilds.Progress> viewBuilds() {
    return List.of();
  }
}
