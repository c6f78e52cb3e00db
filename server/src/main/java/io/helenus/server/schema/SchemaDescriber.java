package io.helenus.server.schema;

import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.DescribeStatement;
import io.helenus.cql.ast.DescribeStatement.ElementKind;
import io.helenus.cql.ast.DescribeStatement.Subject;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.server.error.CqlException;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.UserType;
import io.helenus.server.types.WireValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Executes DESCRIBE in all its forms, with the columns, order and texts of Apache Cassandra 5.0.9.
 * Pure; one per statement.
 */
public final class SchemaDescriber {
  private static final MapType OWNERSHIP =
      new MapType(ScalarType.TEXT, new ListType(ScalarType.TEXT, true), false);

  /**
   * The inputs of DESCRIBE other than the schema.
   *
   * @param keyspaceInUse the current keyspace of the session; null for none
   * @param partitioner simple class name
   * @param snitch simple class name
   * @param rangeOwnership lists the ranges of a keyspace and their replicas
   */
  public record Context(
      @Nullable String keyspaceInUse,
      String clusterName,
      String partitioner,
      String snitch,
      Ownership rangeOwnership) {}

  /** Lists the ranges of a keyspace and their replicas. */
  public interface Ownership {
    /** Maps the right end of each range, as text, to the addresses of its replicas. */
    SortedMap<String, List<String>> of(KeyspaceSchema keyspace);
  }

  /** A column of the result, reported as one of {@code system.describe}. */
  public record Column(String name, CqlType type) {}

  /**
   * The result.
   *
   * @param rows values as wire bytes, in the order of the columns
   */
  public record Description(List<Column> columns, List<List<byte[]>> rows) {}

  private final Schema schema;
  private final Context context;
  private final boolean withInternals;
  private final List<List<byte[]>> rows = new ArrayList<>();

  private SchemaDescriber(Schema schema, Context context, boolean withInternals) {
    this.schema = schema;
    this.context = context;
    this.withInternals = withInternals;
  }

  /**
   * Executes a DESCRIBE statement.
   *
   * @throws CqlException INVALID, with Cassandra's text, if the element does not exist
   */
  public static Description describe(Schema schema, DescribeStatement statement, Context context) {
    return new SchemaDescriber(schema, context, statement.withInternals())
        .describe(statement.subject());
  }

  /**
   * The statements that recreate a table, including its dropped columns and its indexes, or a view.
   */
  public static String createStatement(KeyspaceSchema keyspace, TableSchema table) {
    ViewSchema view = table.view();
    return view == null
        ? createStatement(table)
        : DefinitionText.view(keyspace.baseOf(view), table, true);
  }

  /**
   * The statements that recreate a table with its keyspace, the types that it uses and its indexes,
   * so that files of it can be loaded; or a view.
   */
  public static String restoreStatements(KeyspaceSchema keyspace, TableSchema table) {
    return table.view() == null
        ? RestoreText.of(keyspace, table)
        : createStatement(keyspace, table);
  }

  /** The statements that recreate a table that is not a view. */
  public static String createStatement(TableSchema table) {
    StringBuilder out = new StringBuilder(DefinitionText.table(table, false, true));
    for (IndexSchema index : table.indexes()) {
      out.append('\n').append(DefinitionText.index(table, index));
    }
    return out.toString();
  }

  /** The statement that recreates a user type. */
  public static String createStatement(UserType type) {
    return DefinitionText.type(type);
  }

  private Description describe(Subject subject) {
    switch (subject) {
      case Subject.Cluster _ -> {
        return cluster();
      }
      case Subject.Listing(ElementKind kind) -> {
        return listing(kind);
      }
      case Subject.Schema(boolean full) -> {
        for (KeyspaceSchema keyspace : sortedKeyspaces()) {
          if (full || !SchemaNames.isSystem(keyspace.name())) {
            keyspace(keyspace, false);
          }
        }
      }
      case Subject.Keyspace(String name, boolean only) ->
          keyspace(existing(name == null ? inUse() : name), only);
      case Subject.Element(ElementKind kind, QualifiedName name) -> element(kind, name);
      case Subject.Anything(QualifiedName name) -> anything(name);
    }
    return new Description(columns("keyspace_name", "type", "name", "create_statement"), rows);
  }

