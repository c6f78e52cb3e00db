package io.helenus.storage.job;

/**
 * Records truncations and the drop of a table, so that a job can check whether its table has been
 * truncated or dropped since it started. Changed and checked under the manifest's lock, so that no
 * file becomes live after its table was truncated or dropped.
 */
public final class TableLifecycle {
  private volatile int truncations;
  private volatile boolean dropped;

  public int truncations() {
    return truncations;
  }

  public boolean isDropped() {
    return dropped;
  }

  /** Whether a job that started at a count of truncations may still make its files live. */
  public boolean admits(int truncationsAtBegin) {
    return !dropped && truncations == truncationsAtBegin;
  }

  /** Records a truncation. Under the manifest's lock. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time
  public void truncated() {
    truncations++;
  }

  public void drop() {
    dropped = true;
  }
}
