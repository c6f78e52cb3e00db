package io.helenus.server.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RustDriverIT {
  @TempDir Path folder;

  @Test
  void theRustDriverRoundTripsEveryTypePreparesPagesAndTraces() throws IOException {
    Path driver = Toolchain.rustProgram(Toolchain.resources("rust"));
    try (ServerAddress server = ServerAddress.open(folder.resolve("data"))) {
      Toolchain.Run run =
          Toolchain.run(
              List.of(
                  driver.toString(),
                  server.host(),
                  Integer.toString(server.port()),
                  ValuesOfTypes.file().toString()),
              folder,
              Map.of());
      assertEquals(0, run.exitCode(), () -> run.out() + run.err());
    }
  }
}
