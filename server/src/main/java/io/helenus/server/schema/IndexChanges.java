package io.helenus.server.schema;

import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.IndexStatement.CreateIndex;
import io.helenus.cql.ast.IndexStatement.DropIndex;
import io.helenus.cql.ast.IndexStatement.Target;
import io.helenus.cql.ast.IndexStatement.TargetKind;
import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Feature;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.schema.SchemaChange.Action;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.TupleType;
import io.helenus.server.types.UserType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** CREATE and DROP INDEX. An index is a change of its table. One statement. */
final class IndexChanges {
  /** The default of {@code default_secondary_index}: an index without a class. */
  private static final String LEGACY = "legacy_local_table";

  private static final String SASI = "org.apache.cassandra.index.sasi.SASIIndex";
  private static final int LONGEST_NAME = 222;
  private static final int LONGEST_CUSTOM_COLUMN = 48;

  private final CreateIndex statement;
  private final String keyspace;
  private final SchemaContext context;
  private final @Nullable String className;
  private Map<String, String> options = Map.of();

  private IndexChanges(
      CreateIndex statement, String keyspace, @Nullable String className, SchemaContext context) {
    this.statement = statement;
    this.keyspace = keyspace;
    this.className = className;
    this.context = context;
  }

  static SchemaChange create(Schema schema, CreateIndex statement, SchemaContext context) {
    String keyspace = SchemaNames.keyspaceOfDefinition(statement.table(), context);
    String name = statement.table().name();
    String using = statement.using();
    if (using == null) {
      using = context.guardrails().defaultSecondaryIndex();
      if (using == null) {
        throw CqlException.invalid("Must specify index implementation via USING");
      }
    }
    SchemaNames.requireOrdinary(keyspace);
    if (SchemaNames.isReplicatedSystem(keyspace)) {
      throw SchemaNames.unauthorized("Cannot ALTER <table " + keyspace + "." + name + ">");
    }
    // with CUSTOM the name of the legacy implementation is that of a class
    boolean legacy = !statement.custom() && LEGACY.equalsIgnoreCase(using);
    TableSchema changed =
        new IndexChanges(statement, keyspace, legacy ? null : using, context).apply(schema);
    return new SchemaChange(
        changed == null ? null : new SchemaEdit.AlterTable(changed),
        Action.UPDATED,
        keyspace,
        name,
        List.of());
  }

  static SchemaChange drop(Schema schema, DropIndex statement, SchemaContext context) {
    String keyspace = SchemaNames.keyspaceOfDefinition(statement.index(), context);
    if (SchemaNames.isLocalSystem(keyspace)) {
      throw CqlException.invalid("System keyspace '" + keyspace + "' is not user-modifiable");
    }
    String name = statement.index().name();
    KeyspaceSchema found = schema.keyspace(keyspace);
    TableSchema table = found == null ? null : found.indexedTable(name);
    IndexSchema index = table == null ? null : table.index(name);
    if (table == null || index == null) {
      if (statement.ifExists()) {
        return new SchemaChange(null, Action.UPDATED, keyspace, name, List.of());
      }
      // the last quote is Cassandra's
      throw CqlException.invalid("Index '" + keyspace + "." + name + "' doesn't exist'");
    }
    return new SchemaChange(
        new SchemaEdit.AlterTable(table.toBuilder().drop(index).build()),
        Action.UPDATED,
        keyspace,
        table.name(),
        List.of());
  }

  /** The table with the index; null if there is such an index already and that is no mistake. */
  private @Nullable TableSchema apply(Schema schema) {
    options = options();
    context.require(Feature.SECONDARY_INDEXES);
    if (SASI.equals(className)) {
      throw CqlException.invalid("SASI indexes are disabled. Enable in cassandra.yaml to use.");
    }
    KeyspaceSchema found = schema.keyspace(keyspace);
    if (found == null) {
      throw CqlException.invalid("Keyspace '" + keyspace + "' doesn't exist");
    }
    TableSchema table = found.table(statement.table().name());
    if (table == null) {
      throw CqlException.invalid("Table '" + statement.table().name() + "' doesn't exist");
    }
    String given = statement.name();
    if (given != null && found.indexedTable(given) != null) {
      if (statement.ifNotExists()) {
        return null;
      }
      throw CqlException.invalid("Index '" + given + "' already exists");
    }
    if (table.isCounter()) {
      throw CqlException.invalid("Secondary indexes on counter tables aren't supported");
    }
    String on = (given == null ? "" : given + " ") + "on table " + table.name();
    if (table.view() != null) {
      throw CqlException.invalid("Secondary indexes on materialized views aren't supported");
    }
    context.check(Limit.SECONDARY_INDEXES_PER_TABLE, table.indexes().size() + 1L, on);
    List<Target> targets = targets(table);
    targets.forEach(target -> requireIndexable(table, target));
    String name =
        given == null ? availableName(found, generatedName(table, targets), Set.of()) : given;
    return add(table, name, targets);
  }

