package io.helenus.server.query.select;

import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Term;
import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Feature;
import io.helenus.server.query.restriction.KeyLayout;
import io.helenus.server.query.restriction.KeySlots;
import io.helenus.server.query.restriction.Nearest;
import io.helenus.server.query.restriction.RelationCompiler;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.query.restriction.WhereCompiler;
import io.helenus.server.query.restriction.WherePlan;
import io.helenus.server.query.selection.EarlyFunctions;
import io.helenus.server.query.selection.GroupByCompiler;
import io.helenus.server.query.selection.Grouping;
import io.helenus.server.query.selection.ReadColumns;
import io.helenus.server.query.selection.SelectedNames;
import io.helenus.server.query.selection.Selection;
import io.helenus.server.query.selection.SelectionCompiler;
import io.helenus.server.query.selection.SelectionInput;
import io.helenus.server.query.selection.SelectionInputs;
import io.helenus.server.query.statement.Columns;
import io.helenus.server.query.statement.PlanningScope;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.query.statement.StatementKind;
import io.helenus.server.query.value.TermCompiler;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.query.value.ValueSource;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.ScalarType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plans a SELECT, with Cassandra's checks in Cassandra's order: table, ORDER BY columns, WHERE,
 * select list (but see {@link EarlyFunctions}), DISTINCT, GROUP BY, ORDER BY, filtering. One per
 * statement.
 */
public final class SelectPlanner {
  private final PlanningScope scope;
  private final SelectStatement statement;
  private final TableSchema table;
  private final TermCompiler terms;
  private final ValueSlots.Builder slots = new ValueSlots.Builder();
  private final List<Nearest> nearest = new ArrayList<>();

  public SelectPlanner(PlanningScope scope, SelectStatement statement) {
    this.scope = scope;
    this.statement = statement;
    this.table = scope.table(statement.table());
    this.terms = new TermCompiler(scope);
  }

  public SelectPlan plan() {
    if (!statement.groupBy().isEmpty()) {
      scope.require(Feature.GROUP_BY);
    }
    Map<ColumnSchema, Boolean> ordering;
    SelectionCompiler selection = new SelectionCompiler(scope, table, slots);
    WherePlan where;
    try {
      ordering = ordering();
      where = where(SelectedNames.areStatic(table, statement.selectors()));
      selection.compile(statement);
    } catch (CqlException e) {
      new EarlyFunctions(scope, table).refuse(statement.selectors());
      throw e;
    }
    if (statement.distinct()) {
      List<ColumnSchema> requested = new ArrayList<>(selection.selectedColumns());
      if (hasKeyIn(where)) {
        // also read the columns that rows of several partitions are sorted by
        requested.addAll(ordering.keySet());
      }
      validateDistinct(where, requested);
    }
    Grouping grouping = GroupByCompiler.compile(table, statement, where, selection);
    ReadColumns.Builder read = new ReadColumns.Builder(table);
    selection.selectedColumns().forEach(read::addPart);
    selection.wholeColumns().forEach(read::add);
    where.filters().forEach(filter -> read.add(filter.firstColumn()));
    if (where.nearest() != null) {
      read.add(where.nearest().column());
    }
    ReadColumns readColumns = read.build();
    Selection compiled = selection.build(readColumns);
    if (grouping == null
        && compiled.aggregates().length > 0
        && statement.perPartitionLimit() != null) {
      throw CqlException.invalid("PER PARTITION LIMIT is not allowed with aggregate queries.");
    }
    Ordering order = order(ordering, where, readColumns);
    if (!statement.allowFiltering()
        && !scope.keyspaceOf(table).isVirtual()
        && (where.isKeyRange() || where.index() != null)
        && where.needsFiltering()) {
      throw CqlException.invalid(WhereCompiler.FILTERING_NEEDED);
    }
    requireNoVectors(where);
    if (statement.allowFiltering() && isOfUser()) {
      scope.require(Feature.ALLOW_FILTERING);
    }
    Limits limits =
        new Limits(
            limit(statement.limit(), "[limit]"),
            limit(statement.perPartitionLimit(), "[per_partition_limit]"));
    return new SelectPlan(
        scope.keyspaceOf(table).properties(),
        table,
        statement.table().keyspace() != null,
        scope.markers(table),
        slots.build(),
        where,
        KeySlots.of(where),
        new KeyLayout(table, scope.keyspaceOf(table).partitionKeyTypes(table)),
        filterInputs(where, readColumns),
        compiled,
        limits,
        order,
        statement.distinct(),
        grouping,
        grouping != null || compiled.aggregates().length > 0 ? aggregateWarning(where) : null);
  }

