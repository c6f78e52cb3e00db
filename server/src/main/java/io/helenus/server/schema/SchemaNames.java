package io.helenus.server.schema;

import io.helenus.cql.ast.QualifiedName;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the names in a statement. Rejects names that do not exist or that clients may not
 * change, with Cassandra's texts. Stateless; any thread.
 */
public final class SchemaNames {
  private static final Set<String> LOCAL =
      Set.of("system", "system_schema", "system_views", "system_virtual_schema");
  private static final Set<String> REPLICATED =
      Set.of("system_auth", "system_distributed", "system_traces");

  private SchemaNames() {}

  /**
   * Whether this is a system keyspace local to the node, whose definition cannot be changed, in any
   * case.
   */
  public static boolean isLocalSystem(String keyspace) {
    return LOCAL.contains(keyspace.toLowerCase(Locale.ROOT));
  }

  /** Whether this is a replicated system keyspace. */
  public static boolean isReplicatedSystem(String keyspace) {
    return REPLICATED.contains(keyspace);
  }

  /** Whether this is a system keyspace. */
  public static boolean isSystem(String keyspace) {
    return isLocalSystem(keyspace) || isReplicatedSystem(keyspace);
  }

  /** The keyspace that a name refers to: its qualifier or, without one, the current keyspace. */
  public static String keyspaceOf(QualifiedName name, @Nullable String keyspaceInUse) {
    if (name.keyspace() != null) {
      return name.keyspace();
    }
    if (keyspaceInUse == null) {
      throw noKeyspace();
    }
    return keyspaceInUse;
  }

  /** The keyspace of a definition that is created, altered or dropped. */
  static String keyspaceOfDefinition(QualifiedName name, SchemaContext context) {
    String keyspace = keyspaceOf(name, context.keyspaceInUse());
    KeyspaceChanges.requireName(keyspace);
    return keyspace;
  }

  static CqlException noKeyspace() {
    return CqlException.invalid(
        "No keyspace has been specified. USE a keyspace, or explicitly specify"
            + " keyspace.tablename");
  }

  /** Resolves the table of a SELECT, INSERT, UPDATE, DELETE or TRUNCATE. */
  public static TableSchema table(
      Schema schema, QualifiedName name, @Nullable String keyspaceInUse) {
    String keyspace = keyspaceOf(name, keyspaceInUse);
    KeyspaceSchema found = schema.keyspace(keyspace);
    if (found == null) {
      throw CqlException.invalid("keyspace " + keyspace + " does not exist");
    }
    TableSchema table = found.table(name.name());
    if (table == null) {
      throw CqlException.invalid("table " + name.name() + " does not exist");
    }
    return table;
  }

  /** Resolves the keyspace of a USE statement. */
  public static KeyspaceSchema use(Schema schema, String keyspace) {
    KeyspaceSchema found = schema.keyspace(keyspace);
    if (found == null) {
      throw CqlException.invalid("Keyspace '" + keyspace + "' does not exist");
    }
    return found;
  }

  /** Rejects tables that INSERT, UPDATE and DELETE cannot change. */
  public static void requireModifiable(TableSchema table) {
    if (table.isVirtual()) {
      throw CqlException.invalid("Modification is not supported by table " + table);
    }
  }

  /** Rejects views: only their base tables can be written. */
  public static void requireNoView(TableSchema table) {
    if (table.view() != null) {
      throw CqlException.invalid("Cannot directly modify a materialized view");
    }
  }

  /** Rejects tables that cannot be truncated. */
  public static void requireTruncatable(TableSchema table) {
    if (table.isVirtual()) {
      throw CqlException.invalid("Truncation is not supported by table " + table);
    }
  }

  /** Rejects views, which are emptied with their base tables. */
  public static void requireNoTruncatedView(TableSchema table) {
    if (table.view() != null) {
      throw CqlException.invalid(
          "Cannot TRUNCATE materialized view directly; must truncate base table instead");
    }
  }

  static void requireOrdinary(String keyspace) {
    if (isLocalSystem(keyspace)) {
      throw unauthorized(keyspace + " keyspace is not user-modifiable.");
    }
  }

  static CqlException unauthorized(String message) {
    return new CqlException(new CqlError.Unauthorized(message));
  }
}
