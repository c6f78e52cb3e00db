package io.helenus.server.query.modification;

/**
 * One change of a multi-cell collection. Values are slots of the plan; an unset value changes
 * nothing. Immutable; any thread.
 */
sealed interface ElementChange {
  /** Replaces all elements; an empty value and null delete them. */
  record Replace(int slot) implements ElementChange {}

  /** Deletes all elements. */
  record Clear() implements ElementChange {}

  /** Adds the elements of a collection; list elements are appended. Null adds nothing. */
  record Add(int slot) implements ElementChange {}

  /** Inserts the elements of a list before all others. Null adds nothing. */
  record Prepend(int slot) implements ElementChange {}

  /** Deletes the elements of a set, or the map entries whose keys are in it. */
  record Remove(int slot) implements ElementChange {}

  /** Sets the value of one map key, or deletes the entry if the value is null. */
  record Put(int keySlot, int slot) implements ElementChange {}

  /** Sets the element of a list at an index, or deletes it if the value is null. */
  record SetAt(int indexSlot, int slot) implements ElementChange {}

  /** Deletes the element of a list at an index; an unset index changes nothing. */
  record RemoveAt(int indexSlot) implements ElementChange {}

  /** Deletes all elements of a list that are among the values; null changes nothing. */
  record RemoveValues(int slot) implements ElementChange {}

  /** Whether the change depends on the present elements. */
  default boolean readsElements() {
    return this instanceof SetAt || this instanceof RemoveAt || this instanceof RemoveValues;
  }

  /** Deletes one element of a set or one entry of a map. */
  record RemoveOne(int keySlot) implements ElementChange {}
}
