package io.helenus.server.config;

import java.util.ArrayList;
import java.util.List;

/**
 * A configuration key: its name (as in cassandra.yaml if the meaning is the same), the kind of its
 * values and its default. {@code conf/helenus.yaml} documents every key; a test checks that both
 * agree.
 *
 * @param name the key
 * @param kind the kind of its values
 * @param defaultText the default in the notation of the file; empty if there is none
 * @param choices the allowed words of a {@link Kind#CHOICE} or {@link Kind#LIST}
 * @param minimum the smallest valid number, duration or size, in the notation of the file
 * @param maximum the largest valid one; empty if unlimited
 */
public record Setting(
    String name,
    Kind kind,
    String defaultText,
    List<String> choices,
    String minimum,
    String maximum) {
  /** Kinds of values. */
  public enum Kind {
    /** Any text, including none. */
    TEXT,
    /** A whole number. */
    NUMBER,
    /** A decimal number. */
    DECIMAL,
    /** true or false. */
    BOOLEAN,
    /** A number with d, h, m, s, ms, us or ns. */
    DURATION,
    /** A number with B, KiB, MiB or GiB. */
    SIZE,
    /** A size, or the word auto. */
    AUTO_SIZE,
    /** One of a fixed set of words. */
    CHOICE,
    /** Several of a fixed set of words: {@code [a, b]}. */
    LIST,
    /** Nodes: {@code host, host:port, [IPv6]:port}. */
    NODES,
    /** Tokens: {@code -1, 2}. */
    TOKENS
  }

  private static Setting text(String name, String defaultText) {
    return new Setting(name, Kind.TEXT, defaultText, List.of(), "", "");
  }

  private static Setting number(String name, String defaultText, String minimum, String maximum) {
    return new Setting(name, Kind.NUMBER, defaultText, List.of(), minimum, maximum);
  }

  private static Setting duration(String name, String defaultText, String minimum, String maximum) {
    return new Setting(name, Kind.DURATION, defaultText, List.of(), minimum, maximum);
  }

  private static Setting size(String name, String defaultText, String minimum, String maximum) {
    return new Setting(name, Kind.SIZE, defaultText, List.of(), minimum, maximum);
  }

  /** The cluster name shown to clients; fixed at the first start. */
  public static final Setting CLUSTER_NAME = text("cluster_name", "Test Cluster");

  /** The number of tokens that the node chooses on its first start. */
  public static final Setting NUM_TOKENS = number("num_tokens", "16", "1", "1024");

  /** The tokens that the node takes on its first start, instead of choosing them. */
  public static final Setting INITIAL_TOKEN =
      new Setting("initial_token", Kind.TOKENS, "", List.of(), "", "");

  /** The datacenter of the node. */
  public static final Setting DATA_CENTER = text("data_center", "datacenter1");

  /** The rack of the node. */
  public static final Setting RACK = text("rack", "rack1");

  /** The directory of all persistent data. */
  public static final Setting DATA_DIRECTORY = text("data_directory", "data");

  /** Whether snapshots are taken before DROP and TRUNCATE. */
  public static final Setting AUTO_SNAPSHOT =
      new Setting("auto_snapshot", Kind.BOOLEAN, "true", List.of(), "", "");

  /** The nodes through which this one finds its cluster; without a value it is a single node. */
  public static final Setting SEEDS = new Setting("seeds", Kind.NODES, "", List.of(), "", "");

  /** How many members a new cluster has before it serves clients. */
  public static final Setting INITIAL_CLUSTER_SIZE =
      number("initial_cluster_size", "1", "1", "1000");

  /** The address that other nodes connect to. */
  public static final Setting LISTEN_ADDRESS = text("listen_address", "localhost");

  /** The address announced to other nodes, if it differs from the listen address. */
  public static final Setting BROADCAST_ADDRESS = text("broadcast_address", "");

  /** The port that other nodes connect to. */
  public static final Setting STORAGE_PORT = number("storage_port", "7000", "1", "65535");

  /** From which value of phi on another node counts as down. */
  public static final Setting PHI_CONVICT_THRESHOLD =
      new Setting("phi_convict_threshold", Kind.DECIMAL, "8", List.of(), "5", "16");

  /** The address that clients connect to. */
  public static final Setting RPC_ADDRESS = text("rpc_address", "127.0.0.1");

  /** The address advertised to clients, if it differs from {@link #RPC_ADDRESS}. */
  public static final Setting BROADCAST_RPC_ADDRESS = text("broadcast_rpc_address", "");

  /** The port that clients connect to. */
  public static final Setting NATIVE_TRANSPORT_PORT =
      number("native_transport_port", "9042", "0", "65535");

  /** The address of the administration endpoint. */
  public static final Setting ADMIN_ADDRESS = text("admin_address", "127.0.0.1");

  /** Its port; without a value 7199, or a free one if that is in use. */
  public static final Setting ADMIN_PORT = number("admin_port", "", "0", "65535");

  /** The file with its token; without a value the node makes one at every start. */
  public static final Setting ADMIN_TOKEN_FILE = text("admin_token_file", "");

  /** The address of a second endpoint that only answers /health, /ready and /metrics. */
  public static final Setting HEALTH_ADDRESS = text("health_address", "127.0.0.1");

  /** Its port; without a value there is no such endpoint. */
  public static final Setting HEALTH_PORT = number("health_port", "", "0", "65535");

  /** How many tables have metrics of their own. */
  public static final Setting METRICS_TABLE_LIMIT =
      number("metrics_table_limit", "100", "0", "10000");

  /** The number of shards; 0 means one per core. */
  public static final Setting SHARDS = number("shards", "0", "0", "1024");

  /** When an acknowledged write is synced to disk. */
  public static final Setting COMMITLOG_SYNC =
      new Setting(
          "commitlog_sync", Kind.CHOICE, "periodic", List.of("periodic", "batch", "group"), "", "");

  /** How often the log is synced in periodic mode. */
  public static final Setting COMMITLOG_SYNC_PERIOD =
      duration("commitlog_sync_period", "10000ms", "1ms", "");

  /** How long writes are collected before a sync in group mode. */
  public static final Setting COMMITLOG_SYNC_GROUP_WINDOW =
      duration("commitlog_sync_group_window", "15ms", "1us", "10s");

  /** The size of a log segment. */
  public static final Setting COMMITLOG_SEGMENT_SIZE =
      size("commitlog_segment_size", "32MiB", "16KiB", "1GiB");

  /** The largest accepted mutation; defaults to half a segment. */
  public static final Setting MAX_MUTATION_SIZE = size("max_mutation_size", "", "1KiB", "512MiB");

  /** Total size of the commit log; above it, the oldest memtables are flushed. */
  public static final Setting COMMITLOG_TOTAL_SPACE =
      size("commitlog_total_space", "1GiB", "16KiB", "");

  /** Whether start-up skips damaged commit log records instead of failing. */
  public static final Setting COMMITLOG_SKIP_DAMAGED =
      new Setting("commitlog_skip_damaged", Kind.BOOLEAN, "false", List.of(), "", "");

  /** What the process may take. */
  public static final Setting MEMORY =
      new Setting("memory", Kind.AUTO_SIZE, "auto", List.of(), "224MiB", "");

  /** The size of all memtables above which they are flushed; without a value a share of memory. */
  public static final Setting MEMTABLE_OFFHEAP_SPACE =
      size("memtable_offheap_space", "", "64KiB", "");

  /** The size of all cached blocks; without a value what the other shares of memory leave. */
  public static final Setting BLOCK_CACHE_SIZE = size("block_cache_size", "", "0B", "");

  /** The largest accepted request. */
  public static final Setting NATIVE_TRANSPORT_MAX_FRAME_SIZE =
      size("native_transport_max_frame_size", "16MiB", "1KiB", "256MiB");

  /** Maximum number of connections; -1 for no limit. */
  public static final Setting NATIVE_TRANSPORT_MAX_CONCURRENT_CONNECTIONS =
      number("native_transport_max_concurrent_connections", "10000", "-1", "");

  /** Maximum number of connections per address; -1 for no limit. */
  public static final Setting NATIVE_TRANSPORT_MAX_CONCURRENT_CONNECTIONS_PER_IP =
      number("native_transport_max_concurrent_connections_per_ip", "-1", "-1", "");

  /** Bytes of requests in flight, total; without a value a share of memory. */
  public static final Setting NATIVE_TRANSPORT_MAX_REQUEST_DATA_IN_FLIGHT =
      size("native_transport_max_request_data_in_flight", "", "1KiB", "");

  /** Bytes of requests in flight, per connection. */
  public static final Setting NATIVE_TRANSPORT_MAX_REQUEST_DATA_IN_FLIGHT_PER_CONNECTION =
      size("native_transport_max_request_data_in_flight_per_connection", "32MiB", "1KiB", "");

  /** How long a new connection may take to send its first message. */
  public static final Setting NATIVE_TRANSPORT_STARTUP_TIMEOUT =
      duration("native_transport_startup_timeout", "10s", "1ms", "");

  /** How long a connection may stall in the middle of a message. */
  public static final Setting NATIVE_TRANSPORT_UNFINISHED_MESSAGE_TIMEOUT =
      duration("native_transport_unfinished_message_timeout", "60s", "1ms", "");

  /** Memory for prepared statements; without a value a share of the heap. */
  public static final Setting PREPARED_STATEMENTS_CACHE_SIZE =
      size("prepared_statements_cache_size", "", "0B", "");

  /** How long a read of one partition may take. */
  public static final Setting READ_REQUEST_TIMEOUT =
      duration("read_request_timeout", "5000ms", "1ms", "");

  /** How long a read of a token range may take. */
  public static final Setting RANGE_REQUEST_TIMEOUT =
      duration("range_request_timeout", "10000ms", "1ms", "");

  /** How long a write may take. */
  public static final Setting WRITE_REQUEST_TIMEOUT =
      duration("write_request_timeout", "2000ms", "1ms", "");

  /** How long an increment of counters may take. */
  public static final Setting COUNTER_WRITE_REQUEST_TIMEOUT =
      duration("counter_write_request_timeout", "5000ms", "1ms", "");

  /** How long a conditional write may take. */
  public static final Setting CAS_CONTENTION_TIMEOUT =
      duration("cas_contention_timeout", "1800ms", "1ms", "");

  /** How long a TRUNCATE may take. */
  public static final Setting TRUNCATE_REQUEST_TIMEOUT =
      duration("truncate_request_timeout", "60000ms", "1ms", "");

  /** SELECTs that take longer are logged; 0 to log none. */
  public static final Setting SLOW_QUERY_LOG_TIMEOUT =
      duration("slow_query_log_timeout", "500ms", "0ms", "");

  /** The file that the log is written to instead of standard output. */
  public static final Setting LOG_FILE = text("log_file", "");

  /** The size at which a log file is closed and the next one begins. */
  public static final Setting LOG_FILE_SIZE = size("log_file_size", "20MiB", "64KiB", "2GiB");

  /** How many log files are kept, the current one included. */
  public static final Setting LOG_FILES = number("log_files", "10", "2", "20");

  /** How lines are written. */
  public static final Setting LOG_FORMAT =
      new Setting("log_format", Kind.CHOICE, "text", List.of("text", "json"), "", "");

  /** Batch size above which clients are warned. */
  public static final Setting BATCH_SIZE_WARN_THRESHOLD =
      size("batch_size_warn_threshold", "5KiB", "0B", "");

  /** Batch size above which batches are rejected. */
  public static final Setting BATCH_SIZE_FAIL_THRESHOLD =
      size("batch_size_fail_threshold", "50KiB", "0B", "");

  /** Partitions of an unlogged batch above which clients are warned. */
  public static final Setting UNLOGGED_BATCH_ACROSS_PARTITIONS_WARN_THRESHOLD =
      number("unlogged_batch_across_partitions_warn_threshold", "10", "0", "");

  /** Tombstones per read above which clients are warned. */
  public static final Setting TOMBSTONE_WARN_THRESHOLD =
      number("tombstone_warn_threshold", "1000", "0", "");

  /** Tombstones per read above which the read is aborted. */
  public static final Setting TOMBSTONE_FAILURE_THRESHOLD =
      number("tombstone_failure_threshold", "100000", "0", "");

  /** The size at which a page of rows ends early. */
  public static final Setting MAX_PAGE_BYTES = size("max_page_bytes", "4MiB", "64KiB", "");

  /** The replication factor of keyspaces that are defined without one. */
  public static final Setting DEFAULT_KEYSPACE_RF = number("default_keyspace_rf", "1", "1", "");

  /** The class of indexes that are created without USING. */
  public static final Setting DEFAULT_SECONDARY_INDEX =
      new Setting(
          "default_secondary_index",
          Kind.CHOICE,
          "legacy_local_table",
          List.of("legacy_local_table", "sai"),
          "",
          "");

  /** Whether indexes may be created without USING. */
  public static final Setting DEFAULT_SECONDARY_INDEX_ENABLED =
      new Setting("default_secondary_index_enabled", Kind.BOOLEAN, "true", List.of(), "", "");

  /** Whether a SELECT that both kinds of indexes support uses storage-attached ones. */
  public static final Setting SAI_OPTIONS_PRIORITIZE_OVER_LEGACY_INDEX =
      new Setting(
          "sai_options.prioritize_over_legacy_index", Kind.BOOLEAN, "false", List.of(), "", "");

  /** Whether columns may be defined with masks. */
  public static final Setting DYNAMIC_DATA_MASKING_ENABLED =
      new Setting("dynamic_data_masking_enabled", Kind.BOOLEAN, "false", List.of(), "", "");

  /** Whether materialized views may be created. */
  public static final Setting MATERIALIZED_VIEWS_ENABLED =
      new Setting("materialized_views_enabled", Kind.BOOLEAN, "false", List.of(), "", "");

  /** Whether statements that Cassandra 5.0 lacks are accepted. */
  public static final Setting CQL_EXTENSIONS =
      new Setting("cql_extensions", Kind.BOOLEAN, "true", List.of(), "", "");

  /** Which rules advise clients about their tables: on, off, or names of rules. */
  public static final Setting SCHEMA_ADVICE = text("schema_advice", "on");

  /** The keyspaces about whose tables no advice is given. */
  public static final Setting SCHEMA_ADVICE_SILENT_KEYSPACES =
      text("schema_advice_silent_keyspaces", "");

  /** Whether the partitions that are read and written most are found. */
  public static final Setting HOT_PARTITIONS_ENABLED =
      new Setting("hot_partitions_enabled", Kind.BOOLEAN, "true", List.of(), "", "");

  /** The keys of the guardrails, which are read by name. */
  public static final List<Setting> GUARDRAILS = GuardrailSettings.all();

  /** All keys, in the order of {@code conf/helenus.yaml}. */
  public static final List<Setting> ALL =
      concat(
          GUARDRAILS,
          CLUSTER_NAME,
          NUM_TOKENS,
          INITIAL_TOKEN,
          DATA_CENTER,
          RACK,
          DATA_DIRECTORY,
          SEEDS,
          INITIAL_CLUSTER_SIZE,
          LISTEN_ADDRESS,
          BROADCAST_ADDRESS,
          STORAGE_PORT,
          PHI_CONVICT_THRESHOLD,
          RPC_ADDRESS,
          BROADCAST_RPC_ADDRESS,
          NATIVE_TRANSPORT_PORT,
          ADMIN_ADDRESS,
          ADMIN_PORT,
          ADMIN_TOKEN_FILE,
          HEALTH_ADDRESS,
          HEALTH_PORT,
          METRICS_TABLE_LIMIT,
          SHARDS,
          COMMITLOG_SYNC,
          COMMITLOG_SYNC_PERIOD,
          COMMITLOG_SYNC_GROUP_WINDOW,
          COMMITLOG_SEGMENT_SIZE,
          MAX_MUTATION_SIZE,
          COMMITLOG_TOTAL_SPACE,
          COMMITLOG_SKIP_DAMAGED,
          AUTO_SNAPSHOT,
          MEMORY,
          MEMTABLE_OFFHEAP_SPACE,
          BLOCK_CACHE_SIZE,
          NATIVE_TRANSPORT_MAX_FRAME_SIZE,
          NATIVE_TRANSPORT_MAX_CONCURRENT_CONNECTIONS,
          NATIVE_TRANSPORT_MAX_CONCURRENT_CONNECTIONS_PER_IP,
          NATIVE_TRANSPORT_MAX_REQUEST_DATA_IN_FLIGHT,
          NATIVE_TRANSPORT_MAX_REQUEST_DATA_IN_FLIGHT_PER_CONNECTION,
          NATIVE_TRANSPORT_STARTUP_TIMEOUT,
          NATIVE_TRANSPORT_UNFINISHED_MESSAGE_TIMEOUT,
          PREPARED_STATEMENTS_CACHE_SIZE,
          READ_REQUEST_TIMEOUT,
          RANGE_REQUEST_TIMEOUT,
          WRITE_REQUEST_TIMEOUT,
          COUNTER_WRITE_REQUEST_TIMEOUT,
          CAS_CONTENTION_TIMEOUT,
          TRUNCATE_REQUEST_TIMEOUT,
          SLOW_QUERY_LOG_TIMEOUT,
          LOG_FILE,
          LOG_FILE_SIZE,
          LOG_FILES,
          LOG_FORMAT,
          BATCH_SIZE_WARN_THRESHOLD,
          BATCH_SIZE_FAIL_THRESHOLD,
          UNLOGGED_BATCH_ACROSS_PARTITIONS_WARN_THRESHOLD,
          TOMBSTONE_WARN_THRESHOLD,
          TOMBSTONE_FAILURE_THRESHOLD,
          MAX_PAGE_BYTES,
          DEFAULT_KEYSPACE_RF,
          DEFAULT_SECONDARY_INDEX,
          DEFAULT_SECONDARY_INDEX_ENABLED,
          SAI_OPTIONS_PRIORITIZE_OVER_LEGACY_INDEX,
          DYNAMIC_DATA_MASKING_ENABLED,
          MATERIALIZED_VIEWS_ENABLED,
          CQL_EXTENSIONS,
          SCHEMA_ADVICE,
          SCHEMA_ADVICE_SILENT_KEYSPACES,
          HOT_PARTITIONS_ENABLED);

  private static List<Setting> concat(List<Setting> guardrails, Setting... others) {
    List<Setting> all = new ArrayList<>(List.of(others));
    all.addAll(guardrails);
    return List.copyOf(all);
  }

  /** The key with this name, which must exist. */
  public static Setting named(String name) {
    for (Setting setting : ALL) {
      if (setting.name().equals(name)) {
        return setting;
      }
    }
    throw new IllegalArgumentException("no setting " + name);
  }
}
