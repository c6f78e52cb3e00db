package io.helenus.server.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeDriverIT {
  @TempDir Path folder;

  @Test
  void theNodeDriverConnectsReadsTheSchemaPreparesPagesAndListens() throws IOException {
    assertRuns("driver.js");
  }

  @Test
  void theNodeDriverRoundTripsEveryType() throws IOException {
    assertRuns("round_trip.js");
  }

  private void assertRuns(String name) throws IOException {
    Path modules = Toolchain.nodeModules();
    Path script = Toolchain.resources("node").resolve(name);
    try (ServerAddress server = ServerAddress.open(folder.resolve("data"))) {
      Toolchain.Run run =
          Toolchain.run(
              List.of(
                  "node",
                  script.toString(),
                  server.host(),
                  Integer.toString(server.port()),
                  ValuesOfTypes.file().toString()),
              folder,
              Map.of("NODE_PATH", modules.toString()));
      assertEquals(0, run.exitCode(), () -> run.out() + run.err());
    }
  }
}
