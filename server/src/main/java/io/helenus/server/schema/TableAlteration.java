package io.helenus.server.schema;

import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.Properties;
import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.ast.SchemaStatement.ColumnDefinition;
import io.helenus.cql.ast.SchemaStatement.Renaming;
import io.helenus.cql.ast.TableStatement.AlterTable;
import io.helenus.cql.ast.TableStatement.Alteration;
import io.helenus.cql.ast.TableStatement.DropTable;
import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Feature;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.schema.SchemaChange.Action;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.UserType;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** ALTER TABLE and DROP TABLE. One statement. */
final class TableAlteration {
  private final Schema schema;
  private final TableSchema table;
  private final SchemaContext context;

  private TableAlteration(Schema schema, TableSchema table, SchemaContext context) {
    this.schema = schema;
    this.table = table;
    this.context = context;
  }

  static SchemaChange alter(Schema schema, AlterTable statement, SchemaContext context) {
    String keyspace = SchemaNames.keyspaceOfDefinition(statement.table(), context);
    String name = statement.table().name();
    SchemaNames.requireOrdinary(keyspace);
    if (SchemaNames.isReplicatedSystem(keyspace)) {
      throw SchemaNames.unauthorized("Cannot ALTER <table " + keyspace + "." + name + ">");
    }
    if (statement.alteration() instanceof Alteration.Mask mask
        && mask.mask() != null
        && context.masks() == null) {
      throw TableCreation.noMasks();
    }
    Alteration alteration = checkGuardrails(statement.alteration(), context);
    TableSchema table = schema.table(keyspace, name);
    if (table == null) {
      if (statement.ifExists()) {
        return new SchemaChange(null, Action.UPDATED, keyspace, name, List.of());
      }
      throw missing(keyspace, name);
    }
    if (table.view() != null) {
      throw CqlException.invalid(
          "Cannot use ALTER TABLE on a materialized view; use ALTER MATERIALIZED VIEW instead");
    }
    TableSchema changed = new TableAlteration(schema, table, context).apply(alteration);
    boolean same = isSame(table, changed);
    return new SchemaChange(
        same ? null : new SchemaEdit.AlterTable(changed),
        Action.UPDATED,
        keyspace,
        name,
        List.of());
  }

  /**
   * Checks the guardrails that hold for any table; returns the alteration without ignored options.
   */
  private static Alteration checkGuardrails(Alteration alteration, SchemaContext context) {
    return switch (alteration) {
      case Alteration.SetProperties(Properties given) -> {
        Properties properties = TableGuards.checkProperties(given, context);
        TableGuards.checkExpiry(new TableOptionsReader(properties).requireReadable(), context);
        yield new Alteration.SetProperties(properties);
      }
      case Alteration.Add add -> {
        TableGuards.checkColumns(add.columns(), context);
        yield add;
      }
      default -> alteration;
    };
  }

  private static boolean isSame(TableSchema before, TableSchema after) {
    return before.columns().equals(after.columns())
        && before.droppedColumns().equals(after.droppedColumns())
        && before.compactStorage() == after.compactStorage()
        && before.options().equals(after.options());
  }

  static SchemaChange drop(Schema schema, DropTable statement, SchemaContext context) {
    String keyspace = SchemaNames.keyspaceOfDefinition(statement.table(), context);
    String name = statement.table().name();
    SchemaNames.requireOrdinary(keyspace);
    if (SchemaNames.isReplicatedSystem(keyspace)) {
      throw SchemaNames.unauthorized("Cannot DROP <table " + keyspace + "." + name + ">");
    }
    context.require(Feature.DROP_TRUNCATE_TABLE);
    TableSchema table = schema.table(keyspace, name);
    if (table == null) {
      if (statement.ifExists()) {
        return new SchemaChange(null, Action.DROPPED, keyspace, name, List.of());
      }
      throw missing(keyspace, name);
    }
    if (table.view() != null) {
      throw CqlException.invalid(
          "Cannot use DROP TABLE on a materialized view. Please use DROP MATERIALIZED VIEW"
              + " instead.");
    }
    List<TableSchema> views = viewsOf(schema, table);
    if (!views.isEmpty()) {
      throw CqlException.invalid(
          "Cannot drop a table when materialized views still depend on it ("
              + table.keyspace()
              + ")");
    }
    return new SchemaChange(
        new SchemaEdit.DropTable(keyspace, name), Action.DROPPED, keyspace, name, List.of());
  }

  private static List<TableSchema> viewsOf(Schema schema, TableSchema table) {
    return Objects.requireNonNull(schema.keyspace(table.keyspace())).viewsOf(table);
  }

