package io.helenus.server.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
  private static final List<String> LINES =
      List.of(
          "# a remark",
          "",
          "@page 2",
          "SELECT *",
          "  FROM t",
          "> ks.t: k int",
          "> 1",
          "SELEC",
          "! 2000 line 1:0 no viable alternative at input 'SELEC' ([SELEC])");

  private static Script script(Path folder) throws Exception {
    return Script.read(Files.write(folder.resolve("topic.cql"), LINES));
  }

  @Test
  void theExpectedTokensOfASyntaxErrorMayDiffer(@TempDir Path folder) throws Exception {
    Comparison comparison =
        Comparison.of(
            script(folder),
            List.of(
                List.of("> ks.t: k int", "> 1"),
                List.of("! 2000 line 1:0 mismatched input 'SELEC' expecting {K_SELECT, K_USE}")));
    assertEquals(0, comparison.failed());
  }

  @Test
  void aSyntaxErrorsPositionAndTokenAreCompared() {
    String error = Comparison.essence("! 2000 line 1:0 mismatched input 'SELEC' expecting EOF");
    assertNotEquals(
        error, Comparison.essence("! 2000 line 1:1 no viable alternative at input 'SELEC'"));
    assertNotEquals(
        error, Comparison.essence("! 2000 line 1:0 no viable alternative at input 'SEL'"));
    assertNotEquals(
        error, Comparison.essence("! 2200 line 1:0 mismatched input 'SELEC' expecting EOF"));
  }

  @Test
  void aMismatchIsShownAsADiff(@TempDir Path folder) throws Exception {
    Comparison comparison =
        Comparison.of(
            script(folder), List.of(List.of("> ks.t: k int", "> 2"), List.of(LINES.getLast())));
    assertEquals(1, comparison.failed());
    assertTrue(comparison.report().contains("topic.cql:4"), comparison.report());
    assertTrue(comparison.report().contains("  - > 1\n  + > 2\n"), comparison.report());
  }

  @Test
  void writingTheSameAnswersChangesNothing(@TempDir Path folder) throws Exception {
    Script script = script(folder);
    script.write(script.statements().stream().map(Script.Statement::answer).toList());
    assertEquals(LINES, Files.readAllLines(script.path()));
  }
}
