package io.helenus.server.conformance;

import io.helenus.server.conformance.GeneratedTable.Column;
import io.helenus.server.conformance.GeneratedTable.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** CREATE, ALTER, DROP, TRUNCATE, DESCRIBE and USE, from a seed. */
final class GeneratedDefinitions {
  private static final List<DataType.Scalar> TYPES =
      List.of(DataType.Scalar.values()).stream()
          .filter(each -> each != DataType.Scalar.COUNTER)
          .toList();
  private static final String[] NUMBERS = {
    "0",
    "1",
    "-1",
    "0.5",
    "1.5",
    "100",
    "'0'",
    "'0.01'",
    "'x'",
    "''",
    "true",
    "{}",
    "{'a': 'b'}",
    "2147483648",
    "-0.1",
    "1e5",
    "NaN",
    "null",
    "0x01",
    "'99p'",
    "'50ms'",
    "''''",
    "1d",
    "'-1'"
  };
  private static final String[] OPTIONS = {
    "additional_write_policy",
    "allow_auto_snapshot",
    "bloom_filter_fp_chance",
    "caching",
    "cdc",
    "comment",
    "compaction",
    "compression",
    "crc_check_chance",
    "default_time_to_live",
    "extensions",
    "gc_grace_seconds",
    "incremental_backups",
    "max_index_interval",
    "memtable",
    "memtable_flush_period_in_ms",
    "min_index_interval",
    "read_repair",
    "speculative_retry",
    "id",
    "nosuch",
    "dclocal_read_repair_chance",
    "read_repair_chance",
    "security_label",
    "populate_io_cache_on_flush"
  };
  private static final String[] MAPS = {
    "{'class': 'SizeTieredCompactionStrategy'}",
    "{'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': '%s'}",
    "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS',"
        + " 'compaction_window_size': '%s'}",
    "{'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'T4', 'min_sstable_size':"
        + " '%sMiB'}",
    "{'class': 'SizeTieredCompactionStrategy', 'min_threshold': '%s'}",
    "{'class': 'SizeTieredCompactionStrategy', 'max_threshold': '%s'}",
    "{'class': 'SizeTieredCompactionStrategy', 'tombstone_threshold': '%s'}",
    "{'class': 'SizeTieredCompactionStrategy', 'bucket_low': '%s', 'bucket_high': '%s'}",
    "{'class': 'SizeTieredCompactionStrategy', 'min_sstable_size': '%s'}",
    "{'class': 'SizeTieredCompactionStrategy', 'enabled': '%s'}",
    "{'class': 'SizeTieredCompactionStrategy', 'unchecked_tombstone_compaction': '%s'}",
    "{'class': 'SizeTieredCompactionStrategy', 'tombstone_compaction_interval': '%s'}",
    "{'class': 'SizeTieredCompactionStrategy', 'log_all': '%s'}",
    "{'class': 'LeveledCompactionStrategy', 'fanout_size': '%s'}",
    "{'class': 'LeveledCompactionStrategy', 'single_sstable_uplevel': '%s'}",
    "{'class': 'TimeWindowCompactionStrategy', 'timestamp_resolution': '%s'}",
    "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': '%s'}",
    "{'class': 'TimeWindowCompactionStrategy', 'expired_sstable_check_frequency_seconds': '%s'}",
    "{'class': 'UnifiedCompactionStrategy', 'scaling_parameters': '%s'}",
    "{'class': 'UnifiedCompactionStrategy', 'target_sstable_size': '%s'}",
    "{'class': 'UnifiedCompactionStrategy', 'base_shard_count': '%s'}",
    "{'class': 'UnifiedCompactionStrategy', 'sstable_growth': '%s'}",
    "{'class': 'UnifiedCompactionStrategy', 'overlap_inclusion_method': '%s'}",
    "{'class': 'UnifiedCompactionStrategy', 'flush_size_override': '%s'}",
    "{'class': 'Nosuch%s'}",
    "{'class': 'LZ4Compressor', 'chunk_length_in_kb': '%s'}",
    "{'class': 'SnappyCompressor', 'chunk_length': '%s'}",
    "{'class': 'DeflateCompressor', 'min_compress_ratio': '%s'}",
    "{'class': 'ZstdCompressor', 'compression_level': '%s'}",
    "{'class': 'LZ4Compressor', 'lz4_compressor_type': '%s'}",
    "{'class': 'LZ4Compressor', 'lz4_high_compressor_level': '%s'}",
    "{'class': 'NoopCompressor'}",
    "{'sstable_compression': 'LZ4Compressor', 'chunk_length_kb': '%s'}",
    "{'sstable_compression': '%s'}",
    "{'enabled': '%s'}",
    "{'enabled': 'false', 'class': 'LZ4Compressor'}",
    "{'keys': 'ALL', 'rows_per_partition': '%s'}",
    "{'keys': '%s'}",
    "{'keys': 'NONE', 'nosuch': '%s'}",
    "{'rows_per_partition': 'ALL'}"
  };
  private static final String[] MAP_VALUES = {
    "1",
    "0",
    "-1",
    "4",
    "32",
    "33",
    "abc",
    "",
    "true",
    "false",
    "0.5",
    "1.5",
    "NaN",
    "99999999999",
    "HOURS",
    "DAYS",
    "MICROSECONDS",
    "ALL",
    "NONE",
    "all",
    "L4",
    "T2, N",
    "1GiB",
    "fast",
    "high",
    "SNAPPY",
    " 4",
    "4 ",
    "1e1",
    "+4",
    "0x10",
    "2147483647",
    "transitive"
  };

