package io.helenus.server.admin;

/** A command was not carried out, or not completely. */
public final class CommandException extends Exception {
  /** The kinds of failures, which nodetool reports in different ways, as Cassandra's does. */
  public enum Kind {
    /** The arguments are wrong: reported with a reference to the help, exit code 1. */
    USAGE(400, 1),
    /** Refused with a text that is printed as output; exit code 1. */
    REFUSED(422, 1),
    /** Not done, for reasons that are printed as errors as they are; exit code 1. */
    NOT_DONE(409, 1),
    /** Failed while it was carried out: exit code 2. */
    FAILED(500, 2);

    private final int status;
    private final int exitCode;

    Kind(int status, int exitCode) {
      this.status = status;
      this.exitCode = exitCode;
    }

    /** The status of the HTTP response. */
    public int status() {
      return status;
    }

    /** The exit code of nodetool. */
    public int exitCode() {
      return exitCode;
    }
  }

  private final Kind kind;

  private CommandException(Kind kind, String message) {
    super(message, null, false, false);
    this.kind = kind;
  }

  /** The arguments are wrong. */
  public static CommandException usage(String message) {
    return new CommandException(Kind.USAGE, message);
  }

  /** Refused; the text is printed as output. */
  public static CommandException refused(String text) {
    return new CommandException(Kind.REFUSED, text);
  }

  /** Not done; the text is printed as an error. */
  public static CommandException notDone(String text) {
    return new CommandException(Kind.NOT_DONE, text);
  }

  /** Failed while it was carried out. */
  public static CommandException failed(String message) {
    return new CommandException(Kind.FAILED, message);
  }

  /** The kind of failure. */
  public Kind kind() {
    return kind;
  }

  /** The text to print. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
