package io.helenus.storage.job;

/**
 * What happened to a table, for jobs that began before it. Changed and asked under the manifest's
 * lock, so that a file is not made live after its table was truncated or dropped.
 */
public final class TableLife {
  private volatile int truncations;
  private volatile boolean dropped;

  public int truncations() {
    return truncations;
  }

  public boolean isDropped() {
    return dropped;
  }

  /** Whether a job that began at that count may still make its files live. */
  public boolean admits(int truncationsAtBegin) {
    return !dropped && truncations == truncationsAtBegin;
  }

  /** Under the manifest's lock. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time
  public void truncated() {
    truncations++;
  }

  public void drop() {
    dropped = true;
  }
}
