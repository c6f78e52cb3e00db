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
   */
  void done(boolean stopped);

  /** It failed; what the sink was given does not count. */
  void failed(CqlError error);
}