  private static CqlException missing(String keyspace, String name) {
    return CqlException.invalid("Table '" + keyspace + "." + name + "' doesn't exist");
  }

  private TableSchema apply(Alteration alteration) {
    return switch (alteration) {
      case Alteration.Add add -> add(add);
      case Alteration.Drop drop -> drop(drop);
      case Alteration.Rename rename -> rename(rename);
      case Alteration.SetProperties set -> {
        TableOptionsReader reader = new TableOptionsReader(set.properties());
        TableOptions options = reader.read(table.options());
        if (reader.id() != null) {
          throw CqlException.configuration("Cannot alter table id.");
        }
        if (table.isCounter()) {
          TableCreation.requireNoExpiry(options);
        }
        if (options.gcGraceSeconds() == 0 && !viewsOf(schema, table).isEmpty()) {
          throw CqlException.invalid(
              "Cannot alter gc_grace_seconds of the base table of a materialized view to 0, since"
                  + " this value is used to TTL undelivered updates. Setting gc_grace_seconds too"
                  + " low might cause undelivered updates to expire before being replayed.");
        }
        TableGuards.checkCompression(options, context);
        yield table.toBuilder().options(options).build();
      }
      case Alteration.ChangeType _ ->
          throw CqlException.invalid("Altering column types is no longer supported");
      case Alteration.Mask mask -> mask(mask);
      case Alteration.Check check -> check(check);
      case Alteration.DropCompactStorage _ -> {
        if (!table.isCompact()) {
          throw CqlException.invalid(
              "Cannot DROP COMPACT STORAGE on table without COMPACT STORAGE");
        }
        yield table.toBuilder().compactStorage(CompactStorage.NONE).build();
      }
    };
  }

  private TableSchema mask(Alteration.Mask alteration) {
    ColumnSchema column = table.column(alteration.column());
    if (column == null) {
      if (alteration.ifColumnExists()) {
        return table;
      }
      throw CqlException.invalid(
          "Column with name '"
              + alteration.column()
              + "' doesn't exist on table '"
              + table.name()
              + "'");
    }
    ColumnMask mask =
        compiled(column.name(), column.type(), column.descending(), alteration.mask());
    return table.toBuilder().mask(column.name(), mask).build();
  }

  private TableSchema check(Alteration.Check alteration) {
    String name = alteration.column();
    ColumnSchema column = table.column(name);
    if (column == null) {
      if (alteration.ifColumnExists()) {
        return table;
      }
      throw CqlException.invalid("Column '" + name + "' doesn't exist");
    }
    List<ColumnConstraint> constraints =
        ConstraintCompiler.compile(
            table.toString(), name, column.type(), column.kind(), alteration.checks());
    return table.toBuilder().constraints(name, constraints).build();
  }

  private @Nullable ColumnMask compiled(
      String column, CqlType type, boolean descending, SchemaStatement.@Nullable ColumnMask mask) {
    MaskCompiler compiler = context.masks();
    return mask == null || compiler == null
        ? null
        : compiler.compile(schema, table.keyspace(), column, type, descending, mask);
  }

  private TableSchema add(Alteration.Add add) {
    context.require(Feature.ALTER_TABLE);
    TableSchemaBuilder changed = table.toBuilder();
    for (ColumnDefinition column : add.columns()) {
      addColumn(column, add.ifColumnNotExists(), changed);
    }
    TableSchema result = changed.build();
    context.check(Limit.COLUMNS_PER_TABLE, result.columns().size(), table.name());
    StorageAttachedIndexes.warnOfVectors(table, context.warnings());
    return result;
  }

  private void addColumn(ColumnDefinition column, boolean ifNotExists, TableSchemaBuilder changed) {
    String name = column.name();
    CqlType type = TypeResolver.resolve(column.type(), table.keyspace(), schema::userType);
    ColumnMask mask = compiled(name, type, false, column.mask());
    if (changed.find(name) != null) {
      if (ifNotExists) {
        return;
      }
      throw CqlException.invalid("Column with name '" + name + "' already exists");
    }
    if (table.isCompact()) {
      throw CqlException.invalid("Cannot add new column to a COMPACT STORAGE table");
    }
    if (column.mask() != null && context.masks() == null) {
      throw TableCreation.noMasks();
    }
    if (column.isStatic() && !table.hasClusteringColumns()) {
      throw TableCreation.noStatic();
    }
    ColumnKind kind = column.isStatic() ? ColumnKind.STATIC : ColumnKind.REGULAR;
    DroppedColumn dropped = table.droppedColumn(name);
    if (dropped != null) {
      requireLike(dropped, type, kind);
    }
    if (TableCreation.hasUnfrozenFields(type)) {
      throw CqlException.invalid(TableCreation.UNFROZEN_FIELDS + " for column " + name);
    }
    if (type.isCounter() != table.isCounter()) {
      throw CqlException.configuration(
          table
              + ": Cannot have a "
              + (type.isCounter() ? "" : "non ")
              + "counter column (\""
              + name
              + "\") in a "
              + (type.isCounter() ? "non " : "")
              + "counter table");
    }
    changed.add(name, type, kind, false);
    changed.mask(name, mask);
    changed.constraints(
        name, ConstraintCompiler.compile(table.toString(), name, type, kind, column.checks()));
  }

