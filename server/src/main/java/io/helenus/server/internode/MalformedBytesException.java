package io.helenus.server.internode;

/** A peer has sent what the protocol does not allow; its stream is closed. Has no stack trace. */
final class MalformedBytesException extends Exception {
  private static final long serialVersionUID = 1;

  MalformedBytesException(String message) {
    super(message, null, false, false);
  }
}
