package io.helenus.storage.engine;

/** Bytes that are not a read request: storage/docs/read-request.md. The message says why. */
public final class MalformedRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With the position in the bytes of the request and the reason. */
  MalformedRequestException(long position, String reason) {
    super("malformed read request at byte " + position + ": " + reason);
  }
}
