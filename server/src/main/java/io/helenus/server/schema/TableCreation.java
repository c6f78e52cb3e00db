package io.helenus.server.schema;

import io.helenus.cql.ast.SchemaStatement.ClusteringOrder;
import io.helenus.cql.ast.SchemaStatement.ColumnDefinition;
import io.helenus.cql.ast.TableStatement.CreateTable;
import io.helenus.cql.ast.TypeName;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Feature;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.schema.SchemaChange.Action;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.UserType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * CREATE TABLE. Checks, in Cassandra's order, 1. the names, 2. the options, 3. the types of all
 * columns, by name, 4. the primary key, 5. clustering order and static columns; then 6. builds the
 * table, with column ids in the order of {@code SELECT *}. One statement.
 */
final class TableCreation {
  /** The error for {@link #hasUnfrozenFields}. */
  static final String UNFROZEN_FIELDS =
      "Non-frozen UDTs with nested non-frozen collections are not supported";

  private static final int LONGEST_NAME = 222;

  private final Schema schema;
  private final CreateTable statement;
  private final String keyspace;
  private final String name;
  private final TreeMap<String, CqlType> types = new TreeMap<>();
  private final Map<String, ColumnMask> masks = new HashMap<>();
  private final Set<String> staticColumns = new HashSet<>();
  private final Map<String, Boolean> descending = new LinkedHashMap<>();

  private TableCreation(Schema schema, CreateTable statement, String keyspace) {
    this.schema = schema;
    this.statement = statement;
    this.keyspace = keyspace;
    this.name = statement.table().name();
  }

  static SchemaChange create(Schema schema, CreateTable statement, SchemaContext context) {
    String keyspace = SchemaNames.keyspaceOf(statement.table(), context.keyspaceInUse());
    return new TableCreation(schema, statement, keyspace).create(context);
  }

  private SchemaChange create(SchemaContext context) {
    if (statement.partitionKey().isEmpty()) {
      throw CqlException.invalid(
          "No PRIMARY KEY specifed for table '" + statement.table() + "' (exactly one required)");
    }
    readOrder();
    if (context.masks() == null
        && statement.columns().stream().anyMatch(column -> column.mask() != null)) {
      throw noMasks();
    }
    SchemaNames.requireOrdinary(keyspace);
    if (SchemaNames.isReplicatedSystem(keyspace)) {
      throw SchemaNames.unauthorized("Cannot CREATE <all tables in " + keyspace + ">");
    }
    TableOptionsReader options = checkGuardrails(context);
    KeyspaceChanges.requireName(keyspace);
    KeyspaceSchema existing = schema.keyspace(keyspace);
    if (existing == null) {
      throw KeyspaceChanges.missing(keyspace);
    }
    if (existing.table(name) != null) {
      if (statement.ifNotExists()) {
        return new SchemaChange(null, Action.CREATED, keyspace, name, List.of());
      }
      throw alreadyExists(keyspace, name);
    }
    TableOptions read = options.readNew();
    readTypes(context.masks());
    if (types.values().stream().anyMatch(TableCreation::hasUnfrozenFields)) {
      throw CqlException.invalid(UNFROZEN_FIELDS);
    }
    requireKey();
    requireOrder();
    requireStatic();
    if (statement.compactStorage()) {
      CompactTableCreation.check(statement, types, staticColumns);
    }
    requireCounters(read);
    UUID given = options.id();
    requireName(keyspace, name);
    requireNoHiddenCounter();
    if (given != null) {
      requireNewId(schema, given);
    }
    TableGuards.checkCompression(read, context);
    TableSchema table = build(given == null ? context.newTableId() : given, read, context);
    return new SchemaChange(
        new SchemaEdit.CreateTable(table), Action.CREATED, keyspace, name, List.of());
  }

  private TableOptionsReader checkGuardrails(SchemaContext context) {
    TableOptionsReader options =
        new TableOptionsReader(TableGuards.checkProperties(statement.properties(), context));
    context.check(Limit.COLUMNS_PER_TABLE, statement.columns().size(), name);
    TableGuards.checkTables(schema, name, context);
    if (statement.compactStorage()) {
      context.require(Feature.COMPACT_TABLES);
    }
    TableGuards.checkExpiry(options.requireReadable(), context);
    TableGuards.checkColumns(statement.columns(), context);
    return options;
  }