  private final Choices choices;
  private int nextTable;
  private int nextColumn;

  GeneratedDefinitions(Choices choices) {
    this.choices = choices;
  }

  /** A keyspace replication that works with one node. */
  String replication() {
    return choices.oneOf(
        "{'class': 'SimpleStrategy', 'replication_factor': 1}",
        "{'class': 'SimpleStrategy', 'replication_factor': '1'}",
        "{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}",
        "{'class': 'org.apache.cassandra.locator.NetworkTopologyStrategy', 'replication_factor':"
            + " 1}");
  }

  GeneratedTable table() {
    List<Column> columns = new ArrayList<>();
    int clustering = choices.below(5);
    addAll(columns, Role.PARTITION, choices.chance(60) ? 1 : 1 + choices.below(3));
    addAll(columns, Role.CLUSTERING, clustering);
    if (clustering > 0) {
      addAll(columns, Role.STATIC, choices.chance(60) ? choices.below(3) : 0);
    }
    addAll(columns, Role.REGULAR, choices.chance(10) ? 0 : 1 + choices.below(6));
    String name = choices.chance(90) ? "t" + nextTable : "\"Tab " + nextTable + "\"";
    nextTable++;
    return new GeneratedTable(name, columns);
  }

  private void addAll(List<Column> columns, Role role, int count) {
    for (int i = 0; i < count; i++) {
      columns.add(column(role));
    }
  }

  private Column column(Role role) {
    DataType.Scalar type = choices.oneOf(TYPES);
    boolean key = role == Role.PARTITION || role == Role.CLUSTERING;
    while (key && type == DataType.Scalar.DURATION) {
      type = choices.oneOf(TYPES);
    }
    String prefix =
        switch (role) {
          case PARTITION -> "p";
          case CLUSTERING -> "c";
          case STATIC -> "s";
          case REGULAR -> "v";
        };
    String name = prefix + nextColumn;
    if (choices.chance(6)) {
      name =
          choices.oneOf(
              "\"" + name + " Q\"", "\"" + name + "é\"", "key_" + name, "\"select" + name + "\"");
    }
    nextColumn++;
    return new Column(name, type, role, role == Role.CLUSTERING && choices.chance(40));
  }

  Script.Statement create(GeneratedTable table) {
    StringBuilder text = new StringBuilder("CREATE TABLE " + table.name() + " (");
    boolean simple = table.clustering().isEmpty() && table.partition().size() == 1;
    boolean inline = simple && choices.chance(70);
    for (Column column : choices.shuffled(table.columns())) {
      text.append(column.name()).append(' ').append(column.type());
      text.append(column.role() == Role.STATIC ? " STATIC" : "");
      text.append(inline && column.isKey() ? " PRIMARY KEY" : "").append(", ");
    }
    if (inline) {
      text.setLength(text.length() - 2);
    } else {
      String partition = GeneratedTable.names(table.partition());
      text.append("PRIMARY KEY (");
      text.append(
          table.partition().size() > 1 || choices.chance(20) ? "(" + partition + ")" : partition);
      if (!table.clustering().isEmpty()) {
        text.append(", ").append(GeneratedTable.names(table.clustering()));
      }
      text.append(')');
    }
    text.append(')').append(with(table));
    return plain(text.toString());
  }

