package io.helenus.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive as a user unpacks it: on a machine with nothing but a JDK, into a folder that the
 * node cannot write. If the tests run as root, the node runs as another user.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReleaseIT {
  private static final int NOBODY = 65_534;

  private Path folder;
  private Path home;
  private Path data;
  private List<String> asAnother = List.of();

  private record Outcome(int code, String output) {}

  private Outcome run(List<String> command) throws Exception {
    Path output = Files.createTempFile(folder, "output", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(data.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("HELENUS_JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    assertTrue(process.waitFor(10, TimeUnit.MINUTES), () -> command + " did not end");
    return new Outcome(process.exitValue(), Files.readString(output));
  }

  private String succeed(String... command) throws Exception {
    Outcome outcome = run(List.of(command));
    assertEquals(0, outcome.code(), outcome.output());
    return outcome.output();
  }

  /** A command of the installation, run by a user who owns nothing of it. */
  private String helenus(String command, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(asAnother);
    all.add(home.resolve("bin").resolve(command).toString());
    all.addAll(List.of(arguments));
    return succeed(all.toArray(String[]::new));
  }

  @BeforeAll
  void unpack(@TempDir Path temporary) throws Exception {
    folder = temporary;
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    data = Files.createDirectory(folder.resolve("data"));
    Path archive = Path.of(System.getProperty("release.archive"));
    succeed("tar", "-xzf", archive.toString(), "-C", folder.toString());
    home = folder.resolve(archive.getFileName().toString().replaceFirst("\\.tar\\.gz$", ""));
    succeed(home.resolve("bin/helenus").toString(), "prepare");
    if ("root".equals(System.getProperty("user.name")) && isThere("setpriv")) {
      String id = Integer.toString(NOBODY);
      succeed("chown", "-R", id + ":" + id, data.toString());
      asAnother = List.of("setpriv", "--reuid", id, "--regid", id, "--clear-groups");
    }
    succeed("chmod", "-R", "a-w", home.toString());
  }

  private static boolean isThere(String command) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(part -> Files.isExecutable(Path.of(part, command)));
  }

  private static String freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(socket.getLocalPort());
    }
  }

  @Test
  void aNodeRunsFromFilesThatItCannotWrite() throws Exception {
    String node = data.resolve("node").toString();
    String port = freePort();
    String started = helenus("helenus", "start", "--data", node, "--port", port);
    assertTrue(started.contains("helenus: running with process id "), started);
    try {
      assertTrue(helenus("nodetool", "--data", node, "status").contains("\nUN  127.0.0.1 "));
      String log = Files.readString(Path.of(node, "helenus.log"));
      assertFalse(log.contains("start-up cache"), log); // it was prepared, and is used
      assertTrue(log.contains("Startup complete"), log);
      Outcome copy =
          run(
              List.of(
                  home.resolve("bin/helenus").toString(),
                  "copy",
                  "--from",
                  "127.0.0.1:" + port,
                  "--to",
                  "127.0.0.1:" + port,
                  "shop"));
      assertEquals(1, copy.code());
      assertTrue(copy.output().contains("are the same cluster"), copy.output());
    } finally {
      helenus("helenus", "stop", "--data", node);
    }
    try (Stream<Path> files = Files.list(home)) {
      assertEquals(2, files.filter(file -> file.toString().endsWith(".jsa")).count());
    }
  }

  @Test
  void everyJarHasALicenceAndEveryLicenceAText() throws Exception {
    String list = Files.readString(home.resolve("THIRD-PARTY.txt"));
    for (String folder : List.of("lib", "copy/lib")) {
      try (Stream<Path> jars = Files.list(home.resolve(folder))) {
        for (Path jar : jars.toList()) {
          String name = jar.getFileName().toString();
          String artifact = name.replaceFirst("-\\d.*", "");
          assertTrue(
              name.startsWith("helenus-") || list.contains(":" + artifact + ":"),
              () -> name + " is not in\n" + list);
        }
      }
    }
    for (String text : List.of("Apache-2.0.txt", "BSD-3-Clause-antlr.txt", "EPL-1.0.txt")) {
      assertTrue(Files.size(home.resolve("licences").resolve(text)) > 1000, text);
    }
  }

  @Test
  void theExampleOfMonitoringIsInTheArchive() throws Exception {
    String prometheus = Files.readString(home.resolve("monitoring/prometheus.yml"));
    assertTrue(prometheus.contains("scrape_configs"), prometheus);
    assertTrue(Files.size(home.resolve("monitoring/grafana-dashboard.json")) > 1000);
  }

  @Test
  void systemdAcceptsTheUnit() throws Exception {
    assumeTrue(isThere("systemd-analyze"), "systemd is not installed");
    String unit = Files.readString(home.resolve("systemd/helenus.service"));
    assertTrue(unit.contains("ExecStart=/opt/helenus/bin/helenus "), unit);
    Path installed = folder.resolve("helenus.service");
    Files.writeString(
        installed,
        unit.replace("ExecStart=/opt/helenus/", "ExecStart=" + home + "/")
            .replaceFirst("Documentation=.*\n", ""));
    String output = succeed("systemd-analyze", "verify", "--man=no", installed.toString());
    assertFalse(output.contains("helenus.service"), output);
  }
}
