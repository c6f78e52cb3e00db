package io.helenus.cql.parser;

import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenSource;
import org.antlr.v4.runtime.misc.IntervalSet;

/**
 * The tokens of a statement, produced on demand. Tracks how far Cassandra's parser would have
 * looked ahead: its larger decisions consume the last token they examined and thus fetch one more.
 * This determines the text of messages and which of two errors is reported.
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

  /** Begins a decision. */
  void beginDecision() {
    reached = index();
  }

  /** Records that the decision just made consumed the last token it examined. */
  void steppedOver() {
    furthest = Math.max(furthest, reached);
  }

  /** Records that a decision consumed this many tokens from here, not counting whitespace. */
  void stepsOver(int tokens) {
    furthest = Math.max(furthest, LT(tokens + 1).getTokenIndex());
  }

  /**
   * Fetches the tokens that the reference's parser would have fetched by now, without moving the
   * position.
   */
  void fetchAsFarAsTheReference() {
    if (furthest < 0) {
      return;
    }
    int here = index();
    seek(furthest);
    LT(2);
    seek(here);
  }

  /** Whether the statement begins like CREATE TABLE LIKE, up to and including LIKE. */
  boolean startTableCopy() {
    try {
      return looksLikeTableCopy();
    } catch (CqlSyntaxException e) {
      // Not a token; the grammar may find another mistake before it.
      return false;
    }
  }

  /**
   * Whether the statement begins with EXPLAIN, which is not a keyword; no other has a name there.
   */
  boolean startExplain() {
    try {
      return LA(1) == CqlGrammar.IDENT && LT(1).getText().equalsIgnoreCase("explain");
    } catch (CqlSyntaxException e) {
      return false;
    }
  }

  private boolean looksLikeTableCopy() {
    if (LA(1) != CqlGrammar.K_CREATE || LA(2) != CqlGrammar.K_COLUMNFAMILY) {
      return false;
    }
    boolean conditional = LA(3) == CqlGrammar.K_IF && LA(4) == CqlGrammar.K_NOT;
    int name = conditional ? 6 : 3;
    int after = LA(name + 1) == CqlGrammar.DOT ? name + 3 : name + 1;
    return LA(after) == CqlGrammar.K_LIKE;
  }

  /**
   * Whether a parenthesized type followed by an operand may begin here. The contents of angle
   * brackets are only checked roughly.
   *
   * @param operandStarts the tokens that can begin an operand
   */
  boolean startsTypeHint(IntervalSet operandStarts) {
    int afterType = afterType(after(index()));
    return afterType > 0
        && typeAt(afterType) == CqlGrammar.CLOSING_PARENTHESIS
        && operandStarts.contains(typeAt(after(afterType)));
  }

  /** The index after a type; -1 if there is no type. */
  private int afterType(int start) {
    if (typeAt(start) == CqlGrammar.STRING_LITERAL) {
      return after(start);
    }
    if (!isName(typeAt(start))) {
      return -1;
    }
    int next = after(start);
    if (typeAt(next) == CqlGrammar.DOT) {
      return isName(typeAt(after(next))) ? after(after(next)) : -1;
    }
    return typeAt(next) == CqlGrammar.LESS ? afterAngleBrackets(next) : next;
  }

  private int afterAngleBrackets(int start) {
    int open = 0;
    int position = start;
    while (true) {
      int type = typeAt(position);
      switch (type) {
        case CqlGrammar.LESS -> open++;
        case CqlGrammar.GREATER -> open--;
        case CqlGrammar.COMMA, CqlGrammar.DOT, CqlGrammar.INTEGER, CqlGrammar.STRING_LITERAL -> {}
        default -> {
          if (!isName(type)) {
            return -1;
          }
        }
      }
      position = after(position);
      if (open == 0) {
        return position;
      }
    }
  }

  private static boolean isName(int type) {
    return type == CqlGrammar.IDENT || type == CqlGrammar.QUOTED_NAME || Keywords.isKeyword(type);
  }

  private int typeAt(int index) {
    return get(index).getType();
  }

  /** The index of the next token other than whitespace and comments. */
  private int after(int index) {
    if (typeAt(index) == Token.EOF) {
      return index;
    }
    sync(index + 1);
    return nextTokenOnChannel(index + 1, channel);
  }
}
