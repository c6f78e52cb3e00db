package io.helenus.server.query.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The trees of many statements, over the wire. {@code -Dexplain.record=true} writes the answers
 * into the script instead of comparing them.
 */
class ExplainTreesTest {
  private static final Path SCRIPT = Path.of("src", "test", "resources", "explain", "trees.cql");
  private static final Map<String, String> SETTINGS =
      Map.of("cql_extensions", "true", "schema_advice", "on", "materialized_views_enabled", "true");
  private static final Pattern NUMBER = Pattern.compile("(\\d+) (row|block)s?\\b");

  private static final Pattern CREATED =
      Pattern.compile("CREATE (TABLE|MATERIALIZED VIEW) (shop\\.\\w+)");

  @TempDir Path folder;

  @Test
  void theTreesAreAsRecorded() throws IOException {
    List<String> recorded = Files.readAllLines(SCRIPT);
    try (ExplainScript script = new ExplainScript(folder, SETTINGS)) {
      List<String> lines = script.run(recorded);
      if (Boolean.getBoolean("explain.record")) {
        Files.write(SCRIPT, lines);
      } else {
        assertEquals(String.join("\n", recorded), String.join("\n", lines));
      }
    }
  }

  /** Estimates of rows and blocks are within twice of what was measured. */
  @Test
  void recordedEstimatesAreWithinTwice() throws IOException {
    List<String> wrong = new ArrayList<>();
    String statement = "";
    int analyzed = 0;
    for (String line : Files.readAllLines(SCRIPT)) {
      if (!line.startsWith(">")) {
        statement = line;
        analyzed += line.startsWith("EXPLAIN ANALYZE") ? 1 : 0;
      } else if (statement.startsWith("EXPLAIN ANALYZE")) {
        String[] columns = line.split("\\|", -1);
        if (columns.length == 4 && !isWithinTwice(columns[2], columns[3])) {
          wrong.add(statement + "\n" + line);
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(analyzed >= 10, analyzed + " statements");
  }

  /** What is proposed for a refused statement can be created, and serves the statement. */
  @Test
  void whatIsProposedServes() throws IOException {
    List<String> lines = Files.readAllLines(SCRIPT);
    int proposals = 0;
    try (ExplainScript script = new ExplainScript(folder, SETTINGS)) {
      script.run(lines.stream().filter(line -> line.startsWith("@write")).toList());
      String statement = "";
      for (String line : lines) {
        if (line.startsWith("EXPLAIN SELECT")) {
          statement = line.substring("EXPLAIN ".length());
        } else if (line.startsWith(">   served by | CREATE") && !statement.isEmpty()) {
          proposals++;
          String proposed = line.substring(line.indexOf("CREATE"), line.lastIndexOf(';'));
          check(statement, proposed, script);
        }
      }
    }
    assertTrue(proposals >= 30, proposals + " proposals");
  }

  private static void check(String statement, String proposed, ExplainScript script) {
    List<String> created = script.answer(proposed);
    assertEquals("> done", created.getFirst(), proposed);
    assertFalse(
        created.stream().anyMatch(line -> line.startsWith("~ low-cardinality-partition-key")),
        created::toString);
    String select = statement;
    String drop = "DROP INDEX shop." + statement.replaceFirst(".* FROM (\\w+) .*", "$1") + "_";
    Matcher definition = CREATED.matcher(proposed);
    if (definition.find()) {
      String name = definition.group(2);
      select = statement.replaceFirst(" FROM \\w+", " FROM " + name);
      drop = "DROP " + definition.group(1) + " " + name;
    } else {
      drop += proposed.replaceFirst(".*\\((\\w+)\\).*", "$1") + "_idx";
    }
    // the values of a bucket or an element are for the reader to choose
    if (!proposed.contains("bucket")
        && !proposed.contains("_day")
        && !proposed.contains("_element")) {
      assertEquals(
          List.of(),
          script.answer(select).stream().filter(line -> line.startsWith("!")).toList(),
          proposed + "\n" + select);
    }
    assertEquals(List.of("> done"), script.answer(drop), drop);
  }

  /** A prepared EXPLAIN describes the markers of its statement, and takes their values. */
  @Test
  void itCanBePrepared() throws IOException {
    try (ExplainScript script = new ExplainScript(folder, SETTINGS)) {
      script.run(
          List.of(
              "@write CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy',"
                  + " 'replication_factor': 1}",
              "@write CREATE TABLE k.t (a int PRIMARY KEY, b int)",
              "@write INSERT INTO k.t (a, b) VALUES (1, 2)"));
      List<String> lines = script.prepared("EXPLAIN ANALYZE SELECT b FROM k.t WHERE a = ?", 1);
      assertEquals(
          "> select | k.t | | 1 row, some time",
          lines.getFirst().replaceFirst(" \\| 1 row \\|", " | |"));
      assertTrue(
          lines
              .get(1)
              .startsWith(">   partition | a = ?: one partition, token -4069959284402364209"),
          lines::toString);
    }
  }

  /** Off, it is a mistake of syntax as in Cassandra. */
  @Test
  void withoutExtensionsItIsUnknown() throws IOException {
    try (ExplainScript script = new ExplainScript(folder, Map.of("cql_extensions", "false"))) {
      assertEquals(
          List.of("! 2000 line 1:0 no viable alternative at input 'EXPLAIN' ([EXPLAIN]...)"),
          script.answer("EXPLAIN SELECT * FROM system.local"));
    }
  }

  private static boolean isWithinTwice(String estimate, String actual) {
    Matcher measured = NUMBER.matcher(actual);
    while (measured.find()) {
      Matcher estimated = NUMBER.matcher(estimate);
      while (estimated.find()) {
        long a = Math.max(1, Long.parseLong(estimated.group(1)));
        long b = Math.max(1, Long.parseLong(measured.group(1)));
        if (estimated.group(2).equals(measured.group(2)) && (a > 2 * b || b > 2 * a)) {
          return false;
        }
      }
    }
    return true;
  }
}
