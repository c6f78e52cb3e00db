package io.helenus.cql.parser;

import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.TokenSource;

/**
 * The tokens of a statement, cut as they are looked at. Knows how far the reference's parser would
 * have looked: its larger decisions step over the last token that they looked at, and so cut one
 * more. That shows in messages, and in which of two errors comes first.
 */
final class LookaheadTokens extends CommonTokenStream {
  private int reached;
  private int furthest = -1;

  LookaheadTokens(TokenSource source) {
    super(source);
  }

  @Override
  public void consume() {
    super.consume();
    reached = p;
  }

  /** A decision begins here. */
  void beginDecision() {
    reached = index();
  }

  /** The decision that has just been made stepped over the last token that it looked at. */
  void steppedOver() {
    furthest = Math.max(furthest, reached);
  }

  /**
   * A decision stepped over the tokens from here to the one so many after it, blanks not counted.
   */
  void stepsOver(int tokens) {
    furthest = Math.max(furthest, LT(tokens + 1).getTokenIndex());
  }

  /** Cuts what the reference's parser would have cut by now; the position stays. */
  void cutAsFarAsTheReference() {
    if (furthest < 0) {
      return;
    }
    int here = index();
    seek(furthest);
    LT(2);
    seek(here);
  }
}
