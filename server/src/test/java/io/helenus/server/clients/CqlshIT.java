package io.helenus.server.clients;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CqlshIT {
  @TempDir Path folder;

  @Test
  void cqlshPrintsTheSameAsWithApacheCassandra() throws IOException {
    Path cqlsh = Toolchain.pythonPrograms().resolve("cqlsh");
    Path scripts = Toolchain.resources("cqlsh");
    try (ServerAddress server = ServerAddress.open(folder.resolve("data"))) {
      CqlshTranscript transcript = new CqlshTranscript(cqlsh, scripts, folder.resolve("work"));
      Map<String, String> taken = transcript.take(server.host(), server.port());
      assertAll(taken.entrySet().stream().map(entry -> () -> assertRecorded(scripts, entry)));
      if (server.isHelenus()) {
        assertFalse(transcript.versionWarned(), "cqlsh warns about the server's version");
      }
    }
  }

  private static void assertRecorded(Path scripts, Map.Entry<String, String> taken)
      throws IOException {
    List<String> expected =
        Files.readString(scripts.resolve("recorded").resolve(taken.getKey())).lines().toList();
    List<String> actual = taken.getValue().lines().toList();
    int line = 0;
    while (line < Math.min(expected.size(), actual.size())
        && expected.get(line).equals(actual.get(line))) {
      line++;
    }
    assertEquals(
        around(expected, line),
        around(actual, line),
        taken.getKey() + " differs from line " + (line + 1) + " on");
  }

  private static String around(List<String> lines, int line) {
    int from = Math.clamp(line - 3L, 0, lines.size());
    int to = Math.clamp(line + 5L, 0, lines.size());
    return String.join("\n", line == lines.size() ? List.of() : lines.subList(from, to));
  }
}
