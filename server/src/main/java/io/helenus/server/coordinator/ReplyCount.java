package io.helenus.server.coordinator;

/**
 * Counts the replies of the replicas that an operation was sent to: each replica once, whatever it
 * sends again. What follows from them is decided by the machines that extend it ({@link
 * WriteOperation}, {@link ReadOperation}, {@link ComputedWriteOperation}, {@link
 * TruncateOperation}). They use neither shard, clock, metrics nor callbacks: inputs are methods,
 * which return the actions that the driver extending them carries out, as a set of bits. Counter,
 * machine, driver and the links of {@link Deadlines} are one object, so that a request allocates
 * one. One thread at a time.
 */
abstract class ReplyCount extends Deadlines.Operation {
  /** The number of this node's replica among those of an operation. */
  static final int LOCAL = 0;

  /** How many replicas are sent an operation: that of this node is the only one yet. */
  static final int SENT = 1;

  private static final int REPLICAS_LIMIT = Integer.SIZE;

  /** A bit for each replica that has not replied. */
  private int pending;

  private final byte required;
  private byte received;
  private byte failures;
  private boolean answered;

  /**
   * Creates the count of an operation that has not been sent yet.
   *
   * @param required how many replicas must succeed
   * @param replicas how many it is sent to, at most 32; they are numbered from 0
   */
  ReplyCount(int required, int replicas) {
    if (required < 0 || replicas < 1 || replicas > REPLICAS_LIMIT || required > REPLICAS_LIMIT) {
      throw new IllegalArgumentException(required + " of " + replicas + " replicas");
    }
    this.required = (byte) required;
    pending = -1 >>> (REPLICAS_LIMIT - replicas);
  }

  /** Counts a success; false if this replica has replied before. */
  final boolean succeeded(int replica) {
    if (!isPending(replica)) {
      return false;
    }
    pending &= ~(1 << replica);
    received++;
    return true;
  }

  /** Counts a failure; false if this replica has replied before. */
  final boolean failed(int replica) {
    if (!isPending(replica)) {
      return false;
    }
    pending &= ~(1 << replica);
    failures++;
    return true;
  }

  /** Records that the client is answered, or not any more; false if that has happened before. */
  final boolean answer() {
    if (answered) {
      return false;
    }
    answered = true;
    return true;
  }

  /** Whether as many replicas as required have succeeded. */
  final boolean hasEnough() {
    return received >= required;
  }

  /** Whether the required number can no longer be reached. */
  final boolean isHopeless() {
    return received + Integer.bitCount(pending) < required;
  }

  /** Whether a replica has not replied. */
  final boolean isPending(int replica) {
    return (pending & 1 << replica) != 0;
  }

  /** Whether any replica has not replied. */
  final boolean isPending() {
    return pending != 0;
  }

  /** Whether the client has been answered, or wants no answer any more. */
  final boolean isAnswered() {
    return answered;
  }

  /** How many replicas must succeed. */
  final int required() {
    return required;
  }

  /** How many have succeeded. */
  final int received() {
    return received;
  }

  /** How many have failed. */
  final int failures() {
    return failures;
  }
}
