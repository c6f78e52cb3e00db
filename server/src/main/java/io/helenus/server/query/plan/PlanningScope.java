package io.helenus.server.query.plan;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.TypeName;
import io.helenus.cql.ast.UpdateParameters;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.TypeResolver;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
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
  private final TermCompiler terms;

  PlanningScope(Schema schema, @Nullable String keyspaceInUse, List<BindMarker> markers) {
    this.schema = schema;
    this.keyspaceInUse = keyspaceInUse;
    this.variables = new BindVariables(markers);
    this.terms = new TermCompiler(variables, new FunctionTerms(this));
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

  TermCompiler terms() {
    return terms;
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

  /** The slot of USING TIMESTAMP. */
  int timestampSlot(
      UpdateParameters parameters, String keyspace, String table, ValueSlots.Builder slots) {
    if (parameters.timestamp() == null) {
      return ModificationPlan.NO_SLOT;
    }
    Receiver receiver = new Receiver(keyspace, table, "[timestamp]", ScalarType.BIGINT, null);
    return slots.add(terms.compile(parameters.timestamp(), receiver), ScalarType.BIGINT);
  }

  /** The slot of USING TTL. */
  int ttlSlot(UpdateParameters parameters, TableSchema table, ValueSlots.Builder slots) {
    if (parameters.timeToLive() == null) {
      return ModificationPlan.NO_SLOT;
    }
    Receiver receiver = Receiver.of(table, "[ttl]", ScalarType.INT);
    return slots.add(terms.compile(parameters.timeToLive(), receiver), ScalarType.INT);
  }
}
