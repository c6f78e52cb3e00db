package io.helenus.server.modelling;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Changes the text of SELECTs, in which literals and comments are left alone. Stateless. */
final class QueryText {
  private static final Pattern OPAQUE =
      Pattern.compile(
          "'(?:[^']|'')*'|\\$\\$.*?\\$\\$|--[^\\n]*|//[^\\n]*|/\\*.*?\\*/", Pattern.DOTALL);
  private static final String NAME = "(?:\"(?:[^\"]|\"\")+\"|\\w+)";
  private static final Pattern FROM =
      Pattern.compile("(?i)\\bFROM\\s+(" + NAME + "(?:\\s*\\.\\s*" + NAME + ")?)");
  private static final Pattern FILTERING = Pattern.compile("(?i)\\s*\\bALLOW\\s+FILTERING\\b");
  private static final Pattern AFTER_WHERE =
      Pattern.compile(
          "(?i)\\s*(?:\\b(?:GROUP|ORDER)\\s+BY\\b|\\bPER\\s+PARTITION\\b|\\bLIMIT\\b|$)");
  private static final Pattern LITERAL =
      Pattern.compile(
          "'(?:[^']|'')*'|(?<![\\w\"])(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
              + "|0[xX][0-9a-fA-F]+|-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)(?![\\w\"])");
  private static final Pattern SPACE = Pattern.compile("\\s+");

  private QueryText() {}

  /** The text with blanks in place of literals and comments. */
  private static String masked(String text) {
    StringBuilder masked = new StringBuilder(text);
    Matcher opaque = OPAQUE.matcher(text);
    while (opaque.find()) {
      for (int i = opaque.start(); i < opaque.end(); i++) {
        masked.setCharAt(i, '_');
      }
    }
    return masked.toString();
  }

  /** A SELECT from another table. */
  static String from(String text, String table) {
    Matcher from = FROM.matcher(masked(text));
    return from.find()
        ? text.substring(0, from.start(1)) + table + text.substring(from.end(1))
        : text;
  }

  /** A SELECT without ALLOW FILTERING. */
  static String withoutFiltering(String text) {
    Matcher filtering = FILTERING.matcher(masked(text));
    return filtering.find()
        ? text.substring(0, filtering.start()) + text.substring(filtering.end())
        : text;
  }

  /** A SELECT that has a WHERE clause, with another relation. */
  static String and(String text, String relation) {
    Matcher end = AFTER_WHERE.matcher(masked(text));
    int where = masked(text).toUpperCase(Locale.ROOT).indexOf("WHERE");
    return end.find(Math.max(0, where))
        ? text.substring(0, end.start()) + " AND " + relation + text.substring(end.start())
        : text;
  }

  /** In one line. */
  static String oneLine(String text) {
    return SPACE.matcher(text).replaceAll(" ").strip();
  }

  /** With markers in place of values: what executions of one statement have in common. */
  static String withoutValues(String text) {
    return LITERAL.matcher(oneLine(text)).replaceAll("?");
  }
}
