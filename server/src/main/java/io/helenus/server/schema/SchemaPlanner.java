package io.helenus.server.schema;

import io.helenus.cql.ast.FunctionStatement;
import io.helenus.cql.ast.IndexStatement;
import io.helenus.cql.ast.KeyspaceStatement;
import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.ast.TableStatement;
import io.helenus.cql.ast.TriggerStatement;
import io.helenus.cql.ast.TypeStatement;
import io.helenus.cql.ast.ViewStatement;
import io.helenus.server.error.CqlException;
import org.jspecify.annotations.Nullable;

/**
 * Validates a schema statement and translates it to a {@link SchemaEdit}: a pure function of
 * schema, statement and context. Errors have Cassandra's codes and texts. Stateless; any thread.
 */
public final class SchemaPlanner {
  private SchemaPlanner() {}

  /**
   * Plans the change that a statement makes.
   *
   * @throws CqlException if the statement is rejected
   */
  public static SchemaChange plan(Schema schema, SchemaStatement statement, SchemaContext context) {
    return switch (statement) {
      case KeyspaceStatement.CreateKeyspace create ->
          KeyspaceChanges.create(schema, create, context);
      case KeyspaceStatement.AlterKeyspace alter -> KeyspaceChanges.alter(schema, alter, context);
      case KeyspaceStatement.DropKeyspace drop -> KeyspaceChanges.drop(schema, drop, context);
      case TableStatement.CreateTable create -> TableCreation.create(schema, create, context);
      case TableStatement.CopyTable copy -> TableCopy.create(schema, copy, context);
      case TableStatement.AlterTable alter -> TableAlteration.alter(schema, alter, context);
      case TableStatement.DropTable drop -> TableAlteration.drop(schema, drop, context);
      case TypeStatement.CreateType create -> TypeChanges.create(schema, create, context);
      case TypeStatement.AlterType alter -> TypeChanges.alter(schema, alter, context);
      case TypeStatement.DropType drop -> TypeChanges.drop(schema, drop, context);
      case IndexStatement.CreateIndex create -> IndexChanges.create(schema, create, context);
      case IndexStatement.DropIndex drop -> IndexChanges.drop(schema, drop, context);
      case ViewStatement.CreateView create -> ViewCreation.create(schema, create, context);
      case ViewStatement.AlterView alter -> ViewChanges.alter(schema, alter, context);
      case ViewStatement.DropView drop -> ViewChanges.drop(schema, drop, context);
      case FunctionStatement _ -> throw unsupported(statement.feature());
      case TriggerStatement trigger -> TriggerChanges.plan(schema, trigger, context);
    };
  }

  /**
   * Checks what does not depend on the schema, as PREPARE does.
   *
   * @throws CqlException if the statement is rejected
   */
  public static void check(SchemaStatement statement, @Nullable String keyspaceInUse) {
    if (statement instanceof ViewStatement.CreateView view) {
      ViewCreation.check(view, SchemaNames.keyspaceOf(view.view(), keyspaceInUse));
    }
  }

  static CqlException unsupported(String feature) {
    return CqlException.invalid(feature + " is not supported by this version of Helenus");
  }
}
