package io.helenus.server.admin;

import io.helenus.cql.ast.CqlNames;
import io.helenus.server.error.CqlException;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.DroppedColumn;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.TypeClassNames;
import io.helenus.server.types.UserType;
import io.helenus.storage.row.ColumnTranslation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a snapshot's files in a table: those of the same names, which must have the same
 * types and the same parts in the table. In the files a column is a number, which may be another
 * one in the table. Not thread-safe.
 */
final class ColumnMatch {
  private final SnapshotManifest snapshot;
  private final TableSchema table;
  private final boolean sameTable;
  private final List<ColumnTranslation.Column> columns = new ArrayList<>();
  private final @Nullable String refusal;

  ColumnMatch(SnapshotManifest snapshot, TableSchema table) {
    this.snapshot = snapshot;
    this.table = table;
    sameTable = snapshot.id().equals(table.id());
    refusal = match();
  }

  /** Why the files cannot be loaded, and what can be done about it; null if they can. */
  @Nullable String refusal() {
    return refusal;
  }

  /** The numbers of the columns in the files and in the table, if there is no refusal. */
  ColumnTranslation columns() {
    return new ColumnTranslation(columns);
  }

  private @Nullable String match() {
    String key =
        primaryKey(
            snapshot.columns().stream()
                .filter(SnapshotManifest.Column::isKey)
                .map(SnapshotManifest.Column::name)
                .toList());
    String targetKey =
        primaryKey(
            table.columns().stream()
                .filter(ColumnSchema::isPrimaryKey)
                .map(ColumnSchema::name)
                .toList());
    if (!key.equals(targetKey)) {
      return "the primary key was "
          + key
          + ", now "
          + targetKey
          + "; load them into a table with that primary key";
    }
    for (SnapshotManifest.Column column : snapshot.columns()) {
      String reason = match(column);
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  private static String primaryKey(List<String> names) {
    return names.stream().collect(Collectors.joining(", ", "(", ")"));
  }

  private @Nullable String match(SnapshotManifest.Column column) {
    ColumnSchema found = table.column(column.name());
    if (found == null) {
      DroppedColumn dropped = table.droppedColumn(column.name());
      if (sameTable && dropped != null && dropped.id() == column.id()) {
        add(column, dropped.id());
        return null;
      }
      return "the table has no column " + column.name() + "; " + addition(column);
    }
    String role = SnapshotManifest.Column.of(found, table).role();
    if (!column.role().equals(role)) {
      return "column "
          + column.name()
          + " was "
          + column.role()
          + ", now "
          + role
          + "; load them into a table where it is "
          + column.role();
    }
    // user types of the same table can only have got further fields or names of fields
    boolean sameType =
        (sameTable && found.type().hasUserTypes()) || isReadable(column.type(), found.type());
    if (!sameType) {
      return "column "
          + column.name()
          + " was of type "
          + types(column.type(), found.type())
          + "; load them into a table where it has the type that it had";
    }
    add(column, found.id());
    return null;
  }

  private void add(SnapshotManifest.Column column, int target) {
    columns.add(new ColumnTranslation.Column(column.id(), target, column.droppedAtMicros()));
  }

  private String addition(SnapshotManifest.Column column) {
    CqlType type = parsed(column.type());
    return "add it first: ALTER TABLE "
        + table.cqlName()
        + " ADD "
        + CqlNames.quoted(column.name())
        + " "
        + (type == null ? "'" + column.type() + "'" : type.toCql())
        + (column.kind().equals("static") ? " static" : "");
  }

  private static String types(String written, CqlType now) {
    CqlType type = parsed(written);
    return type == null || type.toCql().equals(now.toCql())
        ? written + ", now " + now.className()
        : type.toCql() + ", now " + now.toCql();
  }

  private static @Nullable CqlType parsed(String className) {
    try {
      return TypeClassNames.parse(className);
    } catch (CqlException e) {
      return null;
    }
  }

  /** User types may have got further fields since. */
  private static boolean isReadable(String written, CqlType now) {
    if (written.equals(now.className())) {
      return true;
    }
    CqlType type = parsed(written);
    return type != null && isReadable(type, now);
  }

  private static boolean isReadable(CqlType written, CqlType now) {
    List<UserType> earlier = new ArrayList<>();
    collectUserTypes(written, earlier);
    List<UserType> later = new ArrayList<>();
    collectUserTypes(now, later);
    CqlType altered = written;
    for (UserType type : later) {
      for (UserType other : earlier) {
        if (type.isSame(other) && !isBeginning(other, type)) {
          return false;
        }
      }
      altered = altered.withAltered(type);
    }
    return altered.className().equals(now.className());
  }

  private static void collectUserTypes(CqlType type, List<UserType> found) {
    if (type instanceof UserType user) {
      found.add(user);
    }
    type.parts().forEach(part -> collectUserTypes(part, found));
  }

  private static boolean isBeginning(UserType earlier, UserType later) {
    int count = earlier.fieldNames().size();
    if (count > later.fieldNames().size()
        || !earlier.fieldNames().equals(later.fieldNames().subList(0, count))) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (!isReadable(earlier.fieldTypes().get(i), later.fieldTypes().get(i))) {
        return false;
      }
    }
    return true;
  }
}
