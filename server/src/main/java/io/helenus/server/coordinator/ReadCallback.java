package io.helenus.server.coordinator;

/**
 * Receives the outcome of a read, once, on the shard that started it. By then all rows have been
 * passed to the sink. If the read failed, the rows that the sink received must be discarded.
 */
public interface ReadCallback extends FailureCallback {
  /**
   * The sink has received all rows, or the read has stopped before the last one.
   *
   * @param stopped whether the sink, or a limit of the request, stopped the read
   * @param rows the number of live rows read, whether or not the sink used them
   * @param tombstones the number of tombstones read
   */
  void done(boolean stopped, int rows, int tombstones);

  /** A replica on another node is asked for what it has, or for a digest of it. */
  default void askedOther() {}

  /** The read exceeded the tombstone failure threshold; {@link #failed} is called next. */
  void tooManyTombstones(int rows, int tombstones);

  /**
   * The replica uses neither the request nor the sink any longer, after the read failed or was
   * cancelled. Called at most once, and not if the node stops before.
   */
  void released();
}
