package io.helenus.server.generated;

import io.helenus.server.conformance.DataType;
import io.helenus.server.conformance.Script;
import io.helenus.server.generated.GeneratedTable.Column;
import io.helenus.server.generated.GeneratedTable.Kind;
import io.helenus.server.generated.GeneratedTable.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Random valid schema statements: CREATE, ALTER, TRUNCATE and DESCRIBE. Not thread-safe. */
public final class GeneratedDefinitions {
  /** Whether columns have masks: both servers must have dynamic_data_masking_enabled then. */
  static final boolean MASKED = Boolean.getBoolean("masked.columns");

  private final Choices choices;
  private final GeneratedTypes types;
  private int nextTable;
  private int nextColumn;

  public GeneratedDefinitions(Choices choices, GeneratedTypes types) {
    this.choices = choices;
    this.types = types;
  }

  /** A keyspace replication that works with one node. */
  public String replication() {
    return choices.oneOf(
        "{'class': 'SimpleStrategy', 'replication_factor': 1}",
        "{'class': 'SimpleStrategy', 'replication_factor': '1'}",
        "{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}",
        "{'class': 'org.apache.cassandra.locator.NetworkTopologyStrategy', 'replication_factor':"
            + " 1}");
  }

  public GeneratedTable table() {
    Kind kind =
        choices.oneOf(
            List.of(
                Kind.PLAIN,
                Kind.PLAIN,
                Kind.PLAIN,
                Kind.PLAIN,
                Kind.COMPACT,
                Kind.CONDITIONAL,
                Kind.CONDITIONAL,
                Kind.COUNTER));
    List<Column> columns = new ArrayList<>();
    int clustering = choices.below(5);
    addAll(columns, Role.PARTITION, choices.chance(60) ? 1 : 1 + choices.below(3));
    addAll(columns, Role.CLUSTERING, clustering);
    boolean compact = kind == Kind.COMPACT && choices.chance(95);
    if (clustering > 0 && !compact) {
      addAll(columns, Role.STATIC, choices.chance(60) ? choices.below(3) : 0);
    }
    int regular = compact && clustering > 0 ? 1 : 1 + choices.below(6);
    addAll(columns, Role.REGULAR, choices.chance(10) ? 0 : regular);
    if (compact) {
      columns.replaceAll(
          each -> new Column(each.name(), each.type(), each.role(), each.descending(), true));
    }
    String name = choices.chance(90) ? "t" + nextTable : "\"Tab " + nextTable + "\"";
    nextTable++;
    if (kind == Kind.COUNTER) {
      columns.replaceAll(each -> each.isKey() ? each : each.withType(DataType.Scalar.COUNTER));
    }
    return new GeneratedTable(name, kind, columns);
  }

  private void addAll(List<Column> columns, Role role, int count) {
    for (int i = 0; i < count; i++) {
      columns.add(column(role));
    }
  }

  private Column column(Role role) {
    boolean key = role == Role.PARTITION || role == Role.CLUSTERING;
    DataType type = key ? types.key() : types.any();
    boolean frozen = key || choices.chance(25);
    boolean descending =
        role == Role.CLUSTERING && type instanceof DataType.Scalar && choices.chance(40);
    return new Column(newName(role), type, role, descending, frozen);
  }

  /** A name that no column has had. */
  String newName(Role role) {
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
    return name;
  }

