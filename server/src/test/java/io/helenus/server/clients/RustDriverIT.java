package io.helenus.server.clients;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RustDriverIT {
  @TempDir Path folder;

  @Test
  void theRustDriverRoundTripsEveryTypePreparesPagesAndTraces() throws IOException {
    Path driver = Toolchain.rustProgram(Toolchain.resources("rust"));
    Toolchain.checkClient(driver, folder);
  }
}
