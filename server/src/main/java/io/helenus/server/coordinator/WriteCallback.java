package io.helenus.server.coordinator;

/** Receives the outcome of a write, on the shard that started it. */
public interface WriteCallback extends FailureCallback {
  /** As many replicas as the consistency level requires have acknowledged the write. */
  void written();

  /**
   * The write reached its replicas after {@link #failed} had reported a timeout. Callbacks that
   * respond to a client have responded by then and ignore it.
   */
  default void writtenLate() {}
}