  private String with(GeneratedTable table) {
    List<String> properties = new ArrayList<>();
    if (table.clustering().stream().anyMatch(Column::descending)) {
      properties.add(
          table.clustering().stream()
              .map(each -> each.name() + (each.descending() ? " DESC" : " ASC"))
              .collect(Collectors.joining(", ", "CLUSTERING ORDER BY (", ")")));
    }
    if (choices.chance(30)) {
      properties.add(
          choices.oneOf(
              "comment = 'a ''comment'''",
              "gc_grace_seconds = 100",
              "compression = {'enabled': 'false'}",
              "compaction = {'class': 'LeveledCompactionStrategy'}",
              "caching = {'keys': 'NONE', 'rows_per_partition': '10'}",
              "speculative_retry = '95p'",
              "bloom_filter_fp_chance = 0.1",
              "memtable_flush_period_in_ms = 0"));
    }
    return properties.isEmpty() ? "" : " WITH " + String.join(" AND ", properties);
  }

  private static Script.Statement plain(String text) {
    return new Script.Statement(0, List.of(), List.of(text), List.of());
  }

  /** A query about the definitions. */
  Script.Statement question(String keyspace, GeneratedTable table) {
    String name = unquoted(table.name());
    String where = " WHERE keyspace_name = '" + keyspace + "'";
    String ofTable = where + " AND table_name = '" + name + "'";
    String text =
        choices.oneOf(
            "DESCRIBE TABLE " + table.name(),
            "DESCRIBE TABLE " + table.name() + " WITH INTERNALS",
            "DESCRIBE " + table.name(),
            "DESC " + keyspace + "." + table.name(),
            "DESCRIBE KEYSPACE",
            "DESCRIBE KEYSPACE " + keyspace,
            "DESCRIBE ONLY KEYSPACE " + keyspace,
            "DESCRIBE TABLES",
            "DESCRIBE nosuch",
            "DESCRIBE TYPES",
            "DESCRIBE FUNCTIONS",
            "DESCRIBE INDEX " + table.name(),
            "DESCRIBE MATERIALIZED VIEW " + table.name(),
            "SELECT * FROM system_schema.columns" + ofTable,
            "SELECT * FROM system_schema.dropped_columns" + ofTable,
            "SELECT * FROM system_schema.keyspaces" + where,
            "SELECT * FROM system_schema.tables" + ofTable,
            "SELECT column_name, kind, type, position FROM system_schema.columns" + ofTable);
    List<String> directives =
        text.startsWith("SELECT *")
            ? List.of("mask id, dropped_time")
            : List.of("mask-text (?<=ID = )[0-9a-f-]{36}|(?<=USING TIMESTAMP )[0-9]+");
    return new Script.Statement(0, directives, List.of(text), List.of());
  }

  static String unquoted(String name) {
    return name.startsWith("\"") ? name.substring(1, name.length() - 1) : name;
  }

  Column newColumn() {
    return column(choices.chance(15) ? Role.STATIC : Role.REGULAR);
  }

  static Script.Statement add(GeneratedTable table, Column column) {
    String kind = column.role() == Role.STATIC ? " static" : "";
    return plain(
        "ALTER TABLE " + table.name() + " ADD " + column.name() + " " + column.type() + kind);
  }

  static Script.Statement drop(GeneratedTable table, Column column) {
    return plain("ALTER TABLE " + table.name() + " DROP " + column.name());
  }

  static Script.Statement truncate(GeneratedTable table) {
    return plain("TRUNCATE " + table.name());
  }

  /** A definition that is likely to be rejected. */
  Script.Statement oddDefinition(String keyspace, GeneratedTable table) {
    return plain(
        switch (choices.below(6)) {
          case 0, 1 -> "ALTER TABLE " + table.name() + " WITH " + option();
          case 2 ->
              "CREATE TABLE x"
                  + choices.below(3)
                  + " (k int PRIMARY KEY, v int) WITH "
                  + option()
                  + (choices.chance(20) ? " AND " + option() : "");
          case 3 -> oddTable(table);
          case 4 -> oddKeyspace(keyspace);
          default -> oddAlteration(keyspace, table);
        });
  }

  private String option() {
    String name = choices.oneOf(OPTIONS);
    boolean map = List.of("compaction", "compression", "caching").contains(name);
    if (!choices.chance(map ? 90 : 8)) {
      return name + " = " + choices.oneOf(NUMBERS);
    }
    String value = choices.oneOf(MAPS);
    while (value.contains("%s")) {
      value = value.replaceFirst("%s", choices.oneOf(MAP_VALUES));
    }
    return name + " = " + value;
  }

