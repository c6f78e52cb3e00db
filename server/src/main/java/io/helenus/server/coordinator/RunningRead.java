package io.helenus.server.coordinator;

/** A read that has been started and that its requester can cancel. */
public interface RunningRead {
  /** A read that has already ended. */
  RunningRead ENDED = () -> {};

  /**
   * Stops the read and releases what it holds; its callback is not called any more. Has no effect
   * once the read has ended. Called on the shard of the request.
   */
  void cancel();
}
