package io.helenus.cql.parser;

import io.helenus.cql.ast.Statement;
import java.util.List;
import java.util.function.Consumer;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

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

  /** Parses one statement, without looking for the classes of custom types. */
  static Statement parse(String text, boolean extensions) {
    return parse(text, extensions, _ -> {});
  }

  /**
   * Parses one statement, which may end in semicolons.
   *
   * @param extensions whether statements that Cassandra 5.0 lacks are parsed too
   * @param classes called for the class names of custom types; what it throws precedes the mistakes
   *     after the name, as Cassandra looks for the class while parsing
   * @throws CqlSyntaxException if the text is not a valid statement or nests too deeply
   */
  public static Statement parse(String text, boolean extensions, Consumer<String> classes) {
    try {
      return parseWithoutChecks(text, extensions, classes);
    } catch (CqlSyntaxException e) {
      Statement checked = extensions ? ColumnCheckParser.parse(text, CqlParser::parse) : null;
      if (checked == null) {
        throw e;
      }
      return checked;
    }
  }

  /** Parses the tokens of one statement of Cassandra 5.0; null if it is not one. */
  private static @Nullable Statement parse(List<Token> statement) {
    LookaheadTokens tokens = new LookaheadTokens(new ListTokenSource(statement));
    CqlGrammar grammar = grammar(tokens, new StopAtFirstError());
    try {
      return grammar.query().value;
    } catch (RecognitionException e) {
      return null;
    }
  }

  private static CqlGrammar grammar(LookaheadTokens tokens, StopAtFirstError errors) {
    CqlGrammar grammar = new CqlGrammar(tokens);
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
    return grammar;
  }

  private static Statement parseWithoutChecks(
      String text, boolean extensions, Consumer<String> classes) {
    LookaheadTokens tokens = new LookaheadTokens(new CqlLexer(text));
    StopAtFirstError errors = new StopAtFirstError();
    CqlGrammar grammar = grammar(tokens, errors);
    try {
      Statement statement = extensions ? extended(grammar, tokens) : grammar.query().value;
      checkClasses(grammar, classes);
      return statement;
    } catch (CqlSyntaxException e) {
      if (e.code() == CqlSyntaxException.Code.SYNTAX) {
        checkClasses(grammar, classes);
      }
      throw e;
    } catch (RecognitionException e) {
      checkClasses(grammar, classes);
      tokens.fetchAsFarAsTheReference();
      throw described(grammar, new SyntaxErrors(text, tokens), e, errors.index());
    }
  }

  private static Statement extended(CqlGrammar grammar, LookaheadTokens tokens) {
    if (tokens.startExplain()) {
      return grammar.explainQuery().value;
    }
    return tokens.startTableCopy() ? grammar.tableCopyQuery().value : grammar.query().value;
  }

  private static void checkClasses(GrammarActions grammar, Consumer<String> classes) {
    grammar.customTypes().forEach(type -> classes.accept(type.className()));
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
