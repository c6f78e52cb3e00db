package io.helenus.server.config;

import java.util.List;

/**
 * A key of the configuration: its name as in cassandra.yaml where the meaning is the same, what
 * kind of value it takes and its default. The sentences that explain them stand in {@code
 * conf/helenus.yaml}, and a test holds the two together.
 *
 * @param name the key
 * @param kind what values it takes
 * @param standard the default, as one would write it
 * @param choices for {@link Kind#CHOICE} the allowed words
 * @param least for numbers, durations and sizes the smallest value that makes sense, as one would
 *     write it
 * @param greatest likewise the largest; empty where there is none
 */
public record Setting(
    String name, Kind kind, String standard, List<String> choices, String least, String greatest) {
  /** Kinds of values. */
  public enum Kind {
    /** Any text; may be empty. */
    TEXT,
    /** A whole number. */
    NUMBER,
    /** A number with a fraction. */
    FRACTION,
    /** true or false. */
    SWITCH,
    /** A number with d, h, m, s, ms, us or ns. */
    DURATION,
    /** A number with B, KiB, MiB or GiB. */
    SIZE,
    /** One of a few words. */
    CHOICE
  }

  private static Setting text(String name, String standard) {
    return new Setting(name, Kind.TEXT, standard, List.of(), "", "");
  }

  private static Setting number(String name, String standard, String least, String greatest) {
    return new Setting(name, Kind.NUMBER, standard, List.of(), least, greatest);
  }

  private static Setting duration(String name, String standard, String least, String greatest) {
    return new Setting(name, Kind.DURATION, standard, List.of(), least, greatest);
  }

  private static Setting size(String name, String standard, String least, String greatest) {
    return new Setting(name, Kind.SIZE, standard, List.of(), least, greatest);
  }

  /** The name that drivers and people see; fixed at the first start. */
  public static final Setting CLUSTER_NAME = text("cluster_name", "Test Cluster");

  /** How many tokens the node takes at its first start. */
  public static final Setting NUM_TOKENS = number("num_tokens", "16", "1", "1024");

  /** The datacenter that the node is in. */
  public static final Setting DATA_CENTER = text("data_center", "datacenter1");

  /** The rack that the node is in. */
  public static final Setting RACK = text("rack", "rack1");

  /** Where everything durable lies. */
  public static final Setting DATA_DIRECTORY = text("data_directory", "data");

  /** The address that clients connect to. */
  public static final Setting RPC_ADDRESS = text("rpc_address", "127.0.0.1");

  /** The address that clients are told, where it is not the one listened on. */
  public static final Setting BROADCAST_RPC_ADDRESS = text("broadcast_rpc_address", "");

  /** The port that clients connect to. */
  public static final Setting NATIVE_TRANSPORT_PORT =
      number("native_transport_port", "9042", "0", "65535");

  /** How many shards; 0 for one a core. */
  public static final Setting SHARDS = number("shards", "0", "0", "1024");

  /** When an acknowledged write is on the disk. */
  public static final Setting COMMITLOG_SYNC =
      new Setting(
          "commitlog_sync", Kind.CHOICE, "periodic", List.of("periodic", "batch", "group"), "", "");

  /** How often the log is synced in periodic mode. */
  public static final Setting COMMITLOG_SYNC_PERIOD =
      duration("commitlog_sync_period", "10000ms", "1ms", "");

  /** How long writes gather before a sync in group mode. */
  public static final Setting COMMITLOG_SYNC_GROUP_WINDOW =
      duration("commitlog_sync_group_window", "15ms", "1us", "10s");

  /** The size of a log segment. */
  public static final Setting COMMITLOG_SEGMENT_SIZE =
      size("commitlog_segment_size", "32MiB", "16KiB", "1GiB");

  /** The largest mutation taken; half a segment unless set lower. */
  public static final Setting MAX_MUTATION_SIZE = size("max_mutation_size", "", "1KiB", "512MiB");

  /** Above this the oldest memtables are flushed. */
  public static final Setting COMMITLOG_TOTAL_SPACE =
      size("commitlog_total_space", "1GiB", "16KiB", "");

  /** Whether a damaged log is read as far as it goes, or stops the start. */
  public static final Setting COMMITLOG_SKIP_DAMAGED =
      new Setting("commitlog_skip_damaged", Kind.SWITCH, "false", List.of(), "", "");

  /** Off-heap bytes of all memtables. */
  public static final Setting MEMTABLE_OFFHEAP_SPACE =
      size("memtable_offheap_space", "128MiB", "64KiB", "");

  /** Off-heap bytes of cached blocks. */
  public static final Setting BLOCK_CACHE_SIZE = size("block_cache_size", "256MiB", "0B", "");

  /** The largest frame taken from a client. */
  public static final Setting NATIVE_TRANSPORT_MAX_FRAME_SIZE =
      size("native_transport_max_frame_size", "16MiB", "1KiB", "256MiB");

  /** Connections in all; -1 for no bound. */
  public static final Setting NATIVE_TRANSPORT_MAX_CONCURRENT_CONNECTIONS =
      number("native_transport_max_concurrent_connections", "10000", "-1", "");

  /** Connections per address; -1 for no bound. */
  public static final Setting NATIVE_TRANSPORT_MAX_CONCURRENT_CONNECTIONS_PER_IP =
      number("native_transport_max_concurrent_connections_per_ip", "-1", "-1", "");

  /** Bytes of requests being worked on, in all. */
  public static final Setting NATIVE_TRANSPORT_MAX_REQUEST_DATA_IN_FLIGHT =
      size("native_transport_max_request_data_in_flight", "128MiB", "1KiB", "");

  /** Bytes of requests being worked on, per connection. */
  public static final Setting NATIVE_TRANSPORT_MAX_REQUEST_DATA_IN_FLIGHT_PER_CONNECTION =
      size("native_transport_max_request_data_in_flight_per_connection", "32MiB", "1KiB", "");

  /** How long a connection may stay silent before its first message. */
  public static final Setting NATIVE_TRANSPORT_STARTUP_TIMEOUT =
      duration("native_transport_startup_timeout", "10s", "1ms", "");

  /** How long a connection may leave a message unfinished without sending a byte of it. */
  public static final Setting NATIVE_TRANSPORT_UNFINISHED_MESSAGE_TIMEOUT =
      duration("native_transport_unfinished_message_timeout", "60s", "1ms", "");

  /** Bytes of prepared statements. */
  public static final Setting PREPARED_STATEMENTS_CACHE_SIZE =
      size("prepared_statements_cache_size", "16MiB", "0B", "");

  /** How long a read of one partition may take. */
  public static final Setting READ_REQUEST_TIMEOUT =
      duration("read_request_timeout", "5000ms", "1ms", "");

  /** How long a read of a token range may take. */
  public static final Setting RANGE_REQUEST_TIMEOUT =
      duration("range_request_timeout", "10000ms", "1ms", "");

  /** How long a write may take. */
  public static final Setting WRITE_REQUEST_TIMEOUT =
      duration("write_request_timeout", "2000ms", "1ms", "");

  /** How long a TRUNCATE may take. */
  public static final Setting TRUNCATE_REQUEST_TIMEOUT =
      duration("truncate_request_timeout", "60000ms", "1ms", "");

  /** Batches above this are warned of. */
  public static final Setting BATCH_SIZE_WARN_THRESHOLD =
      size("batch_size_warn_threshold", "5KiB", "0B", "");

  /** Batches above this are refused. */
  public static final Setting BATCH_SIZE_FAIL_THRESHOLD =
      size("batch_size_fail_threshold", "50KiB", "0B", "");

  /** Unlogged batches over more partitions than this are warned of. */
  public static final Setting UNLOGGED_BATCH_ACROSS_PARTITIONS_WARN_THRESHOLD =
      number("unlogged_batch_across_partitions_warn_threshold", "10", "0", "");

  /** Reads that meet more tombstones than this are warned of. */
  public static final Setting TOMBSTONE_WARN_THRESHOLD =
      number("tombstone_warn_threshold", "1000", "0", "");

  /** Reads that meet more tombstones than this are given up. */
  public static final Setting TOMBSTONE_FAILURE_THRESHOLD =
      number("tombstone_failure_threshold", "100000", "0", "");

  /** All keys, in the order of {@code conf/helenus.yaml}. */
  public static final List<Setting> ALL =
      List.of(
          CLUSTER_NAME,
          NUM_TOKENS,
          DATA_CENTER,
          RACK,
          DATA_DIRECTORY,
          RPC_ADDRESS,
          BROADCAST_RPC_ADDRESS,
          NATIVE_TRANSPORT_PORT,
          SHARDS,
          COMMITLOG_SYNC,
          COMMITLOG_SYNC_PERIOD,
          COMMITLOG_SYNC_GROUP_WINDOW,
          COMMITLOG_SEGMENT_SIZE,
          MAX_MUTATION_SIZE,
          COMMITLOG_TOTAL_SPACE,
          COMMITLOG_SKIP_DAMAGED,
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
          TRUNCATE_REQUEST_TIMEOUT,
          BATCH_SIZE_WARN_THRESHOLD,
          BATCH_SIZE_FAIL_THRESHOLD,
          UNLOGGED_BATCH_ACROSS_PARTITIONS_WARN_THRESHOLD,
          TOMBSTONE_WARN_THRESHOLD,
          TOMBSTONE_FAILURE_THRESHOLD);
}
