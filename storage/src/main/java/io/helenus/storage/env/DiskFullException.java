package io.helenus.storage.env;

import java.io.IOException;

/** A write failed because there is no space left. The message names the file. */
public final class DiskFullException extends IOException {
  private static final long serialVersionUID = 1L;

  /** With a message for the operator. */
  public DiskFullException(String message) {
    super(message);
  }

  /** With a message for the operator and the underlying failure. */
  public DiskFullException(String message, Throwable cause) {
    super(message, cause);
  }
}
