package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenFileLimitTest {
  @TempDir Path folder;

  private long limit(String line) throws IOException {
    Path limits = folder.resolve("limits");
    Files.writeString(
        limits,
        "Limit                     Soft Limit           Hard Limit           Units     \n"
            + "Max processes             95935                95935                processes \n"
            + line);
    return OpenFileLimit.read(limits);
  }

  @Test
  void theLimitInForceIsRead() throws IOException {
    assertEquals(
        1024, limit("Max open files            1024                 20000                files\n"));
    assertEquals(
        Long.MAX_VALUE,
        limit("Max open files            unlimited            unlimited            files\n"));
    assertEquals(Long.MAX_VALUE, limit(""));
    assertEquals(Long.MAX_VALUE, OpenFileLimit.read(folder.resolve("missing")));
  }
}
