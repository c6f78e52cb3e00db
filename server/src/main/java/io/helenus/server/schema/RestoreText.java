package io.helenus.server.schema;

import io.helenus.server.types.CqlType;
import io.helenus.server.types.UserType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The statements from which an empty node recreates a table for the files of its snapshot: its
 * keyspace and the user types that it uses, unless they exist, the table and its indexes. In the
 * files a column is a number, which CREATE TABLE assigns by the order of names and ALTER TABLE by
 * the order of addition: what was added since the table was created is added again. Stateless.
 */
final class RestoreText {
  /** A column as it was first added, with the statement's text for it. */
  private record Addition(int id, String name, ColumnKind kind, String text) {
    boolean isKey() {
      return kind == ColumnKind.PARTITION_KEY || kind == ColumnKind.CLUSTERING;
    }

    /** The order in which CREATE TABLE assigns numbers to columns outside of the key. */
    static Comparator<Addition> inOrderOfCreation() {
      return Comparator.comparing((Addition each) -> each.kind == ColumnKind.REGULAR)
          .thenComparing(Addition::name);
    }
  }

  private RestoreText() {}

  static String of(KeyspaceSchema keyspace, TableSchema table) {
    List<String> statements = new ArrayList<>();
    statements.add(ifNotExists("KEYSPACE", DefinitionText.keyspace(keyspace)));
    List<UserType> types = new ArrayList<>();
    for (UserType type : keyspace.types()) {
      if (isUsed(type, table)) {
        types.add(type);
      }
    }
    for (UserType type : DefinitionText.inOrderOfUse(types)) {
      statements.add(ifNotExists("TYPE", DefinitionText.type(type)));
    }
    if (table.isCompact()) {
      statements.add(DefinitionText.table(table, false, true));
    } else {
      addTable(table, statements);
    }
    for (IndexSchema index : table.indexes()) {
      statements.add(DefinitionText.index(table, index));
    }
    return String.join("\n", statements);
  }

  private static String ifNotExists(String kind, String statement) {
    return statement.replaceFirst("CREATE " + kind + " ", "CREATE " + kind + " IF NOT EXISTS ");
  }

  private static boolean isUsed(UserType type, TableSchema table) {
    List<CqlType> all = new ArrayList<>();
    table.columns().forEach(column -> all.add(column.type()));
    table.droppedColumns().forEach(column -> all.add(column.type()));
    return all.stream().anyMatch(each -> each.references(type));
  }

  private static void addTable(TableSchema table, List<String> statements) {
    List<Addition> additions = additions(table);
    Set<Integer> created = created(additions);
    List<String> columns = new ArrayList<>();
    for (Addition each : additions) {
      if (created.contains(each.id)) {
        columns.add(each.text);
      }
    }
    columns.add(DefinitionText.primaryKey(table));
    statements.add(ifNotExists("TABLE", DefinitionText.statement(table, columns)));
    String alter = "ALTER TABLE " + table.cqlName();
    for (Addition each : additions) {
      if (!created.contains(each.id)) {
        statements.add(alter + " ADD " + each.text + ";");
      }
    }
    statements.addAll(DefinitionText.drops(table));
  }

  /** All columns by number. One that was dropped is added as it was before. */
  private static List<Addition> additions(TableSchema table) {
    List<Addition> additions = new ArrayList<>();
    for (ColumnSchema column : table.columns()) {
      if (table.droppedColumn(column.name()) == null) {
        additions.add(
            new Addition(
                column.id(), column.name(), column.kind(), DefinitionText.declared(column)));
      }
    }
    for (DroppedColumn column : table.droppedColumns()) {
      additions.add(
          new Addition(column.id(), column.name(), column.kind(), DefinitionText.dropped(column)));
    }
    additions.sort(Comparator.comparingInt(Addition::id));
    return additions;
  }

  /** The numbers of as many columns as one CREATE TABLE numbers like this, the key included. */
  private static Set<Integer> created(List<Addition> additions) {
    Set<Integer> created = new HashSet<>();
    Set<Integer> next = new HashSet<>();
    List<Addition> others = new ArrayList<>();
    for (Addition each : additions) {
      next.add(each.id);
      if (each.isKey()) {
        created.addAll(next);
        continue;
      }
      others.add(each);
      if (isInOrder(others)) {
        created.addAll(next);
      }
    }
    return created;
  }

  private static boolean isInOrder(List<Addition> others) {
    List<Addition> sorted = new ArrayList<>(others);
    sorted.sort(Addition.inOrderOfCreation());
    return sorted.equals(others);
  }
}
