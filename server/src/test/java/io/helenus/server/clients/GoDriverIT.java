package io.helenus.server.clients;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoDriverIT {
  @TempDir Path folder;

  @Test
  void gocqlConnectsWithEveryVersionReadsTheSchemaPagesAndRoundTripsEveryType() throws IOException {
    Path driver = Toolchain.goProgram(Toolchain.resources("go"));
    Toolchain.checkClient(driver, folder);
  }
}
