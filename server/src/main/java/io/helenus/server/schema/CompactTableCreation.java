package io.helenus.server.schema;

import io.helenus.cql.ast.TableStatement.CreateTable;
import io.helenus.server.error.CqlException;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/** What CREATE TABLE does differently WITH COMPACT STORAGE. Stateless; any thread. */
final class CompactTableCreation {
  private CompactTableCreation() {}

  /** The layout of the table that a statement creates. */
  static CompactStorage layout(CreateTable statement) {
    if (!statement.compactStorage()) {
      return CompactStorage.NONE;
    }
    return statement.clusteringColumns().isEmpty() ? CompactStorage.STATIC : CompactStorage.DENSE;
  }

  /**
   * Checks the columns.
   *
   * @throws CqlException INVALID, with Cassandra's text, if COMPACT STORAGE does not allow them
   */
  static void check(
      CreateTable statement, SortedMap<String, CqlType> types, Set<String> staticColumns) {
    if (types.values().stream().anyMatch(CqlType::isMultiCell)) {
      throw CqlException.invalid(
          "Non-frozen collections and UDTs are not supported with COMPACT STORAGE");
    }
    if (!staticColumns.isEmpty()) {
      throw CqlException.invalid("Static columns are not supported in COMPACT STORAGE tables");
    }
    List<String> others = others(statement, types);
    if (statement.clusteringColumns().isEmpty() && others.isEmpty()) {
      throw CqlException.invalid("No definition found that is not part of the PRIMARY KEY");
    }
    if (!statement.clusteringColumns().isEmpty() && others.size() > 1) {
      throw CqlException.invalid(
          "COMPACT STORAGE with composite PRIMARY KEY allows no more than one column not part of"
              + " the PRIMARY KEY (got: "
              + String.join(", ", others)
              + ")");
    }
  }

  /** The columns outside the primary key, by name. */
  static List<String> others(CreateTable statement, SortedMap<String, CqlType> types) {
    List<String> others = new ArrayList<>(types.keySet());
    others.removeAll(new HashSet<>(statement.partitionKey()));
    others.removeAll(new HashSet<>(statement.clusteringColumns()));
    return others;
  }

  /** Adds the hidden columns to a table that has all its other columns. */
  static void addHidden(TableSchemaBuilder table, CompactStorage layout) {
    switch (layout) {
      case NONE -> {}
      case STATIC -> {
        CqlType value = table.hasCounters() ? ScalarType.COUNTER : ScalarType.BLOB;
        table.clustering(freeName(table, "column", 1), ScalarType.TEXT, false);
        table.regular(freeName(table, "value", 0), value);
      }
      case DENSE -> {
        if (table.regularColumns.isEmpty()) {
          table.regular(freeName(table, "value", 0), ScalarType.EMPTY);
        }
      }
    }
  }

  /** The first unused name among those that Cassandra tries; the number 0 is left out. */
  private static String freeName(TableSchemaBuilder table, String word, int first) {
    int number = first;
    String name = number == 0 ? word : word + number;
    while (table.find(name) != null) {
      name = word + ++number;
    }
    return name;
  }
}
