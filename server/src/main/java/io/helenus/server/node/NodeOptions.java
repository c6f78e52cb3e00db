package io.helenus.server.node;

import io.helenus.server.advice.Silence;
import io.helenus.server.config.ClusterSettings;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.coordinator.Timeouts;
import io.helenus.server.metadata.NodeAddresses;
import io.helenus.server.metadata.NodeIdentity;
import io.helenus.server.query.statement.RequestLimits;
import io.helenus.storage.engine.GraphLimits;
import io.helenus.storage.engine.PartitionLimits;
import io.helenus.storage.engine.StorageOptions;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Converts the settings to the options of the other packages. Stateless. */
public final class NodeOptions {
  private static final int SEGMENT_ALIGNMENT_BYTES = 8;

  private NodeOptions() {}

  static NodeIdentity identity(Settings settings) throws IOException {
    return new NodeIdentity(
        settings.text(Setting.CLUSTER_NAME),
        settings.text(Setting.DATA_CENTER),
        settings.text(Setting.RACK),
        settings.number(Setting.NUM_TOKENS),
        settings.tokens(Setting.INITIAL_TOKEN),
        addresses(settings),
        Version.TEXT);
  }

  /** Where the node is reached; null if the settings do not say, with which it does not start. */
  static @Nullable NodeAddresses addresses(Settings settings) throws IOException {
    String broadcast = settings.text(Setting.BROADCAST_RPC_ADDRESS);
    Setting setting = broadcast.isEmpty() ? Setting.RPC_ADDRESS : Setting.BROADCAST_RPC_ADDRESS;
    InetAddress address = address(setting, settings.text(setting));
    ClusterSettings cluster = settings.cluster();
    return address.isAnyLocalAddress()
        ? null
        : new NodeAddresses(
            cluster == null
                ? new InetSocketAddress(address, RunningNode.STORAGE_PORT)
                : cluster.broadcast(),
            new InetSocketAddress(address, settings.number(Setting.NATIVE_TRANSPORT_PORT)));
  }

  static StorageOptions storage(Settings settings, int shards, PartitionLimits partitionLimits) {
    SyncMode mode =
        SyncMode.valueOf(settings.text(Setting.COMMITLOG_SYNC).toUpperCase(Locale.ROOT));
    Setting period =
        mode == SyncMode.GROUP
            ? Setting.COMMITLOG_SYNC_GROUP_WINDOW
            : Setting.COMMITLOG_SYNC_PERIOD;
    return new StorageOptions(
        shards,
        mode,
        settings.durationNanos(period),
        (int) settings.sizeBytes(Setting.COMMITLOG_SEGMENT_SIZE) & -SEGMENT_ALIGNMENT_BYTES,
        settings.memory().memtableBytes(),
        settings.memory().blockCacheBytes(),
        settings.sizeBytes(Setting.COMMITLOG_TOTAL_SPACE),
        settings.isOn(Setting.COMMITLOG_SKIP_DAMAGED),
        GraphLimits.of(settings.memory().heapBytes(), backgroundThreads()),
        partitionLimits);
  }

  /** The number of threads for flushes and compactions. */
  public static int backgroundThreads() {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }

  /** How long requests may take. */
  public static Timeouts timeouts(Settings settings) {
    return new Timeouts(
        settings.durationNanos(Setting.READ_REQUEST_TIMEOUT),
        settings.durationNanos(Setting.RANGE_REQUEST_TIMEOUT),
        settings.durationNanos(Setting.WRITE_REQUEST_TIMEOUT),
        settings.durationNanos(Setting.COUNTER_WRITE_REQUEST_TIMEOUT),
        settings.durationNanos(Setting.CAS_CONTENTION_TIMEOUT),
        settings.durationNanos(Setting.TRUNCATE_REQUEST_TIMEOUT));
  }

  static RequestLimits requestLimits(Settings settings) {
    return new RequestLimits(
        settings.sizeBytes(Setting.BATCH_SIZE_WARN_THRESHOLD),
        settings.sizeBytes(Setting.BATCH_SIZE_FAIL_THRESHOLD),
        settings.number(Setting.UNLOGGED_BATCH_ACROSS_PARTITIONS_WARN_THRESHOLD),
        settings.sizeBytes(Setting.MAX_MUTATION_SIZE),
        settings.number(Setting.TOMBSTONE_WARN_THRESHOLD),
        settings.number(Setting.TOMBSTONE_FAILURE_THRESHOLD),
        settings.sizeBytes(Setting.MAX_PAGE_BYTES));
  }

  /**
   * The address in a setting.
   *
   * @throws IOException if it is none, or a name that is not known
   */
  public static InetAddress address(Setting setting, String text) throws IOException {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IOException(setting.name() + " '" + text + "' is not a valid address", e);
    }
  }

  /**
   * What is said to clients about their tables and statements.
   *
   * @throws IOException if the setting names a rule that does not exist
   */
  static Silence silence(Settings settings) throws IOException {
    try {
      return Silence.of(
          settings.text(Setting.SCHEMA_ADVICE),
          settings.text(Setting.SCHEMA_ADVICE_SILENT_KEYSPACES));
    } catch (IllegalArgumentException e) {
      throw new IOException(Setting.SCHEMA_ADVICE.name() + ": " + e.getMessage(), e);
    }
  }
}
