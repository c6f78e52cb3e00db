package io.helenus.cql.parser;

import org.antlr.v4.runtime.Token;

/**
 * The part of a statement that an error message shows, with the marked token in brackets: {@code
 * (...FROM t WHERE [x])}.
 */
final class Snippet {
  private final String[] lines;

  Snippet(String statement) {
    // A limit of 0 drops trailing empty lines, as the reference does.
    this.lines = statement.split("\n", 0);
  }

  /**
   * The text from one token to another, preceded by a space, with lines joined. A token's length is
   * that of its unescaped text, so that the closing bracket after a string comes too early, as in
   * the reference.
   *
   * @throws IndexOutOfBoundsException if the reference fails to make the snippet, as for a quoted
   *     name that spans two lines
   */
  String between(Token from, Token to, Token marked) {
    boolean fromStart = from.getLine() == 1 && from.getCharPositionInLine() == 0;
    boolean toEnd = to.getLine() == lines.length && end(to) == lines[lines.length - 1].length();
    int first = from.getLine() - 1;
    int last = to.getLine() - 1;
    int middle = marked.getLine() - 1;
    if (end(to) < lines[last].length()) {
      lines[last] = lines[last].substring(0, end(to));
    }
    lines[middle] =
        insert(insert(lines[middle], end(marked), ']'), marked.getCharPositionInLine(), '[');
    lines[first] = lines[first].substring(from.getCharPositionInLine());
    StringBuilder text = new StringBuilder(fromStart ? " (" : " (...");
    for (int i = first; i <= last; i++) {
      text.append(lines[i]);
    }
    return text.append(toEnd ? ")" : "...)").toString();
  }

  private static int end(Token token) {
    return token.getCharPositionInLine() + token.getText().length();
  }

  private static String insert(String line, int column, char c) {
    if (column > line.length()) {
      throw new StringIndexOutOfBoundsException(
          "begin 0, end " + column + ", length " + line.length());
    }
    return line.substring(0, column) + c + line.substring(column);
  }
}
