package io.helenus.storage.merge;

/**
 * Counts the bytes that rows and elements are made of: a measure of the work that reading them
 * causes. One thread at a time.
 */
public final class AssembledBytes {
  private long count;

  /** Adds bytes. */
  public void add(long bytes) {
    count += bytes;
  }

  /** The bytes added since the last call. */
  public long take() {
    long taken = count;
    count = 0;
    return taken;
  }
}
