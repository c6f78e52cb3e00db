package io.helenus.server.query.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples of {@code docs/explain.md}: each statement runs, and the text after it is its
 * answer. {@code -Dexplain.record=true} writes the answers into the page.
 */
class ExplainPageTest {
  private static final Path PAGE = Path.of("..", "docs", "explain.md");

  @TempDir Path folder;

  @Test
  void theExamplesAnswerAsShown() throws IOException {
    String page = Files.readString(PAGE);
    String[] parts = page.split("```", -1);
    List<String> answer = new ArrayList<>();
    int shown = 0;
    try (ExplainScript script = new ExplainScript(folder, Map.of("cql_extensions", "true"))) {
      for (int i = 1; i < parts.length; i += 2) {
        if (parts[i].startsWith("cql\n")) {
          answer.clear();
          for (String statement : parts[i].substring("cql\n".length()).split("\n", -1)) {
            if (!statement.isBlank()) {
              answer.addAll(script.answer(statement));
            }
          }
          assertTrue(answer.stream().noneMatch(line -> line.startsWith("!")), answer::toString);
        } else if (parts[i].startsWith("text\n")) {
          parts[i] = "text\n" + shown(answer) + "\n";
          shown++;
        }
      }
    }
    String now = String.join("```", parts);
    if (Boolean.getBoolean("explain.record")) {
      Files.writeString(PAGE, now);
    }
    assertEquals(now, Files.readString(PAGE));
    assertTrue(shown >= 3, shown + " answers");
  }

  private static String shown(List<String> answer) {
    return String.join("\n", answer.stream().map(line -> line.substring(2)).toList());
  }
}
