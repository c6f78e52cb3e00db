package io.helenus.server.query.modification;

import io.helenus.cql.ast.Assignment;
import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.Conditions;
import io.helenus.cql.ast.Deletion;
import io.helenus.cql.ast.JsonValue;
import io.helenus.cql.ast.ModificationStatement;
import io.helenus.cql.ast.Operator;
import io.helenus.cql.ast.Relation;
import io.helenus.cql.ast.Term;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.ScalarFunction;
import io.helenus.server.guardrails.Feature;
import io.helenus.server.query.condition.ConditionCompiler;
import io.helenus.server.query.condition.ConditionPlan;
import io.helenus.server.query.restriction.KeyLayout;
import io.helenus.server.query.restriction.KeySlots;
import io.helenus.server.query.restriction.RelationCompiler;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.query.restriction.WhereCompiler;
import io.helenus.server.query.restriction.WherePlan;
import io.helenus.server.query.statement.Columns;
import io.helenus.server.query.statement.MarkerColumns;
import io.helenus.server.query.statement.PlanningScope;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.query.statement.StatementKind;
import io.helenus.server.query.value.Expression;
import io.helenus.server.query.value.JsonDocument;
import io.helenus.server.query.value.TermCompiler;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.query.value.ValueSource;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.UserType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plans INSERT, UPDATE and DELETE. Checks in Cassandra's order, so that of several mistakes the
 * client sees the same one. Pure; one per statement.
 */
public final class ModificationPlanner {
  private final PlanningScope scope;
  private final TermCompiler terms;
  private final ValueSlots.Builder slots = new ValueSlots.Builder();
  private final CellsBuilder cells = new CellsBuilder();
  private @Nullable ConditionPlan condition;

  /** Creates a planner for one statement in this scope. */
  public ModificationPlanner(PlanningScope scope) {
    this.scope = scope;
    this.terms = new TermCompiler(scope);
  }

  /**
   * Plans a statement outside a batch.
   *
   * @throws CqlException if the statement is invalid, with Cassandra's error, or uses a feature
   *     that Helenus does not support
   */
  public ModificationPlan plan(ModificationStatement statement) {
    return plan(statement, true);
  }

  /** Plans a statement of a batch; its markers are numbered as in the batch. */
  ModificationPlan planInBatch(ModificationStatement statement) {
    return plan(statement, false);
  }

  private ModificationPlan plan(ModificationStatement statement, boolean alone) {
    TableSchema table = scope.table(statement.table());
    if (statement.conditions() instanceof Conditions.OnColumns
        && statement.parameters().timestamp() != null) {
      throw customTimestamp();
    }
    condition = new ConditionCompiler(table, terms, slots).compile(statement.conditions());
    UsingClause using = UsingClause.of(statement.parameters(), table, terms, slots);
    slots.ofRows(true);
    Target target =
        switch (statement) {
          case ModificationStatement.Insert insert -> insert(table, insert);
          case ModificationStatement.InsertJson insert -> insertJson(table, insert);
          case ModificationStatement.Update update -> update(table, update);
          case ModificationStatement.Delete delete -> delete(table, delete);
        };
    refuseConditionOnCounters(table);
    if (condition != null && using.timestampSlot() != null) {
      throw customTimestamp();
    }
    if (table.isCounter() && alone) {
      refuseUsing(using);
    }
    SchemaNames.requireModifiable(table);
    if (alone) {
      SchemaNames.requireNoView(table);
    }
    if (using.timestampSlot() != null) {
      scope.require(Feature.USER_TIMESTAMPS);
    }
    boolean writesRows = writesRows(table, target);
    KeySlots keySlots = KeySlots.of(target.where);
    if (keySlots.clustering() != null) {
      cells.keepForms(table, keySlots.clustering());
    }
    ValueSlots values = slots.build();
    values.requireValidKey(
        KeySlots.ofListed(target.where.partitionKey()), table.partitionKey().size());
    return new ModificationPlan(
        scope.keyspaceOf(table).properties(),
        table,
        target.action,
        statement.table().keyspace() != null,
        alone ? scope.markers(table) : MarkerColumns.NONE,
        values,
        using,
        target.where.partitionKey(),
        target.where.clustering(),
        keySlots,
        new KeyLayout(table),
        cells.regular(),
        cells.statics(),
        cells.rewrites(),
        cells.sums(),
        writesRows,
        kind(statement),
        condition,
        constraints(table, statement, target, writesRows));
  }

