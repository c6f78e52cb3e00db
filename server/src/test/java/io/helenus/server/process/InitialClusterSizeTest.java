package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.config.TestSettings;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that should begin with others serves clients when they have joined. */
@Timeout(120)
class InitialClusterSizeTest {
  @TempDir private Path folder;
  private final int storagePort = ServerProcess.freePort();
  private final int clientPort = ServerProcess.freePort();
  private final int healthPort = ServerProcess.freePort();

  private Settings settings(int number, String seeds) {
    String address = "127.0.0." + number;
    return TestSettings.in(folder.resolve("node" + number))
        .with(Setting.SEEDS, seeds)
        .with(Setting.LISTEN_ADDRESS, address)
        .with(Setting.STORAGE_PORT, String.valueOf(storagePort))
        .with(Setting.RPC_ADDRESS, address)
        .with(Setting.NATIVE_TRANSPORT_PORT, String.valueOf(clientPort))
        .with(Setting.ADMIN_ADDRESS, address)
        .with(Setting.ADMIN_PORT, "0")
        .with(Setting.HEALTH_ADDRESS, address)
        .with(Setting.HEALTH_PORT, String.valueOf(healthPort))
        .with(Setting.SHARDS, "1")
        .with(Setting.INITIAL_CLUSTER_SIZE, "2")
        .build();
  }

  private static FutureTask<Server> start(Settings settings, StartWaits waits) {
    FutureTask<Server> start = new FutureTask<>(() -> Server.start(settings, waits));
    Thread thread = new Thread(start, "start");
    thread.setDaemon(true);
    thread.start();
    return start;
  }

  private static void awaitWait(StartWaits waits) throws InterruptedException {
    while (!waits.end()) {
      Thread.sleep(10);
    }
  }

  private static void assertEnded(FutureTask<Server> start) {
    ExecutionException e = assertThrows(ExecutionException.class, start::get);
    assertInstanceOf(StartWaits.EndedException.class, e.getCause());
  }

  private int get(String path) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + healthPort + path);
      return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (ConnectException e) {
      return 0;
    }
  }

  @Test
  void clientsAreServedWhenTheOthersHaveJoined() throws Exception {
    StartWaits waits = new StartWaits();
    FutureTask<Server> start = start(settings(1, "127.0.0.1"), waits);
    while (get("/health") != 200) {
      Thread.sleep(10);
    }
    assertEquals(503, get("/ready"));
    assertThrows(ConnectException.class, () -> new Socket("127.0.0.1", clientPort).close());
    assertFalse(start.isDone());
    awaitWait(waits);
    assertEnded(start);

    FutureTask<Server> again = start(settings(1, "127.0.0.1"), new StartWaits());
    FutureTask<Server> other = start(settings(2, "127.0.0.1"), new StartWaits());
    try (Server first = again.get(60, TimeUnit.SECONDS);
        Server second = other.get(60, TimeUnit.SECONDS)) {
      assertEquals(200, get("/ready"));
      assertEquals(2, first.node().members());
      assertEquals(2, second.node().members());
    }
    // members count, alive or not
    start(settings(1, "127.0.0.1"), new StartWaits()).get(60, TimeUnit.SECONDS).close();
  }

  @Test
  void aNodeThatFindsNobodyCanBeStopped() throws Exception {
    StartWaits waits = new StartWaits();
    assertFalse(waits.end(), "there is no wait yet");
    FutureTask<Server> start = start(settings(2, "127.0.0.1"), waits);
    awaitWait(waits);
    assertEnded(start);
    assertFalse(waits.end());
    // the folder is free again
    StartWaits next = new StartWaits();
    FutureTask<Server> again = start(settings(2, "127.0.0.1"), next);
    awaitWait(next);
    assertEnded(again);
    assertTrue(again.isDone());
  }
}
