package io.helenus.server.config;

/** An invalid configuration; the message names the place and the expected value. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  /** With a message for the person who edits the file. */
  public ConfigException(String message) {
    super(message);
  }
}
