package io.helenus.server.schema;

import java.util.Arrays;

/** Operations on sorted arrays: binary search, and changes by copying. Stateless. */
final class SortedArrays {
  private SortedArrays() {}

  /** An element that is sorted by its name. */
  interface Named {
    /** Unique within an array. */
    String name();
  }

  /** The index of a name, or {@code -(insertion point) - 1} if it is missing. */
  static <T extends Named> int indexOf(T[] byName, String name) {
    int low = 0;
    int high = byName.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = byName[middle].name().compareTo(name);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -low - 1;
  }

  /** A copy with an item replaced or inserted at the index that a search for it returned. */
  static <T> T[] with(T[] sorted, int at, T item) {
    if (at >= 0) {
      T[] changed = sorted.clone();
      changed[at] = item;
      return changed;
    }
    int insertion = -at - 1;
    T[] changed = Arrays.copyOf(sorted, sorted.length + 1);
    System.arraycopy(sorted, insertion, changed, insertion + 1, sorted.length - insertion);
    changed[insertion] = item;
    return changed;
  }

  /** A copy without the item at an index. */
  static <T> T[] without(T[] sorted, int at) {
    T[] changed = Arrays.copyOf(sorted, sorted.length - 1);
    System.arraycopy(sorted, at + 1, changed, at, changed.length - at);
    return changed;
  }
}
