package io.helenus.server.query.restriction;

import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.Operator;
import io.helenus.cql.ast.Relation;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.statement.Columns;
import io.helenus.server.query.statement.StatementKind;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a WHERE clause. Checks, in Cassandra's order:
 *
 * <ol>
 *   <li>each relation: its columns and values, then whether it can be combined with the previous
 *       ones;
 *   <li>the partition key: complete, otherwise the statement is a scan;
 *   <li>the clustering columns: a prefix, otherwise filtered;
 *   <li>other columns: filtered.
 * </ol>
 *
 * <p>Pure; one per statement.
 */
public final class WhereCompiler {
  /** Cassandra's error for a statement that needs ALLOW FILTERING. */
  public static final String FILTERING_NEEDED =
      "Cannot execute this query as it might involve data filtering and thus may have"
          + " unpredictable performance. If you want to execute this query despite the performance"
          + " unpredictability, use ALLOW FILTERING";

  /** The same if the guardrail on ALLOW FILTERING forbids it. */
  public static final String FILTERING_DISABLED =
      "Cannot execute this query as it might involve data filtering and thus may have"
          + " unpredictable performance. Executing this query despite the performance"
          + " unpredictability with ALLOW FILTERING has been disabled by the"
          + " allow_filtering_enabled property in cassandra.yaml";

  private final StatementKind kind;
  private final TableSchema table;
  private final RelationCompiler relations;
  private final boolean allowFiltering;
  private final boolean filteringImplied;
  private final String filteringNeeded;
  private final RestrictionSet partitionKey = new RestrictionSet();
  private final RestrictionSet clustering = new RestrictionSet();
  private final ClusteringRules clusteringRules;
  private final RestrictionSet others = new RestrictionSet();
  private final List<Restriction> filters = new ArrayList<>();

  /** The restrictions that rows are tested against, or that an index has to support. */
  private final List<Restriction> tested = new ArrayList<>();

  private final IndexRules indexes;
  private @Nullable TokenRestriction token;
  private boolean forView;
  private boolean storageAttachedFirst;
  private @Nullable Nearest nearest;
  private @Nullable IndexSchema ofVectors;
  private boolean keyRange;
  private boolean keyFiltered;
  private boolean usesIndex;
  private boolean tests;

  /**
   * Creates a compiler for a statement on a table.
   *
   * @param filteringImplied whether rows may be filtered without ALLOW FILTERING
   * @param filteringNeeded the error for a relation that needs ALLOW FILTERING
   */
  public WhereCompiler(
      StatementKind kind,
      TableSchema table,
      RelationCompiler relations,
      boolean allowFiltering,
      boolean filteringImplied,
      String filteringNeeded) {
    this.filteringNeeded = filteringNeeded;
    this.kind = kind;
    this.table = table;
    this.relations = relations;
    this.allowFiltering = allowFiltering;
    this.filteringImplied = filteringImplied;
    this.indexes = new IndexRules(table);
    this.clusteringRules = new ClusteringRules(kind, table, clustering);
  }

  /** Creates a compiler for the WHERE clause of a materialized view. */
  public static WhereCompiler ofView(TableSchema base, RelationCompiler relations) {
    WhereCompiler compiler =
        new WhereCompiler(StatementKind.SELECT, base, relations, true, false, FILTERING_NEEDED);
    compiler.forView = true;
    return compiler;
  }

  /** Uses storage-attached indexes rather than legacy ones if both kinds support a relation. */
  public WhereCompiler storageAttachedFirst(boolean first) {
    storageAttachedFirst = first;
    return this;
  }

  /**
   * Checks the relations of a materialized view, of which any column may be restricted, also by IS
   * NOT NULL.
   *
   * @return the columns outside the primary key that are compared with values
   * @throws CqlException if the clause is invalid, with Cassandra's error
   */
  public List<ColumnSchema> checkView(List<Relation> where) {
    check(where, false, () -> null);
    return others.columns();
  }

  /**
   * Compiles the relations.
   *
   * @param onlyStatic whether the statement reads or writes static columns only
   * @throws CqlException if the clause is invalid, with Cassandra's error, or has a relation that
   *     Helenus does not support
   */
  public WherePlan compile(List<Relation> where, boolean onlyStatic) {
    return compile(where, onlyStatic, () -> null);
  }

  /**
   * Compiles the relations of a statement that may order rows by their vectors.
   *
   * @param ordering asked after the relations; null for any other order
   */
  public WherePlan compile(
      List<Relation> where, boolean onlyStatic, Supplier<@Nullable Nearest> ordering) {
    check(where, onlyStatic, ordering);
    return plan();
  }

