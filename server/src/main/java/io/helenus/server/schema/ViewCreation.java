package io.helenus.server.schema;

import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.Relation;
import io.helenus.cql.ast.SchemaStatement.ClusteringOrder;
import io.helenus.cql.ast.Selectable;
import io.helenus.cql.ast.Selector;
import io.helenus.cql.ast.Term;
import io.helenus.cql.ast.ViewStatement.CreateView;
import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.schema.SchemaChange.Action;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * CREATE MATERIALIZED VIEW. Checks, in Cassandra's order, 1. the names, 2. the base table, 3. the
 * select list, 4. the primary key and its order, 5. the WHERE clause, 6. the options. One
 * statement.
 */
final class ViewCreation {
  private static final String EXPERIMENTAL =
      "Materialized views are experimental and are not recommended for production use.";

  private final Schema schema;
  private final CreateView statement;
  private final String keyspace;
  private final String name;
  private final Map<String, Boolean> descending = new LinkedHashMap<>();
  private final Set<String> selected = new LinkedHashSet<>();

  private ViewCreation(Schema schema, CreateView statement, String keyspace) {
    this.schema = schema;
    this.statement = statement;
    this.keyspace = keyspace;
    this.name = statement.view().name();
  }

  static SchemaChange create(Schema schema, CreateView statement, SchemaContext context) {
    String keyspace = SchemaNames.keyspaceOf(statement.view(), context.keyspaceInUse());
    return new ViewCreation(schema, statement, keyspace).create(context);
  }

  /** Checks what does not depend on the schema. */
  static void check(CreateView statement, String keyspace) {
    String given = statement.baseTable().keyspace();
    if (given != null && !given.equals(keyspace)) {
      throw CqlException.invalid(
          "Cannot create a materialized view on a table in a different keyspace");
    }
    if (!statement.bindMarkers().isEmpty()) {
      throw CqlException.invalid(
          "Bind variables are not allowed in CREATE MATERIALIZED VIEW statements");
    }
  }

  private SchemaChange create(SchemaContext context) {
    check(statement, keyspace);
    String baseName = statement.baseTable().name();
    for (ClusteringOrder order : statement.clusteringOrder()) {
      descending.put(order.column(), order.descending());
    }
    KeyspaceChanges.requireName(keyspace);
    SchemaNames.requireOrdinary(keyspace);
    if (SchemaNames.isReplicatedSystem(keyspace)) {
      throw SchemaNames.unauthorized("Cannot ALTER <table " + keyspace + "." + baseName + ">");
    }
    ViewWhere where = context.views();
    if (where == null) {
      throw CqlException.invalid(
          "Materialized views are disabled. Enable in cassandra.yaml to use.");
    }
    KeyspaceSchema found = schema.keyspace(keyspace);
    if (found == null) {
      throw KeyspaceChanges.missing(keyspace);
    }
    if (context.ring().nodes().size() > 1) {
      throw CqlException.invalid(
          "Materialized views are not supported yet in a cluster of several nodes");
    }
    TableSchema base = found.table(baseName);
    if (base == null || base.view() != null) {
      throw CqlException.invalid("Base table '" + baseName + "' doesn't exist");
    }
    TableSchema existing = found.table(name);
    if (existing != null && existing.view() == null) {
      throw CqlException.invalid(
          "Cannot create materialized view '"
              + name
              + "' - a table with the same name already exists");
    }
    if (existing != null) {
      if (statement.ifNotExists()) {
        return new SchemaChange(null, Action.CREATED, keyspace, name, List.of(EXPERIMENTAL));
      }
      throw TableCreation.alreadyExists(keyspace, name);
    }
    TableSchema view = view(found, base, where, context);
    return new SchemaChange(
        new SchemaEdit.CreateTable(view), Action.CREATED, keyspace, name, List.of(EXPERIMENTAL));
  }

  private TableSchema view(
      KeyspaceSchema found, TableSchema base, ViewWhere where, SchemaContext context) {
    TableOptionsReader options = requireBase(found, base, context);
    select(base);
    List<ColumnSchema> key = requireKey(base);
    requireOrder();
    ColumnSchema other = requireBaseKey(base, key);
    List<ViewSchema.Condition> conditions = conditions(base, key, where);
    TableOptions read = options.readNew();
    if (read.defaultTimeToLiveSeconds() != 0) {
      throw CqlException.invalid(
          "Cannot set default_time_to_live for a materialized view. Data in a materialized view"
              + " always expire at the same time than the corresponding data in the parent table.");
    }
    UUID id = options.id();
    TableCreation.requireName(keyspace, name);
    if (id != null) {
      TableCreation.requireNewId(schema, id);
    }
    TableSchemaBuilder view =
        new TableSchemaBuilder(
            keyspace, name, id == null ? context.newTableId() : id, context.newStorageId(), read);
    addColumns(base, view);
    return view.view(
            new ViewSchema(
                base.name(),
                base.id(),
                statement.selectors().isEmpty(),
                conditions,
                other == null ? null : other.id(),
                ViewColumns.unselected(base, view)))
        .build();
  }

