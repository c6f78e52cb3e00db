package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
    Path home = Installation.withoutCache(folder);
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
    Path home = Installation.withoutCache(folder);
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
    Path home = Installation.withoutCache(folder);
    Map<String, String> jdk = Map.of("HELENUS_JAVA_HOME", printingJdk().toString());
    Outcome printed =
        Outcome.of(home.resolve("bin/helenus"), folder, jdk, "-D", "memory=100000GiB");
    assertTrue(printed.output().contains("helenus: warning: memory is 100000GiB, but the machine"));
    printed = Outcome.of(home.resolve("bin/helenus"), folder, jdk, "-D", "memory=224MiB");
    assertFalse(printed.output().contains("warning"), printed.output());
  }

  /** Replaces Maven with a script that prints Maven's output, pauses, and fails. */
  @Test
  void theFirstBuildShowsItsProgressAndErrors() throws Exception {
    Path home = folder.resolve("unbuilt");
    Installation.copy(ServerProcess.launcher(), home.resolve("bin/helenus"));
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

  private static Response query(CqlClient client, String cql) {
    Response response = client.query(cql);
    if (response instanceof Response.Failure failure) {
      throw new AssertionError(cql + " → " + failure.message());
    }
    return response;
  }
}
