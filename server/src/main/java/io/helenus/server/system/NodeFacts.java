package io.helenus.server.system;

import io.helenus.server.metrics.TableMetric;
import io.helenus.server.shard.Shard;
import io.helenus.server.viewbuild.ViewBuilds;
import io.helenus.storage.engine.IndexFile;
import io.helenus.storage.engine.PartitionNotes;
import io.helenus.storage.engine.StorageActivity;
import io.helenus.storage.engine.TableStatistics;
import io.helenus.storage.engine.VectorSearchCounts;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The facts about the node that system tables show. Any shard's thread; returned values do not
 * change. Counts are since the node started.
 */
public interface NodeFacts {
  /** The version of Cassandra that Helenus is compatible with, for drivers and cqlsh. */
  String RELEASE_VERSION = "5.0.0";

  /** The version of CQL. */
  String CQL_VERSION = "3.4.7";

  /** The highest stable version of the native protocol. */
  String NATIVE_PROTOCOL_VERSION = "5";

  /** Helenus' own version. */
  String helenusVersion();

  /** The address at which other nodes reach this one. */
  Endpoint broadcast();

  /** The address on which this node listens for other nodes. */
  Endpoint listen();

  /** The address at which clients reach this node; never a wildcard. */
  Endpoint nativeTransport();

  /** When the node started, in seconds since 1970. */
  int startedSeconds();

  /** What this node knows of the other members. */
  ClusterFacts cluster();

  /** The connected clients. */
  List<Client> clients();

  /** The shares of the memory of the process. */
  List<MemoryUse> memory();

  /** The configuration, by key; null for settings without a value. */
  SortedMap<String, @Nullable String> settings();

  /** The storage statistics of a table; null if storage does not contain the table. */
  @Nullable TableStatistics statistics(int storageId);

  /** What was noted of a table's partitions when its files were written. */
  PartitionNotes partitionNotes(int storageId);

  /** The tombstones of the noted partition of a table that has the most; 0 for none. */
  default long mostTombstones(int storageId) {
    List<PartitionNotes.Partition> heavy = partitionNotes(storageId).tombstoneHeavy();
    return heavy.isEmpty() ? 0 : heavy.getFirst().tombstones();
  }

  /** The time of a table's last truncation in microseconds since 1970; 0 if never truncated. */
  long truncatedAtMicros(int storageId);

  /** Whether an index covers all data of its table. */
  boolean isIndexBuilt(int storageId, int indexId);

  /** The files of a table's indexes, as far as they are built. */
  List<IndexFile> indexFiles(int storageId);

  /** The searches of a table's indexes of vectors since the start. */
  VectorSearchCounts vectorSearches(int storageId);

  /** All materialized views by name, with how far their builds are. */
  List<ViewBuilds.Progress> viewBuilds();

  /** Flushes and compactions, running and finished. */
  StorageActivity storageActivity();

  /** The prepared statements in the cache. */
  List<PreparedStatement> preparedStatements();

  /** The Java system properties to show. */
  SortedMap<String, String> properties();

  /**
   * Collects statistics from every shard.
   *
   * @param kind the metric to report for tables; null for none
   * @param tableIds the storage ids of the tables to report
   * @param then called on the requesting shard's thread
   */
  void gather(
      Shard asking,
      @Nullable TableMetric kind,
      int[] tableIds,
      Consumer<? super NodeStatistics> then);

  /**
   * A share of the memory of the process, in bytes.
   *
   * @param name what it is used for
   * @param limit the most that may be used
   * @param used what is used now
   * @param highWater the most that was used since the start
   * @param kept what is free, but has not been returned to the system
   */
  record MemoryUse(String name, long limit, long used, long highWater, long kept) {}

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

  /** A prepared statement. */
  record PreparedStatement(byte[] id, @Nullable String keyspace, String query) {}
}
