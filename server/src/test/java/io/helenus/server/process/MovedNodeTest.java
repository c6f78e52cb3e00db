package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.helenus.server.config.Setting;
import io.helenus.server.config.TestSettings;
import io.helenus.server.metadata.NodeAddresses;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member that comes back with other addresses. */
@Timeout(60)
class MovedNodeTest {
  @TempDir private Path folder;

  private Server start(String address) throws IOException {
    return Server.start(
        TestSettings.in(folder.resolve("data"))
            .with(Setting.SEEDS, address)
            .with(Setting.LISTEN_ADDRESS, address)
            .with(Setting.RPC_ADDRESS, address)
            .with(Setting.STORAGE_PORT, String.valueOf(ServerProcess.freePort()))
            .build());
  }

  private static NodeAddresses registered(Server server) {
    NodeAddresses addresses = server.node().metadata().localNode().addresses();
    assertNotNull(addresses);
    return addresses;
  }

  @Test
  void theLogFollows() throws Exception {
    NodeAddresses first;
    try (Server server = start("127.0.0.1")) {
      first = registered(server);
      assertEquals("127.0.0.1", first.client().getHostString());
    }
    try (Server server = start("127.0.0.2")) {
      while (registered(server).equals(first)) {
        Thread.sleep(10);
      }
      assertEquals("127.0.0.2", registered(server).client().getHostString());
      assertEquals("127.0.0.2", registered(server).broadcast().getHostString());
    }
  }
}
