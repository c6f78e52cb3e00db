package io.helenus.cql.parser;

import org.antlr.v4.runtime.ANTLRErrorStrategy;
import org.antlr.v4.runtime.InputMismatchException;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/**
 * Ends the parse at the first error, and remembers where the token stream stood: at the beginning
 * of the decision that found no way, which may be before the offending token. Does not look ahead
 * at the beginning of loops and options, as ANTLR's own strategy does: the reference's parser goes
 * past them and fails at what comes next.
 */
final class StopAtFirstError implements ANTLRErrorStrategy {
  private @Nullable RecognitionException last;
  private int index;

  /** The index of the token at which the stream stood when the last error arose. */
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
