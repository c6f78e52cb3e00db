package io.helenus.docker;

import io.helenus.server.clients.Toolchain;
import java.io.IOException;
import java.util.List;

/** docker/compose.yaml, with the image under test, a schema, and ports that are free. */
public final class ComposeFile {
  /** It and what the tests change in it, for Docker Compose to merge. */
  public static final List<String> FILES =
      List.of("compose.yaml", "src/test/resources/compose-test.yaml");

  private ComposeFile() {}

  /**
   * Builds the image. Without an engine or Docker Compose the test is skipped with the reason; in
   * continuous integration it fails.
   */
  public static void require() throws IOException {
    TestImage.require();
    Toolchain.Run version = TestImage.docker("compose", "version");
    if (version.exitCode() != 0) {
      Toolchain.skipOrFail("Not tested, as there is no Docker Compose: " + version.err());
    }
  }
}
