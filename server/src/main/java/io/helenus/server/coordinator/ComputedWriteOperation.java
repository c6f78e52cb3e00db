package io.helenus.server.coordinator;

/**
 * What a computed write decides: how its client is answered, once. {@link CoordinatedComputedWrite}
 * carries out the actions. It ends when the required replicas have decided, when that can no longer
 * happen, or at its deadline; what a replica answers later changes nothing.
 */
abstract class ComputedWriteOperation extends ReplyCount {
  /** Nothing until the next input. */
  static final int WAIT = 0;

  /** Report the result to the client. */
  static final int ANSWER = 1;

  /** Report a failure to the client. */
  static final int FAIL = 1 << 1;

  /** Report a timeout to the client. */
  static final int TIME_OUT = 1 << 2;

  /** Report that too few replicas are alive for the level of the commit. */
  static final int REPORT_UNAVAILABLE = 1 << 3;

  private final boolean commits;

  /**
   * Creates the operation for a write that is about to be sent.
   *
   * @param commits whether enough replicas are alive to acknowledge what it writes
   */
  ComputedWriteOperation(int required, int replicas, boolean commits) {
    super(required, replicas);
    this.commits = commits;
  }

  /**
   * A replica has computed the write. As in Cassandra the level of the commit is checked after the
   * write was decided.
   */
  final int replicaComputed(int replica, boolean wrote) {
    if (!succeeded(replica) || !hasEnough() || !answer()) {
      return WAIT;
    }
    return wrote && !commits ? REPORT_UNAVAILABLE : ANSWER;
  }

  /** A replica could not read or write, or has refused. */
  final int replicaFailed(int replica) {
    return failed(replica) && isHopeless() && answer() ? FAIL : WAIT;
  }

  /** The deadline has passed, as a replica or the coordinator has found, or the node stops. */
  final int deadlinePassed() {
    return answer() ? TIME_OUT : WAIT;
  }
}
