package io.helenus.server.schema;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an index does to texts before it compares them. Immutable; any thread.
 *
 * @param lowerCase {@code case_sensitive} is false
 * @param normalize to Unicode's composed form
 * @param ascii whether characters are replaced by similar ones of ASCII
 */
record TextAnalysis(boolean lowerCase, boolean normalize, boolean ascii) {
  /** Returns the analysis that the options of an index ask for; null for none. */
  static @Nullable TextAnalysis of(Map<String, String> options) {
    TextAnalysis analysis =
        new TextAnalysis(
            !isTrue(options, "case_sensitive", true),
            isTrue(options, "normalize", false),
            isTrue(options, "ascii", false));
    return analysis.lowerCase || analysis.normalize || analysis.ascii ? analysis : null;
  }

  private static boolean isTrue(Map<String, String> options, String option, boolean otherwise) {
    String value = options.get(option);
    return value == null || value.isEmpty() ? otherwise : Boolean.parseBoolean(value.strip());
  }

  String apply(String text) {
    String analyzed = lowerCase ? text.toLowerCase(Locale.ROOT) : text;
    if (normalize) {
      analyzed = Normalizer.normalize(analyzed, Normalizer.Form.NFC);
    }
    return ascii ? AsciiFolding.fold(analyzed) : analyzed;
  }
}