  private String oddTable(GeneratedTable table) {
    String type =
        choices.oneOf(
            choices.oneOf(TYPES).toString(),
            "counter",
            "nosuch",
            "varchar",
            "list<int>",
            "frozen<list<int>>",
            "'int'",
            "'org.apache.cassandra.db.marshal.Int32Type'",
            "frozen<int>",
            "set<duration>",
            "tuple<int>",
            "map<duration, int>",
            "vector<float, 0>",
            "'nosuch'",
            "\"int\"",
            "INT",
            "frozen<nosuch>",
            "list<counter>",
            "duration");
    String end =
        choices.oneOf(
            "k int PRIMARY KEY",
            "k int, PRIMARY KEY (k)",
            "k int, PRIMARY KEY (v)",
            "k int, PRIMARY KEY (k, v)",
            "k int, PRIMARY KEY ((k, v))",
            "k int, PRIMARY KEY (k, k)",
            "k int PRIMARY KEY, w int PRIMARY KEY",
            "k int PRIMARY KEY, PRIMARY KEY (k)",
            "k int PRIMARY KEY, k int",
            "k int, PRIMARY KEY (nosuch)",
            "k int, PRIMARY KEY (k, nosuch)",
            "k int",
            "k int STATIC PRIMARY KEY",
            "k int PRIMARY KEY, s int STATIC",
            "k int STATIC, PRIMARY KEY (k, v)",
            "k int, s int STATIC, PRIMARY KEY (v, k)");
    String name =
        choices.oneOf(
            "x0",
            "x1",
            table.name(),
            "IF NOT EXISTS " + table.name(),
            "nosuch.x",
            "system.x",
            "\"x-y\"",
            "\"\"",
            "x.y.z",
            "X2",
            "select",
            "ttl",
            "system_views.x",
            "n12345678901234567890123456789012345678901234567890");
    return "CREATE TABLE " + name + " (v " + type + ", " + end + ")" + oddWith();
  }

  private String oddWith() {
    return choices.oneOf(
        "",
        "",
        "",
        "",
        " WITH CLUSTERING ORDER BY (v DESC)",
        " WITH CLUSTERING ORDER BY (k ASC)",
        " WITH CLUSTERING ORDER BY (k ASC, v ASC)",
        " WITH CLUSTERING ORDER BY (nosuch ASC)",
        " WITH CLUSTERING ORDER BY (v DESC) AND CLUSTERING ORDER BY (v DESC)",
        " WITH comment = 'a' AND comment = 'b'",
        " WITH COMPACT STORAGE",
        " WITH id = 5",
        " WITH ID = 5a1c395e-b41f-11e5-9f22-ba0be0483c18",
        " WITH",
        " WITH comment");
  }

  private String oddKeyspace(String keyspace) {
    String replication =
        choices.oneOf(
            "{}",
            "{'class': 'SimpleStrategy'}",
            "{'class': 'SimpleStrategy', 'replication_factor': 0}",
            "{'class': 'SimpleStrategy', 'replication_factor': -1}",
            "{'class': 'SimpleStrategy', 'replication_factor': 'x'}",
            "{'class': 'SimpleStrategy', 'replication_factor': 1.5}",
            "{'class': 'SimpleStrategy', 'replication_factor': 1, 'nosuch': 1}",
            "{'class': 'SimpleStrategy', 'replication_factor': '3/1'}",
            "{'class': 'NetworkTopologyStrategy'}",
            "{'class': 'NetworkTopologyStrategy', 'nosuch': 1}",
            "{'class': 'NetworkTopologyStrategy', 'datacenter1': 0}",
            "{'class': 'NetworkTopologyStrategy', 'datacenter1': -1}",
            "{'class': 'NetworkTopologyStrategy', 'replication_factor': 'x'}",
            "{'class': 'LocalStrategy'}",
            "{'class': 'EverywhereStrategy'}",
            "{'class': 'Nosuch', 'replication_factor': 1}",
            "{'class': ''}",
            "{'replication_factor': 1}",
            "'SimpleStrategy'",
            "1",
            "{'class'}",
            "null",
            "{'class': 'OldNetworkTopologyStrategy', 'replication_factor': 1}",
            "{'CLASS': 'SimpleStrategy', 'replication_factor': 1}",
            "{'class': 'SimpleStrategy', 'class': 'LocalStrategy'}");
    String head =
        choices.oneOf(
            "CREATE KEYSPACE " + keyspace + "x",
            "ALTER KEYSPACE " + keyspace,
            "CREATE KEYSPACE IF NOT EXISTS " + keyspace,
            "CREATE KEYSPACE " + keyspace,
            "ALTER KEYSPACE nosuch",
            "ALTER KEYSPACE IF EXISTS nosuch",
            "CREATE KEYSPACE \"a-b\"",
            "CREATE KEYSPACE system",
            "ALTER KEYSPACE system_virtual_schema",
            "CREATE KEYSPACE n12345678901234567890123456789012345678901234567890",
            "CREATE SCHEMA IF NOT EXISTS " + keyspace);
    return head
        + choices.oneOf(
            " WITH replication = " + replication,
            " WITH replication = " + replication,
            " WITH REPLICATION = "
                + replication
                + " AND durable_writes = "
                + choices.oneOf(NUMBERS),
            " WITH durable_writes = " + choices.oneOf(NUMBERS),
            " WITH nosuch = 1",
            "",
            " WITH replication = " + replication + " AND replication = " + replication);
  }

