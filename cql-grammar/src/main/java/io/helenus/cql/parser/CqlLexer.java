package io.helenus.cql.parser;

import java.util.Locale;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.CommonTokenFactory;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenFactory;
import org.antlr.v4.runtime.TokenSource;
import org.jspecify.annotations.Nullable;

/**
 * Splits text into tokens on demand. Whitespace and comments are tokens on a hidden channel,
 * because the snippets in error messages count them.
 *
 * <p>It is handwritten for two reasons: it has no tables to load at start-up, and it fails exactly
 * where the generated lexer of the reference, Apache Cassandra, does. The latter looks ahead only
 * as far as needed to decide on a token and then commits to it: after eight hexadecimal digits and
 * a dash it requires a UUID, after {@code -n} it requires {@code -nan}. Neither lexer backtracks to
 * a shorter token.
 */
final class CqlLexer implements TokenSource {
  private static final int HIDDEN = Token.HIDDEN_CHANNEL;
  private static final int UUID_LENGTH = 36;

  /** Bounds the lookahead of a parser decision and the nesting depth of a statement. */
  private static final int MAX_OPEN_BRACKETS = 128;

  private final String source;
  private final NumberScanner numbers;
  private final DurationScanner durations;
  private int position;
  private int openBrackets;
  private int line = 1;
  private int lineStart;

  CqlLexer(String source) {
    this.source = source;
    this.numbers = new NumberScanner(this);
    this.durations = new DurationScanner(this);
  }

  /** Whether all tokens but the one for the end have been produced. */
  boolean atEnd() {
    return position >= source.length();
  }

  @Override
  public Token nextToken() {
    int start = position;
    if (start >= source.length()) {
      return new CqlToken(this, Token.EOF, Token.DEFAULT_CHANNEL, start, start, 0, -1, null);
    }
    char c = source.charAt(start);
    if (isLetter(c)) {
      return word(start, c);
    }
    if (isDigit(c)) {
      return token(numbers.type(start), start, numbers.end());
    }
    return switch (c) {
      case ' ', '\t', '\n', '\r' -> blanks(start);
      case '\'' -> string(start);
      case '"' -> quotedName(start);
      case '$' -> dollarString(start);
      case '-' -> dash(start);
      case '/' -> slash(start);
      default -> symbol(start, c);
    };
  }

  // ------------------------------------------------------------------------------------------------------------------ symbols

  private Token symbol(int start, char c) {
    boolean equals = at(start + 1) == '=';
    return switch (c) {
      case '(' -> opening(CqlGrammar.PARENTHESIS, start);
      case ')' -> closing(CqlGrammar.CLOSING_PARENTHESIS, start);
      case '[' -> opening(CqlGrammar.BRACKET, start);
      case ']' -> closing(CqlGrammar.CLOSING_BRACKET, start);
      case '{' -> opening(CqlGrammar.BRACE, start);
      case '}' -> closing(CqlGrammar.CLOSING_BRACE, start);
      case ',' -> token(CqlGrammar.COMMA, start, start + 1);
      case ':' -> token(CqlGrammar.COLON, start, start + 1);
      case ';' -> token(CqlGrammar.SEMICOLON, start, start + 1);
      case '*' -> token(CqlGrammar.ASTERISK, start, start + 1);
      case '%' -> token(CqlGrammar.PERCENT, start, start + 1);
      case '?' -> token(CqlGrammar.QMARK, start, start + 1);
      case '=' -> token(CqlGrammar.EQUALS, start, start + 1);
      case '.' ->
          at(start + 1) == '.'
              ? token(CqlGrammar.RANGE, start, start + 2)
              : token(CqlGrammar.DOT, start, start + 1);
      case '+' ->
          equals
              ? token(CqlGrammar.PLUS_EQUALS, start, start + 2)
              : token(CqlGrammar.PLUS, start, start + 1);
      case '<' ->
          equals
              ? token(CqlGrammar.LESS_EQUALS, start, start + 2)
              : token(CqlGrammar.LESS, start, start + 1);
      case '>' ->
          equals
              ? token(CqlGrammar.GREATER_EQUALS, start, start + 2)
              : token(CqlGrammar.GREATER, start, start + 1);
      case '!' -> {
        expect(start + 1, '=');
        yield token(CqlGrammar.NOT_EQUALS, start, start + 2);
      }
      default -> throw noViable(start);
    };
  }

  private Token opening(int type, int start) {
    if (++openBrackets > MAX_OPEN_BRACKETS) {
      throw error(start, "the statement is nested too deeply at character " + shown(start));
    }
    return token(type, start, start + 1);
  }

  private Token closing(int type, int start) {
    openBrackets--;
    return token(type, start, start + 1);
  }

