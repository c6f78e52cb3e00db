package io.helenus.server.coordinator;

import io.helenus.storage.engine.TombstoneLimitException;

/** The codes by which replicas refuse requests of other nodes. Stateless. */
public final class RefusalCode {
  /**
   * Those of the native protocol's RequestFailureReason begin here; what is below is the link's.
   */
  private static final int FIRST = 1;

  /** The replica has not applied the entries that the request was planned with, and cannot wait. */
  public static final byte BEHIND = FIRST + Failures.INCOMPATIBLE_SCHEMA;

  private RefusalCode() {}

  /** The code for a failure. */
  public static byte of(Exception failure) {
    return (byte)
        (FIRST
            + (failure instanceof TombstoneLimitException
                ? Failures.TOO_MANY_TOMBSTONES
                : Failures.UNKNOWN_REASON));
  }

  /** The RequestFailureReason of a replica that failed. */
  static int reason(Exception failure) {
    return reason(of(failure));
  }

  /** The name of a RequestFailureReason. */
  static String name(int reason) {
    return reason == Failures.TOO_MANY_TOMBSTONES ? "READ_TOO_MANY_TOMBSTONES" : "UNKNOWN";
  }

  /** The RequestFailureReason for a code; UNKNOWN for one that has no other. */
  static int reason(byte code) {
    return Math.max(Failures.UNKNOWN_REASON, code - FIRST);
  }
}
