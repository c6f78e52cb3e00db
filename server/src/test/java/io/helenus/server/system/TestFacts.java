package io.helenus.server.system;

import io.helenus.storage.engine.TableStatistics;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A node that has something of everything to tell. */
final class TestFacts implements NodeFacts {
  static final int TABLE = 100;

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
  public List<Client> clients() {
    return List.of(
        new Client(
            address(9), 7, Map.of("CQL_VERSION", "3.4.7"), "ready", "d", "1", "ks", 5, 3, null),
        new Client(address(9), 5, Map.of(), "startup", null, null, null, 4, 0, "somebody"));
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
    return storageId == TABLE ? new TableStatistics(2, 5_000_000, 1_000, 40) : null;
  }

  @Override
  public List<ThreadPool> threadPools() {
    return List.of(new ThreadPool("shard-0", 1, 1, 0, 0, 99, 3));
  }

  @Override
  public List<Cache> caches() {
    return List.of(new Cache("blocks", 1000, 5, 3, 4, 1, 2, 500));
  }

  @Override
  public List<SstableTask> sstableTasks() {
    return List.of(
        new SstableTask(new UUID(0x1000, 1L << 63), TABLE, "compaction", 5, 10, "bytes", 4));
  }

  @Override
  public List<Compaction> compactions() {
    return List.of(new Compaction(new UUID(0x1000, 1L << 63), TABLE, 100, 50, 1_700_000_000_000L));
  }

  @Override
  public List<Measurement> measurements(MeasuredKind kind) {
    return List.of(new Measurement(TABLE, 5, 1.5, 0.5, 1.0, 0.1));
  }

  @Override
  public SortedMap<String, Double> statementMetrics() {
    return new TreeMap<>(Map.of("prepared_statements_count", 2.0));
  }

  @Override
  public List<PreparedStatement> preparedStatements() {
    return List.of(new PreparedStatement(new byte[] {1, 2}, null, "SELECT"));
  }

  @Override
  public List<RunningQuery> queries() {
    return List.of(new RunningQuery("shard-0", 1, 2, "SELECT"));
  }

  @Override
  public SortedMap<String, String> properties() {
    return new TreeMap<>(Map.of("java.version", "25"));
  }
}
