package io.helenus.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docker-entrypoint} makes of Cassandra's variables, without a container. */
class EntrypointTest {
  @TempDir private Path folder;

  /** Runs it with a launcher that prints what it is given. */
  private String run(Map<String, String> environment) throws IOException, InterruptedException {
    Path home = folder.resolve("helenus");
    Files.createDirectories(home.resolve("bin"));
    Files.createDirectories(home.resolve("conf"));
    Files.copy(Path.of("..", "conf", "jvm.options"), home.resolve("conf").resolve("jvm.options"));
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
            .replace("/var/lib/cassandra", folder.resolve("volume").toString());
    Path entrypoint = script(folder.resolve("docker-entrypoint"), text);
    ProcessBuilder builder = new ProcessBuilder(entrypoint.toString()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
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
}