  private TableOptionsReader requireBase(
      KeyspaceSchema found, TableSchema base, SchemaContext context) {
    if (base.isCounter()) {
      throw CqlException.invalid("Materialized views are not supported on counter tables");
    }
    TableOptionsReader options =
        new TableOptionsReader(TableGuards.checkProperties(statement.properties(), context));
    context.check(
        Limit.MATERIALIZED_VIEWS_PER_TABLE,
        found.viewsOf(base).size() + 1L,
        name + " on table " + base.name());
    if (base.options().gcGraceSeconds() == 0) {
      throw CqlException.invalid(
          "Cannot create materialized view '"
              + name
              + "' for base table '"
              + base.name()
              + "' with gc_grace_seconds of 0, since this value is used to TTL undelivered updates."
              + " Setting gc_grace_seconds too low might cause undelivered updates to expire before"
              + " being replayed.");
    }
    return options;
  }

  private void select(TableSchema base) {
    if (statement.selectors().isEmpty()) {
      base.visibleColumns().forEach(column -> selected.add(column.name()));
    }
    for (Selector selector : statement.selectors()) {
      if (selector.alias() != null) {
        throw CqlException.invalid(
            "Cannot use aliases when defining a materialized view (got "
                + text(selector.selectable())
                + " AS "
                + CqlNames.quoted(selector.alias())
                + ")");
      }
      if (!(selector.selectable() instanceof Selectable.Column(String column, boolean _))) {
        throw CqlException.invalid(
            "Can only select columns by name when defining a materialized view (got "
                + text(selector.selectable())
                + ")");
      }
      if (base.column(column) == null) {
        throw CqlException.invalid(
            "Undefined column name " + CqlNames.quoted(column) + " in table " + base.cqlName());
      }
      selected.add(column);
    }
    for (String column : inHashOrder(selected)) {
      if (Objects.requireNonNull(base.column(column)).isStatic()) {
        throw CqlException.invalid(
            "Cannot include static column '" + column + "' in materialized view '" + name + "'");
      }
    }
  }

  /** Elements and slices as Cassandra shows them, which names an internal class for others. */
  private static String text(Selectable selectable) {
    return switch (selectable) {
      case Selectable.Column(String column, boolean _) -> column;
      case Selectable.Element(Selectable operand, Term index) -> text(operand) + "[" + index + "]";
      case Selectable.Slice(Selectable operand, Term from, Term to) ->
          text(operand)
              + "["
              + (from == null ? "" : from.toString())
              + ".."
              + (to == null ? "" : to.toString())
              + "]";
      default -> selectable.getClass().getSimpleName();
    };
  }

  private List<ColumnSchema> requireKey(TableSchema base) {
    List<String> names = new ArrayList<>(statement.partitionKey());
    names.addAll(statement.clusteringColumns());
    List<ColumnSchema> key = new ArrayList<>();
    for (String each : names) {
      ColumnSchema column = base.column(each);
      if (column == null || !selected.contains(each)) {
        throw CqlException.invalid(
            "Unknown column '"
                + each
                + "' referenced in PRIMARY KEY for materialized view '"
                + name
                + "'");
      }
      if (key.contains(column)) {
        throw CqlException.invalid(
            "Duplicate column '"
                + each
                + "' in PRIMARY KEY clause for materialized view '"
                + name
                + "'");
      }
      if (column.type().isMultiCell()) {
        throw CqlException.invalid(
            "Invalid non-frozen "
                + (column.type().isCollection() ? "collection" : "user-defined")
                + " type '"
                + column.type().shownClassName()
                + "' for PRIMARY KEY column '"
                + each
                + "'");
      }
      if (column.type().referencesDuration()) {
        throw CqlException.invalid(
            "duration type is not supported for PRIMARY KEY column '" + each + "'");
      }
      key.add(column);
    }
    return key;
  }

  private void requireOrder() {
    if (!descending.isEmpty()
        && !List.copyOf(descending.keySet()).equals(statement.clusteringColumns())) {
      throw CqlException.invalid(
          "Clustering key columns must exactly match columns in CLUSTERING ORDER BY directive");
    }
  }