  private Map<String, String> options() {
    PropertyReader properties = new PropertyReader(statement.properties());
    properties.requireOnly(Set.of("options"));
    if (className == null) {
      if (!statement.properties().isEmpty()) {
        throw CqlException.invalid("Cannot specify options for a non-CUSTOM index");
      }
      return Map.of();
    }
    Map<String, String> given = properties.map("options");
    if (given == null) {
      return Map.of();
    }
    for (String reserved : List.of("class_name", "target")) {
      if (given.containsKey(reserved)) {
        throw CqlException.invalid("Cannot specify " + reserved + " as a CUSTOM option");
      }
    }
    return given;
  }

  /**
   * The targets, with VALUES for a collection without a function, but not in descending order:
   * Cassandra then does not see a collection.
   */
  private List<Target> targets(TableSchema table) {
    List<Target> targets = new ArrayList<>();
    for (Target target : statement.targets()) {
      ColumnSchema column = table.column(target.column());
      if (column == null) {
        throw CqlException.invalid(
            "Undefined column name "
                + CqlNames.quoted(target.column())
                + " in table "
                + table.cqlName());
      }
      boolean values =
          target.kind() == TargetKind.SIMPLE
              && column.type().isCollection()
              && !column.descending();
      targets.add(values ? new Target(TargetKind.VALUES, column.name()) : target);
    }
    if (targets.isEmpty() && className == null) {
      throw CqlException.invalid(
          "Only CUSTOM indexes can be created without specifying a target column");
    }
    if (targets.size() > 1) {
      if (className == null) {
        throw CqlException.invalid("Only CUSTOM indexes support multiple columns");
      }
      Set<String> columns = new HashSet<>();
      for (Target target : targets) {
        if (!columns.add(target.column())) {
          throw CqlException.invalid(
              "Duplicate column '" + target.column() + "' in index target list");
        }
      }
    }
    return targets;
  }

  private void requireIndexable(TableSchema table, Target target) {
    ColumnSchema column = existing(table, target);
    if (className != null) {
      requireCustomName(column.name());
    }
    requireNoDuration(column.type());
    if (table.isCompact()) {
      if (column.isPrimaryKey()) {
        throw CqlException.invalid(
            "Secondary indexes are not supported on PRIMARY KEY columns in COMPACT STORAGE tables");
      }
      if (column.kind() == ColumnKind.REGULAR) {
        throw CqlException.invalid(
            "Secondary indexes are not supported on compact value column of COMPACT STORAGE"
                + " tables");
      }
    }
    if (column.kind() == ColumnKind.PARTITION_KEY && table.partitionKey().size() == 1) {
      throw CqlException.invalid(
          "Cannot create secondary index on the only partition key column " + column.name());
    }
    requireTarget(column, target.kind());
  }

  private static ColumnSchema existing(TableSchema table, Target target) {
    ColumnSchema column = table.column(target.column());
    if (column == null) {
      throw new IllegalStateException("no column " + target.column());
    }
    return column;
  }

  private static void requireCustomName(String column) {
    if (column.length() > LONGEST_CUSTOM_COLUMN) {
      throw CqlException.invalid(
          "Column '"
              + column
              + "' is longer than the permissible name length of "
              + LONGEST_CUSTOM_COLUMN
              + " characters");
    }
    if (!KeyspaceChanges.isWord(column)) {
      throw CqlException.invalid(
          "Column '" + column + "' contains non-alphanumeric-underscore characters");
    }
  }

