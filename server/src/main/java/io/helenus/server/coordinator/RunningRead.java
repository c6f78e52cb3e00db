package io.helenus.server.coordinator;

/** The handle that cancels a read in progress. */
public interface RunningRead {
  /** A read that has already ended. */
  RunningRead ENDED = () -> {};

  /**
   * Stops the read and releases its resources; its callback is no longer called. Has no effect once
   * the read has ended. Called on the shard of the request.
   */
  void cancel();
}
