package io.helenus.server.query.statement;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.TypeName;
import io.helenus.server.guardrails.Feature;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.TypeResolver;
import io.helenus.server.types.CqlType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state that the planners of one statement share: the schema, the keyspace in use, and the
 * markers found so far. One per statement.
 */
public final class PlanningScope {
  private final Schema schema;
  private final @Nullable String keyspaceInUse;
  private final BindVariables variables;
  private final Guardrails guardrails;

  /**
   * Creates the scope of a statement.
   *
   * @param keyspaceInUse the keyspace of unqualified names; null if there is none
   * @param markers all markers of the statement
   */
  public PlanningScope(Schema schema, @Nullable String keyspaceInUse, List<BindMarker> markers) {
    this(schema, keyspaceInUse, markers, Guardrails.NONE);
  }

  /** Creates the scope of a statement of a client, which must respect the guardrails. */
  public PlanningScope(
      Schema schema,
      @Nullable String keyspaceInUse,
      List<BindMarker> markers,
      Guardrails guardrails) {
    this.guardrails = guardrails;
    this.schema = schema;
    this.keyspaceInUse = keyspaceInUse;
    this.variables = new BindVariables(markers);
  }

  /** The schema that the statement is planned under. */
  public Schema schema() {
    return schema;
  }

  @Nullable String keyspaceInUse() {
    return keyspaceInUse;
  }

  /** The markers found so far. */
  public BindVariables variables() {
    return variables;
  }

  /** Whether a SELECT that both kinds of indexes support uses storage-attached ones. */
  public boolean storageAttachedFirst() {
    return guardrails.storageAttachedFirst();
  }

  /** Whether a feature may be used. */
  public boolean allows(Feature feature) {
    return guardrails.allows(feature);
  }

  /**
   * Checks the use of a feature.
   *
   * @throws io.helenus.server.error.CqlException if its guardrail forbids it
   */
  public void require(Feature feature) {
    guardrails.require(feature, ignored -> {});
  }

  /**
   * Looks up a table.
   *
   * @throws io.helenus.server.error.CqlException INVALID if it does not exist
   */
  public TableSchema table(QualifiedName name) {
    return SchemaNames.table(schema, name, keyspaceInUse);
  }

  /** Resolves a type name for a table in this keyspace. */
  public CqlType type(TypeName name, String keyspace) {
    return TypeResolver.resolve(name, keyspace, schema::userType);
  }

  /** The keyspace of a table. */
  public KeyspaceSchema keyspaceOf(TableSchema table) {
    return SchemaNames.use(schema, table.keyspace());
  }

  /** The markers of a statement on one table. */
  public MarkerColumns markers(TableSchema table) {
    return new MarkerColumns(
        variables.columns(), variables.names(), variables.partitionKeyIndexes(table));
  }
}
