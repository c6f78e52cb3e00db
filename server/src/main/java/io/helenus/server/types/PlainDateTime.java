package io.helenus.server.types;

import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Parses the most common form of a timestamp, {@code yyyy-MM-dd[( |T)HH:mm[:ss[.SSS]]]} without a
 * zone, avoiding the formats of {@link Timestamps}, which are slow to initialize. Accepts only days
 * that exist in every month; {@link Timestamps} parses everything else. Stateless.
 */
final class PlainDateTime {
  private static final String SHAPE = "dddd-dd-ddTdd:dd:dd.ddd";

  private PlainDateTime() {}

  /** Returns the date and time; null if the text is not in this form. */
  static @Nullable LocalDateTime parse(String text) {
    int length = text.length();
    boolean possible = length == 10 || length == 16 || length == 19 || length == SHAPE.length();
    for (int i = 0; possible && i < length; i++) {
      char c = text.charAt(i);
      possible =
          switch (SHAPE.charAt(i)) {
            case 'd' -> c >= '0' && c <= '9';
            case 'T' -> c == 'T' || c == ' ';
            default -> c == SHAPE.charAt(i);
          };
    }
    if (!possible) {
      return null;
    }
    int year = number(text, 0, 4);
    int month = number(text, 5, 7);
    int day = number(text, 8, 10);
    int hour = length > 10 ? number(text, 11, 13) : 0;
    int minute = length > 10 ? number(text, 14, 16) : 0;
    int second = length > 16 ? number(text, 17, 19) : 0;
    int millis = length > 19 ? number(text, 20, 23) : 0;
    boolean everyMonthHasIt = month >= 1 && month <= 12 && day >= 1 && day <= 28;
    return everyMonthHasIt && year > 0 && hour < 24 && minute < 60 && second < 60
        ? LocalDateTime.of(year, month, day, hour, minute, second, millis * 1_000_000)
        : null;
  }

  private static int number(String text, int start, int end) {
    return Integer.parseInt(text, start, end, 10);
  }
}
