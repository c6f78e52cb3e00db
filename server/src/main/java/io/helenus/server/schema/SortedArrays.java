package io.helenus.server.schema;

import java.util.Arrays;

/** Arrays that are kept sorted: searched by halving, changed by copying. Stateless. */
final class SortedArrays {
  private SortedArrays() {}

  /** What has a name. */
  interface Named {
    /** Unique within an array. */
    String name();
  }

  /** Where the name stands; if it does not, one less than the negative of where it would. */
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

  /** A copy with an item at the place that a search for it gave: replaced, or put between. */
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

  /** A copy without the item at a place. */
  static <T> T[] without(T[] sorted, int at) {
    T[] changed = Arrays.copyOf(sorted, sorted.length - 1);
    System.arraycopy(sorted, at + 1, changed, at, changed.length - at);
    return changed;
  }
}
