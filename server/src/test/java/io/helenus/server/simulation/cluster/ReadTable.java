package io.helenus.server.simulation.cluster;

import io.helenus.storage.env.sim.SimRandomness;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Supplier;

/** The tables of a {@link DivergedRun}. A column of the same name has the same type in all. */
enum ReadTable {
  /** Everything that a row may have, without indexes. */
  WIDE(List.of("p"), List.of("c", "d"), List.of("s", "sm"), Columns.ALL, List.of()),

  /** The same with legacy indexes. */
  LEGACY(
      List.of("p"),
      List.of("c", "d"),
      List.of("s", "sm"),
      Columns.ALL,
      List.of("(v)", "(s)", "(d)", "(KEYS(m))", "(VALUES(st))", "(FULL(fl))")),

  /** The same with indexes of SAI. */
  SAI(
      List.of("p"),
      List.of("c", "d"),
      List.of("s", "sm"),
      Columns.ALL,
      List.of(
          "(v) USING 'sai'",
          "(w) USING 'sai'",
          "(s) USING 'sai'",
          "(d) USING 'sai'",
          "(KEYS(m)) USING 'sai'",
          "(ENTRIES(m)) USING 'sai'",
          "(VALUES(st)) USING 'sai'")),

  /** One row in each partition, and a key of two columns, one of which has an index. */
  SINGLE(List.of("p", "q"), List.of(), List.of(), Columns.ALL, List.of("(q)", "(v)")),

  /** Descending rows. */
  DESCENDING(List.of("p"), List.of("c"), List.of("s"), List.of("v", "w", "m"), List.of());

  /** How many values a column of a partition key has. */
  static final int KEYS = 2;

  private static final class Columns {
    private static final List<String> ALL = List.of("v", "w", "m", "st", "l", "fl", "u", "fu");
  }

  final List<String> partitionKey;
  final List<String> clustering;
  final List<String> statics;
  final List<String> regulars;
  private final List<String> indexes;

  ReadTable(
      List<String> partitionKey,
      List<String> clustering,
      List<String> statics,
      List<String> regulars,
      List<String> indexes) {
    this.partitionKey = partitionKey;
    this.clustering = clustering;
    this.statics = statics;
    this.regulars = regulars;
    this.indexes = indexes;
  }

  /** The name for statements. */
  String cql() {
    return "r." + name().toLowerCase(java.util.Locale.ROOT);
  }

  /** The user-defined type of the tables. */
  static String type() {
    return "CREATE TYPE r.ut (a int, b text)";
  }

  /**
   * The statements that create it.
   *
   * @param graceSeconds how long deletions are kept where nothing else keeps them
   */
  List<String> definitions(int graceSeconds) {
    StringJoiner columns = new StringJoiner(", ");
    partitionKey.forEach(each -> columns.add(each + " " + typeOf(each)));
    clustering.forEach(each -> columns.add(each + " " + typeOf(each)));
    statics.forEach(each -> columns.add(each + " " + typeOf(each) + " static"));
    regulars.forEach(each -> columns.add(each + " " + typeOf(each)));
    StringJoiner key = new StringJoiner(", ");
    key.add("(" + String.join(", ", partitionKey) + ")");
    clustering.forEach(key::add);
    String order =
        switch (clustering.size()) {
          case 0 -> "";
          case 1 -> "CLUSTERING ORDER BY (c DESC) AND ";
          default -> "CLUSTERING ORDER BY (c ASC, d DESC) AND ";
        };
    List<String> all = new ArrayList<>();
    all.add(
        "CREATE TABLE %s (%s, PRIMARY KEY (%s)) WITH %sgc_grace_seconds = %d"
            .formatted(cql(), columns, key, order, graceSeconds));
    indexes.forEach(each -> all.add("CREATE INDEX ON " + cql() + " " + each));
    return all;
  }

  private static String typeOf(String column) {
    return switch (column) {
      case "q", "w" -> "text";
      case "m", "sm" -> "map<int, int>";
      case "st" -> "set<int>";
      case "l" -> "list<int>";
      case "fl" -> "frozen<list<int>>";
      case "u" -> "ut";
      case "fu" -> "frozen<ut>";
      default -> "int";
    };
  }

  /** Whether an index finds rows by a column. */
  boolean hasIndexOf(String column) {
    return indexes.stream().anyMatch(each -> each.matches("\\((\\w+\\()?" + column + "\\).*"));
  }

  /** A value of a column. */
  static String literal(SimRandomness choices, String column) {
    return switch (column) {
      case "p" -> number(choices, KEYS);
      case "q" -> choices.percent(50) ? "'a'" : "'b'";
      case "d" -> number(choices, 3);
      case "w" -> List.of("'x'", "'y'", "'zz'").get(choices.below(3));
      case "m", "sm" -> several(choices, "{", "}", () -> number(choices, 3) + ": " + any(choices));
      case "st" -> several(choices, "{", "}", () -> any(choices));
      case "l", "fl" -> several(choices, "[", "]", () -> any(choices));
      case "u", "fu" -> "{a: " + any(choices) + ", b: " + literal(choices, "w") + "}";
      default -> any(choices);
    };
  }

  /** A small number. */
  static String any(SimRandomness choices) {
    return number(choices, 4);
  }

  static String number(SimRandomness choices, int bound) {
    return Integer.toString(choices.below(bound));
  }

  private static String several(
      SimRandomness choices, String begin, String end, Supplier<String> element) {
    StringJoiner all = new StringJoiner(", ", begin, end);
    for (int i = choices.below(3); i >= 0; i--) {
      all.add(element.get());
    }
    return all.toString();
  }
}
