package io.helenus.storage.engine.local;

/**
 * What happened to a table, for jobs that began before it. Changed and asked under the manifest's
 * lock, so that a file is not made live after its table was truncated or dropped.
 */
final class TableLife {
  private volatile int truncations;
  private volatile boolean dropped;

  int truncations() {
    return truncations;
  }

  boolean isDropped() {
    return dropped;
  }

  /** Whether a job that began at that count may still make its files live. */
  boolean admits(int truncationsAtBegin) {
    return !dropped && truncations == truncationsAtBegin;
  }

  /** Under the manifest's lock. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time
  void truncated() {
    truncations++;
  }

  void drop() {
    dropped = true;
  }
}