  private void check(
      List<Relation> where, boolean onlyStatic, Supplier<@Nullable Nearest> ordering) {
    for (Relation relation : where) {
      addRelation(relation);
    }
    Nearest order = ordering.get();
    if (order != null) {
      others.requireUnrestricted(order.column());
      ofVectors = indexes.ofVectors(order.column());
      nearest = order;
    }
    boolean indexed = isIndexed();
    processPartitionKey(indexed);
    if (onlyStatic && !clustering.isEmpty()) {
      throw CqlException.invalid(
          kind == StatementKind.SELECT
              ? "Cannot restrict clustering columns when selecting only static columns"
              : "Invalid restrictions on clustering columns since the "
                  + kind
                  + " statement modifies only static columns");
    }
    processClustering(indexed, onlyStatic);
    processOthers(indexed);
    // as in Cassandra, which overlooks IN on a part of the key beside its token
    boolean tokenOfAll = token != null && keyRange;
    if (usesIndex && partitionKey.hasIn() && !tokenOfAll) {
      throw CqlException.invalid(
          "Select on indexed columns and with IN clause for the PRIMARY KEY are not supported");
    }
  }

  /**
   * Whether an index supports any restriction; only SELECT uses indexes, but not that of a view.
   */
  private boolean isIndexed() {
    return kind == StatementKind.SELECT
        && !forView
        && (ofVectors != null
            || indexes.anySupports(clustering.all())
            || indexes.anySupports(partitionKey.all())
            || indexes.anySupports(others.all()));
  }

  private void test(RestrictionSet restrictions) {
    tests = true;
    tested.addAll(restrictions.all());
  }

  /** Whether a partition key column is restricted by IN so far. */
  boolean hasPartitionKeyIn() {
    return partitionKey.hasIn();
  }

  private void addRelation(Relation relation) {
    if (relation instanceof Relation.ColumnRelation column
        && kind != StatementKind.SELECT
        && (column.operator() == Operator.CONTAINS || column.operator() == Operator.CONTAINS_KEY)) {
      throw CqlException.invalid("Cannot use " + kind + " with " + column.operator());
    }
    switch (relation) {
      case Relation.ColumnRelation column -> add(relations.compile(column));
      case Relation.ColumnIn in -> add(relations.compile(in));
      case Relation.TupleRelation tuple -> add(relations.compile(tuple));
      case Relation.TupleIn in -> add(relations.compile(in));
      case Relation.TokenRelation tokens ->
          token =
              TokenRestriction.merge(
                  token, relations.compile(tokens), RestrictionSet.names(table.partitionKey()));
      case Relation.IsNotNull(String column) -> {
        if (!forView) {
          throw CqlException.invalid(
              "Unsupported restriction: " + CqlNames.quoted(column) + " IS NOT NULL");
        }
        ColumnSchema ignored = Columns.require(table, column);
      }
      case Relation.ElementRelation element -> add(relations.compile(element));
      case Relation.IndexExpression expression -> throw refused(expression);
    }
  }

  /** Custom expressions are for other classes of indexes than those that there are. */
  private CqlException refused(Relation.IndexExpression expression) {
    String name = expression.index();
    IndexSchema index = table.index(name);
    return CqlException.invalid(
        index == null
            ? "Invalid index expression, index " + name + " not found for " + table.cqlName()
            : switch (index.kind()) {
              case LEGACY ->
                  "Only CUSTOM indexes may be used in custom index expressions, "
                      + name
                      + " is not valid";
              case SAI -> "Index " + name + " does not support custom expressions";
            });
  }

  private void add(Restriction restriction) {
    switch (restriction.firstColumn().kind()) {
      case PARTITION_KEY -> partitionKey.add(restriction);
      case CLUSTERING -> addClustering(restriction);
      case STATIC, REGULAR -> others.add(restriction);
    }
  }

  private void addClustering(Restriction restriction) {
    Restriction last = clustering.last();
    clustering.add(restriction);
    if (last != null
        && !allowFiltering
        && !(kind == StatementKind.SELECT && indexes.anySupports(restriction))) {
      clusteringRules.requireOrder(last, restriction);
    }
  }

  private void processPartitionKey(boolean indexed) {
    List<ColumnSchema> missing = new ArrayList<>(table.partitionKey());
    missing.removeAll(partitionKey.columns());
    if (kind != StatementKind.SELECT) {
      if (token != null) {
        throw CqlException.invalid(
            "The token function cannot be used in WHERE clauses for " + kind + " statements");
      }
      if (!missing.isEmpty()) {
        throw CqlException.invalid(
            "Some partition key parts are missing: " + RestrictionSet.names(missing));
      }
      if (partitionKey.hasSlice()) {
        throw CqlException.invalid(
            "Only EQ and IN relation are supported on the partition key (unless you use the"
                + " token() function) for "
                + kind
                + " statements");
      }
      return;
    }
    boolean filtered =
        !partitionKey.isEmpty()
            && (!missing.isEmpty() || partitionKey.hasSlice() || partitionKey.hasContains());
    if (partitionKey.isEmpty()) {
      keyRange = true;
      usesIndex = indexed && token == null;
    } else if (filtered) {
      if (!allowFiltering && !filteringImplied && !indexed) {
        throw CqlException.invalid(filteringNeeded);
      }
      keyRange = true;
      usesIndex = indexed;
      filters.addAll(partitionKey.all());
    }
    keyFiltered = filtered;
    if (usesIndex || filtered) {
      test(partitionKey);
    }
  }

