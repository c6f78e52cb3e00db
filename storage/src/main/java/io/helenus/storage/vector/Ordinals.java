package io.helenus.storage.vector;

import java.util.Arrays;

/** Some of a source's vectors, ascending: a range, or a list. One thread at a time. */
final class Ordinals {
  private int first;
  private int count;
  private int[] listed = new int[0];
  private final boolean isRange;

  private Ordinals(int first, int count, boolean isRange) {
    this.first = first;
    this.count = count;
    this.isRange = isRange;
  }

  /** Those from {@code from} to before {@code to}. */
  static Ordinals range(int from, int to) {
    return new Ordinals(from, to - from, true);
  }

  /** An empty list. */
  static Ordinals none() {
    return new Ordinals(0, 0, false);
  }

  /** Appends to a list. */
  void add(int ordinal) {
    if (count == listed.length) {
      listed = Arrays.copyOf(listed, Math.max(16, 2 * count));
    }
    listed[count++] = ordinal;
  }

  int size() {
    return count;
  }

  int get(int index) {
    return isRange ? first + index : listed[index];
  }

  /** Whether these are all from the first to the last. */
  boolean isRange() {
    return isRange;
  }
}
