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
    assertRuns("driver.py");
  }

  @Test
  void thePythonDriverRoundTripsEveryType() throws IOException {
    assertRuns("round_trip.py");
  }

  @Test
  void anApplicationWithCqlengineWorks() throws IOException {
    assertRuns("shop.py");
  }

  private void assertRuns(String name) throws IOException {
    Path python = Toolchain.pythonPrograms().resolve("python");
    Path script = Toolchain.resources("python").resolve(name);
    try (ServerAddress server =
        ServerAddress.open(folder.resolve("data"), List.of("-Dmaterialized_views_enabled=true"))) {
      Toolchain.Run run =
          Toolchain.run(
              List.of(
                  python.toString(),
                  script.toString(),
                  server.host(),
                  Integer.toString(server.port()),
                  ValuesOfTypes.file().toString()),
              folder,
              Map.of());
      assertEquals(0, run.exitCode(), () -> run.out() + run.err());
    }
  }
}
