package io.helenus.server.modelling;

import io.helenus.cql.ast.KeyspaceStatement;
import io.helenus.cql.ast.Properties;
import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.ast.Statement;
import io.helenus.cql.ast.UseStatement;
import io.helenus.cql.parser.CqlParser;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.query.definition.ViewWhereCompiler;
import io.helenus.server.ring.RingNode;
import io.helenus.server.ring.TokenRing;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.schema.SchemaContext;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.SchemaPlanner;
import io.helenus.server.schema.TableSchema;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The schema that the definitions of a script yield, as in a cluster of one node in each data
 * center that a keyspace names. Not thread-safe.
 */
public final class ScriptSchema {
  private static final String DEFAULT_DATA_CENTER = "datacenter1";

  /** Column drops without a timestamp happened at this microsecond. */
  private static final long NOW_MICROS = 1_700_000_000_000_000L;

  private final FunctionContext functions;
  private final ViewWhereCompiler views;
  private Schema schema;
  private int ids;
  private int dataCenters = 1;
  private @Nullable String keyspace;

  /**
   * Starts with a schema.
   *
   * @param schema with the system keyspaces
   * @param keyspace the keyspace in use
   * @param functions evaluates the functions in the WHERE clauses of views
   */
  public ScriptSchema(Schema schema, @Nullable String keyspace, FunctionContext functions) {
    this.schema = schema;
    this.keyspace = keyspace;
    this.functions = functions;
    views = new ViewWhereCompiler(functions);
  }

  /** Another schema that begins as this one is. */
  public ScriptSchema copy() {
    ScriptSchema copy = new ScriptSchema(schema, keyspace, functions);
    copy.ids = ids;
    copy.dataCenters = dataCenters;
    return copy;
  }

  /** Takes everything since then back. */
  void restore(ScriptSchema earlier) {
    schema = earlier.schema;
  }

  /** Takes the definition of a table, and returns the table. */
  TableSchema create(String text) {
    SchemaChange change = Objects.requireNonNull(take(text));
    return Objects.requireNonNull(
        schema.table(change.keyspace(), Objects.requireNonNull(change.table())));
  }

  /** The most data centers that a keyspace names; at least 1. */
  public int dataCenters() {
    return dataCenters;
  }

  /** The schema as the statements so far have made it. */
  public Schema schema() {
    return schema;
  }

  /** The keyspace in use. */
  public @Nullable String keyspace() {
    return keyspace;
  }

  /**
   * Takes a statement: a definition changes the schema, USE the keyspace in use, others nothing.
   *
   * @return the change; null if the statement is not a definition
   * @throws io.helenus.server.error.CqlException if a server would refuse it, with its text
   */
  public @Nullable SchemaChange take(String text) {
    Statement statement = CqlParser.parse(text, true, ignored -> {});
    if (statement instanceof UseStatement use) {
      keyspace = SchemaNames.use(schema, use.keyspace()).name();
      return null;
    }
    if (!(statement instanceof SchemaStatement definition)) {
      return null;
    }
    ids++;
    SchemaContext context =
        new SchemaContext(
            keyspace,
            new UUID(0x1000, ids),
            1_000_000 + ids,
            NOW_MICROS,
            ring(definition),
            null,
            views,
            Guardrails.NONE,
            ignored -> {});
    SchemaChange change = SchemaPlanner.plan(schema, definition, context);
    if (change.edit() != null) {
      schema = schema.apply(change.edit(), new UUID(0, ids), ids);
    }
    return change;
  }

  /** A node in each data center that a definition names, or in the one without a name. */
  private TokenRing ring(SchemaStatement definition) {
    Set<String> names = new TreeSet<>();
    Properties properties =
        switch (definition) {
          case KeyspaceStatement.CreateKeyspace create -> create.properties();
          case KeyspaceStatement.AlterKeyspace alter -> alter.properties();
          default -> Properties.NONE;
        };
    if (properties.get("replication") instanceof Properties.Value.MapOf replication) {
      names.addAll(replication.entries().keySet());
      names.removeAll(Set.of("class", "replication_factor"));
    }
    if (names.isEmpty()) {
      names.add(DEFAULT_DATA_CENTER);
    }
    dataCenters = Math.max(dataCenters, names.size());
    Map<RingNode, long[]> nodes = new LinkedHashMap<>();
    for (String name : names) {
      int number = nodes.size() + 1;
      nodes.put(new RingNode(new UUID(1, number), name, "rack1"), new long[] {number});
    }
    return TokenRing.of(nodes);
  }
}