  private static void requireNoDuration(CqlType type) {
    if (!type.referencesDuration()) {
      return;
    }
    String what =
        type.isCollection()
            ? "collections containing durations"
            : type instanceof TupleType
                ? "tuples containing durations"
                : type instanceof UserType ? "UDTs containing durations" : "duration columns";
    throw CqlException.invalid("Secondary indexes are not supported on " + what);
  }

  private static void requireTarget(ColumnSchema column, TargetKind kind) {
    CqlType type = column.type();
    String function = kind == TargetKind.SIMPLE ? "" : kind.name().toLowerCase(Locale.ROOT);
    boolean frozen = type.isCollection() && !type.isMultiCell();
    if (frozen && kind != TargetKind.FULL) {
      throw CqlException.invalid(
          "Cannot create "
              + function
              + "() index on frozen column "
              + column.name()
              + ". Frozen collections are immutable and must be fully indexed by using the 'full("
              + CqlNames.quoted(column.name())
              + ")' modifier");
    }
    if (!frozen && kind == TargetKind.FULL) {
      throw CqlException.invalid("full() indexes can only be created on frozen collections");
    }
    if (!type.isCollection() && kind != TargetKind.SIMPLE) {
      throw CqlException.invalid(
          "Cannot create "
              + function
              + "() index on "
              + column.name()
              + ". Non-collection columns only support simple indexes");
    }
    boolean ofMap = type instanceof MapType && type.isMultiCell();
    if (!ofMap && (kind == TargetKind.KEYS || kind == TargetKind.ENTRIES)) {
      throw CqlException.invalid(
          "Cannot create index on "
              + function
              + " of column "
              + column.name()
              + " with non-map type");
    }
    if (type instanceof UserType && type.isMultiCell()) {
      throw CqlException.invalid("Cannot create index on non-frozen UDT column " + column.name());
    }
  }

  private static String generatedName(TableSchema table, List<Target> targets) {
    return targets.size() == 1
        ? generatedName(table.name(), targets.getFirst().column())
        : (table.name() + "_idx").replaceAll("\\W", "");
  }

  /** Rejects a name that is too long. */
  static void requireShort(String name) {
    if (name.length() > LONGEST_NAME) {
      throw CqlException.configuration(
          "Index name must not be more than "
              + LONGEST_NAME
              + " characters long (got "
              + name.length()
              + " characters for \""
              + name
              + "\")");
    }
  }

  /** The name of an index without a given one. */
  static String generatedName(String table, String column) {
    return (table + "_" + column + "_idx").replaceAll("\\W", "");
  }

  /**
   * The name of a new index.
   *
   * @param taken names that are in use besides those in the keyspace
   */
  static String availableName(KeyspaceSchema keyspace, String base, Set<String> taken) {
    String name = base;
    for (int i = 1; keyspace.indexedTable(name) != null || taken.contains(name); i++) {
      name = base + "_" + i;
    }
    return name;
  }

  private @Nullable TableSchema add(TableSchema table, String name, List<Target> targets) {
    SortedMap<String, String> all = new TreeMap<>(options);
    if (className != null) {
      all.put("class_name", className);
    }
    IndexSchema equal =
        className == null || targets.size() == 1 ? equal(table, targets, all) : null;
    if (equal != null) {
      if (statement.ifNotExists()) {
        return null;
      }
      throw CqlException.invalid(
          "Index " + name + " is a duplicate of existing index " + equal.name());
    }
    if (!KeyspaceChanges.isWord(name)) {
      throw CqlException.configuration("Illegal index name " + name);
    }
    StorageAttachedIndexes.check(table, targets, className, options, context.warnings());
    requireShort(name);
    Target target = targets.getFirst();
    return table.toBuilder()
        .add(
            new IndexSchema(
                name,
                table.lastIndexId() + 1,
                className == null ? IndexSchema.Kind.LEGACY : IndexSchema.Kind.SAI,
                existing(table, target).id(),
                target.kind(),
                all))
        .build();
  }

  private static @Nullable IndexSchema equal(
      TableSchema table, List<Target> targets, SortedMap<String, String> options) {
    Target target = targets.getFirst();
    int columnId = existing(table, target).id();
    for (IndexSchema index : table.indexes()) {
      if (index.columnId() == columnId
          && index.target() == target.kind()
          && index.options().equals(options)) {
        return index;
      }
    }
    return null;
  }
}
