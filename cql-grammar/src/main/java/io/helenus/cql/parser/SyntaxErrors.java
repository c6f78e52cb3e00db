package io.helenus.cql.parser;

import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.InputMismatchException;
import org.antlr.v4.runtime.NoViableAltException;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;

/**
 * Formats a parser error like the reference: {@code line 1:0 no viable alternative at input 'selec'
 * ([selec]...)}. The snippet in parentheses spans from ten tokens before the position to two after
 * it, including whitespace, limited to the tokens examined so far.
 */
final class SyntaxErrors {
  private static final int TOKENS_BEFORE = 10;
  private static final int TOKENS_AFTER = 2;

  private final String statement;
  private final CommonTokenStream tokens;

  SyntaxErrors(String statement, CommonTokenStream tokens) {
    this.statement = statement;
    this.tokens = tokens;
  }

  /**
   * The whole message.
   *
   * @param index the position of the token stream
   */
  String describe(RecognitionException error, int index) {
    Token offending = error.getOffendingToken();
    int line = offending.getType() == Token.EOF ? 0 : offending.getLine();
    int column = offending.getType() == Token.EOF ? -1 : offending.getCharPositionInLine();
    return "line " + line + ":" + column + " " + what(error, shown(offending)) + snippet(index);
  }

  private static String what(RecognitionException error, String input) {
    if (error instanceof NoViableAltException) {
      return "no viable alternative at input " + input;
    }
    if (error instanceof UnexpectedToken unexpected) {
      return "mismatched input " + input + " expecting " + tokenName(unexpected.expectedType());
    }
    if (error instanceof InputMismatchException) {
      return "mismatched input " + input + " expecting set null";
    }
    throw new IllegalStateException("unknown kind of syntax error", error);
  }

  private static String tokenName(int type) {
    if (type == Token.EOF) {
      return "EOF";
    }
    if (type == CqlGrammar.ASTERISK) {
      return "'\\*'";
    }
    return CqlGrammar.VOCABULARY.getDisplayName(type);
  }

  private static String shown(Token token) {
    String text = token.getText().replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
    return "'" + text + "'";
  }

  private String snippet(int index) {
    int size = tokens.size();
    Token from = tokens.get(Math.max(0, index - TOKENS_BEFORE));
    Token to = tokens.get(Math.min(size - 1, index + TOKENS_AFTER));
    Token marked = tokens.get(Math.min(index, size - 1));
    if (from.getType() == Token.EOF || to.getType() == Token.EOF || marked.getType() == Token.EOF) {
      return "";
    }
    return new Snippet(statement).between(from, to, marked);
  }
}
