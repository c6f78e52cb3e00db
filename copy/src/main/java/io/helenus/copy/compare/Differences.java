package io.helenus.copy.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The differences of one table: how many rows differ, and the first of them in the order of the
 * ring. Used by many threads at once.
 */
public final class Differences {
  /** Beyond these nothing more is looked for: every one costs reads by key. */
  private static final long MOST = 10_000;

  private final int kept;
  private final TreeMap<Long, String> first = new TreeMap<>();
  private long rows;

  /**
   * Creates an empty list.
   *
   * @param kept how many are described
   */
  public Differences(int kept) {
    this.kept = kept;
  }

  /**
   * Adds a row that differs.
   *
   * @param range the position of its range
   * @param row its position among those of the range
   */
  synchronized void add(int range, int row, String description) {
    rows++;
    first.put(((long) range << Integer.SIZE) + row, description);
    if (first.size() > kept) {
      first.pollLastEntry();
    }
  }

  /** Whether there are so many that the rest is not looked at. */
  public synchronized boolean isFull() {
    return rows >= MOST;
  }

  /** The number of rows that differ, at least. */
  public synchronized long rows() {
    return rows;
  }

  /** The descriptions of the first rows. */
  public synchronized List<String> first() {
    return new ArrayList<>(first.values());
  }
}
