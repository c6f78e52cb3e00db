package io.helenus.server.differential;

import io.helenus.server.conformance.Comparison;
import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Tells whether two answers differ only in a text that Cassandra does not always give in the same
 * way, as docs/compatibility.md says.
 *
 * @param text the statement
 * @param reference the expected answer
 * @param subject the answer of the server under test
 */
record VaryingText(String text, List<String> reference, List<String> subject) {
  private static final Pattern LOG10 = Pattern.compile("(?i)\\blog10\\s*\\(");
  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\w.])-?\\d+(?:\\.\\d+)?(?:E[+-]?\\d+)?(?![\\w.])");
  private static final Pattern LIST_IN_JSON = Pattern.compile("(?is)^\\s*select\\b.*json\\b.*\\[");
  private static final Pattern EMPTY_TEXT = Pattern.compile("(?<=[\\[ ])\"\"(?=[\\],])");
  private static final Pattern CAST_EXCEPTION =
      Pattern.compile(
          "(?<= representation: )class java\\.\\w+\\.\\w+ cannot be cast to class"
              + " java\\.lang\\.String \\([^()]* of loader 'bootstrap'\\)");

  boolean isAllowed() {
    String expected = Difference.plain(Comparison.essence(reference));
    String actual = Difference.plain(Comparison.essence(subject));
    return isScaleOfLogarithm(expected, actual)
        || isUnnamedException(expected, actual)
        || isNullInJson(expected, actual);
  }

  /** Whether nulls in a list of a select list are empty texts in JSON, as they depend on types. */
  private boolean isNullInJson(String expected, String actual) {
    return LIST_IN_JSON.matcher(text).find()
        && !expected.equals(actual)
        && EMPTY_TEXT.matcher(expected).replaceAll("null").equals(actual);
  }

  /** Whether only the trailing zeros of decimals differ, which depend on earlier logarithms. */
  private boolean isScaleOfLogarithm(String expected, String actual) {
    return LOG10.matcher(text).find() && unscaled(expected).equals(unscaled(actual));
  }

  private static String unscaled(String answer) {
    return NUMBER
        .matcher(answer)
        .replaceAll(number -> new BigDecimal(number.group()).stripTrailingZeros().toString());
  }

  /** Whether the text of Java's exception is missing, as it is once the code is compiled. */
  private static boolean isUnnamedException(String expected, String actual) {
    return CAST_EXCEPTION.matcher(actual).find()
        && CAST_EXCEPTION.matcher(actual).replaceAll("null").equals(expected);
  }
}
