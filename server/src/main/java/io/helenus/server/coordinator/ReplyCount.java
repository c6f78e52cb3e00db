package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import java.util.Collections;
import java.util.List;

/**
 * Counts the replies of the replicas that an operation was sent to: each replica once, whatever it
 * sends again. What follows from them is decided by the machines that extend it ({@link
 * WriteOperation}, {@link ReadOperation}, {@link ComputedWriteOperation}, {@link
 * TruncateOperation}). They use neither shard, clock, metrics nor callbacks: inputs are methods,
 * which return the actions that the driver extending them carries out, as a set of bits. Counter,
 * machine, driver and the links of {@link Deadlines} are one object, so that a request allocates
 * one. One thread at a time.
 */
abstract class ReplyCount extends Deadlines.Operation implements Replies {
  /** The number of this node's replica among those of an operation. */
  static final int LOCAL = 0;

  /** The replicas of an operation that only this node's is sent. */
  static final int LOCAL_ONLY = 1;

  /** The greatest number of replicas. */
  static final int REPLICAS_LIMIT = Integer.SIZE;

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
   * @param replicas those that it is sent to, a bit for each number
   */
  ReplyCount(int required, int replicas) {
    if (required < 0 || required > REPLICAS_LIMIT) {
      throw new IllegalArgumentException(required + " replicas required");
    }
    this.required = (byte) required;
    pending = replicas;
  }

  /** The first replicas, a bit for each. */
  static int first(int replicas) {
    return replicas == 0 ? 0 : -1 >>> (REPLICAS_LIMIT - replicas);
  }

  /** Counts one more replica among those that have not replied. */
  final void sentTo(int replica) {
    pending |= 1 << replica;
  }

  /** Counts a replica that has not replied among those that never will. */
  final void lost(int replica) {
    pending &= ~(1 << replica);
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

  @Override
  public final int required() {
    return required;
  }

  @Override
  public final int received() {
    return received;
  }

  @Override
  public List<CqlError.FailureReason> reasons(int localReason) {
    return Collections.nCopies(
        failures, new CqlError.FailureReason(Failures.THIS_NODE, localReason));
  }

  @Override
  public final int failures() {
    return failures;
  }
}
