package io.helenus.server.query.prepared;

import io.helenus.cql.ast.Statement;
import io.helenus.cql.parser.CqlParser;
import io.helenus.cql.parser.CqlSyntaxException;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.TypeResolver;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement and its plan under one schema. Immutable; any thread.
 *
 * @param text the statement as the client sent it
 * @param keyspaceInUse the keyspace of unqualified names; null if there was none
 * @param epoch the epoch of the schema that the statement was planned under
 * @param resultMetadataId the id of its result columns
 */
public record CompiledStatement(
    String text,
    Statement statement,
    @Nullable String keyspaceInUse,
    StatementPlan plan,
    long epoch,
    byte[] resultMetadataId) {
  private static final ResultColumns NO_COLUMNS = new ResultColumns(List.of());

  /**
   * Parses and plans a statement.
   *
   * @param extensions whether statements that Cassandra 5.0 lacks are parsed too
   * @throws CqlException if the statement does not parse or the planner rejects it
   */
  public static CompiledStatement compile(
      String text,
      boolean extensions,
      @Nullable String keyspaceInUse,
      Schema schema,
      Planner planner) {
    return compile(text, parse(text, extensions), keyspaceInUse, schema, planner);
  }

  private static Statement parse(String text, boolean extensions) {
    try {
      return CqlParser.parse(text, extensions, TypeResolver::requireClass);
    } catch (CqlSyntaxException e) {
      throw new CqlException(
          switch (e.code()) {
            case SYNTAX -> new CqlError.SyntaxError(e.getMessage());
            case INVALID -> new CqlError.Invalid(e.getMessage());
          });
    }
  }

  private static CompiledStatement compile(
      String text,
      Statement statement,
      @Nullable String keyspaceInUse,
      Schema schema,
      Planner planner) {
    StatementPlan plan = planner.plan(statement, schema, keyspaceInUse);
    ResultColumns columns = plan.resultColumns();
    byte[] id = (columns == null ? NO_COLUMNS : columns).id();
    return new CompiledStatement(text, statement, keyspaceInUse, plan, schema.epoch(), id);
  }

  /**
   * Plans the same statement under another schema. Null if clients have to prepare it again, as in
   * Cassandra: one of its tables no longer fits it, or a marker or a column of the result may have
   * got another meaning.
   *
   * @throws CqlException if the planner rejects a statement that stays prepared, such as TRUNCATE
   *     of a table that does not exist for the moment
   */
  public @Nullable CompiledStatement planAgain(Schema schema, Planner planner) {
    CompiledStatement again;
    try {
      again = compile(text, statement, keyspaceInUse, schema, planner);
    } catch (CqlException e) {
      if (plan.tables().isEmpty()) {
        throw e;
      }
      return null; // the client gets this error when it prepares the statement again
    }
    return again.meansTheSame(this) ? again : null;
  }

  /**
   * The types of markers follow from the columns of the tables, and in casts and arguments from the
   * text.
   */
  private boolean meansTheSame(CompiledStatement before) {
    if (!Arrays.equals(resultMetadataId, before.resultMetadataId)
        || !plan.markers().columns().equals(before.plan.markers().columns())) {
      return false;
    }
    List<TableSchema> tables = plan.tables();
    List<TableSchema> tablesBefore = before.plan.tables();
    for (int i = 0; i < tables.size(); i++) {
      if (!meansTheSame(tables.get(i), tablesBefore.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** What Cassandra compares: of the options, those that its plans contain. */
  private static boolean meansTheSame(TableSchema table, TableSchema before) {
    return table == before
        || (table.id().equals(before.id())
            && table.columns().equals(before.columns())
            && table.indexes().equals(before.indexes())
            && table.compactStorage() == before.compactStorage()
            && table.options().defaultTimeToLiveSeconds()
                == before.options().defaultTimeToLiveSeconds()
            && table.options().gcGraceSeconds() == before.options().gcGraceSeconds());
  }
}
