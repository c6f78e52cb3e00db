package io.helenus.server.schema;

import io.helenus.server.error.CqlException;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the {@code caching} option. Stateless. */
final class CachingOption {
  private static final String KEYS = "keys";
  private static final String ROWS = "rows_per_partition";

  private CachingOption() {}

  static SortedMap<String, String> resolve(Map<String, String> given) {
    // the same capacity as Cassandra's hash map, so that unknown options are listed in the same
    // order
    Map<String, String> rest = new HashMap<>((int) (given.size() / 0.75 + 1));
    rest.putAll(given);
    TreeMap<String, String> resolved = new TreeMap<>();
    resolved.put(KEYS, keys(rest.remove(KEYS) instanceof String text ? text : "NONE"));
    resolved.put(ROWS, rows(rest.remove(ROWS) instanceof String text ? text : "NONE"));
    if (!rest.isEmpty()) {
      throw CqlException.configuration(
          "Invalid caching sub-options "
              + rest.keySet()
              + ": only 'keys' and 'rows_per_partition' are allowed");
    }
    return resolved;
  }

  private static String keys(String text) {
    if (text.equalsIgnoreCase("ALL")) {
      return "ALL";
    }
    if (text.equalsIgnoreCase("NONE")) {
      return "NONE";
    }
    throw CqlException.configuration(
        "Invalid value '"
            + text
            + "' for caching sub-option 'keys': only 'ALL' and 'NONE' are allowed");
  }

  private static String rows(String text) {
    if (text.equalsIgnoreCase("ALL")) {
      return "ALL";
    }
    if (text.equalsIgnoreCase("NONE")) {
      return "NONE";
    }
    try {
      int rows = Integer.parseInt(text);
      if (rows >= 0 && !text.startsWith("+")) {
        return rows == 0 ? "NONE" : rows == Integer.MAX_VALUE ? "ALL" : Integer.toString(rows);
      }
    } catch (NumberFormatException e) {
      // Reported below with the text.
    }
    throw CqlException.configuration(
        "Invalid value '"
            + text
            + "' for caching sub-option 'rows_per_partition': only 'ALL', 'NONE', and integer"
            + " values are allowed");
  }
}
