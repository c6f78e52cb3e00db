package io.helenus.server.system;

import io.helenus.storage.engine.TableStatistics;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the node tells of itself to the system tables. Any shard's thread; what it gives does not
 * change afterwards. Counts are since the start.
 */
public interface NodeFacts {
  /** The version of Cassandra whose behaviour is served, as drivers and cqlsh read it. */
  String RELEASE_VERSION = "5.0.0";

  /** The version of CQL. */
  String CQL_VERSION = "3.4.7";

  /** The highest stable version of the native protocol. */
  String NATIVE_PROTOCOL_VERSION = "5";

  /** Helenus' own version. */
  String helenusVersion();

  /** Where other nodes reach this one. */
  Endpoint broadcast();

  /** Where this node listens for other nodes. */
  Endpoint listen();

  /** Where clients reach this node: never a wildcard. */
  Endpoint nativeTransport();

  /** When the node started, in seconds since 1970. */
  int startedSeconds();

  /** The clients connected now. */
  List<Client> clients();

  /** The configuration, by key; a null value is one that is not set. */
  SortedMap<String, @Nullable String> settings();

  /** What storage says of a table; null where it does not know it. */
  @Nullable TableStatistics statistics(int storageId);

  /** The executors, by name. */
  default List<ThreadPool> threadPools() {
    return List.of();
  }

  /** The caches. */
  default List<Cache> caches() {
    return List.of();
  }

  /** Flushes and compactions under way. */
  default List<SstableTask> sstableTasks() {
    return List.of();
  }

  /** Compactions that have ended lately. */
  default List<Compaction> compactions() {
    return List.of();
  }

  /** What has been measured of tables; tables without a measurement are left out. */
  default List<Measurement> measurements(MeasuredKind kind) {
    return List.of();
  }

  /** Counters of statements, by the names of system_views.cql_metrics. */
  default SortedMap<String, Double> statementMetrics() {
    return new TreeMap<>();
  }

  /** The prepared statements kept now. */
  default List<PreparedStatement> preparedStatements() {
    return List.of();
  }

  /** Requests being served now. */
  default List<RunningQuery> queries() {
    return List.of();
  }

  /** Properties of the process that matter to it. */
  default SortedMap<String, String> properties() {
    return new TreeMap<>();
  }

  /** An address and a port. */
  record Endpoint(InetAddress address, int port) {}

  /** A connected client. */
  record Client(
      InetAddress address,
      int port,
      Map<String, String> options,
      String stage,
      @Nullable String driverName,
      @Nullable String driverVersion,
      @Nullable String keyspace,
      int protocolVersion,
      long requestCount,
      @Nullable String user) {}

  /** An executor. */
  record ThreadPool(
      String name,
      int activeTasks,
      int activeTasksLimit,
      long blockedTasks,
      long blockedTasksAllTime,
      long completedTasks,
      int pendingTasks) {}

  /** A cache. */
  record Cache(
      String name,
      long capacityBytes,
      int entryCount,
      long hitCount,
      long requestCount,
      long recentHitsPerSecond,
      long recentRequestsPerSecond,
      long sizeBytes) {}

  /** A flush or compaction under way. */
  record SstableTask(
      UUID taskId,
      int storageId,
      String kind,
      long progress,
      long total,
      String unit,
      int sstables) {}

  /** A compaction that has ended. */
  record Compaction(UUID id, int storageId, long bytesIn, long bytesOut, long compactedAtMillis) {}

  /** What system_views measures by table. */
  enum MeasuredKind {
    /** Reads of one partition, at the coordinator. */
    COORDINATOR_READ_LATENCY,
    /** Reads of ranges, at the coordinator. */
    COORDINATOR_SCAN_LATENCY,
    /** Writes, at the coordinator. */
    COORDINATOR_WRITE_LATENCY,
    /** Reads of one partition, at the replica. */
    LOCAL_READ_LATENCY,
    /** Reads of ranges, at the replica. */
    LOCAL_SCAN_LATENCY,
    /** Writes, at the replica. */
    LOCAL_WRITE_LATENCY,
    /** Rows that a read has returned. */
    ROWS_PER_READ,
    /** Tombstones that a read has met. */
    TOMBSTONES_PER_READ
  }

  /** A histogram's summary; latencies in milliseconds. */
  record Measurement(
      int storageId, long count, double max, double p50, double p99, double perSecond) {}

  /** A prepared statement. */
  record PreparedStatement(byte[] id, @Nullable String keyspace, String query) {}

  /** A request being served. */
  record RunningQuery(String threadId, long queuedMicros, long runningMicros, String task) {}
}
