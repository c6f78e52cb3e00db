package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.engine.TombstoneLimitException;
import io.helenus.storage.engine.WriteRefusedException;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The errors of failed operations, with Cassandra's texts. Stateless. */
public final class Failures {
  static final byte[] THIS_NODE = {127, 0, 0, 1};
  static final int UNKNOWN_REASON = 0;

  /** RequestFailureReason.READ_TOO_MANY_TOMBSTONES of the protocol. */
  static final int TOO_MANY_TOMBSTONES = 1;

  /** RequestFailureReason.INCOMPATIBLE_SCHEMA. */
  static final int INCOMPATIBLE_SCHEMA = 3;

  private static final String TOO_MANY_TOMBSTONES_TEXT =
      "READ_TOO_MANY_TOMBSTONES from this node (see tombstone_failure_threshold)";

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
        reasons(1, UNKNOWN_REASON),
        false);
  }

  static CqlError unavailable(
      ConsistencyLevel level, Placement placement, int required, int alive) {
    String datacenter = placement.datacenter(level);
    return unavailable(
        datacenter == null ? level.name() : level + " in DC " + datacenter, level, required, alive);
  }

  static CqlError unavailable(ConsistencyLevel level, int required, int alive) {
    return unavailable(level.name(), level, required, alive);
  }

  private static CqlError unavailable(
      String what, ConsistencyLevel level, int required, int alive) {
    return new CqlError.Unavailable(
        "Cannot achieve consistency level " + what, level.code(), required, alive);
  }

  static String timedOut(int received) {
    return "Operation timed out - received only " + received + " responses.";
  }

  /** OVERLOADED makes drivers try the next node. */
  static CqlError stopping() {
    return new CqlError.Overloaded("The node is shutting down; the read was cancelled");
  }

  /** How far a write had come at its deadline. */
  static CqlError writeTimedOut(ConsistencyLevel level, Replies replies, WriteType type) {
    String text =
        type == WriteType.CAS
            ? "CAS operation timed out: received "
                + replies.received()
                + " of "
                + replies.required()
                + " required responses after 0 contention retries"
            : timedOut(replies.received());
    return new CqlError.WriteTimeout(
        text, level.code(), replies.received(), replies.required(), type.name(), 0);
  }

  /** How far a read had come at its deadline. */
  static CqlError readTimedOut(ConsistencyLevel level, Replies replies, boolean hasData) {
    return new CqlError.ReadTimeout(
        timedOut(replies.received()),
        level.code(),
        replies.received(),
        replies.required(),
        hasData);
  }

  /**
   * A write that can no longer reach the required replicas. One that cannot keep up is reported as
   * OVERLOADED, so that the client retries later.
   *
   * @param cause why the last of them failed
   */
  static CqlError notWritten(
      Exception cause, ConsistencyLevel level, Replies replies, WriteType type) {
    CqlError known = ownError(cause);
    return known != null
        ? known
        : new CqlError.WriteFailure(
            failed(replies, replies.failureText(UNKNOWN_REASON, text(cause))),
            level.code(),
            replies.received(),
            replies.required(),
            replies.reasons(UNKNOWN_REASON),
            type.name());
  }

  /** The entry of a batch log, which one replica keeps, that was not written. */
  static CqlError entryNotWritten(Exception cause, ConsistencyLevel level) {
    CqlError known = ownError(cause);
    return known != null
        ? known
        : new CqlError.WriteFailure(
            "Operation failed - received 0 responses and 1 failures: " + text(cause),
            level.code(),
            0,
            1,
            reasons(1, UNKNOWN_REASON),
            WriteType.BATCH_LOG.name());
  }

  private static @Nullable CqlError ownError(Exception cause) {
    if (cause instanceof CqlException known) {
      return known.error();
    }
    return cause instanceof WriteRefusedException refused
            && refused.reason() == WriteRefusedException.Reason.OVERLOADED
        ? new CqlError.Overloaded(text(refused))
        : null;
  }

  /**
   * A read that can no longer reach the required replicas.
   *
   * @param cause why the last of them failed
   */
  static CqlError notRead(
      Exception cause, ConsistencyLevel level, Replies replies, boolean hasData) {
    boolean tombstones = cause instanceof TombstoneLimitException;
    int reason = tombstones ? TOO_MANY_TOMBSTONES : UNKNOWN_REASON;
    return new CqlError.ReadFailure(
        failed(
            replies,
            replies.failureText(reason, tombstones ? TOO_MANY_TOMBSTONES_TEXT : text(cause))),
        level.code(),
        replies.received(),
        replies.required(),
        replies.reasons(reason),
        hasData);
  }

  private static String failed(Replies replies, String text) {
    return "Operation failed - received "
        + replies.received()
        + " responses and "
        + replies.failures()
        + " failures: "
        + text;
  }

  /** The same reason for several failures on this node. */
  private static List<CqlError.FailureReason> reasons(int failures, int reason) {
    return Collections.nCopies(failures, new CqlError.FailureReason(THIS_NODE, reason));
  }

  /** The message of an exception, or its class name if it has no message. */
  static String text(Exception cause) {
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }
}
