package io.helenus.server.coordinator;

/** The outcome of a write, reported on the shard that asked. */
public interface WriteCallback extends FailureCallback {
  /** As many replicas as the consistency level requires have acknowledged the write. */
  void written();

  /**
   * The write has reached its replicas after all, after {@link #failed} reported a timeout. Whoever
   * answers a client has answered by then and ignores it.
   */
  default void writtenLate() {}
}
