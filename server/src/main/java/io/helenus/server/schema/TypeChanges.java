package io.helenus.server.schema;

import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.ast.TypeName;
import io.helenus.cql.ast.TypeStatement.AlterType;
import io.helenus.cql.ast.TypeStatement.Alteration;
import io.helenus.cql.ast.TypeStatement.CreateType;
import io.helenus.cql.ast.TypeStatement.DropType;
import io.helenus.cql.ast.TypeStatement.FieldDefinition;
import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.schema.SchemaChange.Action;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.UserType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** CREATE, ALTER and DROP TYPE. Stateless. */
final class TypeChanges {
  private TypeChanges() {}

  static SchemaChange create(Schema schema, CreateType statement, SchemaContext context) {
    String keyspaceName = modifiable("CREATE", statement.type(), context);
    String name = statement.type().name();
    context.check(Limit.FIELDS_PER_UDT, statement.fields().size(), name);
    statement
        .fields()
        .forEach(field -> TableGuards.checkType(field.type(), "Field " + field.name(), context));
    KeyspaceSchema keyspace = schema.keyspace(keyspaceName);
    if (keyspace == null) {
      throw CqlException.invalid("Keyspace '" + keyspaceName + "' doesn't exist");
    }
    if (keyspace.type(name) != null) {
      if (statement.ifNotExists()) {
        return SchemaChange.ofType(null, Action.CREATED, keyspaceName, name);
      }
      throw CqlException.invalid("A user type with name '" + name + "' already exists");
    }
    Set<String> names = new HashSet<>();
    for (FieldDefinition field : statement.fields()) {
      if (!names.add(field.name())) {
        throw CqlException.invalid(
            "Duplicate field name '" + field.name() + "' in type '" + name + "'");
      }
    }
    statement.fields().forEach(field -> requireAllowed(field.type()));
    List<String> fieldNames = new ArrayList<>();
    List<CqlType> fieldTypes = new ArrayList<>();
    for (FieldDefinition field : statement.fields()) {
      fieldNames.add(field.name());
      fieldTypes.add(TypeResolver.resolve(field.type(), keyspaceName, schema::userType));
    }
    UserType type = new UserType(keyspaceName, name, fieldNames, fieldTypes, false);
    return SchemaChange.ofType(new SchemaEdit.CreateType(type), Action.CREATED, keyspaceName, name);
  }

  /** The keyspace of a type, if clients may change it. */
  private static String modifiable(String verb, QualifiedName type, SchemaContext context) {
    String keyspace = SchemaNames.keyspaceOfDefinition(type, context);
    SchemaNames.requireOrdinary(keyspace);
    if (SchemaNames.isReplicatedSystem(keyspace)) {
      throw SchemaNames.unauthorized("Cannot " + verb + " <all tables in " + keyspace + ">");
    }
    return keyspace;
  }

  private static void requireAllowed(TypeName field) {
    if (field.toString().equals("counter")) {
      throw CqlException.invalid("A user type cannot contain counters");
    }
    if (field instanceof TypeName.UserDefined) {
      throw CqlException.invalid("A user type cannot contain non-frozen UDTs");
    }
  }

  static SchemaChange alter(Schema schema, AlterType statement, SchemaContext context) {
    String keyspace = modifiable("ALTER", statement.type(), context);
    String name = statement.type().name();
    UserType type = schema.userType(keyspace, name);
    if (type == null) {
      if (statement.ifExists()) {
        return SchemaChange.ofType(null, Action.UPDATED, keyspace, name);
      }
      throw CqlException.invalid("Type " + keyspace + "." + name + " doesn't exist");
    }
    UserType changed =
        switch (statement.alteration()) {
          case Alteration.Add add -> add(schema, type, add, context);
          case Alteration.Rename rename -> rename(type, rename);
          case Alteration.ChangeType ignored ->
              throw CqlException.invalid("Altering field types is no longer supported");
        };
    SchemaEdit edit = changed.equals(type) ? null : new SchemaEdit.AlterType(changed);
    return SchemaChange.ofType(edit, Action.UPDATED, keyspace, name);
  }

