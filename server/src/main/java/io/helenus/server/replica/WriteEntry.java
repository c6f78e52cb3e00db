package io.helenus.server.replica;

/** An entry to which its turn reports what became of the mutation. */
interface WriteEntry extends QueueEntry {
  /** How long it had waited when its turn began. */
  long waitedNanos();

  /** The result is durable; so many entries were begun in its turn. */
  void durable(int turn);

  /** The write failed; it may or may not be visible. */
  void notWritten(Exception cause);
}
