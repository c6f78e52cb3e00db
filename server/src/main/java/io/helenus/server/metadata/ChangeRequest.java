package io.helenus.server.metadata;

import io.helenus.server.error.CqlError;
import org.jspecify.annotations.Nullable;

/**
 * What a client of this node wants changed: it is planned, proposed as an entry of the log, and
 * answered once. On the scheduler of the log.
 */
interface ChangeRequest {
  /**
   * Plans the change against the visible state; again, if another entry was decided first.
   *
   * @return the entry that makes the change; null if there is nothing to propose and the client is
   *     answered
   */
  @Nullable MetadataEntry plan(ClusterState state);

  /** The change is in the log and visible on this node, with the state of this index. */
  void made(long index);

  /** The change is answered with an error. */
  void failed(CqlError error);

  /** The error for a change that was not made, or whose outcome is known otherwise. */
  CqlError error(String why);

  /**
   * The error for a change that may or may not be made.
   *
   * @param voters how many members decide about it
   */
  CqlError unknown(String why, int voters);
}
