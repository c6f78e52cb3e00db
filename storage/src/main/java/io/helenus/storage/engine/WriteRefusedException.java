package io.helenus.storage.engine;

/** Storage refused a write; no part of it will ever be visible. The message is for an operator. */
public final class WriteRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why a write was refused. */
  public enum Reason {
    /**
     * Flushes or the commit log do not keep up, and too many writes are waiting. May be retried.
     */
    OVERLOADED,
    /** There is no space left on the disk. May be retried when there is. */
    DISK_FULL,
    /** The mutation exceeds the maximum size of a commit log record. */
    TOO_LARGE,
    /** A table of the mutation does not exist, or does not exist yet. */
    UNKNOWN_TABLE,
    /** The node is stopping. */
    STOPPED
  }

  private final Reason reason;

  /** With a message for an operator. */
  public WriteRefusedException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  /** Why the write was refused. */
  public Reason reason() {
    return reason;
  }
}
