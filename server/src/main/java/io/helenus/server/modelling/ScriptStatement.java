package io.helenus.server.modelling;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A statement of a CQL script. Immutable.
 *
 * @param text without the semicolon, comments within it included
 * @param line the line on which it begins, from 1
 * @param comments the comments since the statement before it, without their marks
 */
public record ScriptStatement(String text, int line, List<String> comments) {
  /** Copies the list. */
  public ScriptStatement {
    comments = List.copyOf(comments);
  }

  /**
   * Splits a script at semicolons that are neither in a literal, a quoted name, a comment nor a
   * batch. Comments after the last statement belong to none.
   */
  public static List<ScriptStatement> split(String script) {
    return new Splitter(script).split();
  }

  /** One pass over a script. */
  private static final class Splitter {
    private static final String BEGIN = "BEGIN";
    private static final Pattern APPLY = Pattern.compile("(?i)\\bAPPLY\\s+BATCH\\s*$");

    private final String script;
    private final List<ScriptStatement> statements = new ArrayList<>();
    private final List<String> comments = new ArrayList<>();
    private int at;
    private int start = -1;
    private int line = 1;
    private int startLine;

    Splitter(String script) {
      this.script = script;
    }

    List<ScriptStatement> split() {
      while (at < script.length()) {
        char c = script.charAt(at);
        if (starts("--") || starts("//")) {
          comment(at + 2, indexOrEnd("\n", at), 0);
        } else if (starts("/*")) {
          comment(at + 2, indexOrEnd("*/", at + 2), 2);
        } else if (starts("$$")) {
          begin();
          skipTo(indexOrEnd("$$", at + 2) + 2);
        } else if (c == '\'' || c == '"') {
          begin();
          skipTo(indexOrEnd(String.valueOf(c), at + 1) + 1);
        } else if (c == ';' && inBatch()) {
          skipTo(at + 1);
        } else if (c == ';') {
          end();
          at++;
        } else {
          if (!Character.isWhitespace(c)) {
            begin();
          }
          skipTo(at + 1);
        }
      }
      end();
      return statements;
    }

    /**
     * Whether the statement is a batch that is not complete, whose statements end in semicolons.
     */
    private boolean inBatch() {
      return start >= 0
          && script.regionMatches(true, start, BEGIN, 0, BEGIN.length())
          && !APPLY.matcher(script.substring(start, at)).find();
    }

    private boolean starts(String mark) {
      return script.startsWith(mark, at);
    }

    private int indexOrEnd(String mark, int from) {
      int found = script.indexOf(mark, from);
      return found < 0 ? script.length() : found;
    }

    private void comment(int from, int to, int mark) {
      if (start < 0) {
        comments.add(script.substring(Math.min(from, to), to).strip());
      }
      skipTo(to + mark);
    }

    private void begin() {
      if (start < 0) {
        start = at;
        startLine = line;
      }
    }

    private void end() {
      if (start >= 0) {
        statements.add(
            new ScriptStatement(script.substring(start, at).strip(), startLine, comments));
        comments.clear();
        start = -1;
      }
    }

    private void skipTo(int next) {
      int end = Math.min(next, script.length());
      for (; at < end; at++) {
        if (script.charAt(at) == '\n') {
          line++;
        }
      }
    }
  }
}
