package io.helenus.storage.engine;

/** A failed read or write; the message names file and offset and says what to do. */
public final class StorageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a message for the operator. */
  public StorageException(String message) {
    super(message);
  }

  /** With a message for the operator and the underlying failure. */
  public StorageException(String message, Throwable cause) {
    super(message, cause);
  }
}
