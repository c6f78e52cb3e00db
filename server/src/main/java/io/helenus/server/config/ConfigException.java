package io.helenus.server.config;

/** An invalid configuration; the message names the position in the file and the expected value. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message for the operator. */
  public ConfigException(String message) {
    super(message);
  }
}
