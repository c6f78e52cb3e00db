package io.helenus.cql.parser;

import org.antlr.v4.runtime.ANTLRErrorStrategy;
import org.antlr.v4.runtime.InputMismatchException;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/**
 * Stops parsing at the first error and records the position of the token stream: the start of the
 * decision that found no viable alternative, which may precede the offending token. Unlike ANTLR's
 * default strategy, it does not look ahead at the start of loops and optional parts: the
 * reference's parser skips them and fails at what follows.
 */
final class StopAtFirstError implements ANTLRErrorStrategy {
  private @Nullable RecognitionException last;
  private int index;

  /** The position of the token stream when the last error occurred. */
  int index() {
    return index;
  }

  @Override
  public void reset(Parser recognizer) {
    last = null;
  }

  @Override
  public Token recoverInline(Parser recognizer) {
    throw new InputMismatchException(recognizer);
  }

  @Override
  public void recover(Parser recognizer, RecognitionException e) {
    throw e;
  }

  @Override
  public void sync(Parser recognizer) {}

  @Override
  public boolean inErrorRecoveryMode(Parser recognizer) {
    return false;
  }

  @Override
  public void reportMatch(Parser recognizer) {}

  @Override
  @SuppressWarnings("ReferenceEquality")
  public void reportError(Parser recognizer, RecognitionException e) {
    if (e != last) {
      last = e;
      index = recognizer.getInputStream().index();
    }
  }
}
