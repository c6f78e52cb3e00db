package io.helenus.server.coordinator;

/**
 * What a TRUNCATE decides: it succeeds when all replicas have, and fails if it is known that one
 * does not, or at its deadline. {@link CoordinatedTruncate} carries out the actions.
 */
abstract class TruncateOperation extends ReplyCount {
  /** Nothing until the next input. */
  static final int WAIT = 0;

  /** Report success to the client. */
  static final int ANSWER = 1;

  /** Report a failure to the client. */
  static final int FAIL = 1 << 1;

  /** Report a timeout to the client. */
  static final int TIME_OUT = 1 << 2;

  /** Creates the operation for a table that is about to be truncated. */
  TruncateOperation(int replicas) {
    super(Integer.bitCount(replicas), replicas);
  }

  /** A replica has truncated the table. */
  final int replicaTruncated(int replica) {
    return succeeded(replica) && hasEnough() && answer() ? ANSWER : WAIT;
  }

  /** Not all replicas will truncate the table, or nobody knows whether they do. */
  final int abandoned() {
    return answer() ? FAIL : WAIT;
  }

  /** The deadline has passed, or the node stops. */
  final int deadlinePassed() {
    return answer() ? TIME_OUT : WAIT;
  }
}
