package io.helenus.server.conformance;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Abbreviates long values in scripts: <code>{ab*3}</code> stands for {@code ababab}. Stateless.
 *
 * <p>Statements may repeat any text without braces and asterisks. In answers, runs of one or two
 * characters are abbreviated from {@value #SHORTEST_RUN} repetitions on.
 */
final class Repeats {
  private static final int SHORTEST_RUN = 100;
  private static final Pattern WRITTEN = Pattern.compile("\\{([^{}*]+)\\*(\\d+)}");

  private Repeats() {}

  /** Expands the repeats. */
  static String expand(String text) {
    if (text.indexOf('*') < 0) {
      return text; // perhaps long, because it has been expanded
    }
    Matcher written = WRITTEN.matcher(text);
    StringBuilder expanded = new StringBuilder();
    int at = 0;
    while (written.find()) {
      expanded.append(text, at, written.start());
      expanded.repeat(written.group(1), Integer.parseInt(written.group(2)));
      at = written.end();
    }
    return at == 0 ? text : expanded.append(text, at, text.length()).toString();
  }

  /** Abbreviates long runs. */
  static String contract(String text) {
    StringBuilder contracted = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int unit = repeats(text, at, 1) >= SHORTEST_RUN ? 1 : 2;
      int count = repeats(text, at, unit);
      if (count >= SHORTEST_RUN) {
        contracted.append('{').append(text, at, at + unit).append('*').append(count).append('}');
        at += count * unit;
      } else {
        contracted.append(text.charAt(at));
        at++;
      }
    }
    return contracted.toString();
  }

  /** How often the characters at an offset, so many of them, follow one another. */
  private static int repeats(String text, int at, int unit) {
    int end = at + unit;
    while (end < text.length() && text.charAt(end) == text.charAt(end - unit)) {
      end++;
    }
    return (end - at) / unit;
  }
}
