package io.helenus.server.guardrails;

import java.util.Locale;

/** A guardrail with two thresholds: {@code NAME_warn_threshold} and {@code NAME_fail_threshold}. */
public enum Limit {
  /** The number of keyspaces of users. */
  KEYSPACES(
      "Creating keyspace %1$s, current number of keyspaces %2$s exceeds warning threshold of %3$s.",
      "Cannot have more than %3$s keyspaces, aborting the creation of keyspace %1$s"),
  /** The number of tables of users. */
  TABLES(
      "Creating table %1$s, current number of tables %2$s exceeds warning threshold of %3$s.",
      "Cannot have more than %3$s tables, aborting the creation of table %1$s"),
  /** The number of columns of a table. */
  COLUMNS_PER_TABLE(
      "The table %1$s has %2$s columns, this exceeds the warning threshold of %3$s.",
      "Tables cannot have more than %3$s columns, but %2$s provided for table %1$s"),
  /** The number of indexes of a table. */
  SECONDARY_INDEXES_PER_TABLE(
      "Creating secondary index %1$s, current number of indexes %2$s exceeds warning threshold of"
          + " %3$s.",
      "Tables cannot have more than %3$s secondary indexes, aborting the creation of secondary"
          + " index %1$s"),
  /** The number of materialized views of a table. */
  MATERIALIZED_VIEWS_PER_TABLE(
      "Creating materialized view %1$s, current number of views %2$s exceeds warning threshold of"
          + " %3$s.",
      "Tables cannot have more than %3$s materialized views, aborting the creation of materialized"
          + " view %1$s"),
  /** The number of fields of a user type. */
  FIELDS_PER_UDT(
      "The user type %1$s has %2$s columns, this exceeds the warning threshold of %3$s.",
      "User types cannot have more than %3$s columns, but %2$s provided for user type %1$s."),
  /** The dimensions of a vector. */
  VECTOR_DIMENSIONS(
      "%1$s has a vector of %2$s dimensions, this exceeds the %4$s threshold of %3$s."),
  /** The size in bytes of the value of a cell. */
  COLUMN_VALUE_SIZE(
      "Value of column '%1$s' has size %2$s, this exceeds the %4$s threshold of %3$s."),
  /** The size in bytes of a written collection. */
  COLLECTION_SIZE(
      "Detected collection %1$s of size %2$s, this exceeds the %4$s threshold of %3$s."),
  /** The number of elements of a written collection. */
  ITEMS_PER_COLLECTION(
      "Detected collection %1$s with %2$s items, this exceeds the %4$s threshold of %3$s."),
  /** The size in bytes of a value in a storage-attached index that is not frozen. */
  SAI_STRING_TERM_SIZE(
      "Value of column '%1$s' has size %2$s, this exceeds the %4$s threshold of %3$s."),
  /** The size in bytes of a frozen value in a storage-attached index. */
  SAI_FROZEN_TERM_SIZE(
      "Value of column '%1$s' has size %2$s, this exceeds the %4$s threshold of %3$s."),
  /** The size in bytes of a vector in a storage-attached index. */
  SAI_VECTOR_TERM_SIZE(
      "Value of column '%1$s' has size %2$s, this exceeds the %4$s threshold of %3$s."),
  /** The number of files of a storage-attached index in which a SELECT looks. */
  SAI_SSTABLE_INDEXES_PER_QUERY("%2$s SSTable indexes, above the %4$s threshold of %3$s"),
  /** The size in bytes of a partition in a file. */
  PARTITION_SIZE("Partition %1$s has size %2$s, this exceeds the %4$s threshold of %3$s."),
  /** The number of tombstones of a partition in a file. */
  PARTITION_TOMBSTONES(
      "Partition %1$s has %2$s tombstones, this exceeds the %4$s threshold of %3$s."),
  /** The page size that a client asks for. */
  PAGE_SIZE(
      "Query for table %1$s with page size %2$s exceeds warning threshold of %3$s.",
      "Aborting query for table %1$s, page size %2$s exceeds fail threshold of %3$s."),
  /** The number of partitions that a SELECT names with IN. */
  PARTITION_KEYS_IN_SELECT(
      "Query with partition keys in IN clause on table %1$s, with number of partition keys %2$s"
          + " exceeds warning threshold of %3$s.",
      "Aborting query with partition keys in IN clause on table %1$s, number of partition keys %2$s"
          + " exceeds fail threshold of %3$s."),
  /** The number of combinations of the values of several INs. */
  IN_SELECT_CARTESIAN_PRODUCT(
      "The cartesian product of the IN restrictions on %1$s produces %2$s values, this exceeds"
          + " warning threshold of %3$s.",
      "Aborting query because the cartesian product of the IN restrictions on %1$s produces %2$s"
          + " values, this exceeds fail threshold of %3$s."),
  /** The smallest replication factor of a keyspace. */
  MINIMUM_REPLICATION_FACTOR(
      "The keyspace %1$s has a replication factor of %2$s, below the %4$s threshold of %3$s."),
  /** The largest replication factor of a keyspace. */
  MAXIMUM_REPLICATION_FACTOR(
      "The keyspace %1$s has a replication factor of %2$s, above the %4$s threshold of %3$s."),
  /** How much of the disk the data uses, in percent; its violations are local_data_disk_usage. */
  DATA_DISK_USAGE_PERCENTAGE(
      "Local data disk usage %2$s%%(Stuffed) exceeds warning threshold of %3$s%%",
      "Local data disk usage %2$s%%(Full) exceeds failure threshold of %3$s%%, will stop accepting"
          + " writes"),
  /** How far in the future a timestamp may be, in microseconds. */
  MAXIMUM_TIMESTAMP(
      "The modification to table %1$s has a timestamp %2$s after the maximum allowable %4$s"
          + " threshold %3$s"),
  /** How far in the past a timestamp may be, in microseconds. */
  MINIMUM_TIMESTAMP(
      "The modification to table %1$s has a timestamp %2$s before the minimum allowable %4$s"
          + " threshold %3$s");

  private final String warning;
  private final String failure;

  Limit(String text) {
    this(text, text);
  }

  Limit(String warning, String failure) {
    this.warning = warning;
    this.failure = failure;
  }

  /** The name of the guardrail, with which its two settings begin. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  private String shownName() {
    return this == DATA_DISK_USAGE_PERCENTAGE ? "local_data_disk_usage" : key();
  }

  /** Whether values below the thresholds violate it, instead of values above them. */
  boolean isMinimum() {
    return this == MINIMUM_REPLICATION_FACTOR || this == MINIMUM_TIMESTAMP;
  }

  private String reason() {
    return switch (this) {
      case PARTITION_SIZE -> "Too large partitions can cause performance problems.";
      case PARTITION_TOMBSTONES ->
          "Partitions with too many tombstones can cause performance problems.";
      case MAXIMUM_TIMESTAMP ->
          "Timestamps too far in the future can lead to data that can't be easily overwritten";
      case MINIMUM_TIMESTAMP ->
          "Timestamps too far in the past can cause writes can be unexpectedly lost";
      default -> "";
    };
  }

  String warning(String what, long value, long threshold) {
    return Guardrails.text(
        shownName(),
        String.format(Locale.ROOT, warning, what, value, threshold, "warning"),
        reason());
  }

  String failure(String what, long value, long threshold) {
    return Guardrails.text(
        shownName(),
        String.format(Locale.ROOT, failure, what, value, threshold, "failure"),
        reason());
  }
}