  private @Nullable ConstraintChecks constraints(
      TableSchema table, ModificationStatement statement, Target target, boolean writesRows) {
    if (!table.hasConstraints()) {
      return null;
    }
    List<Restriction> keys = new ArrayList<>(target.where.partitionKey());
    keys.addAll(target.where.clustering());
    return ConstraintChecks.of(table, kind(statement), keys, cells.all(), writesRows);
  }

  private void refuseConditionOnCounters(TableSchema table) {
    if (condition != null && table.isCounter()) {
      throw CqlException.invalid("Conditional updates are not supported on counter tables");
    }
  }

  /** Refuses the clauses that counters do not have. */
  static void refuseUsing(UsingClause using) {
    if (using.timestampSlot() != null) {
      throw CqlException.invalid("Cannot provide custom timestamp for counter updates");
    }
    if (using.ttlSlot() != null) {
      throw CqlException.invalid("Cannot provide custom TTL for counter updates");
    }
  }

  private static StatementKind kind(ModificationStatement statement) {
    return switch (statement) {
      case ModificationStatement.Insert ignored -> StatementKind.INSERT;
      case ModificationStatement.InsertJson ignored -> StatementKind.INSERT;
      case ModificationStatement.Update ignored -> StatementKind.UPDATE;
      case ModificationStatement.Delete ignored -> StatementKind.DELETE;
    };
  }

  private static CqlException customTimestamp() {
    return CqlException.invalid("Cannot provide custom timestamp for conditional updates");
  }

  /** Whether the statement writes static columns only, and has no condition on other columns. */
  private boolean isOnlyStatic() {
    return cells.onlyStatic() && (condition == null || condition.regular().isEmpty());
  }

  /** Whether regular rows are written, not only the static row. */
  private boolean writesRows(TableSchema table, Target target) {
    return switch (target.action) {
      case INSERT, SET_CELLS ->
          !cells.onlyStatic()
              || !target.where.clustering().isEmpty()
              || !table.hasClusteringColumns();
      case DELETE_ROWS, DELETE_RANGES, DELETE_PARTITION -> true;
    };
  }

  private record Target(ModificationPlan.Action action, WherePlan where) {}

  private Target insert(TableSchema table, ModificationStatement.Insert insert) {
    if (table.isCounter()) {
      throw CqlException.invalid(
          "INSERT statements are not allowed on counter tables, use UPDATE instead");
    }
    if (insert.columns().size() != insert.values().size()) {
      throw CqlException.invalid("Unmatched column names/values");
    }
    if (new HashSet<>(insert.columns()).size() < insert.columns().size()) {
      throw CqlException.invalid("The column names contains duplicates");
    }
    boolean clusteringGiven = false;
    List<Relation> where = new ArrayList<>();
    for (int i = 0; i < insert.columns().size(); i++) {
      ColumnSchema column = Columns.require(table, insert.columns().get(i));
      clusteringGiven |= column.kind() == ColumnKind.CLUSTERING;
      if (column.isPrimaryKey()) {
        where.add(new Relation.ColumnRelation(column.name(), Operator.EQ, insert.values().get(i)));
      } else {
        set(table, column, new Assignment.SetValue(column.name(), insert.values().get(i)));
      }
    }
    boolean onlyStatic = !clusteringGiven && cells.onlyStatic();
    WherePlan plan = where(StatementKind.INSERT, table, where, onlyStatic);
    if (table.isCompact() && cells.isEmpty()) {
      ColumnSchema column = table.regularColumns().getFirst();
      cells.set(column, slots.add(implicitValue(column), column.type()));
    }
    return new Target(insertion(table), plan);
  }