  private static List<Column> columns(String... names) {
    List<Column> columns = new ArrayList<>(names.length);
    for (String name : names) {
      columns.add(new Column(name, ScalarType.TEXT));
    }
    return columns;
  }

  private void row(String... texts) {
    List<byte[]> row = new ArrayList<>(texts.length);
    for (String text : texts) {
      row.add(WireValues.ofText(text));
    }
    rows.add(row);
  }

  private Description cluster() {
    List<Column> columns = columns("cluster", "partitioner", "snitch");
    row(context.clusterName(), context.partitioner(), context.snitch());
    String name = context.keyspaceInUse();
    KeyspaceSchema keyspace =
        name == null || SchemaNames.isSystem(name) ? null : schema.keyspace(name);
    if (keyspace != null) {
      columns.add(new Column("range_ownership", OWNERSHIP));
      List<byte[]> entries = new ArrayList<>();
      for (Map.Entry<String, List<String>> range :
          context.rangeOwnership().of(keyspace).entrySet()) {
        List<byte[]> addresses = new ArrayList<>();
        for (String address : range.getValue()) {
          addresses.add(WireValues.ofText(address));
        }
        entries.add(WireValues.ofText(range.getKey()));
        entries.add(WireValues.ofElements(addresses));
      }
      rows.getFirst().add(WireValues.ofEntries(entries));
    }
    return new Description(columns, rows);
  }

  private Description listing(ElementKind kind) {
    boolean keyspaces = kind == ElementKind.KEYSPACE;
    if (keyspaces || kind == ElementKind.TABLE || kind == ElementKind.TYPE) {
      String inUse = keyspaces ? null : context.keyspaceInUse();
      for (KeyspaceSchema keyspace : inUse == null ? sortedKeyspaces() : List.of(existing(inUse))) {
        String name = CqlNames.quoted(keyspace.name());
        if (keyspaces) {
          row(name, "keyspace", name);
        } else if (kind == ElementKind.TYPE) {
          for (UserType type : sortedTypes(keyspace)) {
            row(name, "type", CqlNames.quoted(type.name()));
          }
        } else {
          for (TableSchema table : sortedTables(keyspace)) {
            if (table.view() == null) {
              row(name, "table", CqlNames.quoted(table.name()));
            }
          }
        }
      }
    }
    return new Description(columns("keyspace_name", "type", "name"), rows);
  }

  private List<KeyspaceSchema> sortedKeyspaces() {
    List<KeyspaceSchema> sorted = new ArrayList<>(schema.keyspaces());
    sorted.sort((a, b) -> a.name().compareToIgnoreCase(b.name()));
    return sorted;
  }

  private static List<UserType> sortedTypes(KeyspaceSchema keyspace) {
    List<UserType> sorted = new ArrayList<>(keyspace.types());
    sorted.sort((a, b) -> a.name().compareToIgnoreCase(b.name()));
    return sorted;
  }

  private static List<TableSchema> sortedTables(KeyspaceSchema keyspace) {
    List<TableSchema> sorted = new ArrayList<>(keyspace.tables());
    sorted.sort((a, b) -> a.name().compareToIgnoreCase(b.name()));
    return sorted;
  }

  private void keyspace(KeyspaceSchema keyspace, boolean only) {
    String name = CqlNames.quoted(keyspace.name());
    row(name, "keyspace", name, DefinitionText.keyspace(keyspace));
    if (!only) {
      DefinitionText.inOrderOfUse(keyspace.types()).forEach(type -> type(keyspace, type));
      for (TableSchema table : sortedTables(keyspace)) {
        if (table.view() == null) {
          table(keyspace, table);
        }
      }
    }
  }

  private void type(KeyspaceSchema keyspace, UserType type) {
    row(
        CqlNames.quoted(keyspace.name()),
        "type",
        CqlNames.quoted(type.name()),
        DefinitionText.type(type));
  }

