package io.helenus.cql.parser;

import org.jspecify.annotations.Nullable;

/**
 * Raised if a text is not a valid statement. The message is that of Apache Cassandra. It has no
 * stack trace, because it is an expected error.
 */
public final class CqlSyntaxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The protocol error sent to the client. */
  public enum Code {
    /** SYNTAX_ERROR (0x2000): nearly everything. */
    SYNTAX,
    /**
     * INVALID (0x2200): the few errors that Cassandra's parser itself reports as invalid, such as a
     * column declared twice.
     */
    INVALID
  }

  private final Code code;

  private CqlSyntaxException(Code code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  /** Which protocol error this is. */
  public Code code() {
    return code;
  }

  /** The text of the error. */
  @Override
  public String getMessage() {
    @Nullable String message = super.getMessage();
    return message == null ? "" : message;
  }

  /** SYNTAX_ERROR with this message. */
  static CqlSyntaxException syntax(String message) {
    return new CqlSyntaxException(Code.SYNTAX, message);
  }

  /** INVALID with this message. */
  static CqlSyntaxException invalid(String message) {
    return new CqlSyntaxException(Code.INVALID, message);
  }
}
