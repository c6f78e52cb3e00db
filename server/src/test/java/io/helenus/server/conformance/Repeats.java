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
  private static final Pattern RUN = Pattern.compile("(..??)\\1{" + (SHORTEST_RUN - 1) + ",}");

  private Repeats() {}

  /** Expands the repeats. */
  static String expand(String text) {
    return WRITTEN
        .matcher(text)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(match.group(1).repeat(Integer.parseInt(match.group(2)))));
  }

  /** Abbreviates long runs. */
  static String contract(String text) {
    return RUN.matcher(text)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    "{"
                        + match.group(1)
                        + "*"
                        + match.group().length() / match.group(1).length()
                        + "}"));
  }
}
