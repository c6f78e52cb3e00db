package io.helenus.cql.parser;

/**
 * How large a text may be to be parsed. Parsing takes several times the length of the text on the
 * heap, and for texts of many small tokens a hundred times.
 *
 * @param characters the greatest length
 * @param tokens the greatest number of tokens, with white space and comments
 */
public record TextLimits(long characters, long tokens) {
  /** Whether a text is within the limits. Takes memory for one token at a time. */
  public boolean admit(String text) {
    return text.length() <= characters && (text.length() <= tokens || countTokens(text) <= tokens);
  }

  /** Counts the tokens up to the end, the first mistake or the limit. */
  private long countTokens(String text) {
    CqlLexer lexer = new CqlLexer(text);
    long count = 0;
    try {
      while (count <= tokens && !lexer.atEnd()) {
        lexer.nextToken();
        count++;
      }
    } catch (CqlSyntaxException e) {
      // the parser will not get further either
    }
    return count;
  }
}
