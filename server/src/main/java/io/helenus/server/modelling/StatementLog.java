package io.helenus.server.modelling;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The statements of a log: those that the server's log names as slow, as Cassandra's does, or a
 * script. Executions of one statement with several values are one. Stateless.
 */
final class StatementLog {
  private static final Pattern SLOW =
      Pattern.compile("<(.+)>,? (?:time \\d+ msec|was slow (\\d+) times)");

  private StatementLog() {}

  /**
   * A statement.
   *
   * @param text with markers in place of values
   * @param line of the first
   * @param times how often it was executed
   */
  record Entry(String text, int line, int times) {}

  /** Reads a log. */
  static List<Entry> read(String log) {
    Map<String, Entry> entries = new LinkedHashMap<>();
    int line = 0;
    for (String each : (Iterable<String>) log.lines()::iterator) {
      line++;
      Matcher slow = SLOW.matcher(each);
      if (slow.find()) {
        int times = slow.group(2) == null ? 1 : Integer.parseInt(slow.group(2));
        add(entries, slow.group(1), line, times);
      }
    }
    if (entries.isEmpty()) {
      for (ScriptStatement each : ScriptStatement.split(log)) {
        add(entries, each.text(), each.line(), 1);
      }
    }
    return new ArrayList<>(entries.values());
  }

  private static void add(Map<String, Entry> entries, String statement, int line, int times) {
    String text = QueryText.withoutValues(statement);
    entries.merge(
        text,
        new Entry(text, line, times),
        (old, more) -> new Entry(text, old.line(), old.times() + more.times()));
  }
}