  static CqlException alreadyExists(String keyspace, String name) {
    return new CqlException(
        new CqlError.AlreadyExists(
            "Cannot add already existing table \"" + name + "\" to keyspace \"" + keyspace + "\"",
            keyspace,
            name));
  }

  private void readOrder() {
    for (ClusteringOrder order : statement.clusteringOrder()) {
      if (descending.put(order.column(), order.descending()) != null) {
        throw CqlException.invalid(
            "Duplicate column '"
                + order.column()
                + "' in CLUSTERING ORDER BY clause for table '"
                + statement.table()
                + "'");
      }
    }
  }

  private void readTypes(@Nullable MaskCompiler compiler) {
    TreeMap<String, ColumnDefinition> byName = new TreeMap<>();
    for (ColumnDefinition column : statement.columns()) {
      byName.put(column.name(), column);
    }
    for (ColumnDefinition column : byName.values()) {
      CqlType type = TypeResolver.resolve(column.type(), keyspace, schema::userType);
      types.put(column.name(), type);
      if (column.mask() != null && compiler != null) {
        masks.put(
            column.name(),
            compiler.compile(schema, keyspace, column.name(), type, false, column.mask()));
      }
      if (column.isStatic()) {
        staticColumns.add(column.name());
      }
    }
  }

  /** Whether this is a user type that is not frozen but has a field that is not frozen either. */
  static boolean hasUnfrozenFields(CqlType type) {
    return type instanceof UserType user
        && !user.frozen()
        && user.fieldTypes().stream().anyMatch(CqlType::isMultiCell);
  }

  static CqlException noMasks() {
    return CqlException.invalid(
        "Cannot mask columns because dynamic data masking is not enabled. You can enable it with"
            + " the dynamic_data_masking_enabled property on cassandra.yaml");
  }

  private void requireKey() {
    Set<String> seen = new HashSet<>();
    List<String> key = new ArrayList<>(statement.partitionKey());
    key.addAll(statement.clusteringColumns());
    for (String column : key) {
      CqlType type = types.get(column);
      if (type == null) {
        throw CqlException.invalid(
            "Unknown column '" + column + "' referenced in PRIMARY KEY for table '" + name + "'");
      }
      if (!seen.add(column)) {
        throw CqlException.invalid(
            "Duplicate column '" + column + "' in PRIMARY KEY clause for table '" + name + "'");
      }
      if (type.isMultiCell()) {
        throw CqlException.invalid(
            "Invalid non-frozen "
                + (type instanceof UserType user
                    ? "user-defined type \"" + user.fullName() + "\""
                    : "collection type " + shown(column, type))
                + " for PRIMARY KEY column '"
                + column
                + "'");
      }
      if (type.isCounter()) {
        throw CqlException.invalid(
            "counter type is not supported for PRIMARY KEY column '" + column + "'");
      }
      if (type.referencesDuration()) {
        throw CqlException.invalid(
            "duration type is not supported for PRIMARY KEY column '" + column + "'");
      }
      if (staticColumns.contains(column)) {
        throw CqlException.invalid(
            "Static column '" + column + "' cannot be part of the PRIMARY KEY");
      }
    }
  }

  private String shown(String column, CqlType type) {
    boolean isClass =
        statement.columns().stream()
            .anyMatch(each -> each.name().equals(column) && each.type() instanceof TypeName.Custom);
    return isClass ? "'" + type.className() + "'" : type.toCql();
  }

  private void requireOrder() {
    Set<String> strangers = new LinkedHashSet<>(descending.keySet());
    List<String> clustering = statement.clusteringColumns();
    strangers.removeAll(new HashSet<>(clustering));
    if (!strangers.isEmpty()) {
      throw CqlException.invalid(
          "Only clustering key columns can be defined in CLUSTERING ORDER directive: "
              + strangers
              + " are not clustering columns");
    }
    int position = 0;
    for (String found : descending.keySet()) {
      String expected = clustering.get(position++);
      if (!found.equals(expected)) {
        throw CqlException.invalid(
            descending.containsKey(expected)
                ? "The order of columns in the CLUSTERING ORDER directive must match that of the"
                    + " clustering columns ("
                    + expected
                    + " must appear before "
                    + found
                    + ")"
                : "Missing CLUSTERING ORDER for column " + expected);
      }
    }
  }

