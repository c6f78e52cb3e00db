package io.helenus.storage.env;

import java.io.IOException;

/** There was no space left for a write; the message names the file. */
public final class DiskFullException extends IOException {
  private static final long serialVersionUID = 1L;

  /** With a message for the person who must act. */
  public DiskFullException(String message) {
    super(message);
  }

  /** With a message for the person who must act, and the system's own failure. */
  public DiskFullException(String message, Throwable cause) {
    super(message, cause);
  }
}
