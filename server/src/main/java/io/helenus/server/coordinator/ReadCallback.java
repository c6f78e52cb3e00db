package io.helenus.server.coordinator;

/**
 * The outcome of a read, reported once on the shard that asked; the sink has been given its rows by
 * then. What the sink was given does not count if the read failed.
 */
public interface ReadCallback extends FailureCallback {
  /**
   * The sink has all rows, or has said stop.
   *
   * @param stopped whether the sink said stop before the end of the rows
   * @param rows how many live rows were read, whatever the sink made of them
   * @param tombstones how many tombstones were read
   */
  void done(boolean stopped, int rows, int tombstones);

  /** The read met too many tombstones; {@link #failed} comes next. */
  void tooManyTombstones(int rows, int tombstones);
}