  private Token dash(int start) {
    return switch (at(start + 1)) {
      case '-' -> lineComment(start);
      case '=' -> token(CqlGrammar.MINUS_EQUALS, start, start + 2);
      case 'n', 'N' -> signedWord(CqlGrammar.K_NEGATIVE_NAN, start, "nan");
      case 'i', 'I' -> signedWord(CqlGrammar.K_NEGATIVE_INFINITY, start, "infinity");
      case 'P' -> token(CqlGrammar.DURATION, start, durations.signedDurationEnd(start + 1));
      default -> {
        if (isDigit(at(start + 1))) {
          yield token(numbers.type(start), start, numbers.end());
        }
        yield token(CqlGrammar.MINUS, start, start + 1);
      }
    };
  }

  private Token signedWord(int type, int start, String word) {
    for (int i = 0; i < word.length(); i++) {
      if (Character.toLowerCase(at(start + 1 + i)) != word.charAt(i)) {
        throw mismatchedSet(start + 1 + i);
      }
    }
    return token(type, start, start + 1 + word.length());
  }

  // ------------------------------------------------------------------------------------------------------- blanks and comments

  private Token blanks(int start) {
    int end = start + 1;
    while (isBlank(at(end))) {
      end++;
    }
    return tokenOverLines(CqlGrammar.WS, HIDDEN, start, end, null);
  }

  private Token slash(int start) {
    return switch (at(start + 1)) {
      case '/' -> lineComment(start);
      case '*' -> {
        int end = source.indexOf("*/", start + 2);
        if (end < 0) {
          boolean oneStar = source.endsWith("*") && source.length() > start + 2;
          throw mismatched(source.length(), oneStar ? '/' : '*');
        }
        yield tokenOverLines(CqlGrammar.MULTILINE_COMMENT, HIDDEN, start, end + 2, null);
      }
      default -> token(CqlGrammar.SLASH, start, start + 1);
    };
  }

  /**
   * A comment including the end of its line: a comment at the end of the text without a line end is
   * an error, as in the reference.
   */
  private Token lineComment(int start) {
    int end = start + 2;
    while (end < source.length() && source.charAt(end) != '\n' && source.charAt(end) != '\r') {
      end++;
    }
    if (end >= source.length()) {
      throw mismatchedSet(end);
    }
    return tokenOverLines(CqlGrammar.COMMENT, HIDDEN, start, end + 1, null);
  }

  // ------------------------------------------------------------------------------------------------------------------- strings

  private Token string(int start) {
    int close = closingQuote(start, '\'');
    if (close < 0) {
      throw mismatched(source.length(), '\'');
    }
    return tokenOverLines(
        CqlGrammar.STRING_LITERAL,
        Token.DEFAULT_CHANNEL,
        start,
        close + 1,
        unescaped(start + 1, close, "'"));
  }

  private Token quotedName(int start) {
    if (at(start + 1) == '"' && at(start + 2) != '"') {
      return token(CqlGrammar.EMPTY_QUOTED_NAME, start, start + 2);
    }
    int close = closingQuote(start, '"');
    if (close < 0) {
      throw start + 1 >= source.length()
          ? noViable(source.length())
          : mismatched(source.length(), '"');
    }
    return tokenOverLines(
        CqlGrammar.QUOTED_NAME,
        Token.DEFAULT_CHANNEL,
        start,
        close + 1,
        unescaped(start + 1, close, "\""));
  }

  /** The offset of the first quote that is not doubled; -1 if there is none. */
  private int closingQuote(int start, char quote) {
    int close = source.indexOf(quote, start + 1);
    while (close >= 0 && at(close + 1) == quote) {
      close = source.indexOf(quote, close + 2);
    }
    return close;
  }

  private String unescaped(int start, int end, String quote) {
    String raw = source.substring(start, end);
    return raw.contains(quote) ? raw.replace(quote + quote, quote) : raw;
  }

  private Token dollarString(int start) {
    expect(start + 1, '$');
    int close = source.indexOf("$$", start + 2);
    if (close < 0) {
      // The reference stops one character before the end and requires a dollar sign there.
      boolean oneDollar = source.endsWith("$") && source.length() > start + 2;
      throw mismatched(oneDollar ? source.length() : Math.max(start + 2, source.length() - 1), '$');
    }
    return tokenOverLines(
        CqlGrammar.STRING_LITERAL,
        Token.DEFAULT_CHANNEL,
        start,
        close + 2,
        source.substring(start + 2, close));
  }

  // --------------------------------------------------------------------------------------------------------------------- words