  private void processClustering(boolean indexed, boolean onlyStatic) {
    boolean slices = kind == StatementKind.SELECT || kind == StatementKind.DELETE;
    if (!slices) {
      clusteringRules.requireRows(onlyStatic);
    }
    if (clustering.hasContains() && !allowFiltering && !filteringImplied && !indexed) {
      throw CqlException.invalid(
          "Clustering columns can only be restricted with CONTAINS with a secondary index or"
              + " filtering");
    }
    boolean filtered = clusteringRules.needFiltering();
    if (filtered && (indexed || forView)) {
      usesIndex = true;
    } else if (filtered && !allowFiltering) {
      clusteringRules.requirePrefix();
    }
    usesIndex |= keyRange && indexed && indexes.anySupports(clustering.all());
    if (usesIndex || filtered) {
      test(clustering);
    }
  }

  private void processOthers(boolean indexed) {
    if (others.isEmpty() && nearest == null) {
      return;
    }
    if (kind != StatementKind.SELECT) {
      throw CqlException.invalid(
          "Non PRIMARY KEY columns found in where clause: "
              + RestrictionSet.names(others.columns())
              + " ");
    }
    if (nearest == null) {
      VectorRules.requireNone(others.columns(), indexes);
    } else {
      requireIndexed(nearest.column());
    }
    if (!indexed && !allowFiltering && !filteringImplied) {
      throw CqlException.invalid(filteringNeeded);
    }
    if (nearest != null && ofVectors == null) {
      throw VectorRules.notIndexed();
    }
    usesIndex |= indexed;
    test(others);
  }

  /** Requires an index on the vectors, and that no rows have to be filtered without an index. */
  private void requireIndexed(ColumnSchema column) {
    VectorRules.requireIndexed(column, indexes);
    List<ColumnSchema> restricted = new ArrayList<>(others.columns());
    if ((keyRange && token == null) || clusteringRules.needFiltering()) {
      restricted.addAll(clustering.columns());
    }
    if (keyFiltered || !restricted.stream().allMatch(indexes::anyOn)) {
      throw VectorRules.filtered();
    }
  }

  /** Whether rows may be read that no index and no key selects. */
  private boolean needsFiltering() {
    return (tests && indexes.needFiltering(tested, ofVectors))
        || (nearest == null && tested.isEmpty() && !clustering.isEmpty());
  }

  private WherePlan plan() {
    IndexPlan index =
        usesIndex ? IndexChoice.of(table, indexes, tested, storageAttachedFirst) : null;
    Nearest order = nearest;
    IndexSchema found = ofVectors;
    if (index != null && found != null && table.isStored(found)) {
      index = index.withRequired(found);
    }
    List<Restriction> usable = clusteringRules.usable();
    int unfiltered = 0;
    for (Restriction restriction : clustering.all()) {
      // an index can compare values in another way than a range of keys
      if (!usable.contains(restriction)
          || (index != null && index.comparesDifferently(restriction))
          || isFilterInCassandra(restriction, unfiltered)) {
        addFilters(restriction);
      } else {
        unfiltered += restriction.columns().size();
      }
    }
    filters.addAll(others.all());
    boolean regular =
        others.columns().stream().anyMatch(column -> column.kind() == ColumnKind.REGULAR);
    return new WherePlan(
        keyRange ? List.of() : List.copyOf(partitionKey.all()),
        token,
        List.copyOf(usable),
        List.copyOf(filters),
        !clustering.isEmpty(),
        regular || (order != null && order.column().kind() == ColumnKind.REGULAR),
        index,
        order == null ? null : new Nearest(order.column(), order.slot(), found),
        needsFiltering());
  }

  /**
   * Whether a restriction of clustering columns is also a filter because an index supports it or
   * one before it, as in Cassandra: its values are refused as those of filters are, and slices of
   * tuples altogether.
   *
   * @param unfiltered how many of the first columns are restricted by others that are no filters
   */
  private boolean isFilterInCassandra(Restriction restriction, int unfiltered) {
    return tested.contains(restriction)
        && (indexes.anySupports(restriction) || restriction.firstColumn().position() != unfiltered);
  }

  private void addFilters(Restriction restriction) {
    if (!restriction.isTuple()) {
      filters.add(restriction);
      return;
    }
    switch (restriction) {
      case Restriction.Equal(List<ColumnSchema> columns, boolean ignored, TupleSource value) -> {
        for (int i = 0; i < columns.size(); i++) {
          filters.add(new Restriction.Equal(List.of(columns.get(i)), false, value.element(i)));
        }
      }
      case Restriction.In in -> filters.add(in);
      case Restriction.Slice slice -> filters.add(slice);
      case Restriction.Contains contains -> filters.add(contains);
    }
  }
}
