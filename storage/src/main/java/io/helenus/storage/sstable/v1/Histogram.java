package io.helenus.storage.sstable.v1;

import java.util.Arrays;

/**
 * Counts tombstones by the second at which they were made or will expire, in at most a hundred
 * buckets that end on a full hour. Beyond that the two closest buckets are merged. One thread.
 */
final class Histogram {
  private static final int LIMIT = 100;
  private static final long HOUR_SECONDS = 3600;

  private final long[] seconds = new long[LIMIT + 1];
  private final long[] counts = new long[LIMIT + 1];
  private int size;

  void add(long second) {
    long bucket = (second + HOUR_SECONDS - 1) / HOUR_SECONDS * HOUR_SECONDS;
    int at = Arrays.binarySearch(seconds, 0, size, bucket);
    if (at >= 0) {
      counts[at]++;
      return;
    }
    at = ~at;
    System.arraycopy(seconds, at, seconds, at + 1, size - at);
    System.arraycopy(counts, at, counts, at + 1, size - at);
    seconds[at] = bucket;
    counts[at] = 1;
    size++;
    if (size > LIMIT) {
      mergeClosest();
    }
  }

  private void mergeClosest() {
    int closest = 0;
    for (int i = 1; i + 1 < size; i++) {
      if (seconds[i + 1] - seconds[i] < seconds[closest + 1] - seconds[closest]) {
        closest = i;
      }
    }
    // a tombstone may move to a later bucket, never to an earlier one
    counts[closest + 1] += counts[closest];
    size--;
    System.arraycopy(seconds, closest + 1, seconds, closest, size - closest);
    System.arraycopy(counts, closest + 1, counts, closest, size - closest);
  }

  long[] seconds() {
    return Arrays.copyOf(seconds, size);
  }

  long[] counts() {
    return Arrays.copyOf(counts, size);
  }
}
