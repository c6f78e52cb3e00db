package io.helenus.server.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.cql.parser.CqlParser;
import io.helenus.server.functions.FunctionNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The table of statements, types and functions in docs/compatibility.md is that of the scripts.
 * {@code -Dcompatibility.table=write} updates it.
 */
class CompatibilityTableTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath();
  private static final Path PAGE = ROOT.resolve(Path.of("docs", "compatibility.md"));
  private static final Path GRAMMAR =
      ROOT.resolve(Path.of("cql-grammar/src/test/resources/io/helenus/cql/parser/accepted.txt"));
  private static final String BEGIN = "<!-- written by CompatibilityTableTest -->";
  private static final String END = "<!-- end of the table -->";

  /** What differs, with reasons in the sections above the table. */
  private static final Map<String, String> DIFFERENCES =
      Map.of(
          "CREATE TABLE", "CDC is refused",
          "CREATE TRIGGER", "no class can be loaded",
          "min", "of `timeuuid` has that type",
          "max", "of `timeuuid` has that type");

  @Test
  void theTableIsThatOfTheScripts() throws IOException {
    CompatibilityTable table = new CompatibilityTable(statements(), FunctionNames.all());
    for (Script script : Script.readAll(ScriptTest.folder())) {
      script.statements().forEach(table::add);
    }
    List<String> page = Files.readAllLines(PAGE);
    assertTrue(page.contains(BEGIN) && page.contains(END), "the page lacks " + BEGIN);
    List<String> updated = new ArrayList<>(page.subList(0, page.indexOf(BEGIN) + 1));
    updated.add("");
    updated.addAll(table.lines(DIFFERENCES));
    updated.addAll(page.subList(page.indexOf(END), page.size()));
    if ("write".equals(System.getProperty("compatibility.table"))) {
      Files.write(PAGE, updated);
    }
    assertEquals(String.join("\n", updated), String.join("\n", Files.readAllLines(PAGE)));
  }

  /** The kinds of the statements that Cassandra's parser was seen to accept. */
  private static Set<String> statements() throws IOException {
    Set<String> kinds = new TreeSet<>();
    for (String line : Files.readAllLines(GRAMMAR)) {
      kinds.add(CqlParser.parse(Literal.unescape(line)).feature());
    }
    return kinds;
  }
}
