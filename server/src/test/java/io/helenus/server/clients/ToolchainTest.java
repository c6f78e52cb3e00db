package io.helenus.server.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

class ToolchainTest {
  private static final List<String> UNREACHABLE =
      List.of("sh", "-c", "echo no registry >&2; exit 1");
  private static final String MESSAGE =
      "Not tested with this client, as `sh -c echo no registry >&2; exit 1` cannot download its"
          + " packages: no registry\n";

  @TempDir private Path folder;

  @Test
  void anUnreachableRegistrySkipsTheTest() {
    TestAbortedException skipped =
        assertThrows(TestAbortedException.class, () -> Toolchain.fetch(folder, UNREACHABLE, false));
    assertEquals(MESSAGE, skipped.getMessage());
  }

  @Test
  void anUnreachableRegistryIsAFailureInContinuousIntegration() {
    AssertionFailedError failure =
        assertThrows(AssertionFailedError.class, () -> Toolchain.fetch(folder, UNREACHABLE, true));
    assertEquals(MESSAGE, failure.getMessage());
  }

  @Test
  void whatCanBeDownloadedIs() throws IOException {
    Toolchain.fetch(folder, List.of("true"), true);
  }
}
