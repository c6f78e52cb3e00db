package io.helenus.server.coordinator;

/**
 * What a write of one mutation decides: when its client is answered, and when its mutation is free.
 * {@link CoordinatedWrite} carries out the actions.
 *
 * <ul>
 *   <li>The client is answered once: with success when the required replicas have written, with a
 *       failure when that can no longer happen, with a timeout at the deadline.
 *   <li>The mutation is released once: when all replicas have replied, or the client is answered
 *       and this node's replica, the only one that reads it where it is, has replied; or else after
 *       the deadline, as soon as that does not read it any more.
 *   <li>The end of a node is as the deadline: the outcome is unknown.
 * </ul>
 */
abstract class WriteOperation extends ReplyCount {
  /** Nothing until the next input. */
  static final int WAIT = 0;

  /** Report success to the client. */
  static final int ANSWER = 1;

  /** Report a failure to the client. */
  static final int FAIL = 1 << 1;

  /** Report a timeout to the client. */
  static final int TIME_OUT = 1 << 2;

  /** Report that the write has reached the required replicas after its timeout. */
  static final int ANSWER_LATE = 1 << 3;

  /** Take the mutation back from the replicas that have not replied; {@link #withdrawn} follows. */
  static final int WITHDRAW = 1 << 4;

  /** Release the mutation; the operation waits for nothing any more. */
  static final int RELEASE = 1 << 5;

  private boolean released;

  /** Creates the operation for a mutation that is about to be sent. */
  WriteOperation(int required, int replicas) {
    super(required, replicas);
  }

  /** A replica has applied the mutation. */
  final int replicaWrote(int replica) {
    if (!succeeded(replica)) {
      return WAIT;
    }
    int report = received() != required() ? WAIT : answer() ? ANSWER : ANSWER_LATE;
    return report | release();
  }

  /** A replica has not applied the mutation. */
  final int replicaFailed(int replica) {
    if (!failed(replica)) {
      return WAIT;
    }
    int report = isHopeless() && answer() ? FAIL : WAIT;
    return report | release();
  }

  /** It will never be known whether a replica has applied the mutation. */
  final int replicaLost(int replica) {
    if (!isPending(replica)) {
      return WAIT;
    }
    lost(replica);
    int report = isHopeless() && answer() ? TIME_OUT : WAIT;
    return report | release();
  }

  /** The deadline has passed, or the node stops. */
  final int deadlinePassed() {
    return (answer() ? TIME_OUT : WAIT) | (released ? WAIT : WITHDRAW);
  }

  /** The replicas that have not replied do not read the mutation any more. */
  final int withdrawn() {
    return releaseNow();
  }

  private int release() {
    return isPending() && !(isAnswered() && !isPending(LOCAL)) ? WAIT : releaseNow();
  }

  private int releaseNow() {
    if (released) {
      return WAIT;
    }
    released = true;
    return RELEASE;
  }
}
