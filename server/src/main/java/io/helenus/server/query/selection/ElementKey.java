package io.helenus.server.query.selection;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;

/**
 * A value that selects elements of a collection and must not be null. Immutable; any thread.
 *
 * @param slot the slot of the value
 * @param collection the name of the collection, for errors
 * @param ofSlice whether it is an end of a slice, which may be unset
 */
record ElementKey(int slot, String collection, boolean ofSlice) {
  /** Throws INVALID if the value is null or, for a single element, unset. */
  void requireValid(BoundSlots bound) {
    int length = bound.length(slot);
    if (length == BoundSlots.NULL || (length == BoundSlots.UNSET && !ofSlice)) {
      throw CqlException.invalid(
          "Invalid "
              + (length == BoundSlots.NULL ? "null" : "unset")
              + " value for "
              + (ofSlice ? "slice" : "element")
              + " selection on "
              + collection);
    }
  }
}
