package io.helenus.storage.engine;

/** Storage did not take a write; nothing of it will be seen. The message is for a person. */
public final class WriteRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Reason {
    /** Flushes do not keep up: too much is waiting. Worth trying again. */
    OVERLOADED,
    /** There is no space on the disk. Worth trying again when there is. */
    DISK_FULL,
    /** The mutation is larger than the log takes. */
    TOO_LARGE,
    /** A table that it names does not exist here, any more or yet. */
    UNKNOWN_TABLE,
    /** The node is stopping. */
    STOPPED
  }

  private final Reason reason;

  /** With a message for a person. */
  public WriteRefusedException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  /** Why. */
  public Reason reason() {
    return reason;
  }
}
