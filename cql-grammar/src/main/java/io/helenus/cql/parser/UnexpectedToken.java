package io.helenus.cql.parser;

import org.antlr.v4.runtime.InputMismatchException;
import org.antlr.v4.runtime.Parser;

/** A token of a specific type was expected, but another one was found. */
final class UnexpectedToken extends InputMismatchException {
  private static final long serialVersionUID = 1L;

  private final int expectedType;

  UnexpectedToken(Parser parser, int expectedType) {
    super(parser);
    this.expectedType = expectedType;
  }

  /** The type of the expected token. */
  int expectedType() {
    return expectedType;
  }
}
