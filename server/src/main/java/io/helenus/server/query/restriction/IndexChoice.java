package io.helenus.server.query.restriction;

import io.helenus.server.query.restriction.IndexPlan.Comparison;
import io.helenus.server.query.restriction.IndexPlan.Lookup;
import io.helenus.server.query.restriction.IndexPlan.Scope;
import io.helenus.server.query.restriction.Restriction.Contains.Part;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexForms;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.ScalarType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses how a SELECT uses indexes. As in Cassandra, one legacy index is used if any supports a
 * restriction, otherwise all storage-attached indexes that do; or the other way round, if these
 * come first. One of them is looked up: for a value rather than a range, and for rows rather than
 * partitions. One per statement.
 */
final class IndexChoice {
  private final TableSchema table;
  private final IndexRules rules;
  private final IndexSchema.Kind kind;
  private final List<IndexSchema> usable = new ArrayList<>();
  private final List<Comparison> uses = new ArrayList<>();
  private @Nullable Lookup best;
  private int bestRank = Integer.MAX_VALUE;

  private IndexChoice(TableSchema table, IndexRules rules, IndexSchema.Kind kind) {
    this.table = table;
    this.rules = rules;
    this.kind = kind;
  }

  /**
   * Returns the plan for restrictions of which an index supports at least one.
   *
   * @param storageAttachedFirst whether legacy indexes are used only if no other one can be
   */
  static IndexPlan of(
      TableSchema table,
      IndexRules rules,
      Collection<Restriction> restrictions,
      boolean storageAttachedFirst) {
    IndexSchema.Kind first = storageAttachedFirst ? IndexSchema.Kind.SAI : IndexSchema.Kind.LEGACY;
    IndexSchema.Kind second = storageAttachedFirst ? IndexSchema.Kind.LEGACY : IndexSchema.Kind.SAI;
    boolean supported =
        table.indexes().stream()
            .filter(index -> index.kind() == first)
            .anyMatch(index -> restrictions.stream().anyMatch(each -> rules.supports(index, each)));
    IndexChoice choice = new IndexChoice(table, rules, supported ? first : second);
    for (IndexSchema index : table.indexes()) {
      if (index.kind() == choice.kind) {
        restrictions.forEach(restriction -> choice.consider(index, restriction));
      }
    }
    return choice.plan();
  }

  private IndexPlan plan() {
    if (kind == IndexSchema.Kind.LEGACY && best != null) {
      IndexSchema chosen = best.index();
      Scope scope = best.scope();
      return new IndexPlan(
          List.of(chosen),
          best,
          uses.stream()
              .filter(use -> use.column().id() == chosen.columnId() && use.scope() == scope)
              .toList(),
          false);
    }
    return new IndexPlan(
        usable.stream().filter(table::isStored).toList(),
        best,
        List.copyOf(uses),
        usable.stream().anyMatch(index -> table.vectorOf(index) != null));
  }

  private void consider(IndexSchema index, Restriction restriction) {
    if (!rules.supports(index, restriction)) {
      return;
    }
    if (!usable.contains(index)) {
      usable.add(index);
    }
    if (table.vectorOf(index) != null) {
      return;
    }
    ColumnSchema column = table.columnOf(index);
    IndexForms forms = IndexForms.of(index, column);
    switch (restriction) {
      case Restriction.Equal(List<ColumnSchema> columns, boolean _, TupleSource value) -> {
        compare(column, Scope.WHOLE, forms, index);
        int slot = slot(value, columns.indexOf(column));
        if (slot >= 0) {
          offer(column, lookup(index, forms, Scope.WHOLE, -1, slot));
        }
      }
      case Restriction.Slice slice -> {
        compare(column, Scope.WHOLE, forms, index);
        offerRange(column, index, forms, slice);
      }
      case Restriction.Contains contains -> {
        for (Part part : contains.parts()) {
          if (rules.supports(index, part)) {
            offer(column, index, forms, part);
          }
        }
      }
      case Restriction.In _ -> throw new IllegalStateException("no index supports IN");
    }
  }

  /** The slot of one value of a relation; -1 if it is in a bound tuple. */
  private static int slot(TupleSource source, int position) {
    if (source.isTuple()) {
      return -1;
    }
    return source.slots()[source.element() >= 0 ? source.element() : position];
  }

  private void offerRange(
      ColumnSchema column, IndexSchema index, IndexForms forms, Restriction.Slice slice) {
    Restriction.Bound lower = slice.lower();
    Restriction.Bound upper = slice.upper();
    boolean hasTuples =
        slice.columns().size() > 1
            || (lower != null && lower.value().isTuple())
            || (upper != null && upper.value().isTuple());
    if (!hasTuples) {
      offer(
          column,
          new Lookup(
              index,
              forms,
              Scope.WHOLE,
              -1,
              lower == null ? -1 : lower.value().slots()[0],
              lower != null && lower.inclusive(),
              upper == null ? -1 : upper.value().slots()[0],
              upper != null && upper.inclusive()));
    }
  }

  private void offer(ColumnSchema column, IndexSchema index, IndexForms forms, Part part) {
    Scope scope = IndexPlan.scope(part);
    compare(column, scope, forms, index);
    boolean keys = scope == Scope.KEYS;
    offer(
        column,
        lookup(
            index,
            forms,
            scope,
            scope == Scope.ENTRIES ? part.keySlot() : -1,
            keys ? part.keySlot() : part.valueSlot()));
  }

  private static Lookup lookup(
      IndexSchema index, IndexForms forms, Scope scope, int prefixSlot, int slot) {
    return new Lookup(index, forms, scope, prefixSlot, slot, true, slot, true);
  }

  private void offer(ColumnSchema column, Lookup lookup) {
    int rank = lookup.isEqual() ? 0 : lookup.isBounded() ? 4 : 8;
    rank += column.isStatic() || table.partitionKey().contains(column) ? 2 : 0;
    rank += column.type() == ScalarType.BOOLEAN ? 1 : 0;
    if (rank < bestRank) {
      bestRank = rank;
      best = lookup;
    }
  }

  /**
   * Makes a restriction compare values as the index does. A legacy index finds only the bytes that
   * were written, although some types have several for equal values.
   */
  private void compare(ColumnSchema column, Scope scope, IndexForms forms, IndexSchema index) {
    if (index.kind() == IndexSchema.Kind.SAI) {
      uses.add(new Comparison(column, scope, forms));
    } else if (hasForms(column.type())) {
      uses.add(new Comparison(column, scope, forms.identical()));
    }
  }

  private static boolean hasForms(CqlType type) {
    KeyEncoding encoding = type.keyEncoding();
    return type.hasForms()
        || (encoding != null && encoding.keepsWireValue())
        || type.parts().stream().anyMatch(IndexChoice::hasForms);
  }
}
