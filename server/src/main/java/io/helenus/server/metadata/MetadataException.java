package io.helenus.server.metadata;

/**
 * The metadata log cannot be read or written. The message names the file, and the offset where
 * there is one, for the person who must act.
 */
public final class MetadataException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With the text for a person. */
  public MetadataException(String message) {
    super(message);
  }

  /** With the failure that led to it. */
  public MetadataException(String message, Throwable cause) {
    super(message, cause);
  }
}