  public static Script.Statement create(DataType.UserType type) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < type.fields().size(); i++) {
      fields.add(type.fields().get(i) + " " + GeneratedTypes.cql(type.types().get(i), true));
    }
    return plain("CREATE TYPE " + type.name() + " (" + String.join(", ", fields) + ")");
  }

  public Script.Statement create(GeneratedTable table) {
    StringBuilder text = new StringBuilder("CREATE TABLE " + table.name() + " (");
    boolean simple = table.clustering().isEmpty() && table.partition().size() == 1;
    boolean inline = simple && choices.chance(70);
    for (Column column : choices.shuffled(table.columns())) {
      text.append(column.definition());
      text.append(column.role() == Role.STATIC ? " STATIC" : "");
      text.append(MASKED && choices.chance(30) && !isRounded(column) ? mask(column) : "");
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
    if (table.kind() == Kind.COMPACT) {
      properties.add("COMPACT STORAGE");
    }
    if (choices.chance(30)) {
      properties.add(
          choices.oneOf(
              "comment = 'a ''comment'''",
              "gc_grace_seconds = 100000",
              "compression = {'enabled': 'false'}",
              "compaction = {'class': 'LeveledCompactionStrategy'}",
              "caching = {'keys': 'NONE', 'rows_per_partition': '10'}",
              "speculative_retry = '95p'",
              "bloom_filter_fp_chance = 0.1",
              "memtable_flush_period_in_ms = 0"));
    }
    return properties.isEmpty() ? "" : " WITH " + String.join(" AND ", properties);
  }

  /** Whether rows may be grouped by a function of the column; Cassandra groups them by its mask. */
  static boolean isRounded(Column column) {
    return column.role() == Role.CLUSTERING
        && (column.type() == DataType.Scalar.DATE
            || column.type() == DataType.Scalar.TIME
            || column.type() == DataType.Scalar.TIMESTAMP
            || column.type() == DataType.Scalar.TIMEUUID);
  }

  /** A mask of a column, which may not be allowed for its type. */
  String mask(Column column) {
    String value = GeneratedValue.of(column.type(), choices).term();
    return " MASKED WITH "
        + choices.oneOf(
            "DEFAULT",
            "DEFAULT",
            "mask_default()",
            "mask_null()",
            "mask_hash()",
            "mask_hash('SHA-512')",
            "mask_hash('nosuch')",
            "mask_inner(1, null)",
            "mask_outer(1, 1, '#')",
            "mask_inner(-1, 2)",
            "mask_replace(" + value + ")",
            "system.mask_replace(null)",
            "nosuch()");
  }

  public static Script.Statement plain(String text) {
    return new Script.Statement(0, List.of(), List.of(text), List.of());
  }

  /** A DESCRIBE statement or a query of the schema tables. */
  public Script.Statement schemaQuery(String keyspace, GeneratedTable table) {
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
            "DESCRIBE INDEX " + index(table),
            "DESCRIBE MATERIALIZED VIEW " + table.name(),
            "SELECT * FROM system_schema.columns" + ofTable,
            "SELECT * FROM system_schema.dropped_columns" + ofTable,
            "SELECT * FROM system_schema.keyspaces" + where,
            "SELECT * FROM system_schema.tables" + ofTable,
            "SELECT * FROM system_schema.column_masks" + ofTable,
            "SELECT * FROM system_schema.indexes" + ofTable,
            "SELECT index_name FROM system.\"IndexInfo\" WHERE table_name = '" + keyspace + "'",
            "SELECT column_name, kind, type, position FROM system_schema.columns" + ofTable);
    List<String> directives =
        text.startsWith("SELECT *")
            ? List.of("mask id, dropped_time")
            : List.of("mask-text (?<=ID = )[0-9a-f-]{36}|(?<=USING TIMESTAMP )[0-9]+");
    return new Script.Statement(0, directives, List.of(text), List.of());
  }

  private String index(GeneratedTable table) {
    return table.indexes().isEmpty()
        ? table.name()
        : '"' + choices.oneOf(table.indexes()).name() + '"';
  }

  public static String unquoted(String name) {
    return name.startsWith("\"") ? name.substring(1, name.length() - 1) : name;
  }

  Column newColumn() {
    return column(choices.chance(15) ? Role.STATIC : Role.REGULAR);
  }

  Script.Statement add(GeneratedTable table, Column column) {
    String kind = column.role() == Role.STATIC ? " static" : "";
    kind += MASKED && choices.chance(30) ? mask(column) : "";
    return plain("ALTER TABLE " + table.name() + " ADD " + column.definition() + kind);
  }

  static Script.Statement drop(GeneratedTable table, Column column) {
    return plain("ALTER TABLE " + table.name() + " DROP " + column.name());
  }

  public static Script.Statement truncate(GeneratedTable table) {
    return plain("TRUNCATE " + table.name());
  }
}
