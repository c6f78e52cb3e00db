package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/helenus} as seen by a user. */
class LauncherIT {
  @TempDir private Path folder;

  private Outcome run(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    return Outcome.of(ServerProcess.launcher(), folder, environment, arguments);
  }

  @Test
  void helpNamesEveryOption() throws Exception {
    Outcome help = run(Map.of(), "--help");
    assertEquals(0, help.code());
    for (String option :
        List.of("--config", "--data", "--port", "--listen", "-D", "--version", "verify", "dump")) {
      assertTrue(help.output().contains(option), () -> option + " is missing in\n" + help.output());
    }
  }

  @Test
  void dumpPrintsAFileAndNamesDamage() throws Exception {
    Path data = folder.resolve("data");
    try (ServerProcess server =
            ServerProcess.start(data, ServerProcess.freePort(), List.of("-Dshards=1"));
        CqlClient client = server.connect()) {
      query(
          client,
          "CREATE KEYSPACE k WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      query(client, "CREATE TABLE k.t (a int PRIMARY KEY, b text)");
      query(client, "INSERT INTO k.t (a, b) VALUES (1, 'one')");
      assertEquals(0, server.terminate());
    }
    Path sstable = data.resolve("sstables").resolve("100-1.sst");
    Outcome whole = run(Map.of(), "dump", "sstable", "data/sstables/100-1.sst");
    assertEquals(0, whole.code(), whole.output());
    assertTrue(whole.output().contains("'one'"), whole.output());
    byte[] bytes = Files.readAllBytes(sstable);
    bytes[60] ^= 1;
    Files.write(sstable, bytes);
    Outcome damaged = run(Map.of(), "dump", "sstable", sstable.toString());
    assertEquals(1, damaged.code(), damaged.output());
    assertTrue(damaged.output().contains(sstable + " is damaged"), damaged.output());
    Outcome help = run(Map.of(), "dump", "--help");
    assertEquals(0, help.code());
    assertTrue(help.output().contains("--json"), help.output());
  }

  @Test
  void versionNamesProductAndLanguage() throws Exception {
    Outcome version = run(Map.of(), "--version");
    assertEquals(0, version.code());
    assertTrue(version.output().matches("(?s).*Helenus \\d+\\.\\d+\\.\\d+ .*CQL 3\\.4\\.7.*"));
  }

  @Test
  void commandLineErrorsAreExplained() throws Exception {
    Outcome unknown = run(Map.of(), "--prot", "9042");
    assertEquals(2, unknown.code());
    assertTrue(unknown.output().contains("--prot"), unknown.output());
    Outcome command = run(Map.of(), "begin");
    assertEquals(2, command.code());
    assertTrue(command.output().contains("'begin' is not a command"), command.output());
    Outcome kind = run(Map.of(), "dump", "table", "x");
    assertEquals(2, kind.code());
    assertTrue(kind.output().contains("unknown kind of file 'table'"), kind.output());
    Outcome port = run(Map.of(), "--port", "99999");
    assertEquals(2, port.code());
    assertTrue(port.output().contains("needs 0 to 65535"), port.output());
    Outcome key = run(Map.of(), "-D", "num_tokns=4");
    assertEquals(2, key.code());
    assertTrue(key.output().contains("did you mean 'num_tokens'?"), key.output());
  }

  @Test
  void configurationErrorsNameTheLine() throws Exception {
    Path file =
        Files.writeString(folder.resolve("bad.yaml"), "# a comment\nblock_cache_size: big\n");
    Outcome outcome = run(Map.of(), "--config", file.toString());
    assertEquals(2, outcome.code());
    assertTrue(outcome.output().contains("bad.yaml:2: block_cache_size needs"), outcome.output());
  }

  @Test
  void theLauncherWorksThroughASymbolicLink() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("with a space"));
    Path link = Files.createSymbolicLink(elsewhere.resolve("link"), ServerProcess.launcher());
    Outcome version = Outcome.of(link, elsewhere, Map.of(), "--version");
    assertEquals(0, version.code(), version.output());
    assertTrue(version.output().contains("Helenus "), version.output());
  }

  @Test
  void aMissingJdkIsReported() throws Exception {
    Outcome outcome = run(Map.of("HELENUS_JAVA_HOME", folder.toString()), "--version");
    assertEquals(1, outcome.code());
    assertTrue(outcome.output().contains("is not a JDK 25"), outcome.output());
  }

  @Test
  void aSecondNodeOnTheSameFolderIsRejected() throws Exception {
    Path data = folder.resolve("data");
    try (ServerProcess first = ServerProcess.start(data, ServerProcess.freePort(), List.of())) {
      Outcome second =
          run(
              Map.of(),
              "--data",
              data.toString(),
              "--port",
              Integer.toString(ServerProcess.freePort()));
      assertEquals(1, second.code());
      assertTrue(second.output().contains("is in use by another"), second.output());
      assertEquals(0, first.terminate());
    }
  }

  @Test
  void aPortInUseIsReported() throws Exception {
    int port = ServerProcess.freePort();
    try (ServerProcess first = ServerProcess.start(folder.resolve("one"), port, List.of())) {
      Outcome second =
          run(
              Map.of(),
              "--data",
              folder.resolve("two").toString(),
              "--port",
              Integer.toString(port));
      assertEquals(1, second.code());
      assertTrue(second.output().contains("127.0.0.1:" + port), second.output());
      assertEquals(0, first.terminate());
    }
  }

  @Test
  void sigtermExitsWithZeroAndKeepsAllData() {
    Path data = folder.resolve("data");
    try (ServerProcess first = ServerProcess.start(data, ServerProcess.freePort(), List.of());
        CqlClient client = first.connect()) {
      query(
          client,
          "CREATE KEYSPACE k WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      query(client, "CREATE TABLE k.t (a int PRIMARY KEY, b text)");
      query(client, "INSERT INTO k.t (a, b) VALUES (1, 'one')");
      assertEquals(0, first.terminate());
    }
    try (ServerProcess second = ServerProcess.start(data, ServerProcess.freePort(), List.of());
        CqlClient client = second.connect()) {
      Response.Rows rows = (Response.Rows) query(client, "SELECT b FROM k.t WHERE a = 1");
      assertEquals("one", new String(rows.rows().getFirst().getFirst(), StandardCharsets.UTF_8));
      assertEquals(0, second.terminate());
    }
  }

  @Test
  void theStartUpCacheIsUsed() throws Exception {
    Path data = folder.resolve("data");
    ServerProcess.start(data, ServerProcess.freePort(), List.of()).close();
    Path loaded = folder.resolve("classes.txt");
    Map<String, String> environment =
        Map.of("HELENUS_AOT_MODE", "on", "JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + loaded);
    Path fresh = folder.resolve("fresh");
    ServerProcess.start(fresh, ServerProcess.freePort(), environment).close();
    // classes generated by the JVM for lambdas and switches have an address in their names
    List<String> ours =
        Files.readAllLines(loaded).stream()
            .filter(line -> line.contains(" io.helenus.") && !line.contains("/0x"))
            .toList();
    assertTrue(!ours.isEmpty(), "no class of ours was loaded");
    for (String line : ours) {
      assertTrue(line.contains("shared objects file"), "not from the cache: " + line);
    }
  }

  /** All classes are in the cache: whatever searches the jars delays the start. */
  @Test
  void neitherAStartNorAResetConnectionOpensAJar() throws Exception {
    // another test may be creating the cache just now
    Outcome prepared = run(Map.of(), "prepare");
    assertEquals(0, prepared.code(), prepared.output());
    Path data = folder.resolve("data");
    try (ServerProcess server = ServerProcess.start(data, ServerProcess.freePort(), List.of())) {
      assumeTrue(Files.isDirectory(descriptors(server)), "there is no " + descriptors(server));
      assertEquals(List.of(), openJars(server));
      for (int i = 0; i < 10; i++) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
          socket.getOutputStream().write(new byte[] {4, 0, 0, 1, 5, 0, 0, 0, 0}); // OPTIONS
          assertTrue(socket.getInputStream().read() >= 0);
          socket.setSoLinger(true, 0);
        }
      }
      try (CqlClient client = server.connect()) {
        query(client, "SELECT key FROM system.local");
      }
      assertEquals(List.of(), openJars(server));
      assertEquals(0, server.terminate());
    }
  }

  private static Path descriptors(ServerProcess server) {
    return Path.of("/proc", Long.toString(server.pid()), "fd");
  }

  private static List<String> openJars(ServerProcess server) throws IOException {
    List<String> jars = new ArrayList<>();
    try (Stream<Path> open = Files.list(descriptors(server))) {
      for (Path each : open.toList()) {
        if (Files.isSymbolicLink(each)
            && Files.readSymbolicLink(each).toString().endsWith(".jar")) {
          jars.add(Files.readSymbolicLink(each).getFileName().toString());
        }
      }
    }
    return jars;
  }

  /** A JDK whose {@code java} prints its arguments, and creates the cache that it is asked for. */
  private Path printingJdk() throws IOException {
    Path jdk = folder.resolve("jdk");
    Files.createDirectories(jdk.resolve("bin"));
    Files.copy(Path.of(System.getProperty("java.home"), "release"), jdk.resolve("release"));
    Path java =
        Files.writeString(
            jdk.resolve("bin").resolve("java"),
            """
            #!/bin/sh
            for each in "$@"; do
              case $each in -XX:DumpLoadedClassList=*|-XX:SharedArchiveFile=*) : > "${each#*=}" ;; esac
            done
            printf '%s\\n' "$@"
            """);
    assertTrue(java.toFile().setExecutable(true));
    return jdk;
  }

  private static String flag(Outcome printed, String start) {
    return printed.output().lines().filter(line -> line.startsWith(start)).toList().getLast();
  }

  @Test
  void heapAndNativeMemoryAreSharesOfMemoryAndOneCacheServesAllSizes() throws Exception {
    Path home = installWithoutCache();
    Map<String, String> jdk = Map.of("HELENUS_JAVA_HOME", printingJdk().toString());
    Set<String> caches = new TreeSet<>();
    String[][] sizes = {
      {"224MiB", "-Xmx64m", "-Xmn16m", "-XX:MaxDirectMemorySize=14336m", "234881024"},
      {"256MiB", "-Xmx64m", "-Xmn16m", "-XX:MaxDirectMemorySize=16384m", "268435456"},
      {"1GiB", "-Xmx192m", "-Xmn32m", "-XX:MaxDirectMemorySize=65536m", "1073741824"},
      {"3145728KiB", "-Xmx576m", "-Xmn32m", "-XX:MaxDirectMemorySize=196608m", "3221225472"},
      {"24GiB", "-Xmx1024m", "-Xmn32m", "-XX:MaxDirectMemorySize=1572864m", "25769803776"}
    };
    for (String[] size : sizes) {
      Outcome printed =
          Outcome.of(home.resolve("bin/helenus"), folder, jdk, "-D", "memory=" + size[0]);
      assertEquals(0, printed.code(), printed.output());
      assertEquals(size[1], flag(printed, "-Xmx"), size[0]);
      assertEquals(size[2], flag(printed, "-Xmn"), size[0]);
      assertEquals(size[3], flag(printed, "-XX:MaxDirectMemorySize="), size[0]);
      assertEquals("-Dhelenus.memory=" + size[4], flag(printed, "-Dhelenus.memory="));
      caches.add(flag(printed, "-XX:SharedArchiveFile="));
    }
    assertEquals(1, caches.size(), caches::toString);
    Map<String, String> others = new HashMap<>(jdk);
    others.put("HELENUS_JVM_OPTS", "-Xss2m");
    caches.add(
        flag(Outcome.of(home.resolve("bin/helenus"), folder, others), "-XX:SharedArchiveFile="));
    assertEquals(2, caches.size(), "another flag needs another cache");
  }

  @Test
  void theVariableOfCassandraLimitsTheHeapWithinItsShare() throws Exception {
    Path home = installWithoutCache();
    Path jdk = printingJdk();
    String[][] sizes = {
      {
        "8G", "-Xmx192m", "MAX_HEAP_SIZE=8G: the heap is limited to 192MiB, its share of the memory"
      },
      {"999999999999T", "-Xmx192m", "the heap is limited to 192MiB"},
      {"134217728", "-Xmx128m", ""},
      {"0100M", "-Xmx100m", ""},
      {"1024k", "-Xmx64m", "MAX_HEAP_SIZE=1024k: the heap is limited to 64MiB, the least"},
      {"8GB", "-Xmx192m", "MAX_HEAP_SIZE=8GB has no effect: a size such as 256M is needed"}
    };
    for (String[] size : sizes) {
      Map<String, String> environment =
          Map.of("HELENUS_JAVA_HOME", jdk.toString(), "HELENUS_MAX_HEAP_SIZE", size[0]);
      Outcome printed =
          Outcome.of(home.resolve("bin/helenus"), folder, environment, "-D", "memory=1GiB");
      assertEquals(0, printed.code(), printed.output());
      assertEquals(size[1], flag(printed, "-Xmx"), size[0]);
      String warning = "helenus: warning: ";
      assertEquals(!size[2].isEmpty(), printed.output().contains(warning), printed.output());
      assertTrue(printed.output().contains(size[2]), printed.output());
    }
  }

  @Test
  void moreMemoryThanThereIsIsSaid() throws Exception {
    Path home = installWithoutCache();
    Map<String, String> jdk = Map.of("HELENUS_JAVA_HOME", printingJdk().toString());
    Outcome printed =
        Outcome.of(home.resolve("bin/helenus"), folder, jdk, "-D", "memory=100000GiB");
    assertTrue(printed.output().contains("helenus: warning: memory is 100000GiB, but the machine"));
    printed = Outcome.of(home.resolve("bin/helenus"), folder, jdk, "-D", "memory=224MiB");
    assertFalse(printed.output().contains("warning"), printed.output());
  }

  @Test
  void theJvmAcceptsTheCacheWithEverySize() throws Exception {
    Outcome prepared = run(Map.of(), "prepare");
    assertEquals(0, prepared.code(), prepared.output());
    for (String memory : List.of("224MiB", "1GiB", "24GiB")) {
      Outcome version =
          run(Map.of("HELENUS_AOT_MODE", "on"), "-D", "memory=" + memory, "--version");
      assertEquals(0, version.code(), version.output());
      assertTrue(version.output().contains("Helenus "), version.output());
    }
  }

  /**
   * While one launcher creates the cache, another starts without it; the signal for the first also
   * ends the training process.
   */
  @Test
  void anInterruptedFirstStartLeavesNoPartialCache() throws Exception {
    Path home = installWithoutCache();
    Process first = launcher(home, "first").start();
    try (BufferedReader output = first.inputReader()) {
      assertTrue(output.readLine().contains("creating the start-up cache"));
      List<ProcessHandle> training;
      do {
        Thread.sleep(10);
        training = first.descendants().filter(LauncherIT::isJava).toList();
      } while (training.isEmpty());
      signal("STOP", training);
      Process second = launcher(home, "second").start();
      try (BufferedReader other = second.inputReader()) {
        assertTrue(other.readLine().contains("starting without the start-up cache"));
        assertTrue(other.readLine().contains("Startup complete"));
      } finally {
        second.destroy();
      }
      signal("CONT", training);
      first.toHandle().destroy();
      assertEquals(143, first.waitFor());
      for (ProcessHandle process : training) {
        process.onExit().get(30, TimeUnit.SECONDS);
      }
    }
    try (Stream<Path> left = Files.list(home.resolve("server/target/helenus"))) {
      assertEquals(
          List.of(), left.filter(file -> file.getFileName().toString().contains(".jsa")).toList());
    }
  }

  @Test
  void prepareWaitsForTheLauncherThatIsCreatingTheCache() throws Exception {
    Path home = installWithoutCache();
    Process first = launcher(home, "first").start();
    try (BufferedReader output = first.inputReader()) {
      assertTrue(output.readLine().contains("creating the start-up cache"));
      Outcome prepared =
          Outcome.of(
              home.resolve("bin/helenus"),
              folder,
              Map.of("HELENUS_JAVA_HOME", System.getProperty("java.home")),
              "prepare");
      assertEquals(0, prepared.code(), prepared.output());
      assertTrue(
          prepared.output().contains("waiting for another process, which is creating the start-up"),
          prepared.output());
      try (Stream<Path> left = Files.list(home.resolve("server/target/helenus"))) {
        assertTrue(
            left.map(file -> file.getFileName().toString())
                .anyMatch(name -> name.matches("start-up-[0-9]+\\.jsa")));
      }
    } finally {
      first.destroy();
    }
  }

  /** The launcher also has short-lived descendants, for example {@code rm}. */
  private static boolean isJava(ProcessHandle process) {
    return process.info().command().filter(command -> command.endsWith("/java")).isPresent();
  }

  private static void signal(String name, List<ProcessHandle> processes) throws Exception {
    for (ProcessHandle process : processes) {
      String pid = Long.toString(process.pid());
      assertEquals(0, new ProcessBuilder("kill", "-" + name, pid).start().waitFor());
    }
  }

  /** Copies what the build has made, except for the start-up cache. */
  private Path installWithoutCache() throws IOException {
    Path built = ServerProcess.launcher().resolve("../../server/target/helenus").normalize();
    Path home = folder.resolve("an install");
    Path dist = home.resolve("server/target/helenus");
    copy(ServerProcess.launcher(), home.resolve("bin/helenus"));
    copy(built.resolve("../../../conf/jvm.options"), home.resolve("conf/jvm.options"));
    copy(built.resolve("classpath"), dist.resolve("classpath"));
    try (Stream<Path> jars = Files.list(built.resolve("lib"))) {
      for (Path jar : jars.toList()) {
        copy(jar, dist.resolve("lib").resolve(jar.getFileName().toString()));
      }
    }
    return home;
  }

  private ProcessBuilder launcher(Path home, String data) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                home.resolve("bin/helenus").toString(),
                "--data",
                folder.resolve(data).toString(),
                "--port",
                Integer.toString(ServerProcess.freePort()))
            .redirectErrorStream(true);
    builder.environment().put("HELENUS_JAVA_HOME", System.getProperty("java.home"));
    return builder;
  }

  /** Replaces Maven with a script that prints Maven's output, pauses, and fails. */
  @Test
  void theFirstBuildShowsItsProgressAndErrors() throws Exception {
    Path home = folder.resolve("unbuilt");
    copy(ServerProcess.launcher(), home.resolve("bin/helenus"));
    Path maven = Files.createDirectories(home.resolve("fake")).resolve("mvn");
    Files.writeString(
        maven,
        """
        #!/bin/bash
        echo "Downloading from central: https://repo.example/a.jar"
        echo "[INFO] Building Helenus storage 0.1.0-SNAPSHOT      [2/3]"
        echo "[INFO] --- compiler:3.14.1:compile (default-compile) @ helenus-storage ---"
        sleep 6
        echo "[ERROR] Foo.java:[1,2] cannot find symbol"
        echo "  symbol: class Bar"
        exit 1
        """);
    assertTrue(maven.toFile().setExecutable(true));
    Map<String, String> environment =
        Map.of("PATH", maven.getParent() + ":" + System.getenv("PATH"));
    Outcome outcome = Outcome.of(home.resolve("bin/helenus"), folder, environment, "--version");
    assertEquals(1, outcome.code(), outcome.output());
    long steps =
        outcome.output().lines().filter(line -> line.contains("storage: compiling (")).count();
    assertTrue(steps >= 2, "a long step must be shown repeatedly:\n" + outcome.output());
    for (String shown : List.of("1 files downloaded", "cannot find symbol", "symbol: class Bar")) {
      assertTrue(outcome.output().contains(shown), outcome.output());
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
  }

  private static Response query(CqlClient client, String cql) {
    Response response = client.query(cql);
    if (response instanceof Response.Failure failure) {
      throw new AssertionError(cql + " → " + failure.message());
    }
    return response;
  }
}
