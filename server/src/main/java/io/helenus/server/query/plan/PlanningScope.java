package io.helenus.server.query.plan;

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
final class PlanningScope {
  private final Schema schema;
  private final @Nullable String keyspaceInUse;
  private final BindVariables variables;

  PlanningScope(Schema schema, @Nullable String keyspaceInUse, List<BindMarker> markers) {
    this.schema = schema;
    this.keyspaceInUse = keyspaceInUse;
    this.variables = new BindVariables(markers);
  }

  Schema schema() {
    return schema;
  }

  @Nullable String keyspaceInUse() {
    return keyspaceInUse;
  }

  BindVariables variables() {
    return variables;
  }

  TableSchema table(QualifiedName name) {
    return SchemaNames.table(schema, name, keyspaceInUse);
  }

  /** The type of a name in a statement on a table of this keyspace. */
  CqlType type(TypeName name, String keyspace) {
    return TypeResolver.resolve(name, keyspace);
  }

  KeyspaceSchema keyspaceOf(TableSchema table) {
    return SchemaNames.use(schema, table.keyspace());
  }

  /** The markers of a statement on one table. */
  MarkerColumns markers(TableSchema table) {
    return new MarkerColumns(
        variables.columns(), variables.names(), variables.partitionKeyIndexes(table));
  }
}
