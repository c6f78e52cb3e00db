package io.helenus.server.query.modification;

import io.helenus.server.types.CollectionCells;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.ScalarType;
import org.jspecify.annotations.Nullable;

/**
 * The change that a modification makes to one column of every row it writes. Values are slots of
 * the plan; an unset value leaves the column unchanged. Immutable; any thread.
 */
sealed interface CellOperation {
  /** The id of the column. */
  int column();

  /** Sets a column of a single cell, or deletes it if the value is null. */
  record Set(int column, int slot) implements CellOperation {}

  /** Deletes a column of a single cell. */
  record Delete(int column) implements CellOperation {}

  /**
   * Increments a counter by the sum of the changes; a null is rejected.
   *
   * @param changes the array must not be modified
   */
  record Count(int column, Change[] changes) implements CellOperation {
    /** Adds a value to a counter, or subtracts it. */
    record Change(int slot, boolean subtracts) {}
  }

  /**
   * Adds values to the present one of a number or text, in statements with conditions.
   *
   * @param name the name of the column
   * @param slots in the order of the statement; the array must not be modified
   * @param constraints of the result; null if the column has none
   */
  record Sum(
      int column, String name, ScalarType type, int[] slots, @Nullable ConstraintTest constraints)
      implements CellOperation {}

  /**
   * Stores the wire value of a clustering column in a cell of the row if it cannot be recovered
   * from the key bytes. Never creates a row that the statement would not write otherwise.
   */
  record KeepForm(int column, int slot, KeyEncoding encoding) implements CellOperation {}

  /**
   * Changes a multi-cell collection.
   *
   * @param cells maps elements to cells
   * @param changes in the order of the statement; the array must not be modified
   */
  record ChangeCollection(int column, CollectionCells cells, ElementChange[] changes)
      implements CellOperation {}

  /**
   * Changes a user type that is not frozen.
   *
   * @param changes those of the whole value first, then those of fields in ascending order, one for
   *     each; the array must not be modified
   */
  record ChangeFields(int column, FieldChange[] changes) implements CellOperation {}
}
