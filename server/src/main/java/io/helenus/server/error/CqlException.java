package io.helenus.server.error;

import java.util.ArrayList;
import java.util.List;

/**
 * Ends a request with a {@link CqlError}. Has no stack trace, because it is an expected response
 * and not a bug. Any thread.
 */
public final class CqlException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient CqlError error;
  private final boolean guardrail;
  private final String advice;

  /** Ends a request with this error. */
  public CqlException(CqlError error) {
    this(error, false, "");
  }

  private CqlException(CqlError error, boolean guardrail, String advice) {
    super(error.message(), null, false, false);
    this.error = error;
    this.guardrail = guardrail;
    this.advice = advice;
  }

  /** The error to send. */
  public CqlError error() {
    return error;
  }

  /** Whether it violates a guardrail, of which the client is also warned. */
  public boolean isGuardrail() {
    return guardrail;
  }

  /** What the client is warned of beside the error: the guardrail, and what it might do instead. */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (guardrail) {
      warnings.add(error.message());
    }
    if (!advice.isEmpty()) {
      warnings.add(advice);
    }
    return warnings;
  }

  /** The same with a warning that says what the client might do instead. */
  public CqlException advising(String text) {
    return new CqlException(error, guardrail, text);
  }

  /** INVALID (0x2200): the request violates a guardrail. */
  public static CqlException guardrail(String message) {
    return new CqlException(new CqlError.Invalid(message), true, "");
  }

  /** INVALID (0x2200): the statement is well-formed but invalid. */
  public static CqlException invalid(String message) {
    return new CqlException(new CqlError.Invalid(message));
  }

  /** CONFIG_ERROR (0x2300): a schema option is invalid. */
  public static CqlException configuration(String message) {
    return new CqlException(new CqlError.ConfigError(message));
  }

  /** SYNTAX_ERROR (0x2000). */
  public static CqlException syntax(String message) {
    return new CqlException(new CqlError.SyntaxError(message));
  }

  /** PROTOCOL_ERROR (0x000A): the client violated the protocol. */
  public static CqlException protocol(String message) {
    return new CqlException(new CqlError.ProtocolError(message));
  }

  /** SERVER_ERROR (0x0000): an internal error. */
  public static CqlException server(String message) {
    return new CqlException(new CqlError.ServerError(message));
  }
}
