package io.helenus.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docker-entrypoint} makes of Cassandra's variables, without a container. */
class EntrypointTest {
  @TempDir private Path folder;
  private String configuration = "";
  private int exitCode;

  /** Runs it with a launcher that prints what it is given. */
  private String run(Map<String, String> environment) throws IOException, InterruptedException {
    Path home = folder.resolve("helenus");
    Files.createDirectories(home.resolve("bin"));
    Files.createDirectories(home.resolve("conf"));
    Files.copy(
        Path.of("..", "conf", "jvm.options"),
        home.resolve("conf").resolve("jvm.options"),
        StandardCopyOption.REPLACE_EXISTING);
    Files.deleteIfExists(home.resolve("runtime"));
    Files.createSymbolicLink(home.resolve("runtime"), Path.of(System.getProperty("java.home")));
    script(
        home.resolve("bin").resolve("helenus"),
        """
        #!/bin/sh
        echo "flags ${HELENUS_JVM_OPTS:-}"
        echo "heap ${HELENUS_MAX_HEAP_SIZE:-}"
        echo "arguments $*"
        """);
    String text =
        Files.readString(Path.of("docker-entrypoint"))
            .replace("/opt/helenus", home.toString())
            .replace("/var/lib/cassandra", folder.resolve("volume").toString())
            .replace("/docker-entrypoint-initdb.d", folder.resolve("scripts").toString())
            .replace("/etc/cassandra", folder.resolve("configuration").toString());
    Files.createDirectories(folder.resolve("volume"));
    if (!configuration.isEmpty()) {
      Path file = folder.resolve("configuration").resolve("helenus.yaml");
      Files.createDirectories(folder.resolve("configuration"));
      Files.writeString(file, configuration);
    }
    Path entrypoint = script(folder.resolve("docker-entrypoint"), text);
    ProcessBuilder builder = new ProcessBuilder(entrypoint.toString()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(exitCode, process.waitFor(), output);
    return output;
  }

  private static Path script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    assertTrue(file.toFile().setExecutable(true));
    return file;
  }

  @Test
  void withoutVariablesThereAreNoFlags() throws Exception {
    String output = run(Map.of());
    assertTrue(output.contains("flags \nheap \narguments -D data_directory="), output);
    assertTrue(output.contains("-D rpc_address=0.0.0.0"), output);
  }

  @Test
  void theLauncherLimitsTheHeap() throws Exception {
    String output = run(Map.of("MAX_HEAP_SIZE", "8G", "HEAP_NEWSIZE", "800M"));
    assertTrue(output.contains("flags \nheap 8G\n"), output);
    assertTrue(output.contains("HEAP_NEWSIZE has no effect"), output);
  }

  @Test
  void flagsThatJavaRefusesAreLeftOut() throws Exception {
    String output =
        run(
            Map.of(
                "JVM_OPTS",
                "-Xms4G -Xmx4G -XX:+UseConcMarkSweepGC -XX:+UseG1GC -Dmine=1 -Dcassandra.x=y"
                    + " -javaagent:/nowhere/agent.jar -Xss2m"));
    assertTrue(output.contains("flags  -Dmine=1 -Xss2m\nheap 4G\n"), output);
    for (String flag :
        new String[] {"-Xms4G", "-Dcassandra.x=y", "-XX:+UseG1GC", "-XX:+UseConcMarkSweepGC"}) {
      assertTrue(output.contains("docker-entrypoint: " + flag + " has no effect"), output);
    }
    assertTrue(
        output.contains(
            "-javaagent:/nowhere/agent.jar has no effect, since Java refuses it: Error opening zip"
                + " file"),
        output);
  }

  /** The values of a key that the launcher is given, the last of which counts. */
  private static List<String> values(String key, String output) {
    return Pattern.compile(" -D " + key + "=(\\S*)")
        .matcher(output)
        .results()
        .map(result -> result.group(1))
        .toList();
  }

  @Test
  void aContainerWithoutVariablesIsItsOwnSeed() throws Exception {
    String output = run(Map.of());
    List<String> own = values("listen_address", output);
    assertEquals(1, own.size(), output);
    assertEquals(own, values("seeds", output));
    assertEquals(own, values("broadcast_rpc_address", output));
    assertEquals(List.of(), values("broadcast_address", output));
    assertEquals(List.of("0.0.0.0"), values("rpc_address", output));
    assertEquals(output, run(Map.of("CASSANDRA_LISTEN_ADDRESS", "auto")));
    assertEquals(output, run(Map.of("CASSANDRA_SEEDS", "127.0.0.1")));
  }