  private String oddAlteration(String keyspace, GeneratedTable table) {
    String column = choices.oneOf(table.columns()).name();
    String value = table.values().isEmpty() ? "nosuch" : table.values().getFirst().name();
    String name = table.name();
    return choices.oneOf(
        "ALTER TABLE "
            + name
            + " DROP "
            + choices.oneOf(table.columns().stream().filter(Column::isKey).toList()).name(),
        "ALTER TABLE " + name + " DROP nosuch",
        "ALTER TABLE " + name + " DROP IF EXISTS nosuch",
        "ALTER TABLE " + name + " DROP (nosuch, nosuch)",
        "ALTER TABLE " + name + " DROP nosuch USING TIMESTAMP 5",
        "ALTER TABLE " + name + " ADD " + column + " int",
        "ALTER TABLE " + name + " ADD IF NOT EXISTS " + column + " int",
        "ALTER TABLE " + name + " ADD z nosuch",
        "ALTER TABLE " + name + " ADD z counter",
        "ALTER TABLE " + name + " ADD z int, z int",
        "ALTER TABLE " + name + " ADD (z int, y int",
        "ALTER TABLE " + name + " ALTER " + column + " TYPE blob",
        "ALTER TABLE " + name + " RENAME " + value + " TO zz",
        "ALTER TABLE " + name + " RENAME nosuch TO zz",
        "ALTER TABLE " + name + " RENAME IF EXISTS nosuch TO zz",
        "ALTER TABLE " + name + " RENAME " + value + " TO " + column,
        "ALTER TABLE nosuch ADD z int",
        "ALTER TABLE IF EXISTS nosuch ADD z int",
        "ALTER TABLE nosuch.x DROP z",
        "ALTER TABLE system.local ADD z int",
        "ALTER TABLE " + name + " DROP COMPACT STORAGE",
        "ALTER TABLE " + name,
        "DROP TABLE nosuch",
        "DROP TABLE IF EXISTS nosuch",
        "DROP TABLE nosuch.x",
        "DROP TABLE IF EXISTS nosuch.x",
        "DROP KEYSPACE nosuch",
        "DROP KEYSPACE IF EXISTS nosuch",
        "DROP TYPE nosuch",
        "DROP INDEX nosuch",
        "DROP FUNCTION nosuch",
        "DROP AGGREGATE nosuch",
        "DROP MATERIALIZED VIEW nosuch",
        "DROP MATERIALIZED VIEW " + name,
        "DROP TABLE system.nosuch",
        "TRUNCATE nosuch",
        "TRUNCATE TABLE nosuch.x",
        "TRUNCATE COLUMNFAMILY nosuch",
        "USE nosuch",
        "USE " + keyspace,
        "USE \"" + keyspace + "\"",
        "USE " + keyspace.toUpperCase(java.util.Locale.ROOT),
        "DESCRIBE KEYSPACE nosuch",
        "DESCRIBE TABLE nosuch",
        "DESCRIBE TABLE nosuch.x",
        "DESCRIBE TABLE " + keyspace + ".nosuch",
        "DESCRIBE TYPE nosuch",
        "DESCRIBE FUNCTION nosuch",
        "DESCRIBE AGGREGATE nosuch",
        "DESCRIBE INDEX nosuch",
        "DESCRIBE MATERIALIZED VIEW nosuch",
        "LIST ROLES OF nosuch",
        "SELECT * FROM nosuch",
        "SELECT * FROM nosuch.x",
        "SELECT * FROM system.nosuch",
        "INSERT INTO nosuch (a) VALUES (1)",
        "UPDATE nosuch.x SET a = 1 WHERE b = 1",
        "DELETE FROM nosuch WHERE a = 1");
  }
}
