package io.helenus.cql.parser;

import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenSource;
import org.antlr.v4.runtime.WritableToken;
import org.jspecify.annotations.Nullable;

/** A token. Its text is extracted lazily; that of a string or quoted name is unescaped. */
final class CqlToken implements WritableToken {
  private final CqlLexer lexer;
  private final int type;
  private final int channel;
  private final int start;
  private final int end;
  private final int line;
  private final int column;
  private int index = -1;
  private @Nullable String text;

  /**
   * A token.
   *
   * @param end the offset after its last character
   * @param line 1-based
   * @param column 0-based, in UTF-16 units
   */
  CqlToken(
      CqlLexer lexer,
      int type,
      int channel,
      int start,
      int end,
      int line,
      int column,
      @Nullable String text) {
    this.lexer = lexer;
    this.type = type;
    this.channel = channel;
    this.start = start;
    this.end = end;
    this.line = line;
    this.column = column;
    this.text = text;
  }

  @Override
  public String getText() {
    String known = text;
    if (known == null) {
      known = type == Token.EOF ? "<EOF>" : lexer.text(start, end);
      text = known;
    }
    return known;
  }

  @Override
  public int getType() {
    return type;
  }

  @Override
  public int getLine() {
    return line;
  }

  @Override
  public int getCharPositionInLine() {
    return column;
  }

  @Override
  public int getChannel() {
    return channel;
  }

  @Override
  public int getTokenIndex() {
    return index;
  }

  @Override
  public int getStartIndex() {
    return start;
  }

  @Override
  public int getStopIndex() {
    return end - 1;
  }

  @Override
  public TokenSource getTokenSource() {
    return lexer;
  }

  @Override
  public @Nullable CharStream getInputStream() {
    return null;
  }

  @Override
  public void setText(String text) {
    this.text = text;
  }

  @Override
  public void setTokenIndex(int index) {
    this.index = index;
  }

  @Override
  public void setType(int type) {
    throw new IllegalStateException("the type of a token cannot be changed");
  }

  @Override
  public void setLine(int line) {
    throw new IllegalStateException("the position of a token cannot be changed");
  }

  @Override
  public void setCharPositionInLine(int column) {
    throw new IllegalStateException("the position of a token cannot be changed");
  }

  @Override
  public void setChannel(int channel) {
    throw new IllegalStateException("the channel of a token cannot be changed");
  }

  @Override
  public String toString() {
    return getText();
  }
}
