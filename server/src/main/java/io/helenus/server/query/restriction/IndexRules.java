package io.helenus.server.query.restriction;

import io.helenus.cql.ast.IndexStatement.TargetKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.server.types.VectorType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which restrictions the indexes of a table support, by Cassandra's rules. The storage-attached
 * indexes form one group, which supports all restrictions that any of them supports; each legacy
 * index is a group of its own. Immutable; one per statement.
 */
public final class IndexRules {
  private final TableSchema table;
  private final List<List<IndexSchema>> groups = new ArrayList<>();

  /** The rules for the indexes of a table. */
  public IndexRules(TableSchema table) {
    this.table = table;
    List<IndexSchema> attached = new ArrayList<>();
    for (IndexSchema index : table.indexes()) {
      switch (index.kind()) {
        case LEGACY -> groups.add(List.of(index));
        case SAI -> attached.add(index);
      }
    }
    if (!attached.isEmpty()) {
      groups.add(attached);
    }
  }

  /** Whether an index supports a restriction, or any column or part of it. */
  boolean anySupports(Restriction restriction) {
    return table.indexes().stream().anyMatch(index -> supports(index, restriction));
  }

  /** Whether an index supports any of the restrictions. */
  boolean anySupports(Collection<Restriction> restrictions) {
    return !groups.isEmpty() && restrictions.stream().anyMatch(this::anySupports);
  }

  /** Whether any index is on a column. */
  boolean anyOn(ColumnSchema column) {
    return table.indexes().stream().anyMatch(index -> index.columnId() == column.id());
  }

  /** The index that finds the nearest of the vectors in a column; null if there is none. */
  @Nullable IndexSchema ofVectors(ColumnSchema column) {
    for (IndexSchema index : table.indexes()) {
      if (index.columnId() == column.id()
          && column.type() instanceof VectorType
          && table.vectorOf(index) != null) {
        return index;
      }
    }
    return null;
  }

  /**
   * Whether no group of indexes supports all of the restrictions and, unless it is null, this index
   * as well.
   */
  boolean needFiltering(Collection<Restriction> restrictions, @Nullable IndexSchema ofVectors) {
    for (List<IndexSchema> group : groups) {
      if ((ofVectors == null || group.contains(ofVectors))
          && restrictions.stream().noneMatch(each -> needsFiltering(group, each))) {
        return false;
      }
    }
    return true;
  }

  private boolean needsFiltering(List<IndexSchema> group, Restriction restriction) {
    if (restriction.isTuple()) {
      return !restriction.columns().stream()
          .allMatch(
              column -> group.stream().anyMatch(index -> supports(index, column, restriction)));
    }
    boolean severalParts =
        restriction instanceof Restriction.Contains contains && contains.parts().size() > 1;
    return group.stream()
        .noneMatch(
            index ->
                supports(index, restriction)
                    && !(severalParts && index.kind() == IndexSchema.Kind.LEGACY));
  }

  /** Whether this index supports a restriction, or any column or part of it. */
  public boolean supports(IndexSchema index, Restriction restriction) {
    return restriction.columns().stream().anyMatch(column -> supports(index, column, restriction));
  }

  private boolean supports(IndexSchema index, ColumnSchema column, Restriction restriction) {
    if (index.columnId() != column.id()) {
      return false;
    }
    return switch (restriction) {
      case Restriction.Equal _ -> supports(index, column, Use.EQUAL);
      case Restriction.Slice _ -> supports(index, column, Use.RANGE);
      case Restriction.In _ -> false;
      case Restriction.Contains contains ->
          contains.parts().stream().anyMatch(part -> supports(index, part));
    };
  }

  /** Whether this index, which is on the column, supports what a collection has to contain. */
  boolean supports(IndexSchema index, Restriction.Contains.Part part) {
    return supports(
        index,
        table.columnOf(index),
        part.isEntry() ? Use.ENTRY : part.keySlot() >= 0 ? Use.KEY : Use.VALUE);
  }

  /** How an index is used. */
  private enum Use {
    EQUAL,
    RANGE,
    VALUE,
    KEY,
    ENTRY
  }

  private static boolean supports(IndexSchema index, ColumnSchema column, Use use) {
    if (column.type().isCollection() && column.multiCell()) {
      return supportsElements(index.target(), column.type(), use);
    }
    return switch (index.kind()) {
      case LEGACY -> use == Use.EQUAL;
      case SAI -> use == Use.EQUAL || (use == Use.RANGE && isOrdered(column));
    };
  }

  private static boolean supportsElements(TargetKind target, CqlType type, Use use) {
    return switch (target) {
      case SIMPLE, VALUES -> use == Use.VALUE;
      case KEYS -> type instanceof SetType ? use == Use.VALUE : use == Use.KEY;
      case ENTRIES -> use == Use.ENTRY;
      case FULL -> false;
    };
  }

  /** Whether a storage-attached index on a column supports ranges. */
  private static boolean isOrdered(ColumnSchema column) {
    if (!(column.type() instanceof ScalarType scalar)) {
      return false;
    }
    return switch (scalar) {
      case TEXT, ASCII, BOOLEAN -> false;
      // as in Cassandra, which overlooks a type that is reversed
      case UUID -> column.descending();
      default -> true;
    };
  }
}
