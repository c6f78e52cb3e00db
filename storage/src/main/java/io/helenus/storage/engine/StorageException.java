package io.helenus.storage.engine;

/**
 * Storage cannot be read or written. The message is for an operator: it names the file, the offset
 * where there is one, and a remedy if one is known.
 */
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
