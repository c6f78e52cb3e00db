package io.helenus.server.process;

import io.helenus.server.client.Response;
import io.helenus.server.ring.ConsistencyLevel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * The answers to {@link LevelCases}. As text, a section names what nodes do; in it, cases that are
 * answered alike share a block, and in it levels that are: {@code $} stands for the level.
 * Different answers to the same request are separated by {@code or }.
 */
final class LevelAnswers {
  /** Of writes, of reads, and that of conditional writes whose outcome is unknown. */
  private static final Set<Integer> TIMEOUTS = Set.of(0x1100, 0x1200, 0x1700);

  private static final String OR = "  or  ";
  private static final String OF_LEVELS = ": ";
  private static final String OF_CASES = ", ";

  /** What a request is, with the section it belongs to. */
  record Key(String section, String name, ConsistencyLevel level) {
    @Override
    public String toString() {
      return section + " / " + name + " / " + level;
    }
  }

  private final Map<Key, List<String>> all = new LinkedHashMap<>();

  /** Different answers to one request that is sent several times. */
  static final class Texts {
    private static final int NO_TIMEOUT = Integer.MAX_VALUE;

    private final Set<String> texts = new TreeSet<>();
    private int progress = -1;

    /** Adds one; of timeouts those stay that have the most replies, if there is nothing else. */
    void add(Response answer, ConsistencyLevel level, LevelsCluster cluster) {
      int reached = progress(answer);
      if (reached > progress) {
        texts.clear();
        progress = reached;
      }
      if (reached == progress) {
        texts.add(text(answer, level, cluster::hideAddresses));
      }
    }

    private static int progress(Response answer) {
      boolean timeout =
          answer instanceof Response.Failure failure && TIMEOUTS.contains(failure.code());
      return timeout ? (int) ((Response.Failure) answer).fields().get("received") : NO_TIMEOUT;
    }

    boolean haveTimedOut() {
      return progress != NO_TIMEOUT;
    }

    List<String> all() {
      return List.copyOf(texts);
    }
  }

  void add(String section, String name, ConsistencyLevel level, List<String> texts) {
    all.put(new Key(section, name, level), texts.stream().sorted().toList());
  }

  Map<Key, List<String>> all() {
    return all;
  }

  /** The answers to the same request at another level. */
  List<String> at(Key key, ConsistencyLevel level) {
    return named(key, key.name(), level);
  }

  /** The answers to another request of the same section. */
  List<String> named(Key key, String name, ConsistencyLevel level) {
    Key other = new Key(key.section(), name, level);
    List<String> texts = all.get(other);
    if (texts == null) {
      throw new AssertionError("not recorded: " + other);
    }
    return texts;
  }

  // ---- text of one answer

  /** A response as text, without its warnings. */
  static String text(Response response, ConsistencyLevel level, UnaryOperator<String> hidden) {
    return switch (response) {
      case Response.Rows rows -> rows.rows().size() + " rows";
      case Response.Failure failure -> failure(failure, level, hidden);
      case Response.Done _ -> "done";
      default -> throw new AssertionError(response.toString());
    };
  }

  private static String failure(
      Response.Failure failure, ConsistencyLevel level, UnaryOperator<String> hidden) {
    StringBuilder text = new StringBuilder();
    text.append(name(failure.code()));
    failure
        .fields()
        .forEach(
            (field, value) -> {
              String shown = value.toString();
              if (field.equals("cl")) {
                shown = String.valueOf(ConsistencyLevel.ofCode((int) value));
                shown = shown.equals(level.name()) ? "$" : shown;
              } else if (value instanceof Map<?, ?> reasons) {
                Map<String, Object> sorted = new TreeMap<>();
                reasons.forEach((node, reason) -> sorted.put(hidden.apply("" + node), reason));
                shown = sorted.toString();
              }
              text.append(' ').append(field).append(' ').append(shown);
            });
    text.append(" \"")
        .append(hidden.apply(failure.message()).replaceAll("\\b" + level + "\\b", "\\$"))
        .append('"');
    return text.toString();
  }

  private static String name(int code) {
    return switch (code) {
      case 0x0000 -> "SERVER_ERROR";
      case 0x1000 -> "UNAVAILABLE";
      case 0x1001 -> "OVERLOADED";
      case 0x1100 -> "WRITE_TIMEOUT";
      case 0x1200 -> "READ_TIMEOUT";
      case 0x1300 -> "READ_FAILURE";
      case 0x1500 -> "WRITE_FAILURE";
      case 0x2200 -> "INVALID";
      default -> Integer.toHexString(code);
    };
  }

  // ---- text of all

  /** All of them as lines. */
  List<String> lines() {
    Map<String, Map<String, Map<String, List<String>>>> sections = new LinkedHashMap<>();
    all.forEach(
        (key, texts) ->
            sections
                .computeIfAbsent(key.section(), section -> new LinkedHashMap<>())
                .computeIfAbsent(key.name(), name -> new LinkedHashMap<>())
                .computeIfAbsent(String.join(OR, texts), text -> new ArrayList<>())
                .add(key.level().name()));
    List<String> lines = new ArrayList<>();
    sections.forEach((section, cases) -> addSection(section, cases, lines));
    return lines;
  }

  private static void addSection(
      String section, Map<String, Map<String, List<String>>> cases, List<String> lines) {
    lines.add("");
    lines.add("## " + section);
    Map<Map<String, List<String>>, List<String>> alike = new LinkedHashMap<>();
    cases.forEach(
        (name, answers) -> alike.computeIfAbsent(answers, same -> new ArrayList<>()).add(name));
    alike.forEach(
        (answers, names) -> {
          lines.add(String.join(OF_CASES, names));
          answers.forEach(
              (text, levels) -> lines.add("  " + String.join(" ", levels) + OF_LEVELS + text));
        });
  }

  /** Parses what {@link #lines} returns; lines that begin with one # are comments. */
  static LevelAnswers parse(List<String> lines) {
    LevelAnswers parsed = new LevelAnswers();
    String section = "";
    List<String> names = List.of();
    for (String line : lines) {
      if (line.startsWith("## ")) {
        section = line.substring(3);
      } else if (line.startsWith("  ")) {
        int end = line.indexOf(OF_LEVELS);
        List<String> texts = List.of(line.substring(end + OF_LEVELS.length()).split(OR));
        for (String level : line.substring(2, end).split(" ")) {
          for (String name : names) {
            parsed.add(section, name, ConsistencyLevel.valueOf(level), texts);
          }
        }
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        names = List.of(line.split(OF_CASES));
      }
    }
    return parsed;
  }
}
