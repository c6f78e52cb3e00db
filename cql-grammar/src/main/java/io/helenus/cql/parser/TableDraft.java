package io.helenus.cql.parser;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.Relation;
import io.helenus.cql.ast.SchemaStatement.ClusteringOrder;
import io.helenus.cql.ast.SchemaStatement.ColumnDefinition;
import io.helenus.cql.ast.Selector;
import io.helenus.cql.ast.TableStatement;
import io.helenus.cql.ast.ViewStatement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A CREATE TABLE or CREATE MATERIALIZED VIEW being parsed. */
final class TableDraft {
  private final String kind;
  private final QualifiedName name;
  private final List<ColumnDefinition> columns = new ArrayList<>();
  private final Set<String> columnNames = new HashSet<>();
  private @Nullable List<String> partitionKey;
  private final List<String> clusteringColumns = new ArrayList<>();
  private final List<ClusteringOrder> clusteringOrder = new ArrayList<>();
  private final Set<String> orderedColumns = new HashSet<>();
  final PropertiesDraft properties = new PropertiesDraft();
  boolean compactStorage;

  /**
   * Begins a definition.
   *
   * @param kind "table" or "view", for messages
   */
  TableDraft(String kind, QualifiedName name) {
    this.kind = kind;
    this.name = name;
  }

  void addColumn(ColumnDefinition column) {
    if (!columnNames.add(column.name())) {
      throw CqlSyntaxException.invalid(
          "Duplicate column '" + column.name() + "' declaration for table '" + name + "'");
    }
    columns.add(column);
  }

  void partitionKey(List<String> key) {
    if (partitionKey != null) {
      throw CqlSyntaxException.invalid(
          "Multiple PRIMARY KEY specified for table '" + name + "' (exactly one required)");
    }
    partitionKey = key;
  }

  void clusteringColumn(String column) {
    clusteringColumns.add(column);
  }

  void clusteringOrder(String column, boolean descending) {
    if (!orderedColumns.add(column)) {
      throw CqlSyntaxException.invalid(
          "Duplicate column '"
              + column
              + "' in CLUSTERING ORDER BY clause for "
              + kind
              + " '"
              + name
              + "'");
    }
    clusteringOrder.add(new ClusteringOrder(column, descending));
  }

  TableStatement.CreateTable buildTable(boolean ifNotExists) {
    return new TableStatement.CreateTable(
        name,
        ifNotExists,
        columns,
        partitionKey == null ? List.of() : partitionKey,
        clusteringColumns,
        clusteringOrder,
        compactStorage,
        properties.build());
  }

  ViewStatement.CreateView buildView(
      boolean ifNotExists,
      List<Selector> selectors,
      QualifiedName baseTable,
      List<Relation> where,
      List<BindMarker> markers) {
    return new ViewStatement.CreateView(
        name,
        ifNotExists,
        selectors,
        baseTable,
        where,
        partitionKey == null ? List.of() : partitionKey,
        clusteringColumns,
        clusteringOrder,
        properties.build(),
        markers);
  }
}
