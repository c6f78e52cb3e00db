package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/helenus start|stop|status|version}. */
class BackgroundIT {
  @TempDir private Path folder;

  private Outcome run(String... arguments) throws Exception {
    return Outcome.of(ServerProcess.launcher(), folder, Map.of(), arguments);
  }

  private Path data() throws IOException {
    return folder.toRealPath().resolve("data");
  }

  @Test
  void aNodeIsStartedAndStopped() throws Exception {
    assertEquals(3, run("status").code());
    assertFalse(Files.exists(folder.resolve("data")));
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
      assertEquals(
          "helenus: running with process id " + pid + ", data in " + data() + "\n",
          status.output());
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
  void stopFailsWhereNoNodeRunsAndNamesTheFolder() throws Exception {
    Files.createDirectory(data());
    Process other = new ProcessBuilder("bash", "-c", "exec -a helenus sleep 600").start();
    try {
      String stale = Long.toString(other.pid());
      Files.writeString(data().resolve("helenus.pid"), stale);
      Files.writeString(data().resolve("node.lock"), stale);
      Outcome stopped = run("stop");
      assertEquals(1, stopped.code(), stopped.output());
      assertEquals(
          "helenus: no node runs on the data folder " + data() + "; --data names another\n",
          stopped.output());
      assertEquals(3, run("status").code());
      assertTrue(other.isAlive());
      assertEquals(stale, Files.readString(data().resolve("helenus.pid")));
    } finally {
      other.destroy();
    }
  }

  @Test
  void aNodeInTheForegroundIsFoundByItsLock() throws Exception {
    try (ServerProcess server = ServerProcess.start(data(), ServerProcess.freePort(), List.of())) {
      String running = "running with process id " + server.pid() + ", data in " + data() + "\n";
      assertEquals("helenus: " + running, run("status").output());
      String address = Files.readString(data().resolve("admin.address"));
      Outcome refused = run("start", "--port", Integer.toString(ServerProcess.freePort()));
      assertEquals(1, refused.code());
      assertEquals("helenus: already " + running, refused.output());
      Outcome alsoRefused = run("--port", Integer.toString(ServerProcess.freePort()));
      assertEquals(1, alsoRefused.code());
      assertEquals(address, Files.readString(data().resolve("admin.address")));
      // of an earlier start: neither believed nor removed
      Files.writeString(data().resolve("helenus.pid"), "1\n");
      assertEquals("helenus: " + running, run("status").output());
      Outcome stopped = run("stop");
      assertEquals(0, stopped.code(), stopped.output());
      assertEquals(0, server.awaitEnd());
      assertEquals("1\n", Files.readString(data().resolve("helenus.pid")));
    }
  }

  @Test
  void ofTwoStartsAtOnceTheLoserLeavesTheWinnerAlone() throws Exception {
    String[] ports = {
      Integer.toString(ServerProcess.freePort()), Integer.toString(ServerProcess.freePort())
    };
    List<CompletableFuture<Outcome>> starts = new ArrayList<>();
    for (String port : ports) {
      starts.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return run("start", "--port", port);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    try {
      List<Outcome> outcomes = starts.stream().map(CompletableFuture::join).toList();
      Outcome winner = outcomes.stream().filter(each -> each.code() == 0).findAny().orElseThrow();
      Outcome loser = outcomes.stream().filter(each -> each.code() == 1).findAny().orElseThrow();
      assertTrue(
          loser.output().contains("is in use by another node")
              || loser.output().contains("already running"),
          loser.output());
      String pid = Files.readString(data().resolve("helenus.pid")).strip();
      assertTrue(winner.output().contains("running with process id " + pid), winner.output());
      String status = run("status").output();
      assertEquals(
          "helenus: running with process id " + pid + ", data in " + data() + "\n", status);
    } finally {
      assertEquals(0, run("stop").code());
    }
    assertFalse(Files.exists(data().resolve("helenus.pid")));
  }

  /**
   * With a file in place of systemd, to which the launcher reports once the node serves clients.
   */
  @Test
  void systemdIsNotifiedOfTheNodeItselfAndOfNoOtherOne() throws Exception {
    Path notified = folder.resolve("notified");
    Path tools = Files.createDirectories(folder.resolve("tools"));
    Path tool = tools.resolve("systemd-notify");
    Files.writeString(tool, "#!/bin/sh\necho \"$@\" >> '" + notified + "'\n");
    assertTrue(tool.toFile().setExecutable(true));
    Map<String, String> environment =
        Map.of("NOTIFY_SOCKET", "none", "PATH", tools + ":" + System.getenv("PATH"));
    try (ServerProcess server =
        ServerProcess.start(data(), ServerProcess.freePort(), environment)) {
      for (int i = 0; i < 1000 && !Files.exists(notified); i++) {
        Thread.sleep(10);
      }
      assertEquals("--ready\n", Files.readString(notified));
      Outcome refused =
          Outcome.of(
              ServerProcess.launcher(),
              folder,
              environment,
              "--port",
              Integer.toString(ServerProcess.freePort()));
      assertEquals(1, refused.code(), refused.output());
      assertEquals("--ready\n", Files.readString(notified));
      assertEquals(0, server.terminate());
    }
  }

  @Test
  void aFolderThatCannotBeWrittenIsExplained() throws Exception {
    assumeTrue(Files.isDirectory(Path.of("/proc/tty")));
    Outcome there = run("start", "--data", "/proc/tty");
    assertEquals(1, there.code());
    assertTrue(
        there.output().matches("helenus: cannot write to the data folder /proc/tty: [A-Z][^:]*\n"),
        there.output());
    Outcome missing = run("start", "--data", "/proc/tty/data");
    assertEquals(1, missing.code());
    assertTrue(
        missing
            .output()
            .matches("helenus: cannot write to the data folder /proc/tty/data: [A-Z][^:]*\n"),
        missing.output());
  }

  @Test
  void whoeverMayReachTheNodeIsSaid() throws Exception {
    String port = Integer.toString(ServerProcess.freePort());
    Outcome started =
        run("start", "--listen", "0.0.0.0", "--port", port, "-Dbroadcast_rpc_address=127.0.0.1");
    try {
      assertEquals(0, started.code(), started.output());
      String warning = "Whoever reaches *:" + port + " can read and change everything";
      assertTrue(started.output().contains("helenus: warning: " + warning), started.output());
      String log = Files.readString(data().resolve("helenus.log"));
      assertEquals(2, log.split(Pattern.quote(warning), -1).length, log);
    } finally {
      assertEquals(0, run("stop").code());
    }
  }

  @Test
  void versionAndHelp() throws Exception {
    assertTrue(run("version").output().startsWith("Helenus "));
    assertTrue(run("start", "--help").output().contains("helenus start [OPTION]..."));
  }
}