  /**
   * Requires that the view's key has the columns of the base table's key and at most one more,
   * which is returned.
   */
  private @Nullable ColumnSchema requireBaseKey(TableSchema base, List<ColumnSchema> key) {
    List<String> missing = new ArrayList<>();
    for (ColumnSchema column : base.columns()) {
      if (column.isPrimaryKey() && !key.contains(column)) {
        missing.add(column.name());
      }
    }
    if (!missing.isEmpty()) {
      throw CqlException.invalid(
          "Cannot create materialized view '"
              + name
              + "' without primary key columns "
              + String.join(", ", missing)
              + " from base table '"
              + base.name()
              + "'");
    }
    List<ColumnSchema> others = new ArrayList<>(key);
    others.removeIf(ColumnSchema::isPrimaryKey);
    if (others.size() > 1) {
      throw CqlException.invalid(
          "Cannot include more than one non-primary key column in materialized view primary key"
              + " (got "
              + String.join(", ", inHashOrder(others.stream().map(ColumnSchema::name).toList()))
              + ")");
    }
    return others.isEmpty() ? null : others.getFirst();
  }

  private List<ViewSchema.Condition> conditions(
      TableSchema base, List<ColumnSchema> key, ViewWhere where) {
    for (Relation relation : statement.where()) {
      if (relation instanceof Relation.TokenRelation) {
        throw CqlException.invalid("Cannot use token relation when defining a materialized view");
      }
    }
    for (Relation relation : statement.where()) {
      if (relation instanceof Relation.IndexExpression) {
        throw CqlException.invalid(
            "WHERE clause for materialized view '"
                + name
                + "' cannot contain custom index expressions");
      }
    }
    List<ColumnSchema> illegal = where.check(schema, base, statement.where());
    Set<String> restricted = new HashSet<>();
    statement.where().forEach(each -> restricted.addAll(columnsOf(each)));
    List<String> missing = new ArrayList<>();
    for (ColumnSchema column : key) {
      if (!restricted.contains(column.name())) {
        missing.add(column.name());
      }
    }
    if (!missing.isEmpty()) {
      throw CqlException.invalid(
          "Primary key columns "
              + String.join(", ", inHashOrder(missing))
              + " must be restricted with 'IS NOT NULL' or otherwise");
    }
    if (!illegal.isEmpty()) {
      throw CqlException.invalid(
          "Non-primary key columns can only be restricted with 'IS NOT NULL' (got: "
              + String.join(",", illegal.stream().map(ColumnSchema::name).toList())
              + " restricted illegally)");
    }
    return where.compile(schema, base, statement.where());
  }

  private static List<String> columnsOf(Relation relation) {
    return switch (relation) {
      case Relation.ColumnRelation one -> List.of(one.column());
      case Relation.ColumnIn one -> List.of(one.column());
      case Relation.IsNotNull one -> List.of(one.column());
      case Relation.ElementRelation one -> List.of(one.column());
      case Relation.TupleRelation several -> several.columns();
      case Relation.TupleIn several -> several.columns();
      case Relation.TokenRelation _, Relation.IndexExpression _ -> List.of();
    };
  }

  /**
   * Names in the order in which Cassandra lists them: the iteration order of a hash set of their
   * bytes.
   */
  private static List<String> inHashOrder(Iterable<String> names) {
    Set<ByteBuffer> hashed = new HashSet<>();
    names.forEach(each -> hashed.add(ByteBuffer.wrap(each.getBytes(StandardCharsets.UTF_8))));
    return hashed.stream().map(each -> new String(each.array(), StandardCharsets.UTF_8)).toList();
  }

  private void addColumns(TableSchema base, TableSchemaBuilder view) {
    for (String each : statement.partitionKey()) {
      view.add(column(base, each, ColumnKind.PARTITION_KEY, view.partitionKey.size()));
    }
    for (String each : statement.clusteringColumns()) {
      view.add(column(base, each, ColumnKind.CLUSTERING, view.clusteringColumns.size()));
    }
    for (String each : selected) {
      if (view.find(each) == null) {
        view.add(column(base, each, ColumnKind.REGULAR, -1));
      }
    }
  }

  private ColumnSchema column(TableSchema base, String column, ColumnKind kind, int position) {
    ColumnSchema shown = Objects.requireNonNull(base.column(column));
    boolean reversed =
        kind == ColumnKind.CLUSTERING
            && descending.getOrDefault(column, descending.isEmpty() && shown.descending());
    return ViewColumns.shown(shown, kind, position, reversed);
  }
}
