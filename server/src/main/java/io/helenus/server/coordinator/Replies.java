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
   * @param localReason why that of this node failed, if it is the only one
   */
  List<CqlError.FailureReason> reasons(int localReason);

  /**
   * Why replicas failed, for people.
   *
   * @param localReason why that of this node failed, if it is the only one
   * @param localText the same for people, where nobody needs to be told which node it was
   */
  default String failureText(int localReason, String localText) {
    return localText;
  }
}
