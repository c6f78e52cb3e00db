package io.helenus.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.clients.Toolchain;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The image of this tree, built with the container engine of this machine. */
public final class TestImage {
  /** Its name in the engine. */
  public static final String NAME = "helenus-under-test";

  private static boolean built;

  private TestImage() {}

  /**
   * Builds the image at the first call. Without an engine the test is skipped with the reason; in
   * continuous integration it fails.
   */
  public static synchronized void require() throws IOException {
    if (built) {
      return;
    }
    Toolchain.requireProgram("docker");
    Toolchain.Run version = docker("version");
    if (version.exitCode() != 0) {
      Toolchain.skipOrFail(
          "The image is not tested, as there is no container engine: " + version.err());
    }
    Toolchain.Run build = build();
    assertEquals(0, build.exitCode(), () -> build.out() + build.err());
    built = true;
  }

  /** One test after the other: all but the first take the layers of the first. */
  private static Toolchain.Run build() throws IOException {
    try (FileChannel channel =
            FileChannel.open(
                Path.of("target", "image.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      assert held.isValid();
      return docker("build", "-q", "-t", NAME, "target/image");
    }
  }

  /** Runs the command docker with these arguments. */
  static Toolchain.Run docker(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("docker"));
    command.addAll(List.of(arguments));
    return Toolchain.run(command, Path.of("."), Map.of());
  }
}
