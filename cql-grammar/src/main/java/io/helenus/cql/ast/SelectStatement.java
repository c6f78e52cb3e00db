package io.helenus.cql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * SELECT.
 *
 * @param selectors empty for {@code *}
 * @param perPartitionLimit a literal or marker
 * @param limit a literal or marker
 */
public record SelectStatement(
    QualifiedName table,
    boolean json,
    boolean distinct,
    List<Selector> selectors,
    List<Relation> where,
    List<Selectable> groupBy,
    List<Ordering> orderBy,
    @Nullable Term perPartitionLimit,
    @Nullable Term limit,
    boolean allowFiltering,
    List<BindMarker> bindMarkers)
    implements Statement {
  /** Copies the lists. */
  public SelectStatement {
    selectors = List.copyOf(selectors);
    where = List.copyOf(where);
    groupBy = List.copyOf(groupBy);
    orderBy = List.copyOf(orderBy);
    bindMarkers = List.copyOf(bindMarkers);
  }

  /**
   * One element of ORDER BY.
   *
   * @param annOf the vector of {@code column ANN OF vector}; null for a plain ordering
   * @param descending whether DESC was written
   */
  public record Ordering(String column, @Nullable Term annOf, boolean descending) {}

  /** Whether this is {@code SELECT *}. */
  public boolean isWildcard() {
    return selectors.isEmpty();
  }

  @Override
  public String feature() {
    return json ? "SELECT JSON" : "SELECT";
  }
}
