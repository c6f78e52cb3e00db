package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/** Dates: days as unsigned 32 bits, 2^31 being 1970-01-01. Stateless. */
final class Dates {
  private static final long EPOCH = 1L << 31;

  private Dates() {}

  static byte[] parseDate(String text) {
    return ByteBuffer.allocate(4).putInt((int) parseDays(text)).array();
  }

  private static long parseDays(String text) {
    if (isInteger(text)) {
      try {
        long days = Long.parseLong(text);
        if (days >= 0 && days <= 0xFFFF_FFFFL) {
          return days;
        }
      } catch (NumberFormatException e) {
        // reported below like any other invalid number
      }
      throw CqlException.invalid("Unable to make unsigned int (for date) from: '" + text + "'");
    }
    LocalDate date;
    try {
      date = LocalDate.parse(text, DateTimeFormatter.ISO_LOCAL_DATE);
    } catch (DateTimeParseException e) {
      throw CqlException.invalid("Unable to coerce '" + text + "' to a formatted date (long)");
    }
    long days = date.toEpochDay();
    if (days < -EPOCH) {
      throw CqlException.invalid(
          "Input date " + text + " is less than min supported date " + toText(0) + "T00:00Z");
    }
    if (days > EPOCH - 1) {
      throw CqlException.invalid(
          "Input date " + text + " is greater than max supported date " + toText(-1) + "T00:00Z");
    }
    return days + EPOCH;
  }

  /** Formats a wire value. */
  static String toText(int unsignedDays) {
    return LocalDate.ofEpochDay((unsignedDays & 0xFFFF_FFFFL) - EPOCH).toString();
  }

  /** Whether a text consists of digits with an optional minus sign. */
  static boolean isInteger(String text) {
    int start = text.startsWith("-") ? 1 : 0;
    if (start == text.length()) {
      return false;
    }
    for (int i = start; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }
}
