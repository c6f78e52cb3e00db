package io.helenus.cql.parser;

/**
 * How many tokens the texts of a request may have to be parsed. Parsing takes several times the
 * length of a text on the heap, and for texts of many small tokens a hundred times.
 *
 * @param tokens the greatest number of tokens of all texts, with white space and comments
 */
public record TokenLimit(long tokens) {
  /** Whether a text is within the limit. Takes memory for one token at a time. */
  public boolean admits(String text) {
    return text.length() <= tokens || count(text, 0) <= tokens;
  }

  /**
   * Counts on over a further text of the request: up to its end, its first mistake or one more than
   * the limit.
   *
   * @param before the tokens of the texts before it
   */
  public long count(String text, long before) {
    CqlLexer lexer = new CqlLexer(text);
    long count = before;
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
