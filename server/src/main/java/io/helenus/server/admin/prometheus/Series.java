package io.helenus.server.admin.prometheus;

import java.util.List;

/**
 * The metrics of a node. A name is derived from the one in Cassandra's JMX: {@code
 * org.apache.cassandra.metrics:type=TYPE,name=NAME} is {@code cassandra_type_name}, with the unit
 * appended, and {@code _total} by the format if it is a counter; scopes are labels. Metrics that
 * Cassandra lacks begin with {@code helenus}. docs/operating.md has the same list; a test keeps
 * them equal.
 */
public enum Series {
  /** Latencies of requests. */
  REQUEST_LATENCY(
      "cassandra_clientrequest_latency_seconds",
      Type.HISTOGRAM,
      "latencies at the coordinator; scopes Read, RangeSlice, Write, CASWrite",
      "scope"),
  /** Timeouts of requests. */
  REQUEST_TIMEOUTS(
      "cassandra_clientrequest_timeouts", Type.COUNTER, "requests that timed out", "scope"),
  /** Requests that lacked replicas. */
  REQUEST_UNAVAILABLES(
      "cassandra_clientrequest_unavailables",
      Type.COUNTER,
      "requests refused because too few replicas were alive",
      "scope"),
  /** Failed requests. */
  REQUEST_FAILURES(
      "cassandra_clientrequest_failures",
      Type.COUNTER,
      "requests that failed in another way",
      "scope"),
  /** Given up by replicas. */
  DROPPED(
      "cassandra_droppedmessage_dropped",
      Type.COUNTER,
      "work that was given up because its deadline had passed",
      "scope"),
  /** Latencies of writes to views. */
  VIEW_WRITE_LATENCY(
      "cassandra_clientrequest_viewwritelatency_seconds",
      Type.HISTOGRAM,
      "from when a write to a table is visible until its changes of views in other partitions are;"
          + " scope ViewWrite",
      "scope"),
  /** Writes to views that were begun. */
  VIEW_WRITES_ATTEMPTED(
      "cassandra_clientrequest_viewreplicasattempted",
      Type.COUNTER,
      "changes of partitions of views, other than the table's own",
      "scope"),
  /** Writes to views that were carried out. */
  VIEW_WRITES_SUCCEEDED(
      "cassandra_clientrequest_viewreplicassuccess",
      Type.COUNTER,
      "those that have been carried out",
      "scope"),
  /** Writes to views in progress. */
  VIEW_WRITES_PENDING(
      "cassandra_clientrequest_viewpendingmutations",
      Type.GAUGE,
      "the difference of the two: in progress, or failed and left to the replay of the batch log",
      "scope"),
  /** Connections. */
  CLIENTS("cassandra_client_connectednativeclients", Type.GAUGE, "open client connections"),
  /** EXECUTE. */
  PREPARED_EXECUTED(
      "cassandra_cql_preparedstatementsexecuted", Type.COUNTER, "prepared statements executed"),
  /** QUERY. */
  REGULAR_EXECUTED(
      "cassandra_cql_regularstatementsexecuted", Type.COUNTER, "statements executed from text"),
  /** Prepared statements. */
  PREPARED("cassandra_cql_preparedstatementscount", Type.GAUGE, "prepared statements in memory"),
  /** Evicted prepared statements. */
  PREPARED_EVICTED(
      "cassandra_cql_preparedstatementsevicted",
      Type.COUNTER,
      "prepared statements removed to make room for others"),
  /** Local reads of a table. */
  READ_LATENCY(
      "cassandra_table_readlatency_seconds",
      Type.HISTOGRAM,
      "latencies of reads of one partition at the replica",
      "keyspace",
      "table"),
  /** Local scans of a table. */
  RANGE_LATENCY(
      "cassandra_table_rangelatency_seconds",
      Type.HISTOGRAM,
      "latencies of reads of ranges at the replica",
      "keyspace",
      "table"),
  /** Local writes to a table. */
  WRITE_LATENCY(
      "cassandra_table_writelatency_seconds",
      Type.HISTOGRAM,
      "latencies of writes at the replica",
      "keyspace",
      "table"),
  /** Waiting before changes of views. */
  VIEW_LOCK_TIME(
      "cassandra_table_viewlockacquiretime_seconds",
      Type.HISTOGRAM,
      "how long writes to a table with views waited for others of their partition",
      "keyspace",
      "table"),
  /** Reading for views. */
  VIEW_READ_TIME(
      "cassandra_table_viewreadtime_seconds",
      Type.HISTOGRAM,
      "how long it took to read the rows from which changes of views are computed",
      "keyspace",
      "table"),
  /** Rows per read. */
  LIVE_SCANNED(
      "cassandra_table_livescannedhistogram",
      Type.SUMMARY,
      "live rows that a read encountered: number of reads, sum of rows",
      "keyspace",
      "table"),
  /** Tombstones per read. */
  TOMBSTONES_SCANNED(
      "cassandra_table_tombstonescannedhistogram",
      Type.SUMMARY,
      "tombstones that a read encountered: number of reads, sum of tombstones",
      "keyspace",
      "table"),
  /** Files. */
  SSTABLES("cassandra_table_livesstablecount", Type.GAUGE, "SSTables", "keyspace", "table"),
  /** Their size. */
  DISK_SPACE(
      "cassandra_table_livediskspaceused_bytes",
      Type.GAUGE,
      "size of the SSTables",
      "keyspace",
      "table"),
  /** Storage-attached indexes. */
  INDEXES(
      "cassandra_storageattachedindex_totalindexcount",
      Type.GAUGE,
      "storage-attached indexes, of tables that have any",
      "keyspace",
      "table"),
  /** Those that are built. */
  QUERYABLE_INDEXES(
      "cassandra_storageattachedindex_totalqueryableindexcount",
      Type.GAUGE,
      "those of them that are built",
      "keyspace",
      "table"),
  /** Those that are not. */
  INDEX_BUILDS(
      "cassandra_storageattachedindex_totalindexbuildsinprogress",
      Type.GAUGE,
      "those of them that are being built",
      "keyspace",
      "table"),
  /** Their files. */
  INDEX_FILES(
      "cassandra_storageattachedindex_openindexfiles",
      Type.GAUGE,
      "their files, one for each index and SSTable",
      "keyspace",
      "table"),
  /** Their size. */
  INDEX_DISK_SPACE(
      "cassandra_storageattachedindex_diskused_bytes",
      Type.GAUGE,
      "size of these files",
      "keyspace",
      "table"),
  /** Searches of vectors. */
  VECTOR_SEARCHES(
      "helenus_vectorsearch_searches",
      Type.COUNTER,
      "searches of indexes of vectors, one per query and shard; kinds graph (of one file or more)"
          + " and exact (all vectors that came into question were compared)",
      "keyspace",
      "table",
      "kind"),
  /** What they compared. */
  VECTORS_COMPARED(
      "helenus_vectorsearch_comparedvectors",
      Type.COUNTER,
      "vectors that they compared",
      "keyspace",
      "table"),
  /** How long they took. */
  VECTOR_SEARCH_LATENCY(
      "helenus_vectorsearch_latency_seconds",
      Type.SUMMARY,
      "how long they took, with the reads of the rows that they found: number of searches, sum",
      "keyspace",
      "table"),
  /** Memtables. */
  MEMTABLES(
      "cassandra_table_allmemtableslivedatasize_bytes",
      Type.GAUGE,
      "memory of the memtables",
      "keyspace",
      "table"),
  /** Partitions. */
  PARTITIONS(
      "cassandra_table_estimatedpartitioncount",
      Type.GAUGE,
      "partitions, counted once per SSTable",
      "keyspace",
      "table"),
  /** The largest partition. */
  LARGEST_PARTITION(
      "cassandra_table_maxpartitionsize_bytes",
      Type.GAUGE,
      "the largest partition in an SSTable, uncompressed",
      "keyspace",
      "table"),
  /** The tombstones of the partition that has the most. */
  MOST_TOMBSTONES(
      "helenus_table_maxpartitiontombstones",
      Type.GAUGE,
      "the tombstones of the partition that has the most in the SSTables; 0 below 1000",
      "keyspace",
      "table"),
  /** Size of all tables. */
  LOAD("cassandra_storage_load_bytes", Type.GAUGE, "size of all SSTables"),
  /** Running tasks. */
  ACTIVE_TASKS(
      "cassandra_threadpools_activetasks", Type.GAUGE, "tasks in progress", "path", "scope"),
  /** Waiting tasks. */
  PENDING_TASKS(
      "cassandra_threadpools_pendingtasks", Type.GAUGE, "tasks that wait", "path", "scope"),
  /** Finished tasks. */
  COMPLETED_TASKS(
      "cassandra_threadpools_completedtasks", Type.COUNTER, "tasks done", "path", "scope"),
  /** The limit of running tasks. */
  MAX_POOL_SIZE(
      "cassandra_threadpools_maxpoolsize",
      Type.GAUGE,
      "tasks that can be in progress at a time",
      "path",
      "scope"),
  /** Waiting compactions. */
  COMPACTIONS_PENDING(
      "cassandra_compaction_pendingtasks", Type.GAUGE, "compactions that wait or are in progress"),
  /** Finished compactions. */
  COMPACTIONS("cassandra_compaction_completedtasks", Type.COUNTER, "compactions done"),
  /** Compacted bytes. */
  COMPACTED_BYTES(
      "cassandra_compaction_bytescompacted", Type.COUNTER, "bytes that compactions have replaced"),
  /** Size of the commit log. */
  LOG_SIZE(
      "cassandra_commitlog_totalcommitlogsize_bytes",
      Type.GAUGE,
      "size of the segments in use, those of earlier starts included"),
  /** Durable records. */
  LOG_COMPLETED(
      "cassandra_commitlog_completedtasks",
      Type.COUNTER,
      "mutations that became as durable as commitlog_sync requires"),
  /** Records that are not durable yet. */
  LOG_PENDING("cassandra_commitlog_pendingtasks", Type.GAUGE, "mutations that are not yet"),
  /** The budget of a cache. */
  CACHE_CAPACITY("cassandra_cache_capacity_bytes", Type.GAUGE, "limit of the cache", "scope"),
  /** The size of a cache. */
  CACHE_SIZE("cassandra_cache_size_bytes", Type.GAUGE, "size of the cache", "scope"),
  /** The blocks in a cache. */
  CACHE_ENTRIES("cassandra_cache_entries", Type.GAUGE, "blocks in the cache", "scope"),
  /** Lookups. */
  CACHE_REQUESTS("cassandra_cache_requests", Type.COUNTER, "lookups", "scope"),
  /** Successful lookups. */
  CACHE_HITS("cassandra_cache_hits", Type.COUNTER, "lookups that found their block", "scope"),
  /** Failed lookups. */
  CACHE_MISSES("cassandra_cache_misses", Type.COUNTER, "lookups that did not", "scope"),
  /** Read repairs. */
  READ_REPAIRS(
      "cassandra_readrepair_attempted",
      Type.COUNTER,
      "reads that wrote to replicas what they lacked"),
  /** Differences between replicas. */
  DIGEST_MISMATCHES(
      "cassandra_readrepair_repairedblocking",
      Type.COUNTER,
      "reads whose replicas sent different digests"),
  /** Members of the cluster. */
  MEMBERS(
      "helenus_cluster_members",
      Type.GAUGE,
      "members of the cluster as this node sees them, itself included; states up and down",
      "state"),
  /** Links. */
  LINKS(
      "helenus_internode_links",
      Type.GAUGE,
      "open links to other nodes, one for each shard and node"),
  /** Opened links. */
  LINKS_OPENED(
      "helenus_internode_connections", Type.COUNTER, "links that were opened, by either side"),
  /** Bytes. */
  LINK_BYTES(
      "helenus_internode_bytes",
      Type.COUNTER,
      "bytes of links, heartbeats included; directions in and out",
      "direction"),
  /** Messages. */
  LINK_MESSAGES(
      "helenus_internode_messages",
      Type.COUNTER,
      "messages of links, each acknowledgement included; directions in and out",
      "direction"),
  /** Messages that were not sent. */
  LINK_DROPPED(
      "helenus_internode_dropped",
      Type.COUNTER,
      "messages that were not sent, because too much was waiting"),
  /** Messages that came too late. */
  LINK_LATE(
      "helenus_internode_late",
      Type.COUNTER,
      "requests that arrived after their deadline, and replies that nobody waited for any more"),
  /** The node. */
  BUILD("helenus_build", Type.INFO, "always 1", "version"),
  /** Resident set. */
  RESIDENT("process_resident_memory_bytes", Type.GAUGE, "memory of the process"),
  /** Limits of shares. */
  MEMORY_LIMIT("helenus_memory_limit_bytes", Type.GAUGE, "limit of a share of memory", "share"),
  /** Use of shares. */
  MEMORY_USED("helenus_memory_used_bytes", Type.GAUGE, "what is used of the share", "share"),
  /** The highest use of shares. */
  MEMORY_HIGH_WATER(
      "helenus_memory_highwater_bytes", Type.GAUGE, "the most used since the start", "share"),
  /** Free memory of shares. */
  MEMORY_KEPT(
      "helenus_memory_kept_bytes",
      Type.GAUGE,
      "what is free, but has not been returned to the system",
      "share"),
  /** The share of the hottest partition. */
  HOTTEST_PARTITION(
      "helenus_hottest_partition_share",
      Type.GAUGE,
      "the share of the node's requests that go to the partition with the most of them, from 0 to"
          + " 1; kinds read and write",
      "kind"),
  /** Tables without series of their own. */
  TABLES_SUMMED(
      "helenus_metrics_tables_summed",
      Type.GAUGE,
      "tables beyond metrics_table_limit, shown together as keyspace and table (other)");

  /** The types of the formats. */
  enum Type {
    COUNTER,
    GAUGE,
    HISTOGRAM,
    SUMMARY,
    INFO
  }

  private final String title;
  private final Type type;
  private final String help;
  private final List<String> labels;

  Series(String title, Type type, String help, String... labels) {
    this.title = title;
    this.type = type;
    this.help = help;
    this.labels = List.of(labels);
  }

  /** The name without the suffixes that the format adds. */
  String title() {
    return title;
  }

  Type type() {
    return type;
  }

  String help() {
    return help;
  }

  /** The names of its labels. */
  List<String> labels() {
    return labels;
  }
}
