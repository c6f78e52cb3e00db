package io.helenus.server.schema;

import io.helenus.cql.ast.TableStatement.CopyTable;
import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.schema.SchemaChange.Action;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.UserType;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * CREATE TABLE LIKE of Cassandra 6: a new, empty table with the columns, masks, keys and options of
 * another, with INDEXES also the indexes, in the same or another keyspace. What the source has
 * dropped is not copied. Checks and texts are those of Cassandra's CopyTableStatement. One
 * statement.
 */
final class TableCopy {
  private final Schema schema;
  private final CopyTable statement;
  private final String keyspace;
  private final String name;

  private TableCopy(Schema schema, CopyTable statement, String keyspace) {
    this.schema = schema;
    this.statement = statement;
    this.keyspace = keyspace;
    this.name = statement.table().name();
  }

  static SchemaChange create(Schema schema, CopyTable statement, SchemaContext context) {
    String from = SchemaNames.keyspaceOf(statement.source(), context.keyspaceInUse());
    String to = SchemaNames.keyspaceOfDefinition(statement.table(), context);
    return new TableCopy(schema, statement, to).create(from, context);
  }

  private SchemaChange create(String from, SchemaContext context) {
    SchemaNames.requireOrdinary(keyspace);
    if (SchemaNames.isReplicatedSystem(keyspace)) {
      throw SchemaNames.unauthorized("Cannot CREATE <all tables in " + keyspace + ">");
    }
    TableOptionsReader options =
        new TableOptionsReader(TableGuards.checkProperties(statement.properties(), context));
    TableGuards.checkTables(schema, name, context);
    TableGuards.checkExpiry(options.requireReadable(), context);
    TableSchema source = source(from);
    if (source.isCompact()) {
      throw CqlException.invalid("A COMPACT STORAGE table cannot be copied");
    }
    if (source.view() != null) {
      throw CqlException.invalid("A materialized view cannot be copied");
    }
    KeyspaceSchema target = schema.keyspace(keyspace);
    if (target == null) {
      throw CqlException.invalid("Target Keyspace '" + keyspace + "' doesn't exist");
    }
    if (target.table(name) != null) {
      if (statement.ifNotExists()) {
        return new SchemaChange(null, Action.CREATED, keyspace, name, List.of());
      }
      throw TableCreation.alreadyExists(keyspace, name);
    }
    if (!from.equals(keyspace)) {
      requireTypes(source, from, target);
    }
    TableOptions read = options.read(source.options());
    if (options.id() != null) {
      throw CqlException.configuration("Cannot alter table id.");
    }
    TableCreation.requireName(keyspace, name);
    context.check(Limit.COLUMNS_PER_TABLE, source.columns().size(), name);
    TableGuards.checkCompression(read, context);
    TableSchema table = build(source, read, context);
    return new SchemaChange(
        new SchemaEdit.CreateTable(table), Action.CREATED, keyspace, name, List.of());
  }

  private TableSchema source(String from) {
    KeyspaceSchema found = SchemaNames.isLocalSystem(from) ? null : schema.keyspace(from);
    if (found == null) {
      throw CqlException.invalid("Source Keyspace '" + from + "' doesn't exist");
    }
    TableSchema source = found.table(statement.source().name());
    if (source == null) {
      // "Souce" stands in Cassandra's text
      throw CqlException.invalid(
          "Souce Table '" + from + "." + statement.source().name() + "' doesn't exist");
    }
    return source;
  }

  /** Requires that the target keyspace has all user types of the source, with the same fields. */
  private void requireTypes(TableSchema source, String from, KeyspaceSchema target) {
    TreeSet<String> missing = new TreeSet<>();
    for (ColumnSchema column : source.columns()) {
      CqlType ignored =
          column
              .type()
              .mapUserTypes(
                  each -> {
                    requireType((UserType) each, from, target, missing);
                    return each;
                  });
    }
    if (!missing.isEmpty()) {
      throw CqlException.invalid(
          "UDTs "
              + String.join(", ", missing)
              + " do not exist in target keyspace '"
              + keyspace
              + "'.");
    }
  }

  private void requireType(
      UserType type, String from, KeyspaceSchema target, TreeSet<String> missing) {
    UserType found = target.type(type.name());
    if (found == null) {
      missing.add(type.name());
    } else if (!found.fieldNames().equals(type.fieldNames())
        || !found.fieldTypes().equals(type.fieldTypes().stream().map(this::moved).toList())) {
      throw CqlException.invalid(
          "Target keyspace '"
              + keyspace
              + "' has same UDT name '"
              + type.name()
              + "' as source keyspace '"
              + from
              + "' but with different structure.");
    }
  }

  /** A type with the user types of the target keyspace. */
  private CqlType moved(CqlType type) {
    return type.mapUserTypes(
        each ->
            each instanceof UserType user
                ? new UserType(
                    keyspace, user.name(), user.fieldNames(), user.fieldTypes(), user.frozen())
                : each);
  }

  private TableSchema build(TableSchema source, TableOptions options, SchemaContext context) {
    TableSchemaBuilder table =
        new TableSchemaBuilder(
            keyspace, name, context.newTableId(), context.newStorageId(), options);
    for (ColumnSchema column : source.columns()) {
      table.add(column.name(), moved(column.type()), column.kind(), column.descending());
      table.mask(column.name(), column.mask());
      table.constraints(column.name(), column.constraints());
    }
    if (statement.indexes()) {
      addIndexes(source, table);
    }
    return table.build();
  }

  /** A name that was generated is generated anew, any other is kept, with a number if taken. */
  private void addIndexes(TableSchema source, TableSchemaBuilder table) {
    KeyspaceSchema target = Objects.requireNonNull(schema.keyspace(keyspace));
    Set<String> taken = new HashSet<>();
    for (IndexSchema index : source.indexes()) {
      String column = source.columnOf(index).name();
      boolean generated = index.name().startsWith(source.name() + "_" + column + "_idx");
      String base = generated ? IndexChanges.generatedName(name, column) : index.name();
      String free = IndexChanges.availableName(target, base, taken);
      IndexChanges.requireShort(free);
      taken.add(free);
      table.add(
          new IndexSchema(
              free,
              taken.size(),
              index.kind(),
              Objects.requireNonNull(table.find(column)).id(),
              index.target(),
              index.options()));
    }
  }
}
