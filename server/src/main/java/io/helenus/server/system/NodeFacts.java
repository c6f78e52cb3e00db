package io.helenus.server.system;

import io.helenus.server.metrics.MeasuredKind;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.StorageActivity;
import io.helenus.storage.engine.TableStatistics;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
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

  /** When a table was last truncated, in microseconds since 1970; 0 for never. */
  long truncatedAtMicros(int storageId);

  /** What storage does beside the shards, and did. */
  StorageActivity storageActivity();

  /** The prepared statements kept now. */
  List<PreparedStatement> preparedStatements();

  /** Properties of the process that matter to it. */
  SortedMap<String, String> properties();

  /**
   * Asks every shard what it has measured.
   *
   * @param kind what to report of tables; null for nothing
   * @param tableIds the storage ids of the tables to report
   * @param then called on the asking shard's thread
   */
  void gather(
      Shard asking,
      @Nullable MeasuredKind kind,
      int[] tableIds,
      Consumer<? super GatheredFacts> then);

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