  private static void requireLike(DroppedColumn dropped, CqlType type, ColumnKind kind) {
    String name = dropped.name();
    if (!ColumnReadoption.isReadable(dropped.type(), type)) {
      throw CqlException.invalid(
          "Cannot add a column '"
              + name
              + "' of type "
              + type.toCql()
              + ", incompatible with previously dropped column '"
              + name
              + "' of type "
              + dropped.type().toCql());
    }
    if (kind != dropped.kind()) {
      throw CqlException.invalid(
          "Cannot re-add previously dropped column '"
              + name
              + "' of kind "
              + kind
              + ", incompatible with previous kind "
              + dropped.kind());
    }
    if (type.isCounter()) {
      throw CqlException.invalid("Cannot re-add previously dropped counter column " + name);
    }
  }

  private TableSchema drop(Alteration.Drop drop) {
    context.require(Feature.ALTER_TABLE);
    TableSchemaBuilder changed = table.toBuilder();
    Long timestamp = drop.timestamp();
    long droppedAt = timestamp == null ? context.nowMicros() : timestamp;
    for (String name : new LinkedHashSet<>(drop.columns())) {
      ColumnSchema column = changed.find(name);
      if (column == null) {
        if (drop.ifColumnExists()) {
          continue;
        }
        throw CqlException.invalid(
            "Column " + name + " was not found in table '" + table.cqlName() + "'");
      }
      if (column.isPrimaryKey()) {
        throw CqlException.invalid("Cannot drop PRIMARY KEY column " + name);
      }
      if (table.isCompact()
          && column.kind() == ColumnKind.REGULAR
          && viewsOf(schema, table).isEmpty()) {
        throw CqlException.invalid(
            "Cannot drop the value column " + name + " of a COMPACT STORAGE table");
      }
      if (column.multiCell() && column.type() instanceof UserType) {
        throw CqlException.invalid(
            "Cannot drop non-frozen column " + name + " of user type " + column.type().toCql());
      }
      String indexes = table.indexNames(column);
      if (!indexes.isEmpty()) {
        throw CqlException.invalid(
            "Cannot drop column "
                + name
                + " because it has dependent secondary indexes ("
                + indexes
                + ")");
      }
      if (!viewsOf(schema, table).isEmpty()) {
        throw CqlException.invalid(
            "Cannot drop column "
                + name
                + " on base table "
                + table.name()
                + " with materialized views");
      }
      changed.drop(column, droppedAt);
    }
    return changed.build();
  }

  private TableSchema rename(Alteration.Rename rename) {
    context.require(Feature.ALTER_TABLE);
    TableSchemaBuilder changed = table.toBuilder();
    for (Renaming renaming : rename.renamings()) {
      ColumnSchema column = table.column(renaming.from());
      if (column == null) {
        throw CqlException.invalid(
            "Undefined column name "
                + CqlNames.quoted(renaming.from())
                + " in table "
                + table.cqlName());
      }
      if (!column.isPrimaryKey()) {
        throw CqlException.invalid("Cannot rename non PRIMARY KEY column " + renaming.from());
      }
      ColumnSchema present = changed.find(renaming.to());
      if (table.column(renaming.to()) != null || (present != null && present.id() != column.id())) {
        throw CqlException.invalid(
            "Cannot rename column "
                + renaming.from()
                + " to "
                + renaming.to()
                + " in table '"
                + table.cqlName()
                + "'; another column with that name already exists");
      }
      String indexes = table.indexNames(column);
      if (!indexes.isEmpty()) {
        throw CqlException.invalid(
            "Can't rename column "
                + renaming.from()
                + " because it has dependent secondary indexes ("
                + indexes
                + ")");
      }
      changed.rename(column, renaming.to());
    }
    return changed.build();
  }
}
