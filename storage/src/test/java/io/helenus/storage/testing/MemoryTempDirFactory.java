package io.helenus.storage.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Creates the temporary folders of tests in memory, under {@code /dev/shm}, if there are 4 GiB left
 * there. Unit tests need no disk: those that restart a server thousands of times would spend most
 * of their time in syncs. Tests of the real process (*IT), and all tests if {@code -Dtest.tmpdir}
 * names another folder, use the folder of {@code java.io.tmpdir}.
 */
public final class MemoryTempDirFactory implements TempDirFactory {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final Path USUAL = Path.of("/tmp");
  private static final long ROOM_BYTES = 4L << 30;
  private static final String PREFIX = "helenus-test";

  /** Called by JUnit. */
  public MemoryTempDirFactory() {}

  @Override
  public Path createTempDirectory(
      AnnotatedElementContext elementContext, ExtensionContext extensionContext)
      throws IOException {
    return isProcessTest(extensionContext) || isFolderChosen() || !hasRoom()
        ? Files.createTempDirectory(PREFIX)
        : Files.createTempDirectory(MEMORY, PREFIX);
  }

  private static boolean isProcessTest(ExtensionContext context) {
    return context.getRequiredTestClass().getSimpleName().endsWith("IT");
  }

  private static boolean isFolderChosen() {
    return !Path.of(System.getProperty("java.io.tmpdir")).equals(USUAL);
  }

  private static boolean hasRoom() throws IOException {
    return Files.isWritable(MEMORY)
        && Files.getFileStore(MEMORY).getUsableSpace() >= ROOM_BYTES
        && Files.getFileStore(MEMORY).type().equals("tmpfs");
  }
}
