package io.helenus.copy.cluster;

/**
 * A copy cannot begin or go on; the message says why and what to do, and is all that is printed.
 */
public final class CopyException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With a message for the user. */
  public CopyException(String message) {
    super(message);
  }

  /** With a message for the user and what caused it. */
  public CopyException(String message, Throwable cause) {
    super(message, cause);
  }
}
