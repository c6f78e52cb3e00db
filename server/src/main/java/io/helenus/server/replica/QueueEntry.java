package io.helenus.server.replica;

import io.helenus.server.error.CqlError;

/** A write in the queue of its partition. On the thread of the partition's shard. */
sealed interface QueueEntry permits LocalWrite, QueuedWrite, QueueStep {
  /** Begins the turn of this write; false if it is too late for the client. */
  boolean begin();

  /** How long it had waited when its turn began. */
  long waitedNanos();

  /** The result is durable; so many writes were begun in its turn. */
  void durable(int turn);

  /** The write failed; it may or may not be visible. */
  void notWritten(Exception cause);

  /** Nothing is written. */
  void refused(CqlError error);
}