  private void requireStatic() {
    if (!staticColumns.isEmpty()
        && statement.clusteringColumns().isEmpty()
        && !statement.compactStorage()) {
      throw noStatic();
    }
  }

  private void requireCounters(TableOptions options) {
    Map<String, CqlType> others = new TreeMap<>(types);
    others.keySet().removeAll(statement.partitionKey());
    others.keySet().removeAll(statement.clusteringColumns());
    if (!hasNamedCounter()) {
      return;
    }
    if (!others.values().stream().allMatch(CqlType::isCounter)) {
      throw CqlException.invalid("Cannot mix counter and non counter columns in the same table");
    }
    requireNoExpiry(options);
  }

  /** Whether this is a table of counters; a counter by its class does not make it one. */
  private boolean hasNamedCounter() {
    return statement.columns().stream()
        .anyMatch(
            column ->
                Objects.requireNonNull(types.get(column.name())).isCounter()
                    && !(column.type() instanceof TypeName.Custom));
  }

  private void requireNoHiddenCounter() {
    for (Map.Entry<String, CqlType> column : types.entrySet()) {
      if (column.getValue().isCounter() && !hasNamedCounter()) {
        throw CqlException.configuration(
            keyspace
                + "."
                + name
                + ": Cannot have a counter column (\""
                + column.getKey()
                + "\") in a non counter table");
      }
    }
  }

  /** Rejects the options that counter tables cannot have. */
  static void requireNoExpiry(TableOptions options) {
    if (options.defaultTimeToLiveSeconds() > 0) {
      throw CqlException.invalid("Cannot set default_time_to_live on a table with counters");
    }
  }

  static CqlException noStatic() {
    return CqlException.invalid(
        "Static columns are only useful (and thus allowed) if the table has at least one"
            + " clustering column");
  }

  static void requireName(String keyspace, String name) {
    String start = keyspace + "." + name + ": Table name must not be ";
    if (!KeyspaceChanges.isWord(name)) {
      throw CqlException.configuration(
          start
              + "empty or not contain non-alphanumeric-underscore characters (got \""
              + name
              + "\")");
    }
    if (name.length() > LONGEST_NAME) {
      throw CqlException.configuration(
          start
              + "more than "
              + LONGEST_NAME
              + " characters long (got "
              + name.length()
              + " characters for \""
              + name
              + "\")");
    }
  }

  static void requireNewId(Schema schema, UUID id) {
    for (KeyspaceSchema keyspace : schema.keyspaces()) {
      for (TableSchema table : keyspace.tables()) {
        if (table.id().equals(id)) {
          throw CqlException.configuration("Table id " + id + " is that of " + table);
        }
      }
    }
  }

  private TableSchema build(UUID id, TableOptions options, SchemaContext context) {
    CompactStorage layout = CompactTableCreation.layout(statement);
    TableSchemaBuilder table =
        new TableSchemaBuilder(keyspace, name, id, context.newStorageId(), options)
            .compactStorage(layout);
    for (String column : statement.partitionKey()) {
      table.partitionKey(column, type(column));
    }
    for (String column : statement.clusteringColumns()) {
      table.clustering(column, type(column), descending.getOrDefault(column, false));
    }
    // in the order of DESCRIBE, so that a table created from its text has the same column ids
    SortedSet<String> byName = new TreeSet<>(types.keySet());
    for (String column : byName) {
      boolean isStatic =
          staticColumns.contains(column)
              || (layout == CompactStorage.STATIC && table.find(column) == null);
      if (isStatic) {
        table.staticColumn(column, type(column));
      }
    }
    for (String column : byName) {
      if (table.find(column) == null) {
        table.regular(column, type(column));
      }
    }
    CompactTableCreation.addHidden(table, layout);
    masks.forEach(table::mask);
    for (ColumnDefinition column : statement.columns()) {
      ColumnKind kind = Objects.requireNonNull(table.find(column.name())).kind();
      table.constraints(
          column.name(),
          ConstraintCompiler.compile(
              keyspace + "." + name, column.name(), type(column.name()), kind, column.checks()));
    }
    return table.build();
  }

  private CqlType type(String column) {
    return Objects.requireNonNull(types.get(column));
  }
}
