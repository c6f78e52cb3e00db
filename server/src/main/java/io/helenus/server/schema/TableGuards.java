package io.helenus.server.schema;

import io.helenus.cql.ast.Properties;
import io.helenus.cql.ast.SchemaStatement.ColumnDefinition;
import io.helenus.cql.ast.TypeName;
import io.helenus.server.guardrails.Feature;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.guardrails.ValueList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The guardrails on definitions. Stateless. */
final class TableGuards {
  private TableGuards() {}

  /** Checks the number of keyspaces with a new one. */
  static void checkKeyspaces(Schema schema, String name, SchemaContext context) {
    if (context.guardrails().hasAny(Limit.KEYSPACES)) {
      context.check(Limit.KEYSPACES, 1 + ofUsers(schema).size(), name);
    }
  }

  /** Checks the number of tables with a new one. */
  static void checkTables(Schema schema, String name, SchemaContext context) {
    if (context.guardrails().hasAny(Limit.TABLES)) {
      // views are counted, though not limited
      long tables = ofUsers(schema).stream().mapToLong(each -> each.tables().size()).sum();
      context.check(Limit.TABLES, 1 + tables, name);
    }
  }

  private static List<KeyspaceSchema> ofUsers(Schema schema) {
    return schema.keyspaces().stream()
        .filter(each -> !SchemaNames.isSystem(each.name()) && !each.isVirtual())
        .toList();
  }

  /** Checks the properties of a table; returns those that are not to be ignored. */
  static Properties checkProperties(Properties properties, SchemaContext context) {
    Guardrails guardrails = context.guardrails();
    if (!guardrails.has(ValueList.TABLE_PROPERTIES)) {
      return properties;
    }
    Set<String> ignored =
        guardrails.check(
            ValueList.TABLE_PROPERTIES,
            new TreeSet<>(properties.values().keySet()),
            context.warnings());
    Map<String, Properties.Value> others = new LinkedHashMap<>(properties.values());
    others.keySet().removeAll(ignored);
    return new Properties(others);
  }

  /** Checks options as if they were those of a new table. */
  static void checkExpiry(TableOptions options, SchemaContext context) {
    String compaction = String.valueOf(options.compaction().get("class"));
    if (options.defaultTimeToLiveSeconds() == 0
        && compaction.endsWith(".TimeWindowCompactionStrategy")) {
      context.require(Feature.ZERO_TTL_ON_TWCS);
    }
  }

  static void checkCompression(TableOptions options, SchemaContext context) {
    if (!TableStorageOptions.isCompressed(options.compression())) {
      context.require(Feature.UNCOMPRESSED_TABLES);
    }
  }

  static void checkColumns(List<ColumnDefinition> columns, SchemaContext context) {
    columns.forEach(column -> checkType(column.type(), "Column " + column.name(), context));
  }

  /**
   * Checks the vectors in a type.
   *
   * @param what the column or field, for texts
   */
  static void checkType(TypeName type, String what, SchemaContext context) {
    switch (type) {
      case TypeName.VectorOf(TypeName _, int dimension) -> {
        context.guardrails().require(Feature.VECTOR_TYPE, what, context.warnings());
        context.check(Limit.VECTOR_DIMENSIONS, dimension, what);
      }
      case TypeName.Frozen(TypeName inner) -> checkType(inner, what, context);
      case TypeName.ListOf(TypeName element) -> checkType(element, what, context);
      case TypeName.SetOf(TypeName element) -> checkType(element, what, context);
      case TypeName.MapOf(TypeName key, TypeName value) -> {
        checkType(key, what, context);
        checkType(value, what, context);
      }
      case TypeName.TupleOf(List<TypeName> elements) ->
          elements.forEach(element -> checkType(element, what, context));
      case TypeName.Native _, TypeName.UserDefined _, TypeName.Custom _ -> {
        // has no parts
      }
    }
  }
}
