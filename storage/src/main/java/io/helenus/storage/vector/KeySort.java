package io.helenus.storage.vector;

/**
 * Sorts keys by merging runs that are sorted already: an index lists the rows of a term in order.
 */
final class KeySort {
  private final RowKeys keys;
  private int[] from;
  private int[] into;

  private KeySort(RowKeys keys, int count) {
    this.keys = keys;
    from = new int[count];
    into = new int[count];
    for (int i = 0; i < count; i++) {
      from[i] = i;
    }
  }

  /** The numbers of the first {@code count} keys in the order of the keys. */
  static int[] sort(RowKeys keys, int count) {
    return new KeySort(keys, count).sort();
  }

  private int[] sort() {
    int[] starts = new int[from.length + 1];
    int runs = 0;
    for (int i = 0; i < from.length; i++) {
      if (i == 0 || keys.compare(i - 1, i) > 0) {
        starts[runs++] = i;
      }
    }
    while (runs > 1) {
      starts[runs] = from.length;
      int merged = 0;
      for (int run = 0; run < runs; run += 2) {
        int middle = starts[Math.min(runs, run + 1)];
        int end = starts[Math.min(runs, run + 2)];
        merge(starts[run], middle, end);
        starts[merged++] = starts[run];
      }
      runs = merged;
      int[] swapped = from;
      from = into;
      into = swapped;
    }
    return from;
  }

  private void merge(int start, int middle, int end) {
    int left = start;
    int right = middle;
    for (int at = start; at < end; at++) {
      boolean isLeft =
          right >= end || (left < middle && keys.compare(from[left], from[right]) <= 0);
      into[at] = isLeft ? from[left++] : from[right++];
    }
  }
}
