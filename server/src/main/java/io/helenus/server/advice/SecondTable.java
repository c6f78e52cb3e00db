package io.helenus.server.advice;

import io.helenus.cql.ast.CqlNames;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Drafts of a second table for the queries that an index, a view or filtering would serve.
 * Stateless.
 */
final class SecondTable {
  private static final int LONGEST_NAME = 48;
  private static final Pattern NO_WORD = Pattern.compile("[^A-Za-z0-9_]");

  private SecondTable() {}

  /**
   * The name of a table that has something of another one: {@code users_followers}. No table of the
   * keyspace has it.
   */
  static String name(KeyspaceSchema keyspace, TableSchema table, String of) {
    String name = name(table, of);
    for (int i = 2; keyspace.table(name) != null; i++) {
      name = name(table, of + "_" + i);
    }
    return name;
  }

  private static String name(TableSchema table, String of) {
    String suffix = "_" + NO_WORD.matcher(of).replaceAll("_");
    if (suffix.length() > LONGEST_NAME / 2) {
      suffix = suffix.substring(0, LONGEST_NAME / 2);
    }
    int room = LONGEST_NAME - suffix.length();
    String name = table.name();
    return (name.length() > room ? name.substring(0, room) : name) + suffix;
  }

  /** A table of the rows of another one by the values of a column, with all columns. */
  static Draft by(KeyspaceSchema keyspace, TableSchema table, ColumnSchema column) {
    return by(keyspace, table, List.of(column));
  }

  /** A table of the rows of another one by the values of some columns, with all columns. */
  static Draft by(KeyspaceSchema keyspace, TableSchema table, List<ColumnSchema> columns) {
    List<String> names = columns.stream().map(ColumnSchema::name).toList();
    Draft draft = Draft.of(table).named(name(keyspace, table, "by_" + String.join("_", names)));
    for (ColumnSchema each : table.staticColumns()) {
      draft.without(each.name()).with(each.name(), each.type().toCql());
    }
    List<String> rest = keyWithout(table, names);
    if (columns.stream().allMatch(Traits::isFewValued)) {
      draft.with("bucket", "int").partitionedBy(with(names, "bucket")).clusteredBy(rest);
    } else if (columns.size() == 1 && Traits.isTime(columns.getFirst())) {
      String moment = names.getFirst();
      rest.addFirst(moment);
      draft.with("day", "date").partitionedBy(List.of("day")).clusteredBy(rest);
      draft.descending(moment, true);
    } else if (columns.size() == 1 && Changes.isMeasure(columns.getFirst())) {
      String measure = names.getFirst();
      rest.addFirst(measure);
      draft.with("bucket", "int").partitionedBy(List.of("bucket")).clusteredBy(rest);
      draft.descending(measure, true);
    } else {
      draft.partitionedBy(names).clusteredBy(rest);
    }
    return draft;
  }

  /** A table that has the key of the row for each value of a column, which is in one row only. */
  static Draft keyBy(KeyspaceSchema keyspace, TableSchema table, ColumnSchema column) {
    Draft draft = Draft.of(table).named(name(keyspace, table, "by_" + column.name()));
    for (ColumnSchema each : table.columns()) {
      if (!each.isPrimaryKey() && !each.name().equals(column.name())) {
        draft.without(each.name());
      }
    }
    return draft.partitionedBy(List.of(column.name())).clusteredBy(List.of());
  }

  /** The statement that drops an index. */
  static String drop(TableSchema table, IndexSchema index) {
    return "DROP INDEX "
        + CqlNames.quoted(table.keyspace())
        + "."
        + CqlNames.quoted(index.name())
        + ";";
  }

  private static List<String> keyWithout(TableSchema table, List<String> names) {
    List<String> rest = new ArrayList<>();
    table.partitionKey().forEach(each -> rest.add(each.name()));
    table.clusteringColumns().forEach(each -> rest.add(each.name()));
    rest.removeAll(names);
    return rest;
  }

  private static List<String> with(List<String> names, String last) {
    List<String> all = new ArrayList<>(names);
    all.add(last);
    return all;
  }
}