  /** Rejects a restriction of a key or an element by the vectors that it is equal to. */
  private void requireNoVectors(WherePlan where) {
    if (where.nearest() == null && where.index() != null && where.index().comparesVectors()) {
      throw statement.limit() == null
          ? NearestRules.limitNeeded(Limits.NO_LIMIT)
          : CqlException.invalid("Vector indexes only support ANN queries");
    }
  }

  private boolean isOfUser() {
    return !SchemaNames.isSystem(table.keyspace()) && !scope.keyspaceOf(table).isVirtual();
  }

  private Map<ColumnSchema, Boolean> ordering() {
    Map<ColumnSchema, Boolean> ordering = new LinkedHashMap<>();
    for (SelectStatement.Ordering each : statement.orderBy()) {
      ColumnSchema column = Columns.require(table, each.column());
      Term vector = each.annOf();
      if (vector == null) {
        ordering.put(column, each.descending());
      } else {
        ValueSource value = terms.compile(vector, Receiver.of(table, column));
        nearest.add(new Nearest(column, slots.add(value, column.type()), null));
      }
    }
    return ordering;
  }

  /** The vector that rows are ordered by; null for none. Cassandra checks this after WHERE. */
  private @Nullable Nearest nearest() {
    if (nearest.isEmpty()) {
      return null;
    }
    if (nearest.size() > 1) {
      throw CqlException.invalid("Cannot specify more than one ANN ordering");
    }
    if (statement.orderBy().size() > 1) {
      throw CqlException.invalid("ANN ordering does not support any other ordering");
    }
    if (statement.orderBy().getFirst().descending()) {
      throw CqlException.invalid("Descending ANN ordering is not supported");
    }
    return nearest.getFirst();
  }

  private WherePlan where(boolean onlyStatic) {
    RelationCompiler relations = new RelationCompiler(table, terms, slots);
    return new WhereCompiler(
            StatementKind.SELECT,
            table,
            relations,
            statement.allowFiltering(),
            scope.keyspaceOf(table).isVirtual(),
            scope.allows(Feature.ALLOW_FILTERING)
                ? WhereCompiler.FILTERING_NEEDED
                : WhereCompiler.FILTERING_DISABLED)
        .storageAttachedFirst(scope.storageAttachedFirst())
        .compile(statement.where(), onlyStatic, this::nearest);
  }

  private void validateDistinct(WherePlan where, List<ColumnSchema> selected) {
    if (statement.perPartitionLimit() != null) {
      throw CqlException.invalid("PER PARTITION LIMIT is not allowed with SELECT DISTINCT queries");
    }
    if (where.restrictsClustering() || where.restrictsRegular()) {
      throw CqlException.invalid(
          "SELECT DISTINCT with WHERE clause only supports restriction by partition key and/or"
              + " static columns.");
    }
    for (ColumnSchema column : selected) {
      if (column.kind() == ColumnKind.CLUSTERING || column.kind() == ColumnKind.REGULAR) {
        throw CqlException.invalid(
            "SELECT DISTINCT queries must only request partition key columns and/or static columns"
                + " (not "
                + column.name()
                + ")");
      }
    }
    for (ColumnSchema column : table.partitionKey()) {
      if (where.isKeyRange() && !selected.contains(column)) {
        throw CqlException.invalid(
            "SELECT DISTINCT queries must request all the partition key columns (missing "
                + column.name()
                + ")");
      }
    }
  }

