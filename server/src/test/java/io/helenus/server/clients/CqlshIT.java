package io.helenus.server.clients;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CqlshIT {
  @TempDir Path folder;

  @Test
  void cqlshShowsWhatItShowsOfApacheCassandra() throws IOException {
    Path cqlsh = Toolchain.pythonPrograms().resolve("cqlsh");
    Path scripts = Toolchain.resources("cqlsh");
    try (ServerAddress server = ServerAddress.open(folder.resolve("data"))) {
      CqlshTranscript transcript = new CqlshTranscript(cqlsh, scripts, folder.resolve("work"));
      Map<String, String> taken = transcript.take(server.host(), server.port());
      assertAll(taken.entrySet().stream().map(entry -> () -> assertRecorded(scripts, entry)));
      if (server.isHelenus()) {
        assertFalse(transcript.versionWarned(), "cqlsh warns of the server's version");
      }
    }
  }

  private static void assertRecorded(Path scripts, Map.Entry<String, String> taken)
      throws IOException {
    String recorded = Files.readString(scripts.resolve("recorded").resolve(taken.getKey()));
    assertEquals(recorded, taken.getValue(), taken.getKey());
  }
}
