package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import io.helenus.server.schema.ColumnSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The restrictions of one kind of column (partition key, clustering or other), merged if several
 * restrict the same column. Key columns are in key order, others by the signed bytes of their
 * names, as in Cassandra. One per statement.
 */
final class RestrictionSet {
  private static final Comparator<Restriction> ORDER =
      Comparator.comparingInt((Restriction restriction) -> restriction.firstColumn().position())
          .thenComparing(
              restriction -> restriction.firstColumn().name().getBytes(StandardCharsets.UTF_8),
              Arrays::compare);

  private final List<Restriction> restrictions = new ArrayList<>();

  boolean isEmpty() {
    return restrictions.isEmpty();
  }

  /** All restrictions, in order. */
  List<Restriction> all() {
    return restrictions;
  }

  /** The restriction of the last column; null if the set is empty. */
  @Nullable Restriction last() {
    return restrictions.isEmpty() ? null : restrictions.getLast();
  }

  @Nullable Restriction on(ColumnSchema column) {
    for (Restriction restriction : restrictions) {
      if (restriction.covers(column)) {
        return restriction;
      }
    }
    return null;
  }

  boolean hasSlice() {
    return restrictions.stream().anyMatch(Restriction.Slice.class::isInstance);
  }

  boolean hasContains() {
    return restrictions.stream().anyMatch(Restriction.Contains.class::isInstance);
  }

  boolean hasIn() {
    return restrictions.stream().anyMatch(Restriction.In.class::isInstance);
  }

  /** The restricted columns, in order and without duplicates. */
  List<ColumnSchema> columns() {
    return restrictions.stream().flatMap(each -> each.columns().stream()).distinct().toList();
  }

  /** Adds a restriction, merging it with those on the same columns. */
  void add(Restriction added) {
    Restriction merged = added;
    for (Restriction existing : List.copyOf(restrictions)) {
      if (existing.columns().stream().anyMatch(added::covers)) {
        merged = merge(existing, merged);
        restrictions.remove(existing);
      }
    }
    restrictions.add(merged);
    restrictions.sort(ORDER);
  }

  /** Rejects a column that is restricted and ordered by too, as a second restriction. */
  void requireUnrestricted(ColumnSchema column) {
    Restriction existing = on(column);
    if (existing != null) {
      Restriction _ =
          merge(existing, new Restriction.Equal(List.of(column), false, TupleSource.of(0)));
    }
  }

  private static Restriction merge(Restriction existing, Restriction added) {
    return switch (existing) {
      case Restriction.Equal equal -> throw moreThanOne(equal, added, "an Equal");
      case Restriction.In in -> throw moreThanOne(in, added, "a IN");
      case Restriction.Contains contains -> {
        if (!(added instanceof Restriction.Contains other)) {
          throw CqlException.invalid(
              "Collection column "
                  + contains.firstColumn().name()
                  + " can only be restricted by CONTAINS, CONTAINS KEY, or map-entry equality");
        }
        List<Restriction.Contains.Part> parts = new ArrayList<>(contains.parts());
        parts.addAll(other.parts());
        yield new Restriction.Contains(contains.columns(), parts);
      }
      case Restriction.Slice slice -> {
        if (!(added instanceof Restriction.Slice other)) {
          throw CqlException.invalid(
              "Column \""
                  + slice.columnsInCommon(added)
                  + "\" cannot be restricted by both an equality and an inequality relation");
        }
        yield merge(slice, other);
      }
    };
  }

  private static CqlException moreThanOne(Restriction existing, Restriction added, String what) {
    return CqlException.invalid(
        existing.columnsInCommon(added)
            + " cannot be restricted by more than one relation if it includes "
            + what);
  }

  private static Restriction merge(Restriction.Slice a, Restriction.Slice b) {
    if (!a.firstColumn().equals(b.firstColumn())) {
      ColumnSchema later =
          a.firstColumn().position() > b.firstColumn().position()
              ? a.firstColumn()
              : b.firstColumn();
      throw CqlException.invalid(
          "Column \""
              + later.name()
              + "\" cannot be restricted by two inequalities not starting with the same column");
    }
    if (a.lower() != null && b.lower() != null) {
      throw CqlException.invalid(
          "More than one restriction was found for the start bound on " + a.columnsInCommon(b));
    }
    if (a.upper() != null && b.upper() != null) {
      throw CqlException.invalid(
          "More than one restriction was found for the end bound on " + a.columnsInCommon(b));
    }
    List<ColumnSchema> longer =
        a.columns().size() >= b.columns().size() ? a.columns() : b.columns();
    return new Restriction.Slice(
        longer,
        a.isTuple() || b.isTuple(),
        a.lower() == null ? b.lower() : a.lower(),
        a.upper() == null ? b.upper() : a.upper());
  }

  /** Formats column names like Cassandra's error texts. */
  static String names(List<ColumnSchema> columns) {
    return columns.stream().map(ColumnSchema::name).collect(Collectors.joining(", "));
  }
}