  private Ordering order(
      Map<ColumnSchema, Boolean> ordering, WherePlan where, ReadColumns readColumns) {
    if (where.nearest() != null) {
      return new Ordering(false, null, NearestOrder.of(table, where.nearest(), readColumns));
    }
    if (ordering.isEmpty()) {
      return Ordering.DECLARED;
    }
    boolean reversed = isReversed(ordering, where);
    List<ColumnSchema> columns = List.copyOf(ordering.keySet());
    return new Ordering(
        reversed,
        where.hasPartitionKeyIn()
            ? new Ordering.SortKey(columns.getFirst().position(), columns.getLast().position())
            : null,
        null);
  }

  private boolean isReversed(Map<ColumnSchema, Boolean> ordering, WherePlan where) {
    if (where.index() != null) {
      throw CqlException.invalid(
          "ORDER BY with 2ndary indexes is not supported, except for ANN queries.");
    }
    if (where.isKeyRange()) {
      throw CqlException.invalid(
          "ORDER BY is only supported when the partition key is restricted by an EQ or an IN.");
    }
    @Nullable Boolean reversed = null;
    boolean disagree = false;
    int next = 0;
    for (Map.Entry<ColumnSchema, Boolean> entry : ordering.entrySet()) {
      ColumnSchema column = entry.getKey();
      if (column.kind() != ColumnKind.CLUSTERING) {
        throw CqlException.invalid(
            "Order by is currently only supported on the clustered columns of the PRIMARY KEY, got "
                + column.name());
      }
      while (next != column.position()) {
        if (next >= table.clusteringColumns().size()
            || !where.isRestrictedByEqual(table.clusteringColumns().get(next))) {
          throw CqlException.invalid(
              "Order by currently only supports the ordering of columns following their declared"
                  + " order in the PRIMARY KEY");
        }
        next++;
      }
      next++;
      boolean reverse = entry.getValue() != column.descending();
      disagree |= reversed != null && reversed != reverse;
      reversed = reversed == null ? reverse : reversed;
    }
    if (disagree) {
      throw CqlException.invalid("Unsupported order by relation");
    }
    return reversed != null && reversed;
  }

  private @Nullable Integer limit(@Nullable Term term, String name) {
    if (term == null) {
      return null;
    }
    Receiver receiver = Receiver.of(table, name, ScalarType.INT);
    return slots.add(terms.compile(term, receiver), ScalarType.INT);
  }

  private static SelectionInput[] filterInputs(WherePlan where, ReadColumns read) {
    return where.filters().stream()
        .map(each -> SelectionInputs.value(each.firstColumn(), read))
        .toArray(SelectionInput[]::new);
  }

  private @Nullable String aggregateWarning(WherePlan where) {
    boolean partitionKeyRestricted =
        where.token() != null
            || !where.isKeyRange()
            || where.filters().stream()
                .anyMatch(each -> each.firstColumn().kind() == ColumnKind.PARTITION_KEY);
    if (!partitionKeyRestricted) {
      return "Aggregation query used without partition key";
    }
    if (where.token() != null && !where.hasPartitionKeyIn()) {
      return null;
    }
    return hasKeyIn(where)
        ? "Aggregation query used on multiple partition keys (IN restriction)"
        : null;
  }

  /** Whether a part of the partition key is restricted by IN, even if rows are filtered by it. */
  private static boolean hasKeyIn(WherePlan where) {
    return where.hasPartitionKeyIn()
        || where.filters().stream()
            .anyMatch(
                each ->
                    each instanceof Restriction.In
                        && each.firstColumn().kind() == ColumnKind.PARTITION_KEY);
  }
}
