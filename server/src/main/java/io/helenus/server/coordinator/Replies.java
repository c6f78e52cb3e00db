package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import java.util.List;

/** How far the replies of an operation's replicas have come, for errors. */
interface Replies {
  /** How many replicas must succeed. */
  int required();

  /** How many have succeeded. */
  int received();

  /** How many have failed. */
  int failures();

  /**
   * A reason for each replica that failed.
   *
   * @param localReason why those of this node failed
   */
  List<CqlError.FailureReason> reasons(int localReason);
}