  private static UserType add(
      Schema schema, UserType type, Alteration.Add add, SchemaContext context) {
    FieldDefinition field = add.field();
    requireAllowed(field.type());
    String full = quoted(type);
    if (type.fieldNames().contains(field.name())) {
      if (add.ifFieldNotExists()) {
        return type;
      }
      throw CqlException.invalid(
          "Cannot add field "
              + field.name()
              + " to type "
              + full
              + ": a field with name "
              + field.name()
              + " already exists");
    }
    context.check(Limit.FIELDS_PER_UDT, type.fieldNames().size() + 1L, type.name());
    TableGuards.checkType(field.type(), "Field " + field.name(), context);
    CqlType added = TypeResolver.resolve(field.type(), type.keyspace(), schema::userType);
    String start =
        "Cannot add new field "
            + field.name()
            + " of type "
            + TypeResolver.qualified(field.type(), type.keyspace())
            + " to user type "
            + full;
    if (added.references(type)) {
      throw CqlException.invalid(start + " as it would create a circular reference");
    }
    List<String> tables = tablesWith(schema, type, true);
    if (!tables.isEmpty()) {
      throw CqlException.invalid(
          start
              + " as the type is being used in partition key by the following tables: "
              + tables.stream()
                  .map(table -> CqlNames.quoted(type.keyspace()) + "." + CqlNames.quoted(table))
                  .collect(Collectors.joining(", ")));
    }
    List<String> names = new ArrayList<>(type.fieldNames());
    List<CqlType> types = new ArrayList<>(type.fieldTypes());
    names.add(field.name());
    types.add(added);
    return new UserType(type.keyspace(), type.name(), names, types, false);
  }

  private static String quoted(UserType type) {
    return CqlNames.quoted(type.keyspace()) + "." + CqlNames.quoted(type.name());
  }

  private static UserType rename(UserType type, Alteration.Rename rename) {
    List<String> names = new ArrayList<>(type.fieldNames());
    for (SchemaStatement.Renaming renaming : rename.renamings()) {
      int at = type.fieldNames().indexOf(renaming.from());
      if (at >= 0) {
        names.set(at, renaming.to());
      } else if (!rename.ifFieldExists()) {
        throw CqlException.invalid(
            "Unkown field " + renaming.from() + " in user type " + quoted(type));
      }
    }
    Set<String> distinct = new HashSet<>();
    for (String name : names) {
      if (!distinct.add(name)) {
        // Cassandra names the keyspace here.
        throw CqlException.invalid("Duplicate field name " + name + " in type " + type.keyspace());
      }
    }
    return new UserType(type.keyspace(), type.name(), names, type.fieldTypes(), false);
  }

  static SchemaChange drop(Schema schema, DropType statement, SchemaContext context) {
    String keyspace = modifiable("DROP", statement.type(), context);
    String name = statement.type().name();
    UserType type = schema.userType(keyspace, name);
    if (type == null) {
      if (statement.ifExists()) {
        return SchemaChange.ofType(null, Action.DROPPED, keyspace, name);
      }
      throw CqlException.invalid("Type '" + keyspace + "." + name + "' doesn't exist");
    }
    requireUnused(type, "user types", typesWith(schema, type));
    requireUnused(type, "tables", tablesWith(schema, type, false));
    return SchemaChange.ofType(
        new SchemaEdit.DropType(keyspace, name), Action.DROPPED, keyspace, name);
  }

  private static void requireUnused(UserType type, String what, List<String> users) {
    if (!users.isEmpty()) {
      throw CqlException.invalid(
          "Cannot drop user type '"
              + type.keyspace()
              + "."
              + type.name()
              + "' as it is still used by "
              + what
              + " "
              + String.join(", ", users));
    }
  }

  private static List<String> typesWith(Schema schema, UserType type) {
    List<String> names = new ArrayList<>();
    for (UserType other : keyspace(schema, type).types()) {
      if (other.fieldTypes().stream().anyMatch(field -> field.references(type))) {
        names.add(other.name());
      }
    }
    return names;
  }

  private static List<String> tablesWith(Schema schema, UserType type, boolean inPartitionKey) {
    List<String> names = new ArrayList<>();
    for (TableSchema table : keyspace(schema, type).tables()) {
      if (table.view() != null && !inPartitionKey) {
        continue; // its base table uses the type too
      }
      List<ColumnSchema> columns = inPartitionKey ? table.partitionKey() : table.columns();
      if (columns.stream().anyMatch(column -> column.type().references(type))) {
        names.add(table.name());
      }
    }
    return names;
  }

  private static KeyspaceSchema keyspace(Schema schema, UserType type) {
    @Nullable KeyspaceSchema keyspace = schema.keyspace(type.keyspace());
    if (keyspace == null) {
      throw new IllegalStateException("a type without a keyspace: " + type.keyspace());
    }
    return keyspace;
  }
}