  @Test
  void addressesFollowEachOtherAsInCassandrasImage() throws Exception {
    String listen = run(Map.of("CASSANDRA_LISTEN_ADDRESS", "192.0.2.1"));
    assertEquals(List.of("192.0.2.1"), values("listen_address", listen));
    assertEquals(List.of("192.0.2.1"), values("broadcast_rpc_address", listen));
    assertEquals(List.of("192.0.2.1"), values("seeds", listen));
    String broadcast =
        run(
            Map.of(
                "CASSANDRA_LISTEN_ADDRESS",
                "192.0.2.1",
                "CASSANDRA_BROADCAST_ADDRESS",
                "192.0.2.2"));
    assertEquals(List.of("192.0.2.1"), values("listen_address", broadcast));
    assertEquals(List.of("192.0.2.2"), values("broadcast_address", broadcast));
    assertEquals(List.of("192.0.2.2"), values("broadcast_rpc_address", broadcast));
    assertEquals(List.of("192.0.2.2"), values("seeds", broadcast));
    String all =
        run(
            Map.of(
                "CASSANDRA_BROADCAST_ADDRESS",
                "auto",
                "CASSANDRA_BROADCAST_RPC_ADDRESS",
                "192.0.2.3",
                "CASSANDRA_RPC_ADDRESS",
                "192.0.2.4",
                "CASSANDRA_SEEDS",
                "one,two:7001"));
    assertEquals(values("listen_address", all), values("broadcast_address", all));
    assertEquals(List.of("192.0.2.3"), values("broadcast_rpc_address", all));
    assertEquals(List.of("192.0.2.4"), values("rpc_address", all));
    assertEquals(List.of("one,two:7001"), values("seeds", all));
  }

  @Test
  void theOtherVariablesOfACluster() throws Exception {
    String output =
        run(
            Map.of(
                "CASSANDRA_CLUSTER_NAME",
                "Shop",
                "CASSANDRA_NUM_TOKENS",
                "8",
                "CASSANDRA_DC",
                "east",
                "CASSANDRA_RACK",
                "r2",
                "CASSANDRA_ENDPOINT_SNITCH",
                "GossipingPropertyFileSnitch"));
    assertEquals(List.of("Shop"), values("cluster_name", output));
    assertEquals(List.of("8"), values("num_tokens", output));
    assertEquals(List.of("east"), values("data_center", output));
    assertEquals(List.of("r2"), values("rack", output));
    assertFalse(output.contains("no effect"), output);
    assertTrue(
        run(Map.of("CASSANDRA_ENDPOINT_SNITCH", "Ec2Snitch"))
            .contains("CASSANDRA_ENDPOINT_SNITCH has no effect: data center and rack are those"));
  }

  @Test
  void theFileComesBeforeTheContainersOwnAddressAndAfterVariables() throws Exception {
    configuration = "cluster_name: Shop\nlisten_address: 192.0.2.5\n";
    String file = run(Map.of());
    assertEquals(List.of(), values("listen_address", file));
    assertEquals(List.of(), values("seeds", file));
    configuration = "seeds: one\n";
    assertEquals(List.of(), values("seeds", run(Map.of())));
    assertEquals(List.of("two"), values("seeds", run(Map.of("CASSANDRA_SEEDS", "two"))));
  }

  @Test
  void initScriptsAreForASingleNode() throws Exception {
    Files.createDirectories(folder.resolve("scripts"));
    Files.writeString(folder.resolve("scripts").resolve("schema.cql"), "");
    exitCode = 1;
    String output = run(Map.of("CASSANDRA_SEEDS", "one,two"));
    assertTrue(output.contains("are not run, since CASSANDRA_SEEDS names other nodes"), output);
    assertFalse(output.contains("arguments"), output);
    Files.createDirectories(folder.resolve("volume").resolve("data"));
    exitCode = 0;
    assertTrue(run(Map.of("CASSANDRA_SEEDS", "one,two")).contains("arguments"));
  }
}
