package io.helenus.server.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PythonDriverIT {
  @TempDir Path folder;

  @Test
  void thePythonDriverConnectsReadsTheSchemaPreparesPagesAndListens() throws IOException {
    Path python = Toolchain.pythonPrograms().resolve("python");
    Path script = Toolchain.resources("python").resolve("driver.py");
    try (ServerAddress server = ServerAddress.open(folder.resolve("data"))) {
      Toolchain.Run run =
          Toolchain.run(
              List.of(
                  python.toString(),
                  script.toString(),
                  server.host(),
                  Integer.toString(server.port())),
              folder,
              Map.of());
      assertEquals(0, run.exitCode(), () -> run.out() + run.err());
    }
  }
}
