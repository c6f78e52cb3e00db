package io.helenus.server.coordinator;

/**
 * What a read decides: how it ends, once, and when nobody uses its request and its sink any more.
 * {@link CoordinatedRead} carries out the actions. It ends when the required replicas have read,
 * when that can no longer happen, at its deadline, when the node stops, or without an answer when
 * it is cancelled; replicas that are still reading then stop.
 */
abstract class ReadOperation extends ReplyCount {
  /** Nothing until the next input. */
  static final int WAIT = 0;

  /** Report success to the client. */
  static final int ANSWER = 1;

  /** Report a failure to the client. */
  static final int FAIL = 1 << 1;

  /** Report a timeout to the client. */
  static final int TIME_OUT = 1 << 2;

  /** Report that the node is stopping. */
  static final int REPORT_STOP = 1 << 3;

  /** Stop the replicas that have not replied, because nobody waits for them any more. */
  static final int CANCEL = 1 << 4;

  /** Report that request and sink are not used any more, after a read without success. */
  static final int RELEASE = 1 << 5;

  private boolean released;

  /** Creates the operation for a request that is about to be sent. */
  ReadOperation(int required, int replicas) {
    super(required, replicas);
  }

  /** A replica has passed on all rows; it uses request and sink no more. */
  final int replicaRead(int replica) {
    if (!succeeded(replica)) {
      return WAIT;
    }
    if (isAnswered()) {
      return release();
    }
    if (!hasEnough() || !answer()) {
      return WAIT;
    }
    released = true;
    return ANSWER | cancel();
  }

  /** A replica could not read. */
  final int replicaFailed(int replica) {
    return failed(replica) && isHopeless() && answer() ? FAIL | cancel() : WAIT;
  }

  /** The deadline has passed, as a replica or the coordinator has found. */
  final int deadlinePassed() {
    return end(TIME_OUT);
  }

  /** The node is stopping. */
  final int nodeStops() {
    return end(REPORT_STOP);
  }

  /** The client wants no answer any more. */
  final int cancelled() {
    return end(WAIT);
  }

  /** A replica that did not read to the end uses request and sink no more; it has said why. */
  final int replicaReleased(int replica) {
    if (!isAnswered()) {
      return WAIT;
    }
    boolean ignored = failed(replica);
    return release();
  }

  private int end(int report) {
    return answer() ? report | cancel() : WAIT;
  }

  private int cancel() {
    return isPending() ? CANCEL : WAIT;
  }

  private int release() {
    if (released || isPending()) {
      return WAIT;
    }
    released = true;
    return RELEASE;
  }
}