  /** The rows of COMPACT STORAGE tables have no liveness. */
  private static ModificationPlan.Action insertion(TableSchema table) {
    return table.isCompact() ? ModificationPlan.Action.SET_CELLS : ModificationPlan.Action.INSERT;
  }

  /** The value that an INSERT without one gives to the only regular column of a dense table. */
  private static ValueSource implicitValue(ColumnSchema column) {
    if (column.type() == ScalarType.EMPTY) {
      return new ValueSource.Constant(new byte[0]);
    }
    String refusal = "Column " + column.name() + " is mandatory for this COMPACT STORAGE table";
    ScalarFunction refusing =
        new ScalarFunction(
            "mandatory",
            List.of(),
            column.type(),
            false,
            (arguments, context, out) -> {
              throw CqlException.invalid(refusal);
            });
    return new ValueSource.Computed(new Expression.Call(refusing, List.of()));
  }

  /** Sets every column: those that the document lacks to null, or to their present values. */
  private Target insertJson(TableSchema table, ModificationStatement.InsertJson insert) {
    if (table.isCounter()) {
      throw CqlException.invalid(
          "INSERT statements are not allowed on counter tables, use UPDATE instead");
    }
    List<Relation> where = new ArrayList<>();
    JsonSource json = jsonSource(table, insert);
    for (ColumnSchema column : table.columns()) {
      Term value = terms.given(column.name(), json.of(column));
      if (column.isPrimaryKey()) {
        where.add(new Relation.ColumnRelation(column.name(), Operator.EQ, value));
      } else {
        set(table, column, new Assignment.SetValue(column.name(), value));
      }
    }
    WherePlan plan = where(StatementKind.INSERT, table, where, false);
    return new Target(insertion(table), plan);
  }

  /** Where the values of the columns come from. */
  private interface JsonSource {
    ValueSource of(ColumnSchema column);
  }

  private JsonSource jsonSource(TableSchema table, ModificationStatement.InsertJson insert) {
    boolean unset = insert.defaultUnset();
    return switch (insert.json()) {
      case JsonValue.Text(String text) -> {
        JsonDocument document = JsonDocument.parse(text, table.columns());
        yield column ->
            unset && !document.has(column) ? new ValueSource.Unset() : document.source(column);
      }
      case BindMarker marker -> {
        ValueSource ignored = terms.marker(marker, Receiver.of(table, "[json]", ScalarType.TEXT));
        yield column -> new ValueSource.JsonField(marker.index(), table.columns(), column, unset);
      }
    };
  }

  private Target update(TableSchema table, ModificationStatement.Update update) {
    for (Assignment assignment : update.assignments()) {
      ColumnSchema column = Columns.require(table, assignment.column());
      if (column.isPrimaryKey()) {
        throw CqlException.invalid("PRIMARY KEY part " + column.name() + " found in SET part");
      }
      set(table, column, assignment);
    }
    WherePlan plan = where(StatementKind.UPDATE, table, update.where(), isOnlyStatic());
    return new Target(ModificationPlan.Action.SET_CELLS, plan);
  }

