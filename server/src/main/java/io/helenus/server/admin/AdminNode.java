package io.helenus.server.admin;

import io.helenus.server.coordinator.Timeouts;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metrics.TableMetric;
import io.helenus.server.replica.PartitionSampler;
import io.helenus.server.system.ClusterView;
import io.helenus.server.system.NodeFacts;
import io.helenus.server.system.NodeStatistics;
import io.helenus.server.viewbuild.ViewVerification;
import io.helenus.storage.engine.FilesToLoad;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The node as commands see it. Methods that throw {@link CommandException} block until they are
 * done, so they must not be called on a shard's thread.
 */
public interface AdminNode extends Health {
  /** The facts that system tables show. */
  NodeFacts facts();

  /** Schema and members. */
  ClusterState state();

  /** This node. */
  ClusterNode self();

  /** The members and the placement of keyspaces, as this node sees them now. */
  default ClusterView cluster() {
    return new ClusterView(state(), self().hostId(), facts());
  }

  /** The number of flushes and compactions that can run at a time. */
  int compactors();

  /**
   * Collects statistics from every shard.
   *
   * @param kind the metric to report for tables; null for none
   * @param tableIds the storage ids of the tables to report
   */
  NodeStatistics statistics(@Nullable TableMetric kind, int[] tableIds) throws CommandException;

  /**
   * Collects what monitoring systems read from every shard.
   *
   * @param tableIds the storage ids of the tables to report
   */
  NodeMeasurements measurements(int[] tableIds) throws CommandException;

  /** The memory of the process that is in use, in bytes; 0 if the system does not tell. */
  long residentBytes();

  /** Flushes the memtables of a table. */
  void flush(int tableId) throws CommandException;

  /** Compacts the files of a table into one per shard. */
  void compact(int tableId) throws CommandException;

  /** Builds an index of a table again and waits for it. */
  void rebuildIndex(int tableId, int indexId) throws CommandException;

  /**
   * Compares a materialized view with its base table while both are written to, and waits for it.
   *
   * @param baseId the storage id of the base table
   * @param viewId the storage id of the view
   * @param repairs whether the view is changed so that it is equal to the table
   * @param goesOn receives now and then what has been compared; false to interrupt the verification
   */
  ViewVerification.Report verifyView(
      int baseId, int viewId, boolean repairs, Predicate<ViewVerification.Counts> goesOn)
      throws CommandException;

  /**
   * Links the files of a table into an existing folder.
   *
   * @param skipFlush whether writes that are not in files yet are left out
   */
  void snapshot(int tableId, String folder, boolean skipFlush) throws CommandException;

  /** Adds the contents of SSTables to a table; they stay as they are. */
  void load(int tableId, FilesToLoad files) throws CommandException;

  /**
   * The paths of the SSTables that contain anything of a partition.
   *
   * @param prefix the key prefix of the partition
   */
  List<String> filesWith(int tableId, byte[] prefix) throws CommandException;

  /**
   * Samples requests by partition for some time; one caller at a time.
   *
   * @return what was sampled on all shards, in no particular order
   */
  Map<PartitionSampler.Kind, List<PartitionSampler.Sample>> sample(
      PartitionSampler.Options options, int millis) throws CommandException;

  /** What the garbage collector has done since the last call. */
  GarbageCollections garbageCollections();

  /** The snapshots in the data folder. */
  Snapshots snapshots();

  /** Waits for the turn to change snapshots, which the caller must end. */
  void takeSnapshotTurn() throws CommandException;

  /** Microseconds since 1970. */
  long nowMicros();

  /** Whether {@link #drain} was called. */
  boolean isDrained();

  /** Stops serving clients until the next start, and flushes all memtables. */
  void drain() throws CommandException;

  /** Accepts clients again; no effect if it does. */
  void startServing() throws CommandException;

  /**
   * Refuses clients and closes their connections; no effect if it does.
   *
   * @param force whether requests in progress are not waited for
   */
  void stopServing(boolean force) throws CommandException;

  /** The timeouts of requests. */
  Timeouts timeouts();

  /** Changes the timeouts of requests, until the next start. */
  void timeouts(Timeouts changed);

  /** The loggers that have a level of their own, and their levels; ROOT comes first. */
  SortedMap<String, String> logLevels();

  /**
   * Changes the level of a logger, until the next start.
   *
   * @param level null to inherit the level
   */
  void logLevel(String logger, @Nullable String level);

  /** Restores the levels of the start. */
  void resetLogLevels();
}
