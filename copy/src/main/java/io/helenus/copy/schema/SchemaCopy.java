package io.helenus.copy.schema;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.ListType;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.SetType;
import com.datastax.oss.driver.api.core.type.TupleType;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import com.datastax.oss.driver.api.core.type.VectorType;
import io.helenus.copy.cluster.CopyException;
import io.helenus.copy.cluster.Side;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Creates in the target what it lacks of a selection: keyspaces, types and tables, which rows need,
 * and functions, indexes and views, which it may refuse. What exists must be the same. Used by one
 * thread.
 */
public final class SchemaCopy {
  private static final String DESCRIBED_COLUMNS_END = "\n) WITH ";

  private final Side source;
  private final Side target;
  private final @Nullable String replication;
  private final Set<String> knownOptions = new TreeSet<>();

  /**
   * Prepares the copy of a schema.
   *
   * @param replication of new keyspaces, a literal; null for that of the source
   */
  public SchemaCopy(Side source, Side target, @Nullable String replication) {
    this.source = source;
    this.target = target;
    this.replication = replication;
    for (Row row :
        target.execute(
            "SELECT column_name FROM system_schema.columns"
                + " WHERE keyspace_name = 'system_schema' AND table_name = 'tables'")) {
      String name = row.getString(0);
      if (name != null) {
        knownOptions.add(name);
      }
    }
  }

  /**
   * Creates what is missing.
   *
   * @return what the target refused, apart from what rows need, each with the reason
   * @throws CopyException if rows cannot be copied without what the target refuses
   */
  public List<String> create(Selection selection) {
    KeyspaceMetadata keyspace = selection.keyspace();
    if (present(keyspace).isEmpty()) {
      createKeyspace(keyspace);
    }
    for (UserDefinedType type : types(selection)) {
      createType(type);
    }
    for (TableMetadata table : selection.tables()) {
      if (presentTable(table).isEmpty()) {
        createTable(table);
      }
    }
    List<String> refused = new ArrayList<>();
    for (Extra extra : Extra.of(source, selection)) {
      if (!extra.isPresent(present(keyspace).orElse(keyspace))) {
        String reason =
            extra.definition() == null ? extra.reason() : target.define(extra.definition());
        if (reason != null) {
          refused.add(extra.name() + ": " + reason);
        }
      }
    }
    return refused;
  }

  /** Checks that the tables exist and have the same columns. */
  public void check(Selection selection) {
    for (TableMetadata table : selection.tables()) {
      TableMetadata present =
          presentTable(table)
              .orElseThrow(
                  () ->
                      new CopyException(
                          "there is no table " + SchemaText.name(table) + " in " + target.hosts()));
      compare(table, present);
    }
  }

  private Optional<KeyspaceMetadata> present(KeyspaceMetadata keyspace) {
    return target.metadata().getKeyspace(keyspace.getName());
  }

  private Optional<TableMetadata> presentTable(TableMetadata table) {
    return target
        .metadata()
        .getKeyspace(table.getKeyspace())
        .flatMap(keyspace -> keyspace.getTable(table.getName()));
  }

  private void createKeyspace(KeyspaceMetadata keyspace) {
    String text =
        SchemaText.keyspace(
            keyspace, replication == null ? SchemaText.replication(keyspace) : replication);
    String refused = target.define(text);
    if (refused != null) {
      throw new CopyException(
          target.hosts()
              + " refuses '"
              + text
              + "': "
              + refused
              + ". Give a replication for the target with --replication, for example"
              + " \"{'class': 'SimpleStrategy', 'replication_factor': 1}\", or create the keyspace"
              + " yourself");
    }
  }

  /** The types that the tables need, or all of the keyspace; each after those that it needs. */
  private static Set<UserDefinedType> types(Selection selection) {
    Set<UserDefinedType> types = new LinkedHashSet<>();
    for (TableMetadata table : selection.tables()) {
      table.getColumns().values().forEach(column -> collect(column.getType(), types, selection));
    }
    if (selection.isWhole()) {
      selection
          .keyspace()
          .getUserDefinedTypes()
          .values()
          .forEach(type -> collect(type, types, selection));
    }
    return types;
  }

  private static void collect(DataType type, Set<UserDefinedType> types, Selection selection) {
    switch (type) {
      case ListType list -> collect(list.getElementType(), types, selection);
      case SetType set -> collect(set.getElementType(), types, selection);
      case MapType map -> {
        collect(map.getKeyType(), types, selection);
        collect(map.getValueType(), types, selection);
      }
      case TupleType tuple ->
          tuple.getComponentTypes().forEach(part -> collect(part, types, selection));
      case VectorType vector -> collect(vector.getElementType(), types, selection);
      case UserDefinedType user -> {
        user.getFieldTypes().forEach(field -> collect(field, types, selection));
        // the one of the keyspace, since that of a column may be frozen and be another object
        types.add(selection.keyspace().getUserDefinedType(user.getName()).orElse(user));
      }
      default -> {}
    }
  }

  private void createType(UserDefinedType type) {
    CqlIdentifier keyspace = type.getKeyspace();
    Optional<UserDefinedType> present =
        keyspace == null
            ? Optional.empty()
            : target
                .metadata()
                .getKeyspace(keyspace)
                .flatMap(found -> found.getUserDefinedType(type.getName()));
    String text = SchemaText.type(type);
    if (present.isPresent()) {
      String there = SchemaText.type(present.get());
      compare("type " + SchemaText.name(type), text, there);
      return;
    }
    String refused = target.define(text);
    if (refused != null) {
      throw new CopyException(target.hosts() + " refuses '" + text + "': " + refused);
    }
  }

  private void createTable(TableMetadata table) {
    String text = columns(table) + SchemaText.options(table, knownOptions);
    String refused = target.define(text);
    if (refused != null) {
      throw new CopyException(
          target.hosts()
              + " refuses the table "
              + SchemaText.name(table)
              + ": "
              + refused
              + ". Create it there yourself in another way, and run the same command again. It was:"
              + " "
              + text);
    }
  }

  /** As the server describes it, if it does, since a driver knows neither masks nor constraints. */
  private String columns(TableMetadata table) {
    Optional<String> described = source.describe("TABLE " + SchemaText.name(table));
    if (described.isPresent() && !table.isCompactStorage()) {
      String text = described.get();
      int end = text.indexOf(DESCRIBED_COLUMNS_END);
      if (text.startsWith("CREATE TABLE ") && end > 0) {
        return text.substring(0, end) + "\n)";
      }
    }
    return SchemaText.columns(table);
  }

  private void compare(TableMetadata table, TableMetadata present) {
    String what = "table " + SchemaText.name(table);
    compare(what, SchemaText.keys(table), SchemaText.keys(present));
    for (ColumnMetadata column : table.getColumns().values()) {
      String there =
          present.getColumn(column.getName()).map(SchemaText::column).orElse("no such column");
      compare(what, SchemaText.column(column), there);
    }
    for (ColumnMetadata column : present.getColumns().values()) {
      if (table.getColumn(column.getName()).isEmpty()) {
        compare(what, "no such column", SchemaText.column(column));
      }
    }
  }

  private void compare(String what, String here, String there) {
    if (!here.equals(there)) {
      throw new CopyException(
          "the "
              + what
              + " differs: '"
              + here
              + "' in "
              + source.hosts()
              + ", '"
              + there
              + "' in "
              + target.hosts()
              + ". Alter one of them, or drop that of the target");
    }
  }
}