  private Target delete(TableSchema table, ModificationStatement.Delete delete) {
    for (Deletion deletion : delete.deletions()) {
      ColumnSchema column = Columns.require(table, deletion.column());
      if (column.isPrimaryKey()) {
        throw CqlException.invalid(
            "Invalid identifier "
                + column.name()
                + " for deletion (should not be a PRIMARY KEY part)");
      }
      delete(table, column, deletion);
    }
    WherePlan where = where(StatementKind.DELETE, table, delete.where(), isOnlyStatic());
    int restricted = where.clustering().stream().mapToInt(each -> each.columns().size()).sum();
    boolean slice =
        !where.clustering().isEmpty() && where.clustering().getLast() instanceof Restriction.Slice;
    boolean wholeRows = !slice && restricted == table.clusteringColumns().size();
    refuseConditionOnCounters(table);
    if (condition != null && delete.parameters().timestamp() != null) {
      throw customTimestamp();
    }
    if (condition != null && !wholeRows) {
      refuseConditionOnRange(condition);
    }
    if (cells.hasRegular() && !wholeRows) {
      throw CqlException.invalid("Range deletions are not supported for specific columns");
    }
    if (!cells.isEmpty()) {
      return new Target(ModificationPlan.Action.SET_CELLS, where);
    }
    if (where.clustering().isEmpty()) {
      return new Target(ModificationPlan.Action.DELETE_PARTITION, where);
    }
    if (wholeRows && table.isCompact()) {
      // like Cassandra: the difference shows once COMPACT STORAGE has been dropped
      cells.delete(table.regularColumns().getFirst());
      return new Target(ModificationPlan.Action.SET_CELLS, where);
    }
    return new Target(
        wholeRows ? ModificationPlan.Action.DELETE_ROWS : ModificationPlan.Action.DELETE_RANGES,
        where);
  }

  private void refuseConditionOnRange(ConditionPlan plan) {
    String rule =
        "DELETE statements must restrict all PRIMARY KEY columns with equality relations in order"
            + " to ";
    if (cells.isEmpty() || cells.hasRegular()) {
      throw CqlException.invalid(rule + "delete non static columns");
    }
    if (!plan.regular().isEmpty()) {
      throw CqlException.invalid(rule + "use IF condition on non static columns");
    }
  }

  private void delete(TableSchema table, ColumnSchema column, Deletion deletion) {
    switch (deletion) {
      case Deletion.Column ignored -> cells.delete(column);
      case Deletion.Element(String ignored, var key) ->
          new ElementAssignments(table, terms, slots, cells).delete(column, key);
      case Deletion.Field(String ignored, String field) ->
          new FieldAssignments(table, terms, slots, cells).delete(column, field);
    }
  }

  private void set(TableSchema table, ColumnSchema column, Assignment assignment) {
    ElementAssignments elements = new ElementAssignments(table, terms, slots, cells);
    switch (assignment) {
      case Assignment.SetValue(String name, var value) -> {
        int slot = slots.add(terms.compile(value, Receiver.of(table, column)), column.type());
        if (column.type().isCounter()) {
          throw CqlException.invalid(
              "Cannot set the value of counter column "
                  + name
                  + " (counters can only be incremented/decremented, not set)");
        }
        refuseTuple(column, value);
        cells.set(column, slot);
      }
      case Assignment.Add add -> elements.add(column, add, condition != null);
      case Assignment.Subtract subtract -> elements.subtract(column, subtract);
      case Assignment.Prepend prepend -> elements.prepend(column, prepend);
      case Assignment.SetElement put -> elements.put(column, put);
      case Assignment.SetField field ->
          new FieldAssignments(table, terms, slots, cells).set(column, field);
    }
  }

  /** Cassandra accepts tuples as user types, but fails to write them into such a column. */
  private static void refuseTuple(ColumnSchema column, Term value) {
    if (value instanceof Term.TupleLiteral && column.type() instanceof UserType type) {
      throw CqlException.invalid(
          "Invalid tuple type literal for " + column.name() + " of type " + type.toCql());
    }
  }

  private WherePlan where(
      StatementKind kind, TableSchema table, List<Relation> where, boolean onlyStatic) {
    slots.ofRows(false);
    RelationCompiler relations = new RelationCompiler(table, terms, slots);
    return new WhereCompiler(kind, table, relations, false, false, WhereCompiler.FILTERING_NEEDED)
        .compile(where, onlyStatic);
  }
}
