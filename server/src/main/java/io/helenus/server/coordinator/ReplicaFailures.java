package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why replicas on other nodes failed; those of this node are added when the client is answered. */
final class ReplicaFailures {
  private static final byte[] UNKNOWN_ADDRESS = {0, 0, 0, 0};

  private @Nullable List<CqlError.FailureReason> reasons;

  /** Adds a replica of another node. */
  void add(byte @Nullable [] address, int reason) {
    List<CqlError.FailureReason> all = reasons;
    if (all == null) {
      all = new ArrayList<>(2);
      reasons = all;
    }
    all.add(new CqlError.FailureReason(address == null ? UNKNOWN_ADDRESS : address, reason));
  }

  /**
   * All reasons; those that are missing to the number of failures are this node's.
   *
   * @param localAddress where others reach this node; null if it is not known
   */
  List<CqlError.FailureReason> and(int failures, int localReason, byte @Nullable [] localAddress) {
    List<CqlError.FailureReason> all = new ArrayList<>(failures);
    if (reasons != null) {
      all.addAll(reasons);
    }
    while (all.size() < failures) {
      all.add(
          new CqlError.FailureReason(
              localAddress == null ? Failures.THIS_NODE : localAddress, localReason));
    }
    return all;
  }
}
