package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;

/**
 * Told once how a read ended, on the shard that asked; the sink has been given its rows by then.
 */
public interface ReadCallback {
  /**
   * The sink has all rows, or has said stop.
   *
   * @param stopped whether the sink said stop before the end of the rows
   * @param rows how many live rows were read, whatever the sink made of them
   * @param tombstones how many tombstones were read
   */
  void done(boolean stopped, int rows, int tombstones);

  /** It failed; what the sink was given does not count. */
  void failed(CqlError error);

  /** It failed because it met too many tombstones; {@link #failed} comes next. */
  void tooManyTombstones(int rows, int tombstones);
}
