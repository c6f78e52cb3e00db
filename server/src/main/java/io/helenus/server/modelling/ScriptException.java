package io.helenus.server.modelling;

/** A script cannot be judged; the message begins with the file and the line. */
public final class ScriptException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param line the line of the statement, from 1
   */
  public ScriptException(Script script, int line, String problem) {
    super(script.name() + ":" + line + ": " + problem);
  }
}
