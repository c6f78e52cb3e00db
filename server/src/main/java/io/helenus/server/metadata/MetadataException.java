package io.helenus.server.metadata;

import java.io.IOException;

/**
 * The metadata log cannot be read or written. The message is for the operator; it names the file
 * and, if known, the offset.
 */
public final class MetadataException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message for the operator. */
  public MetadataException(String message) {
    super(message);
  }

  /** Creates an exception with a message for the operator and its cause. */
  public MetadataException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The files cannot be read or written. */
  static MetadataException cannotOpen(IOException cause) {
    return new MetadataException("cannot open the metadata log: " + cause.getMessage(), cause);
  }
}
