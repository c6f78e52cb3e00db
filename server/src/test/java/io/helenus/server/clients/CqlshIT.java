package io.helenus.server.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CqlshIT {
  /** The name of the recorded cluster, and the views that are on in it. */
  private static final List<String> OPTIONS =
      List.of("-Dcluster_name=Oracle", "-Dmaterialized_views_enabled=true", "-Dschema_advice=off");

  @TempDir Path folder;

  /**
   * The lines in {@code differences.txt} are the only ones in which the output differs from the one
   * with Apache Cassandra, and all of them differ.
   */
  @Test
  void cqlshPrintsTheSameAsWithApacheCassandraExceptNamedLines() throws IOException {
    Path cqlsh = Toolchain.pythonPrograms().resolve("cqlsh");
    Path scripts = Toolchain.resources("cqlsh");
    try (ServerAddress server = ServerAddress.open(folder.resolve("data"), OPTIONS)) {
      CqlshTranscript transcript = new CqlshTranscript(cqlsh, scripts, folder.resolve("work"));
      Map<String, String> taken = transcript.take(server.host(), server.port());
      if (server.isHelenus()) {
        assertFalse(transcript.versionWarned(), "cqlsh warns about the server's version");
      }
      List<String> expected = server.isHelenus() ? named(scripts) : List.of();
      List<String> actual = differences(transcript.recorded(), taken);
      assertEquals(
          "",
          String.join("\n", LineDifferences.between(expected, actual)),
          "a line that starts with + is a difference that is not named, one with - a named one that"
              + " is gone");
    }
  }

  private static List<String> named(Path scripts) throws IOException {
    return Files.readAllLines(scripts.resolve("differences.txt")).stream()
        .filter(line -> !line.startsWith("#"))
        .toList();
  }

  private static List<String> differences(Map<String, String> recorded, Map<String, String> taken) {
    List<String> differences = new ArrayList<>();
    TreeSet<String> names = new TreeSet<>(recorded.keySet());
    names.addAll(taken.keySet());
    for (String name : names) {
      List<String> found =
          LineDifferences.between(
              recorded.getOrDefault(name, "").lines().toList(),
              taken.getOrDefault(name, "").lines().toList());
      if (!found.isEmpty()) {
        differences.add(name + ":");
        differences.addAll(found);
      }
    }
    return differences;
  }
}
