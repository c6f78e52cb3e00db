package io.helenus.server.schema;

import io.helenus.cql.ast.KeyspaceStatement.AlterKeyspace;
import io.helenus.cql.ast.KeyspaceStatement.CreateKeyspace;
import io.helenus.cql.ast.KeyspaceStatement.DropKeyspace;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Feature;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.ring.ReplicationOptions;
import io.helenus.server.ring.ReplicationStrategy;
import io.helenus.server.ring.TokenRing;
import io.helenus.server.schema.SchemaChange.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** CREATE, ALTER and DROP KEYSPACE. Stateless. */
final class KeyspaceChanges {
  private static final int LONGEST_NAME = 48;
  private static final Set<String> OPTIONS = Set.of("replication", "durable_writes");

  private KeyspaceChanges() {}

  static SchemaChange create(Schema schema, CreateKeyspace statement, SchemaContext context) {
    String name = statement.keyspace();
    requireName(name);
    if (SchemaNames.isLocalSystem(name)) {
      throw CqlException.invalid("System keyspace '" + name + "' is not user-modifiable");
    }
    TableGuards.checkKeyspaces(schema, name, context);
    PropertyReader properties = new PropertyReader(statement.properties());
    properties.requireOnly(OPTIONS);
    Map<String, String> options = properties.map("replication");
    if (options == null) {
      throw CqlException.invalid("Missing mandatory option 'replication'");
    }
    requireClass(options);
    requireStrategy(options, context);
    if (schema.keyspace(name) != null) {
      if (statement.ifNotExists()) {
        return new SchemaChange(null, Action.CREATED, name, null, List.of());
      }
      throw new CqlException(
          new CqlError.AlreadyExists("Cannot add existing keyspace \"" + name + "\"", name, ""));
    }
    boolean durable = properties.flag("durable_writes", true);
    if (options.isEmpty()) {
      throw missingClass();
    }
    ReplicationStrategy strategy =
        ReplicationOptions.parse(
            name,
            options,
            Map.of(),
            context.ring().datacenters(),
            context.guardrails().defaultReplicationFactor());
    checkFactors(name, strategy, context);
    return new SchemaChange(
        new SchemaEdit.CreateKeyspace(name, durable, Replication.of(strategy.options())),
        Action.CREATED,
        name,
        null,
        ReplicationOptions.warnings(name, strategy, context.ring()));
  }

  /** Rejects options without a class; an empty map is checked later. */
  private static void requireClass(Map<String, String> options) {
    if (!options.isEmpty() && !options.containsKey("class")) {
      throw missingClass();
    }
  }

  private static void requireStrategy(Map<String, String> options, SchemaContext context) {
    if ("SimpleStrategy".equals(options.get("class"))) {
      context.require(Feature.SIMPLE_STRATEGY);
    }
  }

  private static void checkFactors(
      String name, ReplicationStrategy strategy, SchemaContext context) {
    for (int factor : strategy.factorsByDatacenter()) {
      context.check(Limit.MINIMUM_REPLICATION_FACTOR, factor, name);
      context.check(Limit.MAXIMUM_REPLICATION_FACTOR, factor, name);
    }
  }

  private static CqlException missingClass() {
    return CqlException.configuration("Missing replication strategy class");
  }

  static void requireName(String name) {
    if (!isWord(name)) {
      throw CqlException.invalid(
          "Keyspace name must not be empty and must contain alphanumeric or underscore characters"
              + " only (got \""
              + name
              + "\")");
    }
    if (name.length() > LONGEST_NAME) {
      throw CqlException.invalid(
          "Keyspace name must not be more than "
              + LONGEST_NAME
              + " characters long (got "
              + name.length()
              + " characters for \""
              + name
              + "\")");
    }
  }

  static boolean isWord(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && (c < '0' || c > '9') && c != '_') {
        return false;
      }
    }
    return !name.isEmpty();
  }

  static SchemaChange alter(Schema schema, AlterKeyspace statement, SchemaContext context) {
    String name = statement.keyspace();
    requireName(name);
    SchemaNames.requireOrdinary(name);
    PropertyReader properties = new PropertyReader(statement.properties());
    properties.requireOnly(OPTIONS);
    Map<String, String> options = properties.map("replication");
    if (options != null) {
      requireClass(options);
    }
    KeyspaceSchema keyspace = schema.keyspace(name);
    if (keyspace == null) {
      if (statement.ifExists()) {
        return new SchemaChange(null, Action.UPDATED, name, null, List.of());
      }
      throw missing(name);
    }
    if (options != null) {
      requireStrategy(options, context);
    }
    boolean durable = properties.flag("durable_writes", keyspace.durableWrites());
    Map<String, String> before = keyspace.replication().toMap();
    TokenRing ring = context.ring();
    ReplicationStrategy earlier = ReplicationOptions.stored(before, ring.nodes().size());
    ReplicationStrategy strategy =
        options == null || options.isEmpty()
            ? earlier
            : ReplicationOptions.parse(
                name,
                options,
                before,
                ring.datacenters(),
                context.guardrails().defaultReplicationFactor());
    checkFactors(name, strategy, context);
    Replication replication = Replication.of(strategy.options());
    if (ring.nodes().size() > 1
        && !replication.equals(keyspace.replication())
        && !SchemaNames.isReplicatedSystem(name)
        && !keyspace.tables().isEmpty()) {
      throw CqlException.invalid(
          "The replication of a keyspace with tables cannot be changed yet in a cluster of several"
              + " nodes: drop the tables first, or create another keyspace");
    }
    List<String> warnings = new ArrayList<>(ReplicationOptions.warnings(name, strategy, ring));
    if (strategy.replicationFactor() > earlier.replicationFactor()) {
      warnings.add(
          "When increasing replication factor you need to run a full (-full) repair to"
              + " distribute the data.");
    }
    boolean same =
        durable == keyspace.durableWrites() && replication.equals(keyspace.replication());
    return new SchemaChange(
        same ? null : new SchemaEdit.AlterKeyspace(name, durable, replication),
        Action.UPDATED,
        name,
        null,
        warnings);
  }

  static SchemaChange drop(Schema schema, DropKeyspace statement, SchemaContext context) {
    String name = statement.keyspace();
    requireName(name);
    SchemaNames.requireOrdinary(name);
    if (SchemaNames.isReplicatedSystem(name)) {
      throw SchemaNames.unauthorized("Cannot DROP <keyspace " + name + ">");
    }
    context.require(Feature.DROP_KEYSPACE);
    if (schema.keyspace(name) == null) {
      if (statement.ifExists()) {
        return new SchemaChange(null, Action.DROPPED, name, null, List.of());
      }
      throw missing(name);
    }
    return new SchemaChange(
        new SchemaEdit.DropKeyspace(name), Action.DROPPED, name, null, List.of());
  }

  static CqlException missing(String name) {
    return CqlException.invalid("Keyspace '" + name + "' doesn't exist");
  }
}
