package io.helenus.server.schema;

import io.helenus.cql.ast.IndexStatement.TargetKind;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;

/**
 * The forms in which an index compares what it indexes. Immutable; any thread.
 *
 * @param target what of the column is indexed; never SIMPLE for a collection with a cell for each
 *     element
 * @param key the form of the keys of a map
 * @param value the form of the values or elements, or of the whole value of the column
 */
public record IndexForms(TargetKind target, IndexValueForm key, IndexValueForm value) {

  /** The forms of an index on a column. */
  public static IndexForms of(IndexSchema index, ColumnSchema column) {
    CqlType type = column.type();
    TargetKind target = target(index.target(), type);
    return switch (target) {
      case SIMPLE, FULL -> {
        IndexValueForm whole = form(index, column);
        yield new IndexForms(target, whole, whole);
      }
      case KEYS, VALUES ->
          new IndexForms(
              target, form(index, type.parts().getFirst()), form(index, type.parts().getLast()));
      case ENTRIES ->
          new IndexForms(target, IndexValueForm.identical(), IndexValueForm.identical());
    };
  }

  private static TargetKind target(TargetKind written, CqlType type) {
    return written == TargetKind.SIMPLE && type.isCollection() && type.isMultiCell()
        ? TargetKind.VALUES
        : written;
  }

  /** A key may have other wire bytes than the value that was written, which is equal to it. */
  private static IndexValueForm form(IndexSchema index, ColumnSchema column) {
    CqlType type = column.type();
    boolean isComposite = !(type instanceof ScalarType);
    return column.kind() == ColumnKind.CLUSTERING && isComposite
        ? IndexValueForm.ordered(type)
        : form(index, type);
  }

  private static IndexValueForm form(IndexSchema index, CqlType type) {
    return switch (index.kind()) {
      case LEGACY -> IndexValueForm.ordered(type);
      case SAI -> IndexValueForm.attached(type, index.options());
    };
  }

  /** The form of the first part of an element: the key in a map, otherwise the element. */
  IndexValueForm element(boolean ofMap) {
    return ofMap ? key : value;
  }

  /** The same, but values are equal only if they are identical. */
  public IndexForms identical() {
    return new IndexForms(target, IndexValueForm.identical(), IndexValueForm.identical());
  }
}
