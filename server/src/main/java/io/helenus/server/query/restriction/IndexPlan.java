package io.helenus.server.query.restriction;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexForms;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.IndexValueForm;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a SELECT uses indexes. The rows that an index finds are tested like those of a scan, but
 * values are compared as the indexes compare them. Immutable; any thread.
 *
 * @param required the indexes that must be built
 * @param lookup what is looked up; null if the values are not known one by one, so that all rows
 *     are tested
 * @param uses the restrictions that are compared as an index does
 * @param comparesVectors whether a restriction is one that only an index on vectors supports, which
 *     finds the nearest ones only
 */
public record IndexPlan(
    List<IndexSchema> required,
    @Nullable Lookup lookup,
    List<Comparison> uses,
    boolean comparesVectors) {

  /**
   * A range of terms, whose ends are slots.
   *
   * @param prefixSlot the slot of what comes first in the term, the key of an entry; -1 for none
   * @param lowerSlot the slot of the lower end; -1 for none, equal to {@code upperSlot} for one
   *     value
   */
  record Lookup(
      IndexSchema index,
      IndexForms forms,
      Scope scope,
      int prefixSlot,
      int lowerSlot,
      boolean lowerInclusive,
      int upperSlot,
      boolean upperInclusive) {

    /** Whether one value is looked up. */
    boolean isEqual() {
      return lowerSlot == upperSlot;
    }

    /** Whether both ends are known. */
    boolean isBounded() {
      return lowerSlot >= 0 && upperSlot >= 0;
    }

    /** The form of the values at the ends. */
    IndexValueForm form() {
      return scope == Scope.KEYS ? forms.key() : forms.value();
    }
  }

  /** The forms in which an index, or the kind of index in use, compares values of a column. */
  record Comparison(ColumnSchema column, Scope scope, IndexForms forms) {}

  /** Which comparisons of a column are meant. */
  enum Scope {
    /** The whole value. */
    WHOLE,
    /** Elements and values, by CONTAINS. */
    VALUES,
    /** Keys, by CONTAINS KEY. */
    KEYS,
    /** Entries of a map. */
    ENTRIES
  }

  /** How a value of the column is compared; null if as without an index. */
  @Nullable IndexForms forms(ColumnSchema column, Scope scope) {
    for (Comparison each : uses) {
      if (each.scope == scope && each.column.equals(column)) {
        return each.forms;
      }
    }
    return null;
  }

  /** The same for what a collection has to contain. */
  @Nullable IndexForms forms(ColumnSchema column, Restriction.Contains.Part part) {
    return forms(column, scope(part));
  }

  /** Whether an index compares the values of key columns in another way than keys do. */
  boolean comparesDifferently(Restriction restriction) {
    for (ColumnSchema column : restriction.columns()) {
      IndexForms forms = forms(column, Scope.WHOLE);
      if (forms != null && !forms.value().isOrderOf(column.type())) {
        return !(restriction instanceof Restriction.In);
      }
    }
    return false;
  }

  /** What a part of a collection is compared with. */
  static Scope scope(Restriction.Contains.Part part) {
    return part.isEntry() ? Scope.ENTRIES : part.keySlot() >= 0 ? Scope.KEYS : Scope.VALUES;
  }

  /** The same with another index that must be built. */
  IndexPlan withRequired(IndexSchema index) {
    List<IndexSchema> all = new ArrayList<>(required);
    all.add(index);
    return new IndexPlan(List.copyOf(all), lookup, uses, comparesVectors);
  }

  /** The index whose terms are looked up; null if none is. */
  public @Nullable IndexSchema index() {
    return lookup == null ? null : lookup.index;
  }
}
