package io.helenus.storage.engine;

/** A read that was aborted because it encountered more tombstones than its request allows. */
public final class TombstoneLimitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int rows;
  private final int tombstones;

  /** An aborted read, with the number of live rows and tombstones that it had read. */
  public TombstoneLimitException(int rows, int tombstones) {
    super("read aborted after " + tombstones + " tombstones", null, false, false);
    this.rows = rows;
    this.tombstones = tombstones;
  }

  /** The number of live rows that had been read. */
  public int rows() {
    return rows;
  }

  /** The number of tombstones that had been read. */
  public int tombstones() {
    return tombstones;
  }
}
