package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.engine.WriteRefusedException;
import java.util.List;

/** The errors of failed operations, with Cassandra's texts. Stateless. */
public final class Failures {
  private static final byte[] THIS_NODE = {127, 0, 0, 1};
  private static final int UNKNOWN_REASON = 0;

  /** RequestFailureReason.READ_TOO_MANY_TOMBSTONES of the protocol. */
  private static final int TOO_MANY_TOMBSTONES = 1;

  /** RequestFailureReason.READ_SIZE. */
  private static final int READ_SIZE = 4;

  /** RequestFailureReason.INDEX_NOT_AVAILABLE. */
  private static final int INDEX_NOT_AVAILABLE = 6;

  private Failures() {}

  /**
   * A read whose result is too large, as above Cassandra's coordinator_read_size_fail_threshold.
   */
  public static CqlError readTooLarge(String text, ConsistencyLevel level) {
    return new CqlError.ReadFailure(
        text, level.code(), 0, 1, List.of(new CqlError.FailureReason(THIS_NODE, READ_SIZE)), true);
  }

  /**
   * A read that uses an index that is still being built.
   *
   * @param attached whether it is a storage-attached index, of which Cassandra knows the reason
   */
  public static CqlError indexNotAvailable(boolean attached, ConsistencyLevel level) {
    return new CqlError.ReadFailure(
        "Operation failed - received 0 responses and 1 failures: "
            + (attached ? "INDEX_NOT_AVAILABLE" : "UNKNOWN")
            + " from this node (an index of the table is still being built)",
        level.code(),
        0,
        1,
        List.of(
            new CqlError.FailureReason(THIS_NODE, attached ? INDEX_NOT_AVAILABLE : UNKNOWN_REASON)),
        false);
  }

  /** A read that would look in more files of an index than a guardrail allows. */
  public static CqlError tooManyIndexFiles(ConsistencyLevel level) {
    return new CqlError.ReadFailure(
        "Operation failed - received 0 responses and 1 failures: UNKNOWN from this node (see"
            + " sai_sstable_indexes_per_query_fail_threshold)",
        level.code(),
        0,
        1,
        reasons(),
        false);
  }

  static CqlError unavailable(ConsistencyLevel level, int required, int alive) {
    return new CqlError.Unavailable(
        "Cannot achieve consistency level " + level, level.code(), required, alive);
  }

  static String timedOut(int received) {
    return "Operation timed out - received only " + received + " responses.";
  }

  /** OVERLOADED makes drivers try the next node. */
  static CqlError stopping() {
    return new CqlError.Overloaded("The node is shutting down; the read was cancelled");
  }

  static String casTimedOut(int required) {
    return "CAS operation timed out: received 0 of "
        + required
        + " required responses after 0 contention retries";
  }

  static String failed(int received, Exception cause) {
    return "Operation failed - received " + received + " responses and 1 failures: " + text(cause);
  }

  /** A replica that cannot keep up is reported as OVERLOADED, so that the client retries later. */
  static CqlError notWritten(
      Exception cause, ConsistencyLevel level, int required, WriteType type) {
    if (cause instanceof CqlException known) {
      return known.error();
    }
    if (cause instanceof WriteRefusedException refused
        && refused.reason() == WriteRefusedException.Reason.OVERLOADED) {
      return new CqlError.Overloaded(text(refused));
    }
    return new CqlError.WriteFailure(
        failed(0, cause), level.code(), 0, required, reasons(), type.name());
  }

  static List<CqlError.FailureReason> reasons() {
    return List.of(new CqlError.FailureReason(THIS_NODE, UNKNOWN_REASON));
  }

  static String tooManyTombstones() {
    return "Operation failed - received 0 responses and 1 failures: READ_TOO_MANY_TOMBSTONES from"
        + " this node (see tombstone_failure_threshold)";
  }

  static List<CqlError.FailureReason> tombstoneReasons() {
    return List.of(new CqlError.FailureReason(THIS_NODE, TOO_MANY_TOMBSTONES));
  }

  /** The message of an exception, or its class name if it has no message. */
  static String text(Exception cause) {
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }
}
