package io.helenus.server.coordinator;

import io.helenus.server.cluster.Member;

/** A replica on another node has refused a request. */
final class RemoteFailureException extends Exception {
  private static final long serialVersionUID = 1L;

  RemoteFailureException(Member replica, String text) {
    super(text + " (at " + replica.hostId() + ")");
  }
}
