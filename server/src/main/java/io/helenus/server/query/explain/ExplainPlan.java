package io.helenus.server.query.explain;

import io.helenus.cql.ast.ExplainStatement;
import io.helenus.server.error.CqlException;
import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.query.statement.MarkerColumns;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.ScalarType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of EXPLAIN. Immutable; any thread.
 *
 * @param schema that it was planned under
 * @param plan of the explained statement; null if it is refused
 * @param refusal why it is refused; null if it is not
 * @param refused what stands in the way; null if it is not refused
 */
public record ExplainPlan(
    ExplainStatement statement,
    Schema schema,
    @Nullable StatementPlan plan,
    @Nullable CqlException refusal,
    @Nullable RefusedQuery refused)
    implements StatementPlan {
  private static final ResultColumns TREE = columns("step", "what", "estimate");
  private static final ResultColumns MEASURED = columns("step", "what", "estimate", "actual");
  private static final ResultColumns JSON = columns("[json]");

  private static ResultColumns columns(String... names) {
    return new ResultColumns(
        List.of(names).stream()
            .map(name -> new ResultColumns.Column("system", "explain", name, ScalarType.TEXT))
            .toList());
  }

  @Override
  public Kind kind() {
    return Kind.EXPLAIN;
  }

  @Override
  public MarkerColumns markerColumns() {
    return plan == null ? MarkerColumns.NONE : plan.markerColumns();
  }

  /** Without values the estimates are those of any key; what is analyzed is run. */
  @Override
  public boolean runsWithoutValues() {
    return !statement.analyze();
  }

  @Override
  public ResultColumns resultColumns() {
    return statement.json() ? JSON : statement.analyze() ? MEASURED : TREE;
  }

  @Override
  public List<TableSchema> tables() {
    return plan == null ? List.of() : plan.tables();
  }

  @Override
  public boolean isQualified() {
    return plan != null && plan.isQualified();
  }
}
