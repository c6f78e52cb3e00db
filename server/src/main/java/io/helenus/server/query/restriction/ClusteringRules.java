package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.statement.StatementKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.CompactStorage;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;

/**
 * Which restrictions of clustering columns go together, in Cassandra's words: rows are sorted by
 * these columns, so that a prefix of them, up to a slice, is one range. One per statement.
 */
final class ClusteringRules {
  private final StatementKind kind;
  private final TableSchema table;
  private final RestrictionSet clustering;

  /** Creates the rules for restrictions that may still be added to. */
  ClusteringRules(StatementKind kind, TableSchema table, RestrictionSet clustering) {
    this.kind = kind;
    this.table = table;
    this.clustering = clustering;
  }

  /** Requires that a restriction that has been added goes with the one that was the last before. */
  void requireOrder(Restriction last, Restriction restriction) {
    ColumnSchema lastStart = last.firstColumn();
    ColumnSchema newStart = restriction.firstColumn();
    if (last instanceof Restriction.Slice && newStart.position() > lastStart.position()) {
      throw CqlException.invalid(
          "Clustering column \""
              + newStart.name()
              + "\" cannot be restricted (preceding column \""
              + lastStart.name()
              + "\" is restricted by a non-EQ relation)");
    }
    if (newStart.position() < lastStart.position() && restriction instanceof Restriction.Slice) {
      throw CqlException.invalid(
          "PRIMARY KEY column \""
              + nextRestricted(newStart, restriction).name()
              + "\" cannot be restricted (preceding column \""
              + newStart.name()
              + "\" is restricted by a non-EQ relation)");
    }
  }

  /** The first column after this one that previous relations restrict. */
  private ColumnSchema nextRestricted(ColumnSchema column, Restriction added) {
    for (ColumnSchema restricted : clustering.columns()) {
      if (restricted.position() > column.position() && !added.covers(restricted)) {
        return restricted;
      }
    }
    return column;
  }

  /** Requires that no restricted column comes after one that is not restricted. */
  void requirePrefix() {
    List<ColumnSchema> restricted = clustering.columns();
    for (int i = 0; i < restricted.size(); i++) {
      ColumnSchema expected = table.clusteringColumns().get(i);
      if (!expected.equals(restricted.get(i))) {
        throw CqlException.invalid(
            "PRIMARY KEY column \""
                + restricted.get(i).name()
                + "\" cannot be restricted as preceding column \""
                + expected.name()
                + "\" is not restricted");
      }
    }
  }

  /** Requires that single rows are selected; the last columns may be null in dense tables. */
  void requireRows(boolean onlyStatic) {
    if (clustering.hasSlice()) {
      throw CqlException.invalid(
          "Slice restrictions are not supported on the clustering columns in "
              + kind
              + " statements");
    }
    List<ColumnSchema> missing = new ArrayList<>(table.clusteringColumns());
    missing.removeAll(clustering.columns());
    boolean allowed =
        table.compactStorage() == CompactStorage.DENSE
            && !table.isCounter()
            && !clustering.isEmpty();
    if (!onlyStatic && !missing.isEmpty() && !allowed) {
      throw CqlException.invalid(
          "Some clustering keys are missing: " + RestrictionSet.names(missing));
    }
  }

  /** Whether some of them select no range. */
  boolean needFiltering() {
    return usable().size() < clustering.all().size();
  }

  /** The restrictions that select ranges: consecutive from the first column, up to a slice. */
  List<Restriction> usable() {
    List<Restriction> usable = new ArrayList<>();
    int position = 0;
    for (Restriction restriction : clustering.all()) {
      if (restriction.firstColumn().position() != position
          || restriction instanceof Restriction.Contains) {
        break;
      }
      usable.add(restriction);
      if (restriction instanceof Restriction.Slice) {
        break;
      }
      position += restriction.columns().size();
    }
    return usable;
  }
}
