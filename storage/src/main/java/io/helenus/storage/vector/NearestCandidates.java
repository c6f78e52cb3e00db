package io.helenus.storage.vector;

import io.helenus.storage.bytes.ByteWriter;
import java.util.Arrays;

/** Rows that a search has found, best first, with the scores they were found for. Reusable. */
public final class NearestCandidates {
  private final ByteWriter keys = new ByteWriter(1024);
  private float[] scores = new float[16];
  private int[] ends = new int[16];
  private int[] prefixes = new int[16];
  private int count;

  void clear() {
    keys.clear();
    count = 0;
  }

  void add(float score, VectorSource source, int ordinal) {
    if (count == scores.length) {
      scores = Arrays.copyOf(scores, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
      prefixes = Arrays.copyOf(prefixes, 2 * count);
    }
    scores[count] = score;
    prefixes[count] = source.appendKey(ordinal, keys);
    ends[count++] = keys.size();
  }

  /** How many there are. */
  public int size() {
    return count;
  }

  /** The score of the vector with which a row was found. */
  public float score(int index) {
    return scores[index];
  }

  /** Holds the keys of the rows. */
  public ByteWriter keys() {
    return keys;
  }

  /** Where the key of a row starts. */
  public int keyOffset(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  /** The length of the key of a row. */
  public int keyLength(int index) {
    return ends[index] - keyOffset(index);
  }

  /** The length of its prefix. */
  public int prefixLength(int index) {
    return prefixes[index];
  }
}
