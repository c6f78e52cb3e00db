package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.helenus.server.config.Setting;
import io.helenus.server.config.TestSettings;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code initial_token} of the first node of a cluster, and of a node that stays alone. */
class InitialTokenTest {
  @TempDir private Path folder;

  private long[] tokens(String data, String initial, String seeds) throws IOException {
    TestSettings settings =
        TestSettings.in(folder.resolve(data))
            .with(Setting.INITIAL_TOKEN, initial)
            .with(Setting.SEEDS, seeds)
            .with(Setting.STORAGE_PORT, String.valueOf(ServerProcess.freePort()));
    try (Server server = Server.start(settings.build())) {
      return server.node().metadata().localNode().tokens();
    }
  }

  @Test
  void theTokensAreThoseOfTheFirstStart() throws IOException {
    long[] given = {-7, 0, 12};
    assertArrayEquals(given, tokens("alone", "12, -7, 0", ""));
    assertArrayEquals(given, tokens("alone", "5", ""));
    assertArrayEquals(given, tokens("first", "12, -7, 0", "127.0.0.1"));
  }
}