  private void table(KeyspaceSchema keyspace, TableSchema table) {
    row(
        CqlNames.quoted(keyspace.name()),
        "table",
        CqlNames.quoted(table.name()),
        DefinitionText.table(table, keyspace.isVirtual(), withInternals));
    List<IndexSchema> sorted = new ArrayList<>(table.indexes());
    sorted.sort((a, b) -> a.name().compareToIgnoreCase(b.name()));
    sorted.forEach(index -> index(table, index));
    for (TableSchema view : sortedTables(keyspace)) {
      ViewSchema definition = view.view();
      if (definition != null && definition.baseId().equals(table.id())) {
        view(keyspace, view, definition);
      }
    }
  }

  private void view(KeyspaceSchema keyspace, TableSchema view, ViewSchema definition) {
    row(
        CqlNames.quoted(keyspace.name()),
        "materialized_view",
        CqlNames.quoted(view.name()),
        DefinitionText.view(keyspace.baseOf(definition), view, withInternals));
  }

  private void index(TableSchema table, IndexSchema index) {
    row(
        CqlNames.quoted(table.keyspace()),
        "index",
        CqlNames.quoted(index.name()),
        DefinitionText.index(table, index));
  }

  /** Describes the index of this name, if it exists. */
  private boolean index(KeyspaceSchema keyspace, String name) {
    TableSchema table = keyspace.indexedTable(name);
    IndexSchema index = table == null ? null : table.index(name);
    if (table == null || index == null) {
      return false;
    }
    index(table, index);
    return true;
  }

  private String inUse() {
    String name = context.keyspaceInUse();
    if (name == null) {
      throw CqlException.invalid("No keyspace specified and no current keyspace");
    }
    return name;
  }

  private KeyspaceSchema existing(String name) {
    KeyspaceSchema keyspace = schema.keyspace(name);
    if (keyspace == null) {
      throw CqlException.invalid("'" + name + "' not found in keyspaces");
    }
    return keyspace;
  }

  private void element(ElementKind kind, QualifiedName name) {
    String keyspaceName = name.keyspace();
    KeyspaceSchema keyspace = existing(keyspaceName == null ? inUse() : keyspaceName);
    UserType type = kind == ElementKind.TYPE ? keyspace.type(name.name()) : null;
    if (type != null) {
      type(keyspace, type);
      return;
    }
    if (kind == ElementKind.INDEX && index(keyspace, name.name())) {
      return;
    }
    TableSchema table = keyspace.table(name.name());
    ViewSchema view = table == null ? null : table.view();
    if (table != null && kind == ElementKind.VIEW && view != null) {
      view(keyspace, table, view);
      return;
    }
    if (table == null || kind != ElementKind.TABLE || view != null) {
      throw CqlException.invalid(missing(kind, name.name(), keyspace.name()));
    }
    table(keyspace, table);
  }

  private static String missing(ElementKind kind, String name, String keyspace) {
    return switch (kind) {
      case TABLE -> "Table '" + name + "' not found in keyspace '" + keyspace + "'";
      case TYPE -> "User defined type '" + name + "' not found in '" + keyspace + "'";
      case FUNCTION -> "User defined function '" + name + "' not found in '" + keyspace + "'";
      case AGGREGATE -> "User defined aggregate '" + name + "' not found in '" + keyspace + "'";
      case INDEX -> "Table for existing index '" + name + "' not found in '" + keyspace + "'";
      case VIEW -> "Materialized view '" + name + "' not found in '" + keyspace + "'";
      case KEYSPACE -> "'" + name + "' not found in keyspaces";
    };
  }

  private void anything(QualifiedName name) {
    String keyspaceName = name.keyspace();
    if (keyspaceName == null) {
      KeyspaceSchema found = schema.keyspace(name.name());
      if (found != null) {
        keyspace(found, false);
        return;
      }
      keyspaceName = context.keyspaceInUse();
      if (keyspaceName == null) {
        throw CqlException.invalid("'" + name.name() + "' not found in keyspaces");
      }
    }
    KeyspaceSchema keyspace = existing(keyspaceName);
    TableSchema table = keyspace.table(name.name());
    if (table == null && index(keyspace, name.name())) {
      return;
    }
    if (table == null) {
      throw CqlException.invalid(
          "'" + name.name() + "' not found in keyspace '" + keyspace.name() + "'");
    }
    ViewSchema view = table.view();
    if (view != null) {
      view(keyspace, table, view);
      return;
    }
    table(keyspace, table);
  }
}
