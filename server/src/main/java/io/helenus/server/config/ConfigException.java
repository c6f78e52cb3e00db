package io.helenus.server.config;

/** A configuration that cannot be used; the message names the place and says what is expected. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  /** With a message for the person who edits the file. */
  public ConfigException(String message) {
    super(message);
  }
}
