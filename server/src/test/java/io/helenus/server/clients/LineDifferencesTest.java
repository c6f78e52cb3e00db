package io.helenus.server.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class LineDifferencesTest {
  @Test
  void equalTextsHaveNone() {
    assertEquals(List.of(), LineDifferences.between(List.of("a", "b"), List.of("a", "b")));
    assertEquals(List.of(), LineDifferences.between(List.of(), List.of()));
  }

  @Test
  void linesOfOneTextOnlyAreMarked() {
    assertEquals(
        List.of("-b", "+x", "+y"),
        LineDifferences.between(List.of("a", "b", "c"), List.of("a", "x", "c", "y")));
    assertEquals(List.of("-a"), LineDifferences.between(List.of("a"), List.of()));
    assertEquals(List.of("+a"), LineDifferences.between(List.of(), List.of("a")));
  }

  @Test
  void asManyLinesAsPossibleAreMatched() {
    assertEquals(
        List.of("-x", "-y"),
        LineDifferences.between(List.of("x", "y", "a", "b"), List.of("a", "b")));
    assertEquals(
        List.of("-x", "+x"),
        LineDifferences.between(List.of("x", "a", "b"), List.of("a", "b", "x")));
  }
}
