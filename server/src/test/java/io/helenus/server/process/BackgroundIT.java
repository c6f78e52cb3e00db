package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/helenus start|stop|status|version}. */
class BackgroundIT {
  @TempDir private Path folder;

  private Outcome run(String... arguments) throws Exception {
    return Outcome.of(ServerProcess.launcher(), folder, Map.of(), arguments);
  }

  @Test
  void aNodeIsStartedAndStopped() throws Exception {
    assertEquals(3, run("status").code());
    assertEquals(0, run("stop").code());
    int port = ServerProcess.freePort();
    Outcome started = run("start", "--port", Integer.toString(port));
    try {
      assertEquals(0, started.code(), started.output());
      try (CqlClient client = CqlClient.connect(InetAddress.getLoopbackAddress(), port)) {
        assertTrue(client.query("SELECT key FROM system.local") instanceof Response.Rows);
      }
      String pid = Files.readString(folder.resolve("data/helenus.pid")).strip();
      Outcome status = run("status", "--data", "data");
      assertEquals(0, status.code());
      assertEquals("helenus: running with process id " + pid + ", data in data\n", status.output());
      Outcome again = run("start", "--port", Integer.toString(port));
      assertEquals(1, again.code());
      assertTrue(again.output().contains("already running with process id " + pid));
    } finally {
      Outcome stopped = run("stop");
      assertEquals(0, stopped.code(), stopped.output());
    }
    assertEquals(3, run("status").code());
    assertTrue(Files.readString(folder.resolve("data/helenus.log")).contains("Stopped"));
    assertFalse(Files.exists(folder.resolve("data/helenus.pid")));
  }

  @Test
  void aNodeThatDoesNotStartIsReportedWithItsLog() throws Exception {
    Outcome outcome = run("start", "-D", "rpc_address=0.0.0.0", "-Ddata_directory=elsewhere");
    assertEquals(1, outcome.code());
    assertTrue(outcome.output().contains("set broadcast_rpc_address"), outcome.output());
    assertTrue(outcome.output().contains("elsewhere/helenus.log"), outcome.output());
    assertEquals(3, run("status", "--data", "elsewhere").code());
  }

  @Test
  void versionAndHelp() throws Exception {
    assertTrue(run("version").output().startsWith("Helenus "));
    assertTrue(run("start", "--help").output().contains("helenus start [OPTION]..."));
  }
}
