package io.helenus.storage.engine;

/**
 * A read or write that storage could not do; the message names file and offset and says what to do.
 */
public final class StorageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a message for the person who must act. */
  public StorageException(String message) {
    super(message);
  }

  /** With a message for the person who must act, and what was behind it. */
  public StorageException(String message, Throwable cause) {
    super(message, cause);
  }
}
