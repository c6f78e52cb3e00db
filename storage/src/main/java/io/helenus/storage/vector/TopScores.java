package io.helenus.storage.vector;

import java.util.Arrays;

/**
 * Collects the best of many scored ordinals. A candidate is a number that is greater for a greater
 * score, and for equal scores for a smaller ordinal. One thread at a time.
 */
final class TopScores {
  private long[] heap = new long[0];
  private int count;
  private int limit;
  private long below;

  /** The candidate of an ordinal. */
  static long candidate(float score, int ordinal) {
    int bits = Float.floatToIntBits(score);
    // negative numbers are ordered the other way round
    int ordered = bits ^ (bits >> 31 & Integer.MAX_VALUE);
    return (long) ordered << 32 | (Integer.MAX_VALUE - ordinal);
  }

  static float score(long candidate) {
    int ordered = (int) (candidate >> 32);
    return Float.intBitsToFloat(ordered ^ (ordered >> 31 & Integer.MAX_VALUE));
  }

  static int ordinal(long candidate) {
    return Integer.MAX_VALUE - (int) candidate;
  }

  /** Starts to collect at most so many candidates that are less than one. */
  void begin(int newLimit, long newBelow) {
    limit = newLimit;
    below = newBelow;
    count = 0;
  }

  /** Whether there are as many as are wanted. */
  boolean isFull() {
    return count == limit;
  }

  /** The worst candidate. */
  long worst() {
    return heap[0];
  }

  /** Adds a candidate if it is one of the best so far. */
  void add(float score, int ordinal) {
    long candidate = candidate(score, ordinal);
    if (candidate >= below) {
      return;
    }
    if (count < limit) {
      if (count == heap.length) {
        heap = Arrays.copyOf(heap, Math.min(limit, Math.max(16, 2 * count)));
      }
      heap[count] = candidate;
      siftUp(count++);
    } else if (candidate > heap[0]) {
      heap[0] = candidate;
      siftDown();
    }
  }

  private void siftUp(int from) {
    int at = from;
    long moved = heap[at];
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (heap[parent] <= moved) {
        break;
      }
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = moved;
  }

  private void siftDown() {
    int at = 0;
    long moved = heap[0];
    while (2 * at + 1 < count) {
      int child = 2 * at + 1;
      if (child + 1 < count && heap[child + 1] < heap[child]) {
        child++;
      }
      if (heap[child] >= moved) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = moved;
  }

  /** The candidates, best first. */
  long[] descending() {
    long[] sorted = Arrays.copyOf(heap, count);
    Arrays.sort(sorted);
    for (int i = 0, j = count - 1; i < j; i++, j--) {
      long swapped = sorted[i];
      sorted[i] = sorted[j];
      sorted[j] = swapped;
    }
    return sorted;
  }
}
