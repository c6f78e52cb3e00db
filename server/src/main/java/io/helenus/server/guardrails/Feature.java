package io.helenus.server.guardrails;

/** A guardrail that switches a feature off, or warns about its use. */
public enum Feature {
  /** USING TIMESTAMP. */
  USER_TIMESTAMPS("user_timestamps", "User provided timestamps (USING TIMESTAMP)"),
  /** GROUP BY. */
  GROUP_BY("group_by", "GROUP BY functionality"),
  /** ALTER TABLE that adds, drops or renames columns. */
  ALTER_TABLE("alter_table", "ALTER TABLE changing columns"),
  /** DROP TABLE and TRUNCATE. */
  DROP_TRUNCATE_TABLE("drop_truncate_table_enabled", "DROP and TRUNCATE TABLE functionality"),
  /** DROP KEYSPACE. */
  DROP_KEYSPACE("drop_keyspace_enabled", "DROP KEYSPACE functionality"),
  /** CREATE INDEX. */
  SECONDARY_INDEXES("secondary_indexes", "Creating secondary indexes"),
  /** Queries of indexes that do not name partitions. */
  NON_PARTITION_RESTRICTED_INDEX_QUERY(
      "non_partition_restricted_index_query_enabled",
      "Non-partition key restricted query",
      "Executing a query on secondary indexes without partition key restriction might degrade"
          + " performance"),
  /** Tables whose SSTables are not compressed. */
  UNCOMPRESSED_TABLES("uncompressed_tables_enabled", "Uncompressed table"),
  /** New tables WITH COMPACT STORAGE. */
  COMPACT_TABLES("compact_tables", "Creation of new COMPACT STORAGE tables"),
  /** Changes of lists by index or value. */
  READ_BEFORE_WRITE_LIST_OPERATIONS(
      "read_before_write_list_operations", "List operation requiring read before write"),
  /** ALLOW FILTERING. */
  ALLOW_FILTERING(
      "allow_filtering",
      "Querying with ALLOW FILTERING",
      "ALLOW FILTERING can potentially visit all the data in the table and have unpredictable"
          + " performance."),
  /** Keyspaces with SimpleStrategy. */
  SIMPLE_STRATEGY("simplestrategy", "SimpleStrategy"),
  /** Vectors. */
  VECTOR_TYPE("vector_type_enabled", "usage of the vector type"),
  /** TimeWindowCompactionStrategy without a default TTL. */
  ZERO_TTL_ON_TWCS(
      "zero_ttl_on_twcs",
      "0 default_time_to_live on a table with TimeWindowCompactionStrategy compaction strategy",
      "It is suspicious to use default_time_to_live set to 0 with such compaction strategy. Please"
          + " keep in mind that data will not start to automatically expire after they are older"
          + " than a respective compaction window unit of a certain size. Please set TTL for your"
          + " INSERT or UPDATE statements if you expect data to be expired as table settings will"
          + " not do it. ");

  private static final String ENABLED = "_enabled";

  private final String key;
  private final String use;
  private final String reason;

  Feature(String key, String use) {
    this(key, use, "");
  }

  Feature(String key, String use, String reason) {
    this.key = key;
    this.use = use;
    this.reason = reason;
  }

  /** The setting that switches it off. */
  public String enabledSetting() {
    return key.endsWith(ENABLED) ? key : key + ENABLED;
  }

  /** The feature in the texts of violations. */
  public String use() {
    return use;
  }

  String notAllowed(String what) {
    return Guardrails.text(key, what + " is not allowed", reason);
  }

  String notRecommended(String what) {
    return Guardrails.text(key, what + " is not recommended", reason);
  }
}
