package io.helenus.cql.ast;

import java.util.List;

/** CREATE, ALTER and DROP MATERIALIZED VIEW. */
public sealed interface ViewStatement extends SchemaStatement {

  /** The view. */
  QualifiedName view();

  /**
   * CREATE MATERIALIZED VIEW.
   *
   * @param selectors empty for {@code *}
   */
  record CreateView(
      QualifiedName view,
      boolean ifNotExists,
      List<Selector> selectors,
      QualifiedName baseTable,
      List<Relation> where,
      List<String> partitionKey,
      List<String> clusteringColumns,
      List<ClusteringOrder> clusteringOrder,
      Properties properties,
      List<BindMarker> bindMarkers)
      implements ViewStatement {
    /** Copies the lists. */
    public CreateView {
      selectors = List.copyOf(selectors);
      where = List.copyOf(where);
      partitionKey = List.copyOf(partitionKey);
      clusteringColumns = List.copyOf(clusteringColumns);
      clusteringOrder = List.copyOf(clusteringOrder);
      bindMarkers = List.copyOf(bindMarkers);
    }

    @Override
    public String feature() {
      return "CREATE MATERIALIZED VIEW";
    }
  }

  /** ALTER MATERIALIZED VIEW. */
  record AlterView(QualifiedName view, boolean ifExists, Properties properties)
      implements ViewStatement {
    @Override
    public String feature() {
      return "ALTER MATERIALIZED VIEW";
    }
  }

  /** DROP MATERIALIZED VIEW. */
  record DropView(QualifiedName view, boolean ifExists) implements ViewStatement {
    @Override
    public String feature() {
      return "DROP MATERIALIZED VIEW";
    }
  }
}
