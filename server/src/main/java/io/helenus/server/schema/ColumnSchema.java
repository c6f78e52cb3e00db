package io.helenus.server.schema;

import io.helenus.server.types.CqlType;
import io.helenus.server.types.UserType;
import io.helenus.storage.engine.TableDescriptor;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table. Immutable.
 *
 * @param kind its role in the table
 * @param position from 0 within the partition key or the clustering columns; -1 for others
 * @param descending whether a clustering column is declared DESC
 * @param id identifies the column's cells in storage; never reused for another name within the
 *     table. Key columns have one too: its cells hold the wire values of clustering values that
 *     cannot be restored from their key bytes
 * @param multiCell whether values are stored as cells by path. False for frozen types and scalars
 * @param mask hides its values from users without a permission; null for none
 * @param constraints what its written values must meet
 */
public record ColumnSchema(
    String name,
    CqlType type,
    ColumnKind kind,
    int position,
    boolean descending,
    int id,
    boolean multiCell,
    @Nullable ColumnMask mask,
    List<ColumnConstraint> constraints) {
  /** Copies the list. */
  public ColumnSchema {
    constraints = List.copyOf(constraints);
  }

  /**
   * Of the name: tells the columns of a table apart, and planning a statement asks for it often.
   */
  @Override
  public int hashCode() {
    return name.hashCode();
  }

  /** Whether it is part of the primary key. */
  public boolean isPrimaryKey() {
    return kind == ColumnKind.PARTITION_KEY || kind == ColumnKind.CLUSTERING;
  }

  /** Whether it is a static column. */
  public boolean isStatic() {
    return kind == ColumnKind.STATIC;
  }

  /** The {@code clustering_order} of system_schema.columns. */
  public String clusteringOrder() {
    return kind == ColumnKind.CLUSTERING ? (descending ? "desc" : "asc") : "none";
  }

  /** The kind of its cells in storage. */
  public TableDescriptor.Kind cellKind() {
    if (type.isCounter()) {
      return TableDescriptor.Kind.COUNTER;
    }
    return multiCell ? TableDescriptor.Kind.MULTI_CELL : TableDescriptor.Kind.SIMPLE;
  }

  /** The same column after a user type was altered. */
  ColumnSchema withAltered(UserType altered) {
    return new ColumnSchema(
        name,
        type.withAltered(altered),
        kind,
        position,
        descending,
        id,
        multiCell,
        mask == null ? null : mask.withAltered(altered),
        constraints);
  }

  /** The same column under another name. */
  public ColumnSchema renamed(String newName) {
    return new ColumnSchema(
        newName, type, kind, position, descending, id, multiCell, mask, constraints);
  }

  /** The same column with another mask, or none. */
  ColumnSchema masked(@Nullable ColumnMask newMask) {
    return new ColumnSchema(
        name, type, kind, position, descending, id, multiCell, newMask, constraints);
  }

  /** The same column with other constraints, or none. */
  ColumnSchema constrained(List<ColumnConstraint> newConstraints) {
    return new ColumnSchema(
        name, type, kind, position, descending, id, multiCell, mask, newConstraints);
  }

  /** The constraints as in DESCRIBE, without CHECK. */
  public String constraintsCql() {
    return constraints.stream().map(each -> each.toCql(name)).collect(Collectors.joining(" AND "));
  }

  /** Whether its values must not be null. */
  public boolean isNotNull() {
    return constraints.stream().anyMatch(each -> each.kind() == ColumnConstraint.Kind.NOT_NULL);
  }
}