  private Token word(int start, char first) {
    int end = start + 1;
    while (isWordPart(at(end))) {
      end++;
    }
    char next = at(end);
    if (next == '-') {
      if (end - start == 8 && isHexadecimal(start, end)) {
        return uuid(start);
      }
      if (first == 'P' && end - start == 5 && durations.isDateAndTime(start)) {
        return token(CqlGrammar.DURATION, start, durations.dateAndTimeEnd(start));
      }
    }
    if (next == '(' && end - start == 4 && source.startsWith("expr", start)) {
      return token(CqlGrammar.INDEX_EXPRESSION, start, end + 1);
    }
    if (first == 'P' && durations.isDuration(start, end)) {
      return token(CqlGrammar.DURATION, start, end);
    }
    String text = source.substring(start, end);
    int type = Keywords.typeOf(text.toLowerCase(Locale.ROOT));
    return token(type, Token.DEFAULT_CHANNEL, start, end, text);
  }

  /** A UUID whose first eight digits and dash have been scanned. */
  Token uuid(int start) {
    requireUuid(start);
    return token(CqlGrammar.UUID, start, start + UUID_LENGTH);
  }

  /** Fails unless a UUID begins at start; returns its end. */
  int requireUuid(int start) {
    for (int i = 0; i < UUID_LENGTH; i++) {
      if (i == 8 || i == 13 || i == 18 || i == 23) {
        expect(start + i, '-');
      } else if (!isHexadecimal(at(start + i))) {
        throw mismatchedSet(start + i);
      }
    }
    return start + UUID_LENGTH;
  }

  // ---------------------------------------------------------------------------------------------------------------- characters

  /** The character at an offset; 0 past the end. */
  char at(int offset) {
    return offset < source.length() ? source.charAt(offset) : 0;
  }

  boolean isHexadecimal(int start, int end) {
    for (int i = start; i < end; i++) {
      if (!isHexadecimal(at(i))) {
        return false;
      }
    }
    return true;
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  static boolean isHexadecimal(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isWordPart(char c) {
    return isLetter(c) || isDigit(c) || c == '_';
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }

  // ----------------------------------------------------------------------------------------------------------- tokens and errors

  private CqlToken token(int type, int start, int end) {
    return token(type, Token.DEFAULT_CHANNEL, start, end, null);
  }

  /** A token that may span lines. */
  private CqlToken tokenOverLines(
      int type, int channel, int start, int end, @Nullable String text) {
    CqlToken token = token(type, channel, start, end, text);
    for (int i = start; i < end; i++) {
      if (source.charAt(i) == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    return token;
  }

  private CqlToken token(int type, int channel, int start, int end, @Nullable String text) {
    CqlToken token = new CqlToken(this, type, channel, start, end, line, start - lineStart, text);
    position = end;
    return token;
  }

  private void expect(int offset, char expected) {
    if (at(offset) != expected) {
      throw mismatched(offset, expected);
    }
  }

  CqlSyntaxException noViable(int offset) {
    return error(offset, "no viable alternative at character " + shown(offset));
  }

  CqlSyntaxException nothingMatched(int offset) {
    return error(
        offset, "required (...)+ loop did not match anything at character " + shown(offset));
  }

  CqlSyntaxException mismatched(int offset, char expected) {
    return error(offset, "mismatched character " + shown(offset) + " expecting '" + expected + "'");
  }

  CqlSyntaxException mismatchedSet(int offset) {
    return error(offset, "mismatched character " + shown(offset) + " expecting set null");
  }

  private CqlSyntaxException error(int offset, String message) {
    int errorLine = line;
    int errorLineStart = lineStart;
    for (int i = position; i < offset && i < source.length(); i++) {
      if (source.charAt(i) == '\n') {
        errorLine++;
        errorLineStart = i + 1;
      }
    }
    return CqlSyntaxException.syntax(
        "line " + errorLine + ":" + (offset - errorLineStart) + " " + message);
  }

  private String shown(int offset) {
    if (offset >= source.length()) {
      return "'<EOF>'";
    }
    return switch (source.charAt(offset)) {
      case '\n' -> "'\\n'";
      case '\r' -> "'\\r'";
      case '\t' -> "'\\t'";
      default -> "'" + source.charAt(offset) + "'";
    };
  }

  /** The whole text. */
  String text() {
    return source;
  }

  /** A part of the text. */
  String text(int start, int end) {
    return source.substring(start, end);
  }

  // ------------------------------------------------------------------------------------------------------ rest of a token source

  @Override
  public int getLine() {
    return line;
  }

  @Override
  public int getCharPositionInLine() {
    return position - lineStart;
  }

  @Override
  public @Nullable CharStream getInputStream() {
    return null;
  }

  @Override
  public String getSourceName() {
    return "CQL";
  }

  @Override
  public void setTokenFactory(TokenFactory<?> factory) {
    throw new IllegalStateException("this lexer does not support a token factory");
  }

  @Override
  public TokenFactory<?> getTokenFactory() {
    return CommonTokenFactory.DEFAULT;
  }
}
