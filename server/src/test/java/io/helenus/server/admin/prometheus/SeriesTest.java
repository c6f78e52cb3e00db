package io.helenus.server.admin.prometheus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeriesTest {
  private static final String HEAD = "| metric | type | labels | meaning |";

  private static String row(Series series) {
    String suffix =
        switch (series.type()) {
          case COUNTER -> "_total";
          case INFO -> "_info";
          case GAUGE, HISTOGRAM, SUMMARY -> "";
        };
    String type = series.type() == Series.Type.INFO ? "gauge" : series.type().name().toLowerCase();
    return "| `%s` | %s | %s | %s |"
        .formatted(
            series.title() + suffix, type, String.join(", ", series.labels()), series.help());
  }

  @Test
  void theDocumentationListsAllSeries() throws IOException {
    List<String> expected = new ArrayList<>(List.of(HEAD, "| --- | --- | --- | --- |"));
    for (Series series : Series.values()) {
      expected.add(row(series));
    }
    List<String> lines = Files.readAllLines(Path.of("../docs/operating.md"));
    int start = lines.indexOf(HEAD);
    assertTrue(start >= 0, HEAD);
    List<String> documented =
        lines.subList(start, lines.size()).stream().takeWhile(each -> !each.isEmpty()).toList();
    assertEquals(String.join("\n", expected), String.join("\n", documented));
  }

  @Test
  void namesAreUniqueAndLowerCase() {
    Set<String> names = new HashSet<>();
    for (Series series : Series.values()) {
      assertTrue(series.title().matches("[a-z_]+"), series.title());
      assertTrue(names.add(series.title()), series.title());
    }
  }
}
