package io.helenus.cql.parser;

import io.helenus.cql.ast.Statement;
import org.antlr.v4.runtime.RecognitionException;

/**
 * Turns CQL text into a statement. Stateless; any thread. The caller bounds the length of the text.
 */
public final class CqlParser {
  private CqlParser() {}

  /**
   * Parses one statement of Cassandra 5.0, which may end in semicolons.
   *
   * @throws CqlSyntaxException if the text is not a valid statement or nests too deeply
   */
  public static Statement parse(String text) {
    return parse(text, false);
  }

  /**
   * Parses one statement, which may end in semicolons.
   *
   * @param extensions whether statements that Cassandra 5.0 lacks are parsed too
   * @throws CqlSyntaxException if the text is not a valid statement or nests too deeply
   */
  public static Statement parse(String text, boolean extensions) {
    LookaheadTokens tokens = new LookaheadTokens(new CqlLexer(text));
    CqlGrammar grammar = new CqlGrammar(tokens);
    StopAtFirstError errors = new StopAtFirstError();
    grammar.removeErrorListeners();
    grammar.setBuildParseTree(false);
    grammar.setErrorHandler(errors);
    grammar.setInterpreter(
        new ReferencePrediction(
            grammar,
            CqlGrammar._ATN,
            CqlGrammar._decisionToDFA,
            CqlGrammar._sharedContextCache,
            tokens));
    try {
      return extensions && tokens.startTableCopy()
          ? grammar.tableCopyQuery().value
          : grammar.query().value;
    } catch (RecognitionException e) {
      tokens.fetchAsFarAsTheReference();
      throw described(grammar, new SyntaxErrors(text, tokens), e, errors.index());
    }
  }

  private static CqlSyntaxException described(
      GrammarActions grammar, SyntaxErrors wording, RecognitionException error, int index) {
    try {
      return CqlSyntaxException.syntax(wording.describe(error, index));
    } catch (IndexOutOfBoundsException e) {
      return grammar.failed(e.getClass().getSimpleName() + " " + e.getMessage());
    }
  }
}
