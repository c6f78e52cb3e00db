package io.helenus.server.query.statement;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.TypeName;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.TypeResolver;
import io.helenus.server.types.CqlType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the planners of one statement share: the schema, the keyspace in use, the markers found so
 * far. One planning.
 */
public final class PlanningScope {
  private final Schema schema;
  private final @Nullable String keyspaceInUse;
  private final BindVariables variables;

  public PlanningScope(Schema schema, @Nullable String keyspaceInUse, List<BindMarker> markers) {
    this.schema = schema;
    this.keyspaceInUse = keyspaceInUse;
    this.variables = new BindVariables(markers);
  }

  public Schema schema() {
    return schema;
  }

  @Nullable String keyspaceInUse() {
    return keyspaceInUse;
  }

  public BindVariables variables() {
    return variables;
  }

  public TableSchema table(QualifiedName name) {
    return SchemaNames.table(schema, name, keyspaceInUse);
  }

  /** The type of a name in a statement on a table of this keyspace. */
  public CqlType type(TypeName name, String keyspace) {
    return TypeResolver.resolve(name, keyspace);
  }

  public KeyspaceSchema keyspaceOf(TableSchema table) {
    return SchemaNames.use(schema, table.keyspace());
  }

  /** The markers of a statement on one table. */
  public MarkerColumns markers(TableSchema table) {
    return new MarkerColumns(
        variables.columns(), variables.names(), variables.partitionKeyIndexes(table));
  }
}
